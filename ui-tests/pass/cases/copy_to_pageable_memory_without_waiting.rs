// guarantee: memory that CUDA does not know is no target of an asynchronous copy
// case: HOST-03
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Download }

fn program(download: Stream<Download>, x: Buffer<u8, On<Download>>) -> Result<Vec<u8>> {
    let mut host = vec![0u8; x.len()];
    download.read(&x, &mut host)?;
    Ok(host)
}

fn main() {}
