// guarantee: who forgets the stream of a buffer remembers it at run time, or has synced
// case: RAW-07
use antecede::{Buffer, Result, Stream, streams};

streams! { Pool }

/// Whatever wrote `data`, on whatever stream.
struct Source {
    data: Buffer<u8>,
}

fn host_read(pool: Stream<Pool>, source: Source) -> Result<Vec<u8>> {
    let data = pool.take(source.data)?;
    pool.download(&data)
}

fn main() {}
