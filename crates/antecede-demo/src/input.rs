//! The file that is read.

use std::fs::{File, Metadata};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rayon::ThreadPool;

use crate::error::{Error, FileName};
use crate::source::{FileSource, SequentialSource, Source};

/// An opened input.
#[derive(Debug)]
pub struct Input {
    name: FileName,
    file: File,
    metadata: Metadata,
}

impl Input {
    /// Opens `path`; `-` is standard input.
    ///
    /// # Errors
    /// [`Error::Open`], [`Error::Directory`].
    pub fn open(path: &Path) -> Result<Self, Error> {
        let (name, file) = if path == Path::new("-") {
            (FileName::StandardInput, io::stdin().as_fd().try_clone_to_owned().map(File::from))
        } else {
            (path.into(), File::open(path))
        };
        match file.and_then(|file| Ok((file.metadata()?, file))) {
            Ok((metadata, _)) if metadata.is_dir() => Err(Error::Directory { file: name }),
            Ok((metadata, file)) => Ok(Input { name, file, metadata }),
            Err(source) => Err(Error::Open { file: name, source }),
        }
    }

    /// How messages name it.
    pub fn name(&self) -> &FileName {
        &self.name
    }

    /// Its length in bytes, where that is known before it is read: for a regular file that was opened by its path. One
    /// of length 0 may be made as it is read, as those in `/proc` are.
    pub fn known_len(&self) -> Option<u64> {
        let is_known = self.metadata.is_file() && self.metadata.len() > 0 && self.name != FileName::StandardInput;
        is_known.then_some(self.metadata.len())
    }

    /// Whether another name leads to the same regular file.
    pub fn is_same_file(&self, other: &Metadata) -> bool {
        let id = |metadata: &Metadata| (metadata.dev(), metadata.ino());
        self.metadata.is_file() && id(&self.metadata) == id(other)
    }

    /// Reads it: where its length is known, from several threads.
    pub fn source<'a>(&'a self, threads: &'a ThreadPool) -> Box<dyn Source + 'a> {
        match self.known_len() {
            Some(len) => Box::new(FileSource::new(&self.file, len, threads)),
            None => Box::new(SequentialSource(&self.file)),
        }
    }
}
