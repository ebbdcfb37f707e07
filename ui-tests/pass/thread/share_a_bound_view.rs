// guarantee: a view of a buffer of one thread is not lent to another
use antecede::{On, View};
use std::rc::Rc;

/// The brand of a stream that one thread uses.
struct Local(Rc<()>);

fn lend<T: Send>(_: T) {}

fn program(x: &View<f32, On<Local>>) {
    lend(x.len());
}

fn main() {
    let _ = Local(Rc::new(()));
}
