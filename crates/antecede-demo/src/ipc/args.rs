//! What `ipc` is told.

use std::ffi::OsString;
use std::num::{NonZeroU32, NonZeroU64};
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use indicatif::ProgressBar;

use super::WARM_UP;
use crate::device::DeviceChoice;
use crate::progress::rounds_bar;
use crate::size::ChunkSize;

/// What `ipc` is told.
#[derive(Args, Debug)]
pub struct IpcArgs {
    /// Where to run
    #[arg(long, value_enum, default_value_t)]
    pub device: DeviceChoice,
    /// How many processes import. One is lent the buffer, writes an answer into it, and is verified in turn; several read
    /// it at once
    #[arg(long, value_name = "N", default_value = "1")]
    pub importers: NonZeroU32,
    /// Rounds of each way, after 10 that are not measured
    #[arg(long, value_name = "N", default_value = "1000")]
    pub rounds: NonZeroU32,
    /// How the buffer becomes ready for the other process
    #[arg(long, value_enum, default_value_t)]
    pub ready: ReadyChoice,
    /// Bytes of the buffer: 1000, 64KiB, 4M, at most 256M. Rounded up to a multiple of 64
    #[arg(long, value_name = "SIZE", default_value = "1MiB")]
    pub bytes: ChunkSize,
    /// How long a process waits for another at most, in a round
    #[arg(long, value_name = "SECONDS", default_value = "10")]
    pub time_limit: NonZeroU64,
    /// Import by this Python script instead of this program. Such a peer is let in by an `unsafe` call: by naming it you
    /// promise that it keeps the rules at the head of `antecede_wire.py`
    #[arg(long, value_name = "SCRIPT")]
    pub python_import: Option<PathBuf>,
    /// Import from this Python script, which exports. The same promise
    #[arg(long, value_name = "SCRIPT", conflicts_with_all = ["python_import", "importers"])]
    pub python_export: Option<PathBuf>,
    /// The Python that runs the script
    #[arg(long, value_name = "PROGRAM", default_value = "python3")]
    pub python: PathBuf,
    /// Show nothing but the result
    #[arg(long, short)]
    pub quiet: bool,
    /// A mistake to make in the fourth round, for tests
    #[arg(long, value_enum, hide = true)]
    pub plant: Option<Plant>,
    /// Further arguments for the script
    #[arg(value_name = "ARGUMENT", last = true)]
    pub script_arguments: Vec<OsString>,
}

impl IpcArgs {
    pub(super) fn time_limit(&self) -> Duration {
        Duration::from_secs(self.time_limit.get())
    }

    /// Words of the buffer.
    pub(super) fn words(&self) -> usize {
        self.bytes.bytes() / size_of::<u32>()
    }

    pub(super) fn progress(&self) -> ProgressBar {
        if self.quiet {
            return ProgressBar::hidden();
        }
        rounds_bar(self.ready.ways().len() as u64 * u64::from(WARM_UP + self.rounds.get()))
    }
}

/// What a process that imports is told.
#[derive(Args, Debug)]
pub struct ImporterArgs {
    /// Where to run
    #[arg(long, value_enum, default_value_t)]
    pub device: DeviceChoice,
    /// How long to wait for the exporter at most
    #[arg(long, value_name = "SECONDS", default_value = "10")]
    pub time_limit: NonZeroU64,
    /// A mistake to make
    #[arg(long, value_enum)]
    pub plant: Option<Plant>,
}

/// How a buffer becomes ready for another process.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum ReadyChoice {
    /// The host waits for the stream
    Sync,
    /// The other's stream waits for an event; no host does
    Event,
    /// One after the other
    #[default]
    Both,
}

/// One of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ready {
    Sync,
    Event,
}

impl ReadyChoice {
    pub(super) fn ways(self) -> &'static [Ready] {
        match self {
            ReadyChoice::Sync => &[Ready::Sync],
            ReadyChoice::Event => &[Ready::Event],
            ReadyChoice::Both => &[Ready::Sync, Ready::Event],
        }
    }
}

impl Ready {
    pub(super) fn name(self) -> &'static str {
        match self {
            Ready::Sync => "sync",
            Ready::Event => "event",
        }
    }
}

/// A mistake that is made on purpose, to see that it is noticed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Plant {
    /// The exporter writes one wrong word
    Fill,
    /// An importer answers with one wrong word
    Answer,
    /// An importer ends while it has the buffer
    Exit,
    /// An importer keeps the buffer
    Hang,
}

impl Plant {
    /// The round in which it is made.
    pub(super) const ROUND: u32 = 3;
}
