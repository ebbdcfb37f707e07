// guarantee: what is ready on a stream of one thread stays on that thread
use antecede::{Buffer, On};
use std::rc::Rc;

/// The brand of a stream that one thread uses.
struct Local(Rc<()>);

/// `std::thread::spawn`, with a span of our own.
fn spawn<F: FnOnce() + Send + 'static>(_: F) {}

fn program(x: Buffer<f32, On<Local>>) {
    let run = move || drop(x);
    run();
}

fn main() {
    spawn(|| ());
    let _ = Local(Rc::new(()));
}
