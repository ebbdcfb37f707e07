//! The file that is written.

use std::ffi::OsStr;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rayon::ThreadPool;

use crate::error::{Error, FileName};
use crate::input::Input;
use crate::interrupt::Unfinished;
use crate::sink::{FileSink, SequentialSink, Sink};

/// An output. A regular file appears, whole, when it is [finished](Output::finish): until then it has a temporary name
/// in the same folder, and if it is dropped, nothing is left of it.
#[derive(Debug)]
pub struct Output {
    name: FileName,
    to: To,
}

#[derive(Debug)]
enum To {
    /// A pipe, a terminal, a device.
    Stream(File),
    File(Unfinished),
}

impl Output {
    /// Makes ready to write `path`; `-` is standard output.
    ///
    /// An existing regular file is replaced at the end; behind a symbolic link it is the link's target. Anything else
    /// that exists (a pipe, a device) is written to as it is.
    ///
    /// # Errors
    /// [`Error::Directory`], [`Error::SameFile`], [`Error::NoFolder`], [`Error::Write`].
    pub fn create(path: &Path, input: &Input) -> Result<Self, Error> {
        Output::open(path, Some(input))
    }

    /// The same where there is no input.
    ///
    /// # Errors
    /// [`Error::Directory`], [`Error::NoFolder`], [`Error::Write`].
    pub fn create_alone(path: &Path) -> Result<Self, Error> {
        Output::open(path, None)
    }

    fn open(path: &Path, input: Option<&Input>) -> Result<Self, Error> {
        let name = if path == Path::new("-") { FileName::StandardOutput } else { path.into() };
        let failed = |source| Error::Write { file: name.clone(), source };
        let to = if name == FileName::StandardOutput {
            To::Stream(io::stdout().as_fd().try_clone_to_owned().map_err(failed)?.into())
        } else {
            match path.metadata() {
                Ok(metadata) => existing(path, &name, &metadata, input)?,
                Err(error) if error.kind() == ErrorKind::NotFound => To::File(fresh(path.to_owned(), &name)?),
                Err(error) => return Err(failed(error)),
            }
        };
        Ok(Output { name, to })
    }

    /// How messages name it.
    pub fn name(&self) -> &FileName {
        &self.name
    }

    /// Writes it: a regular file from several threads.
    pub fn sink<'a>(&'a self, threads: &'a ThreadPool) -> Box<dyn Sink + 'a> {
        match &self.to {
            To::Stream(file) => Box::new(SequentialSink(file)),
            To::File(unfinished) => Box::new(FileSink::new(unfinished.file(), threads)),
        }
    }

    /// Writes all of `text`, and [finishes](Output::finish).
    ///
    /// # Errors
    /// [`Error::Write`]; nothing is left of a regular file then.
    pub fn write_text(self, text: &str) -> Result<(), Error> {
        let mut file = match &self.to {
            To::Stream(file) => file,
            To::File(unfinished) => unfinished.file(),
        };
        file.write_all(text.as_bytes()).map_err(|source| Error::Write { file: self.name.clone(), source })?;
        self.finish()
    }

    /// Everything is written: a regular file gets its name. It is not forced to the disk: a file that was seen finished
    /// survives this process, but not a power cut right after.
    ///
    /// # Errors
    /// [`Error::Write`]; nothing is left of the file then.
    pub fn finish(self) -> Result<(), Error> {
        match self.to {
            To::Stream(_) => Ok(()),
            To::File(unfinished) => unfinished.finish().map_err(|source| Error::Write { file: self.name, source }),
        }
    }
}

/// `path` exists.
fn existing(path: &Path, name: &FileName, metadata: &Metadata, input: Option<&Input>) -> Result<To, Error> {
    let failed = |source| Error::Write { file: name.clone(), source };
    if metadata.is_dir() {
        return Err(Error::Directory { file: name.clone() });
    }
    if let Some(input) = input.filter(|input| input.is_same_file(metadata)) {
        return Err(Error::SameFile { input: input.name().clone(), output: name.clone() });
    }
    // A regular file is opened as well, and left as it is: one that may not be written is not to be replaced either.
    let file = OpenOptions::new().write(true).open(path).map_err(failed)?;
    if metadata.is_file() {
        // The target of a symbolic link is replaced, not the link.
        fresh(path.canonicalize().map_err(failed)?, name).map(To::File)
    } else {
        Ok(To::Stream(file))
    }
}

fn fresh(target: PathBuf, name: &FileName) -> Result<Unfinished, Error> {
    let folder = match target.parent() {
        // `out/`: a folder that does not exist.
        _ if target.as_os_str().as_bytes().ends_with(b"/") => &target,
        None => Path::new("/"),
        Some(parent) if parent.as_os_str() == OsStr::new("") => Path::new("."),
        Some(parent) => parent,
    };
    if !folder.is_dir() {
        return Err(Error::NoFolder { file: name.clone(), folder: folder.to_owned() });
    }
    let folder = folder.to_owned();
    Unfinished::create(&folder, target).map_err(|source| Error::Write { file: name.clone(), source })
}
