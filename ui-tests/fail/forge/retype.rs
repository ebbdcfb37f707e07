// guarantee: only the library changes a state
// message: no field `ptr` on type `Buffer<f32, On<Upload>>`
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Upload, Compute }

fn program(compute: Stream<Compute>, x: Buffer<f32, On<Upload>>) -> Result<Buffer<f32, On<Compute>>> {
    let y = compute.alloc(x.len())?;
    let _address = x.ptr;
    Ok(y)
}

fn main() {}
