//! Streams a real file through a device: ChaCha20 (RFC 8439) over three ordered streams.
//!
//! The heart is [`Pipeline`]: a ring of [`Slot`]s goes round between a [`Source`], the streams [`Upload`], [`Compute`]
//! and [`Download`], and a [`Sink`]. The rest is a command line: [`crypt`] runs it on files, [`race`] shows what a
//! missing wait does, [`timeline`] draws either, and [`ipc()`] passes a buffer to other processes and back.
//!
//! ```
//! use antecede::Device;
//! use antecede_demo::{Cipher, Pipeline, Ring, SequentialSink, SequentialSource};
//! use antecede_sim::Sim;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let cipher = Cipher::new(&"42".repeat(32).parse()?, &"07".repeat(12).parse()?, 0);
//! let device = Device::primary(Sim::new())?;
//! let ring = Ring { slots: 3, chunk: "1KiB".parse()? };
//! let mut enciphered = Vec::new();
//! let mut pipeline = Pipeline::new(device, cipher, ring)?;
//! let bytes = pipeline.run(&mut SequentialSource(&[7; 5000][..]), &mut SequentialSink(&mut enciphered), &|_| {})?;
//! assert_eq!((bytes, enciphered.len()), (5000, 5000));
//! # Ok(())
//! # }
//! ```

mod chacha;
mod cli;
mod crypt;
mod device;
mod error;
mod input;
mod interrupt;
mod ipc;
mod key;
mod output;
mod pipeline;
mod progress;
mod race;
mod sink;
mod size;
mod slot;
mod source;
mod stopwatch;
mod timeline;
mod trusted;

pub use chacha::xor;
pub use cli::{Cli, Command, CryptArgs, Digits, RaceArgs, TimelineArgs};
pub use crypt::{crypt, encipher};
pub use device::{Chosen, DeviceChoice, simulator};
pub use error::{Error, FileName, WrongWord};
pub use input::Input;
pub use interrupt::handle_signals;
pub use ipc::{Exchange, ImporterArgs, IpcArgs, Plant, ReadyChoice, ipc, ipc_importer};
pub use key::{BLOCK, Cipher, HexError, Key, Nonce};
pub use output::Output;
pub use pipeline::{Compute, Download, Failure, Pipeline, Ring, Upload};
pub use progress::Summary;
pub use race::{HandOver, Run, race, run_once};
pub use sink::{Discard, FileSink, SequentialSink, Sink};
pub use size::{ChunkSize, SizeError};
pub use slot::Slot;
pub use source::{FileSource, Resident, SequentialSource, Source};
pub use timeline::{Drawn, draw_crypt, draw_race, timeline};
