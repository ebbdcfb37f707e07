//! The command line.

use std::convert::Infallible;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Parser, Subcommand};

use crate::device::DeviceChoice;
use crate::ipc::{ImporterArgs, IpcArgs};
use crate::size::ChunkSize;

/// Streams a file through a device, over three streams whose order the compiler has checked.
#[derive(Parser, Debug)]
#[command(name = "antecede-demo", version, after_help = EXIT_CODES)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 done, 1 failed, 2 wrong arguments.";

/// A command.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Encipher or decipher a file with ChaCha20 (RFC 8439); the same command does both
    #[command(after_help = CRYPT_NOTES)]
    Crypt(CryptArgs),
    /// Show what goes wrong without a wait between two streams, and what the judge of races says of it
    Race(RaceArgs),
    /// Pass a buffer to other processes and back, verify every word of it, and say how long it took
    Ipc(IpcArgs),
    /// What `ipc` starts, with a connection as standard input
    #[command(hide = true)]
    IpcImporter(ImporterArgs),
    /// Draw when each operation of `crypt`, or of `race`, takes effect, on which stream, and what it waits for
    #[command(after_help = TIMELINE_NOTES)]
    Timeline(TimelineArgs),
}

const CRYPT_NOTES: &str = "\
The output is that of `openssl enc -chacha20 -K KEY -iv COUNTER||NONCE`, with the counter as 8 little-endian digits.
A key on a command line can be seen by other users of the machine, and a nonce must be used once with a key: this is a
demonstration of streams, and no tool to keep secrets with. Nothing tells whether a file was changed on its way.

OUT appears, whole, at the end. On a failure, or when interrupted, nothing is left of it.
Exit codes: 0 done, 1 failed, 2 wrong arguments.";

/// What `crypt` is told.
#[derive(Args, Debug)]
pub struct CryptArgs {
    /// The key: 64 hexadecimal digits
    #[arg(long, value_name = "HEX")]
    pub key: Digits,
    /// The nonce: 24 hexadecimal digits
    #[arg(long, value_name = "HEX")]
    pub nonce: Digits,
    /// The number of the first block of 64 bytes
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub counter: u32,
    /// Where to run
    #[arg(long, value_enum, default_value_t)]
    pub device: DeviceChoice,
    /// Bytes of a copy and a launch: 1000, 64KiB, 4M, at most 256M. Any size gives the same output; 16 times as much
    /// memory is used, on host and device together. Rounded up to a multiple of 64
    #[arg(long, value_name = "SIZE", default_value = "4MiB")]
    pub chunk: ChunkSize,
    /// Say nothing unless something fails
    #[arg(long, short)]
    pub quiet: bool,
    /// The file to read; `-` is standard input
    #[arg(value_name = "IN")]
    pub input: PathBuf,
    /// The file to write; `-` is standard output
    #[arg(value_name = "OUT")]
    pub output: PathBuf,
}

/// What `race` is told.
#[derive(Args, Debug)]
pub struct RaceArgs {
    /// Where to run
    #[arg(long, value_enum, default_value_t)]
    pub device: DeviceChoice,
}

const TIMELINE_NOTES: &str = "\
FILE.svg is a picture; FILE.json is a trace for https://ui.perfetto.dev, in Chrome's Trace Event Format.
On the simulator time is logical: an operation starts after all that it waits for, and its width is no duration.
On a GPU times are measured, by an event before and after each operation, which costs some microseconds.

FILE appears, whole, at the end. On a failure, or when interrupted, nothing is left of it.
Exit codes: 0 done, 1 failed, 2 wrong arguments.";

/// What `timeline` is told.
#[derive(Args, Debug)]
pub struct TimelineArgs {
    /// Draw the race of `race`, the run without the wait, in place of `crypt`
    #[arg(long, conflicts_with_all = ["chunks", "chunk"])]
    pub race: bool,
    /// Where to run
    #[arg(long, value_enum, default_value_t)]
    pub device: DeviceChoice,
    /// How many chunks go through the pipeline, the last one shorter than the others: 1 to 1000
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub chunks: u16,
    /// Bytes of a chunk, as for `crypt`
    #[arg(long, value_name = "SIZE", default_value = "4MiB")]
    pub chunk: ChunkSize,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// Hexadecimal digits, not looked at yet: an error that the parser of the command line makes would print them.
#[derive(Clone)]
pub struct Digits(String);

impl Digits {
    /// Looks at them.
    ///
    /// # Errors
    /// What parsing a `T` returns.
    pub fn parse<T: FromStr>(&self) -> Result<T, T::Err> {
        self.0.parse()
    }
}

impl FromStr for Digits {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Digits(text.to_owned()))
    }
}

impl fmt::Debug for Digits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Digits(..)")
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Cli;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }
}
