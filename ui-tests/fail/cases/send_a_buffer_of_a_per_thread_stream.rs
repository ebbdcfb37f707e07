// guarantee: what is ready on a thread's own stream stays on the thread, for its handle names another stream elsewhere
// message: cannot be sent between threads safely
// case: IDENT-01, WSTR-03
use antecede::{PerThread, Result, Stream, streams};

streams! { Send }

/// `std::thread::spawn`, with a span of our own.
fn spawn<F: FnOnce() + core::marker::Send + 'static>(_: F) {}

fn program(mine: Stream<PerThread>, send: Stream<Send>) -> Result<()> {
    let x = mine.zeroed::<u8>(64)?;
    let _ = send;
    spawn(move || drop(x));
    Ok(())
}

fn main() {}
