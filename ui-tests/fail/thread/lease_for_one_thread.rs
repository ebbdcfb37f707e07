// guarantee: a stream of one thread is no reader of what other threads share
// message: `Rc<()>` cannot be shared between threads safely
use antecede::{Buffer, Result, Shared, Stream};
use std::rc::Rc;

/// The brand of a stream that one thread uses.
struct Local(Rc<()>);

fn program(reader: Stream<Local>, x: Shared<Buffer<f32>>) -> Result<()> {
    reader.lease(&x).map(drop)
}

fn main() {
    let _ = Local(Rc::new(()));
}
