// guarantee: each block is on the stream of its last use, whichever index it was found by
// case: RAW-01
use antecede::{Buffer, On, Pinned, Result, Stream, streams};

streams! { Compute, Offload }

type Block = Buffer<f32, On<Compute>>;
type Saved = Buffer<f32, On<Offload>, Pinned>;

fn save(offload: Stream<Offload>, blocks: &mut Vec<Block>, which: usize, to: &mut Saved) -> Result<()> {
    let block = offload.take(blocks.swap_remove(which))?;
    offload.copy(&block, to)
}

fn main() {}
