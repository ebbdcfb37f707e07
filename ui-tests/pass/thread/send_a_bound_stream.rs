// guarantee: a stream of one thread stays on that thread
use antecede::Stream;
use std::rc::Rc;

/// The brand of a stream that one thread uses.
struct Local(Rc<()>);

fn send<T: Send>(_: T) {}

fn program(stream: Stream<Local>) {
    send(stream.name());
}

fn main() {
    let _ = Local(Rc::new(()));
}
