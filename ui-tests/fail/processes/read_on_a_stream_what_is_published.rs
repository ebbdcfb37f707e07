// guarantee: a published buffer that is complete is with the host: streams lease a shared one
// message: this buffer is with the host; give it to stream `Compute` first
use antecede::{Buffer, Exportable, Stream, Synced, streams};
use antecede_ipc::{Published, Result};

streams! { Compute }

type Own = Buffer<f32, Synced, Exportable>;

fn program(compute: Stream<Compute>, published: &Published<Own>) -> Result<Vec<f32>> {
    Ok(compute.download(&***published)?)
}

fn main() {}
