// guarantee: a host function runs on a thread of the driver's
use antecede::{Buffer, On, Pinned, Result, Stream, streams};
use std::sync::Arc as Shared;

streams! { Compute }

type Host = Buffer<u32, On<Compute>, Pinned>;

fn program(compute: Stream<Compute>, x: Host, factor: Shared<u32>) -> Result<Host> {
    Ok(compute.host_fn(x, move |x| x[0] *= *factor)?)
}

fn main() {}
