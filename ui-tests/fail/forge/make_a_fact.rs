// guarantee: only the library changes a state
// message: module `trusted` is private
use antecede::trusted::Fact;
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Upload, Compute }

fn program(compute: Stream<Compute>, x: Buffer<f32, On<Upload>>) -> Result<Buffer<f32, On<Compute>>> {
    let fact: Option<Fact> = None;
    Ok(compute.take(x)?)
}

fn main() {}
