// guarantee: the slice of a host function ends with it
use antecede::{Buffer, On, Pinned, Result, Stream, streams};
use std::sync::mpsc::Sender;

streams! { Compute }

type Host = Buffer<u32, On<Compute>, Pinned>;

fn program(compute: Stream<Compute>, x: Host, out: Sender<Vec<u32>>) -> Result<Host> {
    let sent = compute.host_fn(x, move |x| {
        out.send(x.to_vec()).ok();
    })?;
    Ok(sent)
}

fn main() {}
