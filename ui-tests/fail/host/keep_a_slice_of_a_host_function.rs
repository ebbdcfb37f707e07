// guarantee: the slice of a host function ends with it
// message: borrowed data escapes outside of closure
use antecede::{Buffer, On, Pinned, Result, Stream, streams};
use std::sync::mpsc::Sender;

streams! { Compute }

type Host = Buffer<u32, On<Compute>, Pinned>;

fn program(compute: Stream<Compute>, x: Host, out: Sender<&'static mut [u32]>) -> Result<Host> {
    let sent = compute.host_fn(x, move |x| {
        out.send(x).ok();
    })?;
    Ok(sent)
}

fn main() {}
