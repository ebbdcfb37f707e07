//! Files that are not finished, and the signals that would leave them behind.

use std::collections::BTreeSet;
use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use signal_hook::consts::{SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;
use tempfile::TempPath;

/// The paths of all [`Unfinished`] files. Its lock is held while one is made, renamed or removed, so that a signal finds
/// either the file in this list, or no file.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file under a temporary name, beside the place where it goes. Removed on drop, and by a signal.
#[derive(Debug)]
pub(crate) struct Unfinished {
    file: File,
    /// `None` once it is finished, or removed.
    path: Option<TempPath>,
    target: PathBuf,
}

impl Unfinished {
    /// A new file in `folder`, with the permissions that any new file gets, for the path `target`.
    pub(crate) fn create(folder: &Path, target: PathBuf) -> io::Result<Self> {
        let mut list = unfinished();
        let permissions = Permissions::from_mode(0o666);
        let temporary = tempfile::Builder::new()
            .prefix(".antecede-")
            .suffix(".part")
            .permissions(permissions)
            .tempfile_in(folder)?;
        list.insert(temporary.path().to_owned());
        let (file, path) = temporary.into_parts();
        Ok(Unfinished { file, path: Some(path), target })
    }

    /// The file.
    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    /// Gives it its name, in place of what has that name now.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        let Some(path) = self.path.take() else { return Ok(()) };
        let mut list = unfinished();
        list.remove::<Path>(&path);
        // On failure the path comes back with the error, and its drop removes the file.
        Ok(path.persist(&self.target)?)
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(path) = self.path.take() {
            let mut list = unfinished();
            list.remove::<Path>(&path);
            drop(path);
        }
    }
}

/// From now on, `SIGINT` and `SIGTERM` first remove unfinished files and then end the process as they would have; and a
/// write beyond the limit of a file's size is an error, not the end.
///
/// # Errors
/// What the system says.
pub fn handle_signals() -> io::Result<()> {
    signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    thread::Builder::new().name("signals".into()).spawn(move || {
        for signal in &mut signals {
            // Held to the end: no file is finished, or begun, any more.
            let list = unfinished();
            for path in list.iter() {
                let _ = fs::remove_file(path);
            }
            let _ = emulate_default_handler(signal);
        }
    })?;
    Ok(())
}
