// guarantee: which states are on no stream is the library's business
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Upload, Compute }

fn program(compute: Stream<Compute>, x: Buffer<f32, On<Upload>>) -> Result<()> {
    compute.take(x).map(drop).map_err(Into::into)
}

fn main() {}
