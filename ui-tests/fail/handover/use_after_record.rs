// guarantee: nothing happens to a buffer between the record and the wait
// message: borrow of moved value: `x`
// case: STALE-01
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Upload, Compute }

fn program(upload: Stream<Upload>, compute: Stream<Compute>, mut x: Buffer<f32, On<Upload>>) -> Result<()> {
    let recorded = upload.record(x)?;
    upload.fill(&mut x, 1.0)?;
    let mut x = compute.wait(recorded)?;
    compute.fill(&mut x, 2.0)
}

fn main() {}
