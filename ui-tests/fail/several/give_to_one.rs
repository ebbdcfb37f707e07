// guarantee: where a brand stands for several devices, each hand-over is checked
// message: is not the brand of one device
use antecede::{AnyStream, Buffer, Result, Several, Synced, lane};

fn program<'id>(stream: AnyStream<Several<'id>>, x: Buffer<f32, Synced<Several<'id>>>) -> Result<Vec<f32>> {
    lane!(lane = stream);
    let x = x.on(lane);
    lane.download(&x)
}

fn main() {}
