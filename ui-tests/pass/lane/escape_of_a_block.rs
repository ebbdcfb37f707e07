// guarantee: a brand of `lane!` ends with its block
use antecede::{AnyStream, Buffer, Loose, Primary, Result, lane};

fn program(stream: AnyStream) -> Result<()> {
    let x = {
        lane!(lane = stream);
        lane.zeroed::<f32>(8)?.loose()
    };
    let _: usize = x.len();
    let _: Option<Buffer<f32, Loose<Primary>>> = None;
    Ok(())
}

fn main() {}
