// guarantee: nobody makes a buffer of what a process merely says
use antecede::ipc::{ImportedPool, Manifest};
use antecede::{Buffer, Imported, On, ReadWrite, Result, Stream, streams};

streams! { Compute }

type Theirs = Buffer<f32, On<Compute>, Imported<ReadWrite>>;

fn program(compute: Stream<Compute>, pool: &ImportedPool, manifest: &Manifest) -> Result<Theirs> {
    // SAFETY: whoever runs this keeps the promises.
    unsafe { Ok(compute.import(pool, manifest)?.0) }
}

fn main() {}
