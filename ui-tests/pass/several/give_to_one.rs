// guarantee: where a brand stands for several devices, each hand-over is checked
use antecede::{AnyStream, Buffer, Result, Several, Synced, lane};

fn program<'id>(stream: AnyStream<Several<'id>>, x: Buffer<f32, Synced<Several<'id>>>) -> Result<Vec<f32>> {
    lane!(lane = stream);
    let x = lane.take(x)?;
    lane.download(&x)
}

fn main() {}
