//! What can go wrong, in one line each.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

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
    /// What another process was to have written, or this one, is not there.
    #[error("{0}")]
    WrongWord(WrongWord),
    /// The connection with another process, or what came over it.
    #[error("the exchange failed: {0}")]
    Exchange(#[from] antecede_ipc::Error),
    /// A process that was started has not ended well.
    #[error("{name} (process {pid}) {}", ending(status.as_ref(), said))]
    #[non_exhaustive]
    Process {
        /// What it is: `importer 0`, `the script`.
        name: String,
        /// Its id.
        pid: u32,
        /// How it ended; `None` if it did not.
        status: Option<ExitStatus>,
        /// Its last words, on one line.
        said: String,
    },
    /// A process cannot be started.
    #[error("cannot start {program:?}: {source}")]
    #[non_exhaustive]
    Spawn {
        /// The program.
        program: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A script has not said that it is ready.
    #[error("the script does not say that it is ready")]
    NotReady,
    /// A script has ended well and done less than it was asked for.
    #[error("the script has offered {found} buffers, expected {expected}")]
    #[non_exhaustive]
    FewerRounds {
        /// How many it was asked for.
        expected: usize,
        /// How many came.
        found: usize,
    },
    /// Threads for reading and writing, or the handling of signals, cannot be set up.
    #[error("cannot start: {0}")]
    Start(io::Error),
}

impl Error {
    pub(crate) fn counter(file: &FileName, cipher: &Cipher) -> Error {
        Error::Counter { file: file.clone(), counter: cipher.counter(), room: cipher.room() }
    }

    /// Whether another process has ended the connection, or never began it: how that process has ended says more.
    pub(crate) fn is_of_a_peer_that_is_gone(&self) -> bool {
        use antecede_ipc::{Error as Ipc, HandshakeError, LinkError};
        let Error::Exchange(error) = self else { return false };
        matches!(
            error,
            Ipc::ImporterGone { .. }
                | Ipc::Link(LinkError::PeerGone)
                | Ipc::Handshake(HandshakeError::Link(LinkError::PeerGone))
        )
    }

    /// The process's exit code: 2 for a mistake in the arguments, 1 for any other failure.
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::Hex(_) | Error::Format { .. } => 2,
            _ => 1,
        }
    }
}

impl<K> From<antecede_ipc::Failed<K>> for Error {
    fn from(failed: antecede_ipc::Failed<K>) -> Error {
        failed.error.into()
    }
}

impl<B> From<antecede::Failed<B>> for Error {
    fn from(failed: antecede::Failed<B>) -> Error {
        failed.error.into()
    }
}

/// `failed: words`, `was killed by signal 9`.
fn ending(status: Option<&ExitStatus>, said: &str) -> String {
    let ended = match status {
        None => "does not end".to_owned(),
        Some(status) if status.success() => "has ended too early".to_owned(),
        Some(status) => format!("has failed ({status})"),
    };
    if said.is_empty() { ended } else { format!("{ended}: {said}") }
}

/// A word that is not what it must be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct WrongWord {
    /// In which round, from 0.
    pub round: u32,
    /// Which word of the buffer.
    pub word: usize,
    /// What was to be there.
    pub expected: u32,
    /// What is there.
    pub found: u32,
}

/// `in round 3 word 17 is 0x00000001, expected 0x00000002`
impl fmt::Display for WrongWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WrongWord { round, word, expected, found } = self;
        write!(f, "in round {round} word {word} is {found:#010x}, expected {expected:#010x}")
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
