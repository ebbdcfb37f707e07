// guarantee: an error that holds buffers of one thread stays on that thread
// message: `Rc<()>` cannot be sent between threads safely
use antecede::{Buffer, Failed, On};
use std::rc::Rc;

/// The brand of a stream that one thread uses.
struct Local(Rc<()>);

fn send<T: Send>(_: T) {}

fn program(failed: Failed<Buffer<f32, On<Local>>>) {
    send(failed);
}

fn main() {
    let _ = Local(Rc::new(()));
}
