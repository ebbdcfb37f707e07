// guarantee: a thread's own stream has no form that another thread could use
// message: the method `any` exists for struct `Stream<PerThread>`, but its trait bounds were not satisfied
use antecede::{AnyStream, Device, PerThread, Result, Stream};

fn program(device: Device, mine: Stream<PerThread>) -> Result<AnyStream> {
    let _ = device;
    Ok(mine.any())
}

fn main() {}
