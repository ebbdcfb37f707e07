//! What can go wrong, in one line each.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::key::{Cipher, HexError};
use crate::pipeline::Failure;

/// Why a command failed. Its message is one line that names the cause, and the file where there is one.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// `--key` or `--nonce` is not what it must be.
    #[error(transparent)]
    Hex(#[from] HexError),
    /// The input cannot be opened.
    #[error("cannot open {file}: {source}")]
    #[non_exhaustive]
    Open {
        /// The input.
        file: FileName,
        /// What the system says.
        source: io::Error,
    },
    /// The input, or the output, is a directory.
    #[error("{file} is a directory")]
    #[non_exhaustive]
    Directory {
        /// Which one.
        file: FileName,
    },
    /// Input and output are one file.
    #[error("{output} is the same file as {input}: it would be overwritten while it is read")]
    #[non_exhaustive]
    SameFile {
        /// The input.
        input: FileName,
        /// The output, by whatever other name.
        output: FileName,
    },
    /// The output's folder does not exist.
    #[error("cannot write {file}: there is no folder {folder:?}")]
    #[non_exhaustive]
    NoFolder {
        /// The output.
        file: FileName,
        /// Its folder.
        folder: PathBuf,
    },
    /// Reading failed.
    #[error("cannot read {file}: {source}")]
    #[non_exhaustive]
    Read {
        /// The input.
        file: FileName,
        /// What the system says.
        source: io::Error,
    },
    /// Writing failed, or the output cannot be created.
    #[error("cannot write {file}: {source}")]
    #[non_exhaustive]
    Write {
        /// The output.
        file: FileName,
        /// What the system says.
        source: io::Error,
    },
    /// The name of a picture does not say its format.
    #[error("cannot tell the format of {file}: its name must end in .svg or .json")]
    #[non_exhaustive]
    Format {
        /// The output.
        file: FileName,
    },
    /// The block counter, of 32 bits, would begin again.
    #[error("{file} is too long: from block counter {counter} on, the cipher reaches {room} bytes")]
    #[non_exhaustive]
    Counter {
        /// The input.
        file: FileName,
        /// The first block's number.
        counter: u32,
        /// The most bytes that can be enciphered.
        room: u64,
    },
    /// The device failed.
    #[error("the device failed: {0}")]
    Device(#[from] antecede::Error),
    /// No GPU can be used.
    #[error("there is no CUDA device: {0}; `--device sim` runs without one")]
    NoCuda(antecede::driver::DriverError),
    /// The driver is there, and has no device.
    #[error("there is no CUDA device; `--device sim` runs without one")]
    NoCudaDevice,
    /// Built without the driver for GPUs.
    #[error(
        "this program was built without CUDA: build it with `cargo build --release -p antecede-demo --features cuda`"
    )]
    BuiltWithoutCuda,
    /// Threads for reading and writing, or the handling of signals, cannot be set up.
    #[error("cannot start: {0}")]
    Start(io::Error),
}

impl Error {
    pub(crate) fn counter(file: &FileName, cipher: &Cipher) -> Error {
        Error::Counter { file: file.clone(), counter: cipher.counter(), room: cipher.room() }
    }

    /// The process's exit code: 2 for a mistake in the arguments, 1 for any other failure.
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::Hex(_) | Error::Format { .. } => 2,
            _ => 1,
        }
    }
}

impl Failure {
    /// The error of a run from `input` to `output`.
    pub(crate) fn of(self, input: &FileName, output: &FileName, cipher: &Cipher) -> Error {
        match self {
            Failure::Read(source) => Error::Read { file: input.clone(), source },
            Failure::Write(source) => Error::Write { file: output.clone(), source },
            Failure::Counter => Error::counter(input, cipher),
            Failure::Device(error) => Error::Device(error),
        }
    }
}

/// A file as messages name it: quoted, on one line whatever is in the name.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FileName {
    /// `-`, to be read.
    StandardInput,
    /// `-`, to be written.
    StandardOutput,
    /// A path.
    Path(PathBuf),
}

impl fmt::Display for FileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileName::StandardInput => f.write_str("standard input"),
            FileName::StandardOutput => f.write_str("standard output"),
            FileName::Path(path) => write!(f, "{path:?}"),
        }
    }
}

impl From<&Path> for FileName {
    fn from(path: &Path) -> Self {
        FileName::Path(path.to_owned())
    }
}
