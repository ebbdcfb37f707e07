// guarantee: a thread's own stream has no form that another thread could use
use antecede::{AnyStream, Device, PerThread, Result, Stream};

fn program(device: Device, mine: Stream<PerThread>) -> Result<AnyStream> {
    let _ = mine;
    device.any_stream()
}

fn main() {}
