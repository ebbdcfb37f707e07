//! The board of a simulator: for each interprocess event that it made, how many records were submitted and how many have
//! taken effect. Every importer has it mapped.

use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use super::Nonce;
use super::file::{self, HEADER, Header};
use crate::trusted::Mapping;

const MARK: u64 = u64::from_le_bytes(*b"ante-brd");
const NAME: &str = "antecede-sim-events";

/// How many interprocess events a simulator has at once.
pub(super) const SLOTS: u32 = 1 << 16;
const SLOT: usize = 32;
const LEN: u64 = (HEADER + SLOT * SLOTS as usize) as u64;

/// The numbers of one slot. None of them ever falls, so that a slot that is used again ends no wait early.
#[derive(Clone, Copy, Debug)]
pub(super) enum Count {
    /// Records submitted.
    Submitted,
    /// Records that have taken effect, with every one before them.
    Executed,
    /// Events that have been in this slot and were destroyed.
    Destroyed,
}

/// A board, of this simulator or another.
#[derive(Debug)]
pub(crate) struct Board {
    mapping: Mapping,
    pub(super) nonce: Nonce,
}

impl Board {
    pub(super) fn create(nonce: Nonce) -> io::Result<(Board, File)> {
        let file = file::create(NAME, &Header { mark: MARK, nonce, number: 0 }, LEN)?;
        Ok((Board { mapping: Mapping::new(&file)?, nonce }, file))
    }

    /// Opens the board that another simulator has under that descriptor.
    pub(super) fn open(process: u64, descriptor: u64, nonce: Nonce) -> Result<Board, String> {
        let gone = || "the exporter is gone".to_owned();
        let path = format!("/proc/{process}/fd/{descriptor}");
        // Opening what is something else could have effects of its own.
        let target = std::fs::read_link(&path).map_err(|_| gone())?;
        if !target.to_string_lossy().starts_with(&format!("/memfd:{NAME}")) {
            return Err(gone());
        }
        let file = File::options().read(true).write(true).open(&path).map_err(|_| gone())?;
        let length = file.metadata().map_or(0, |metadata| metadata.len());
        if file::header(&file)? != (Header { mark: MARK, nonce, number: 0 }) || length != LEN {
            return Err(gone());
        }
        Ok(Board { mapping: Mapping::new(&file).map_err(|cause| cause.to_string())?, nonce })
    }

    /// What other processes did before a number was set is seen after it was read.
    pub(super) fn count(&self, slot: u32, count: Count) -> u64 {
        self.counter(slot, count).map_or(0, |counter| counter.load(Ordering::Acquire))
    }

    pub(super) fn set(&self, slot: u32, count: Count, value: u64) {
        if let Some(counter) = self.counter(slot, count) {
            counter.store(value, Ordering::Release);
        }
    }

    fn counter(&self, slot: u32, count: Count) -> Option<&AtomicU64> {
        let within = slot < SLOTS;
        let place = within.then_some(HEADER + slot as usize * SLOT + count as usize * size_of::<u64>())?;
        self.mapping.counter(place)
    }
}
