// guarantee: a view of a stream of one thread stays on that thread
use antecede::{On, Reading};
use std::rc::Rc;

/// The brand of a stream that one thread uses.
struct Local(Rc<()>);

fn send<T: Send>(_: T) {}

fn program(x: Reading<'_, f32, On<Local>>) {
    send(x.len());
}

fn main() {
    let _ = Local(Rc::new(()));
}
