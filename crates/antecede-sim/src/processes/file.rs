//! Files of memory: made here, or checked when they come from elsewhere.

use std::fs::File;
use std::io;

/// What tells the files, and the connections, of one simulator from those of any other. Random.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Nonce(pub(super) [u64; 2]);

/// What a file begins with: its sort, whose it is, and one number more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Header {
    pub(super) mark: u64,
    pub(super) nonce: Nonce,
    pub(super) number: u64,
}

/// Bytes at the start of a file that are kept for its header.
pub(super) const HEADER: usize = 4096;

impl Header {
    fn bytes(&self) -> [u8; 32] {
        let Nonce([first, second]) = self.nonce;
        let mut bytes = [0; 32];
        let words = [self.mark, first, second, self.number];
        bytes.chunks_exact_mut(8).zip(words).for_each(|(place, word)| place.copy_from_slice(&word.to_le_bytes()));
        bytes
    }

    fn of(bytes: &[u8; 32]) -> Self {
        let word = |place: usize| bytes[place * 8..].first_chunk().map_or(0, |word| u64::from_le_bytes(*word));
        Header { mark: word(0), nonce: Nonce([word(1), word(2)]), number: word(3) }
    }
}

/// Makes a file of `len` bytes, none of them taken from the host yet. Its length is fixed, and it is closed on `exec`.
#[cfg(target_os = "linux")]
pub(super) fn create(name: &str, header: &Header, len: u64) -> io::Result<File> {
    use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};
    use std::os::unix::fs::FileExt;
    let file = File::from(memfd_create(name, MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?);
    file.set_len(len)?;
    fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL)?;
    file.write_all_at(&header.bytes(), 0)?;
    Ok(file)
}

/// Reads the header of a file that is one of memory, open for writing and of fixed length.
#[cfg(target_os = "linux")]
pub(super) fn header(file: &File) -> Result<Header, String> {
    use rustix::fs::{OFlags, SealFlags, fcntl_get_seals, fcntl_getfl};
    use std::os::unix::fs::FileExt;
    let seals = fcntl_get_seals(file).map_err(|_| "the descriptor is of no file of memory")?;
    if !seals.contains(SealFlags::SHRINK | SealFlags::GROW) {
        return Err("the file's length is not fixed".into());
    }
    let mode = fcntl_getfl(file).map_err(|cause| cause.to_string())?;
    if !mode.contains(OFlags::RDWR) {
        return Err("the file is not open for reading and writing".into());
    }
    let mut bytes = [0; 32];
    file.read_exact_at(&mut bytes, 0).map_err(|_| "the file is too short")?;
    Ok(Header::of(&bytes))
}

#[cfg(target_os = "linux")]
pub(super) fn fresh_nonce() -> io::Result<Nonce> {
    use rustix::rand::{GetRandomFlags, getrandom};
    let mut bytes = [0; 16];
    let got = getrandom(&mut bytes, GetRandomFlags::empty())?;
    if got != bytes.len() {
        return Err(io::ErrorKind::Interrupted.into());
    }
    let (first, second) = (u128::from_le_bytes(bytes) as u64, (u128::from_le_bytes(bytes) >> 64) as u64);
    Ok(Nonce([first, second]))
}

#[cfg(not(target_os = "linux"))]
pub(super) fn create(_: &str, _: &Header, _: u64) -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(not(target_os = "linux"))]
pub(super) fn header(_: &File) -> Result<Header, String> {
    Err("memory is not shared between processes here".into())
}

#[cfg(not(target_os = "linux"))]
pub(super) fn fresh_nonce() -> io::Result<Nonce> {
    Err(io::ErrorKind::Unsupported.into())
}
