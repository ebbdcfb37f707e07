//! Microseconds of host time for each operation on a GPU, through several libraries in one process.

pub mod crypt;
pub mod measure;
mod typed;

pub use typed::Antecede;

use std::fmt;
use std::time::Duration;

/// Elements of each buffer: the kernels have next to nothing to do.
pub const LEN: usize = 256;

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Row {
    /// A launch on one stream with that many buffers (1 to 8).
    Launch(usize),
    /// A launch, and a hand-over of its buffer to another stream, which launches next.
    PingPong,
    /// A hand-over of that many buffers (1, 2, 4, 8 or 16), with no work in between.
    HandOver(usize),
    /// The same of 16 buffers in a `Vec`.
    HandOverVec,
    /// A record, and a wait for it on another stream, as two calls.
    RecordWait,
    /// An allocation of 1 KiB and its free.
    AllocFree,
    /// A launch that writes, four streams that each launch a reader, and the join of all.
    Fork,
    // The round of a buffer between two processes has its place here.
}

impl Row {
    /// All, in the order of the table.
    pub const ALL: [Row; 18] = [
        Row::Launch(1),
        Row::Launch(2),
        Row::Launch(3),
        Row::Launch(4),
        Row::Launch(5),
        Row::Launch(6),
        Row::Launch(7),
        Row::Launch(8),
        Row::PingPong,
        Row::HandOver(1),
        Row::HandOver(2),
        Row::HandOver(4),
        Row::HandOver(8),
        Row::HandOver(16),
        Row::HandOverVec,
        Row::RecordWait,
        Row::AllocFree,
        Row::Fork,
    ];

    /// How often it is made in one go. The device's queue holds about a thousand operations: a full one would be measured.
    pub const fn times(self) -> u64 {
        match self {
            Row::Launch(_) | Row::PingPong => 200,
            Row::HandOver(_) | Row::HandOverVec | Row::RecordWait | Row::AllocFree => 200,
            Row::Fork => 20,
        }
    }

    /// The most that it may take through this library, in parts of the time of raw calls.
    pub const fn target(self) -> Option<f64> {
        match self {
            Row::Launch(_) | Row::AllocFree => Some(1.01),
            Row::HandOver(_) | Row::HandOverVec | Row::PingPong => Some(1.02),
            Row::RecordWait | Row::Fork => None,
        }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Row::Launch(buffers) => write!(f, "launch, {buffers} buffers"),
            Row::PingPong => f.write_str("launch and hand-over"),
            Row::HandOver(buffers) => write!(f, "hand-over of {buffers}"),
            Row::HandOverVec => f.write_str("hand-over of a Vec of 16"),
            Row::RecordWait => f.write_str("record, then wait"),
            Row::AllocFree => f.write_str("alloc and free"),
            Row::Fork => f.write_str("fork to 4 and join"),
        }
    }
}

/// A library that makes the operations.
pub trait System {
    /// Its name in the table.
    fn name(&self) -> &'static str;

    /// Makes a row's operation so many times and returns the host time that this took, without the wait for the device at
    /// the end. `None`: it has no such operation.
    ///
    /// # Errors
    /// In words.
    fn run(&mut self, row: Row, times: u64) -> Result<Option<Duration>, String>;
}
