// guarantee: memory is used after its allocation, and a wait of the host for both streams comes too late
// message: this buffer is not ready on stream `Generator`
// case: SEED-1, ALLOC-01, ALLOC-03
use antecede::{Buffer, Device, Result, Stream, Synced, streams};

streams! { Default, Generator }

fn program(device: Device, default: Stream<Default>, generator: Stream<Generator>) -> Result<Buffer<u32, Synced>> {
    let mut x = default.alloc(1 << 20)?;
    generator.fill(&mut x, 7)?;
    device.sync(x).map_err(Into::into)
}

fn main() {}
