// guarantee: memory that CUDA does not know is no target of an asynchronous copy
// message: expected `&mut View<u8, _>`, found `&mut Vec<u8>`
// case: HOST-03
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Download }

fn program(download: Stream<Download>, x: Buffer<u8, On<Download>>) -> Result<Vec<u8>> {
    let mut host = vec![0u8; x.len()];
    download.copy(&x, &mut host)?;
    Ok(host)
}

fn main() {}
