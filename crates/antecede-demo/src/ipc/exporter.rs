//! The side whose buffer it is.

use std::time::{Duration, Instant};

use antecede::ipc::ReadyFor;
use antecede::{Buffer, Device, DeviceBrand, Exportable, On, ReadOnly, ReadWrite, Stream};
use antecede_ipc::{Exporter, ImporterId};
use indicatif::ProgressBar;

use super::args::Ready;
use super::pattern::Words;
use super::{Exchange, IpcArgs, Plant, WARM_UP, answered, written};
use crate::error::Error;

/// How long the parts of one round took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Timing {
    /// The buffer is filled, made ready, and offered to all.
    pub(super) hand_out: Duration,
    /// From there until every importer is known to have let go.
    pub(super) away: Duration,
    /// Its words are verified.
    pub(super) verify: Duration,
}

impl Timing {
    pub(super) fn whole(&self) -> Duration {
        self.hand_out + self.away + self.verify
    }
}

/// Rounds of one buffer.
pub(super) struct Rounds<D> {
    stream: Stream<Exchange, D>,
    exporter: Exporter<D>,
    importers: Vec<ImporterId>,
    words: Words<D>,
    /// Empty while it is out.
    buffer: Buffer<u32, On<Exchange, D>, Exportable>,
    plant: Option<Plant>,
    measured: u32,
    next: u32,
}

impl<D: DeviceBrand> Rounds<D> {
    pub(super) fn new(
        device: Device<D>,
        exporter: Exporter<D>,
        importers: Vec<ImporterId>,
        args: &IpcArgs,
    ) -> Result<Self, Error> {
        let stream = device.stream::<Exchange>()?;
        let buffer = stream.alloc_in(device.pool::<Exportable>()?, args.words())?;
        let (words, plant, measured) = (Words::new(device, stream)?, args.plant, args.rounds.get());
        Ok(Rounds { stream, exporter, importers, words, buffer, plant, measured, next: 0 })
    }

    /// All rounds of one way; those that are measured are returned.
    pub(super) fn run(&mut self, ready: Ready, progress: &ProgressBar) -> Result<Vec<Timing>, Error> {
        let mut timings = Vec::new();
        for round in 0..WARM_UP + self.measured {
            let timing = self.round(ready)?;
            if round >= WARM_UP {
                timings.push(timing);
            }
            progress.inc(1);
        }
        Ok(timings)
    }

    fn round(&mut self, ready: Ready) -> Result<Timing, Error> {
        let (stream, round) = (self.stream, self.next);
        self.next = round.wrapping_add(1);
        let begun = Instant::now();
        let mut x = std::mem::take(&mut self.buffer);
        self.words.fill(&mut x, written(round))?;
        if self.plant == Some(Plant::Fill) && round == Plant::ROUND {
            self.words.spoil(&mut x, written(round))?;
        }
        let (x, offered) = match ready {
            Ready::Sync => {
                let (x, offered) = self.there_and_back(stream.sync(x)?)?;
                (x.on(stream), offered)
            }
            Ready::Event => {
                let (x, offered) = self.there_and_back(stream.record(x)?)?;
                (stream.claim(x)?, offered)
            }
        };
        let back = Instant::now();
        // Who was lent it has written an answer; those it was published to could not.
        let seed = if self.importers.len() == 1 { answered(round) } else { written(round) };
        self.words.expect(&x, seed, round)?;
        self.buffer = x;
        Ok(Timing { hand_out: offered - begun, away: back - offered, verify: back.elapsed() })
    }

    /// Lends it to the one importer, or publishes it to all, and takes it back. Also when it was offered to all.
    fn there_and_back<R, B>(&mut self, ready: R) -> Result<(B, Instant), Error>
    where
        R: ReadyFor<ReadWrite, D, Back = B> + ReadyFor<ReadOnly, D, Back = B>,
    {
        if let [importer] = self.importers[..] {
            let lent = self.exporter.lend(ready, importer)?;
            let offered = Instant::now();
            return Ok((self.exporter.reclaim(lent)?, offered));
        }
        let mut published = self.exporter.publish(ready)?;
        for &importer in &self.importers {
            self.exporter.offer(&mut published, importer)?;
        }
        let offered = Instant::now();
        Ok((self.exporter.reclaim(published)?, offered))
    }
}
