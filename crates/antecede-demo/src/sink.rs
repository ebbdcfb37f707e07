//! Where the bytes go.

use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::FileExt;

use rayon::ThreadPool;
use rayon::prelude::*;

use crate::source::PIECE;

/// Takes a stream of bytes out of host memory.
pub trait Sink: Send {
    /// Takes all of `chunk`, which follows what it was given before.
    ///
    /// # Errors
    /// What writing returns.
    fn put(&mut self, chunk: &[u8]) -> io::Result<()>;
}

/// Writes one piece after the other: to a pipe, a terminal, a `Vec`.
#[derive(Debug)]
pub struct SequentialSink<W>(pub W);

impl<W: Write + Send> Sink for SequentialSink<W> {
    fn put(&mut self, chunk: &[u8]) -> io::Result<()> {
        self.0.write_all(chunk)
    }
}

/// Writes a regular file, from its start, from several threads at once.
#[derive(Debug)]
pub struct FileSink<'a> {
    file: &'a File,
    threads: &'a ThreadPool,
    at: u64,
}

impl<'a> FileSink<'a> {
    /// Into this file, which is empty.
    pub fn new(file: &'a File, threads: &'a ThreadPool) -> Self {
        FileSink { file, threads, at: 0 }
    }
}

impl Sink for FileSink<'_> {
    fn put(&mut self, chunk: &[u8]) -> io::Result<()> {
        let write = |(place, piece): (usize, &[u8])| self.file.write_all_at(piece, self.at + (place * PIECE) as u64);
        if chunk.len() <= PIECE {
            write((0, chunk))?;
        } else {
            self.threads.install(|| chunk.par_chunks(PIECE).enumerate().try_for_each(write))?;
        }
        self.at += chunk.len() as u64;
        Ok(())
    }
}

/// Forgets what it is given. To measure the rest of a pipeline.
#[derive(Clone, Copy, Debug)]
pub struct Discard;

impl Sink for Discard {
    fn put(&mut self, _: &[u8]) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::{FileSink, PIECE, Sink};

    #[test]
    fn files_are_written_in_pieces() {
        let threads = rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("threads");
        let mut file = tempfile::tempfile().expect("a file");
        let data: Vec<u8> = (0..5 * PIECE + 77).map(|i| (i / 3) as u8).collect();
        let mut sink = FileSink::new(&file, &threads);
        for chunk in data.chunks(2 * PIECE + 64) {
            sink.put(chunk).expect("written");
        }
        let mut written = Vec::new();
        file.read_to_end(&mut written).expect("read");
        assert!(written == data, "the same bytes");
    }
}
