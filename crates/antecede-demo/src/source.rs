//! Where the bytes come from.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::FileExt;

use rayon::ThreadPool;
use rayon::prelude::*;

/// Bytes of a chunk that one thread reads or writes at a time.
pub(crate) const PIECE: usize = 256 << 10;

/// A stream of bytes, read into host memory.
pub trait Source: Send {
    /// Fills `chunk` from its start, and returns how much of it. Less than all of it: the stream ends there.
    ///
    /// # Errors
    /// What reading returns.
    fn fill(&mut self, chunk: &mut [u8]) -> io::Result<usize>;
}

/// Reads one piece after the other: a pipe, a terminal, a slice.
#[derive(Debug)]
pub struct SequentialSource<R>(pub R);

impl<R: Read + Send> Source for SequentialSource<R> {
    fn fill(&mut self, chunk: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while filled < chunk.len() {
            match self.0.read(&mut chunk[filled..]) {
                Ok(0) => break,
                Ok(n) => filled += n,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(filled)
    }
}

/// Reads a regular file from several threads at once, up to the length that it had at first.
#[derive(Debug)]
pub struct FileSource<'a> {
    file: &'a File,
    threads: &'a ThreadPool,
    at: u64,
    end: u64,
}

impl<'a> FileSource<'a> {
    /// The first `len` bytes of the file.
    pub fn new(file: &'a File, len: u64, threads: &'a ThreadPool) -> Self {
        FileSource { file, threads, at: 0, end: len }
    }
}

impl Source for FileSource<'_> {
    fn fill(&mut self, chunk: &mut [u8]) -> io::Result<usize> {
        let n = usize::try_from(self.end - self.at).map_or(chunk.len(), |left| left.min(chunk.len()));
        let read = |(place, piece): (usize, &mut [u8])| read_whole(self.file, piece, self.at + (place * PIECE) as u64);
        match &mut chunk[..n] {
            small if n <= PIECE => read((0, small))?,
            large => self.threads.install(|| large.par_chunks_mut(PIECE).enumerate().try_for_each(read))?,
        }
        self.at += n as u64;
        Ok(n)
    }
}

fn read_whole(file: &File, piece: &mut [u8], at: u64) -> io::Result<()> {
    file.read_exact_at(piece, at).map_err(|error| match error.kind() {
        ErrorKind::UnexpectedEof => io::Error::new(ErrorKind::UnexpectedEof, "it became shorter while it was read"),
        _ => error,
    })
}

/// A number of bytes that are there already: chunks are left with whatever they hold. To measure the rest of a pipeline.
#[derive(Debug)]
pub struct Resident {
    left: u64,
}

impl Resident {
    /// A stream of that many bytes.
    pub fn new(bytes: u64) -> Self {
        Resident { left: bytes }
    }
}

impl Source for Resident {
    fn fill(&mut self, chunk: &mut [u8]) -> io::Result<usize> {
        let n = usize::try_from(self.left).map_or(chunk.len(), |left| left.min(chunk.len()));
        self.left -= n as u64;
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;
    use std::io::{self, ErrorKind, Read, Write};

    use super::{FileSource, PIECE, Resident, SequentialSource, Source};

    fn bytes(len: usize) -> Vec<u8> {
        (0..len).map(|i| (i / 3) as u8).collect()
    }

    /// Gives one byte at a time, and is interrupted before each.
    struct Trickle<'a>(&'a [u8], bool);

    impl Read for Trickle<'_> {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            self.1 = !self.1;
            if self.1 { Err(ErrorKind::Interrupted.into()) } else { self.0.read(&mut to[..1]) }
        }
    }

    #[test]
    fn short_reads_are_put_together() {
        let data = bytes(10);
        let mut source = SequentialSource(Trickle(&data, false));
        let mut chunk = [0; 7];
        assert_eq!(source.fill(&mut chunk).expect("reads"), 7);
        assert_eq!(chunk, data[..7]);
        assert_eq!(source.fill(&mut chunk).expect("reads"), 3);
        assert_eq!(chunk[..3], data[7..]);
        assert_eq!(source.fill(&mut chunk).expect("reads"), 0);
    }

    #[test]
    fn files_are_read_in_pieces_up_to_their_first_length() {
        let threads = rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("threads");
        let mut file = tempfile::tempfile().expect("a file");
        let data = bytes(5 * PIECE + 77);
        file.write_all(&data).expect("written");
        let mut source = FileSource::new(&file, data.len() as u64, &threads);
        (&file).write_all(b"more").expect("written");
        let mut chunk = vec![0; 2 * PIECE + 64];
        let mut read = Vec::new();
        loop {
            let n = source.fill(&mut chunk).expect("reads");
            read.extend_from_slice(&chunk[..n]);
            if n < chunk.len() {
                break;
            }
        }
        assert!(read == data, "the same bytes");
    }

    #[test]
    fn a_file_that_shrinks_is_an_error() {
        let threads = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("threads");
        let file = tempfile::NamedTempFile::new().expect("a file");
        file.as_file().set_len(10).expect("resized");
        let mut source = FileSource::new(file.as_file(), 10, &threads);
        OpenOptions::new().write(true).open(file.path()).and_then(|f| f.set_len(9)).expect("resized");
        let error = source.fill(&mut [0; 64]).expect_err("too short");
        assert_eq!(error.to_string(), "it became shorter while it was read");
    }

    #[test]
    fn resident_bytes_stay_as_they_are() {
        let mut source = Resident::new(100);
        let mut chunk = [7; 64];
        assert_eq!((source.fill(&mut chunk).expect("fills"), chunk), (64, [7; 64]));
        assert_eq!(source.fill(&mut chunk).expect("fills"), 36);
        assert_eq!(source.fill(&mut chunk).expect("fills"), 0);
    }
}
