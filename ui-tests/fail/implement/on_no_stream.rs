// guarantee: which states are on no stream is the library's business
// message: only traits defined in the current crate can be implemented for types defined outside of the crate
use antecede::never::{NotTheReason, OnNoStream};
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Upload, Compute }

impl OnNoStream for On<Upload> {
    type Host = NotTheReason;
    type RunTime = NotTheReason;
}

fn program(compute: Stream<Compute>, x: Buffer<f32, On<Upload>>) -> Result<()> {
    compute.take(x).map(drop).map_err(Into::into)
}

fn main() {}
