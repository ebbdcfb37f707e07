// guarantee: a host function may run after its caller is gone
use antecede::{Buffer, On, Pinned, Result, Stream, streams};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

streams! { Compute }

type Host = Buffer<u32, On<Compute>, Pinned>;

fn program(compute: Stream<Compute>, x: Host, seen: Arc<AtomicU32>) -> Result<Host> {
    Ok(compute.host_fn(x, move |x| seen.store(x[0], Relaxed))?)
}

fn main() {}
