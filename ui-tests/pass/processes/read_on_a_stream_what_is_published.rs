// guarantee: a published buffer that is complete is with the host: streams lease a shared one
use antecede::{Buffer, Exportable, Stream, Synced, streams};
use antecede_ipc::{Published, Result};

streams! { Compute }

type Own = Buffer<f32, Synced, Exportable>;

fn program(_: Stream<Compute>, published: &Published<Own>) -> Result<Vec<f32>> {
    Ok(published.to_vec()?)
}

fn main() {}
