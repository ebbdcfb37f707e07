//! Words that tell every place and every round apart, written and verified on the device.

use antecede::{Buffer, Device, DeviceBrand, On, ReadyOn, Result, Stream, View};

use super::Exchange;
use crate::error::{Error, WrongWord};
use crate::trusted::{Pattern, pattern_word};

/// Writes and verifies the pattern, on one stream.
pub(super) struct Words<D> {
    kernels: Pattern<D>,
    stream: Stream<Exchange, D>,
    /// Where the device says which word is wrong.
    verdict: Buffer<u32, On<Exchange, D>>,
}

/// More than any place has.
const NONE: u32 = u32::MAX;

impl<D: DeviceBrand> Words<D> {
    pub(super) fn new(device: Device<D>, stream: Stream<Exchange, D>) -> Result<Self> {
        Ok(Words { kernels: device.load::<Pattern>()?, stream, verdict: stream.alloc(1)? })
    }

    /// Writes the pattern: one launch. A buffer has at most 2^26 words.
    pub(super) fn fill(&self, x: &mut View<u32, impl ReadyOn<Exchange, D>>, seed: u32) -> Result<()> {
        self.kernels.fill_pattern(self.stream, x.len() as u32, seed, x)
    }

    /// Writes another word than the pattern's in its middle.
    pub(super) fn spoil(&self, x: &mut View<u32, impl ReadyOn<Exchange, D>>, seed: u32) -> Result<()> {
        let middle = x.len() / 2;
        self.stream.fill(&mut x[middle..=middle], !pattern_word(middle as u32, seed))
    }

    /// Verifies every word. The host waits for the stream.
    ///
    /// # Errors
    /// [`Error::WrongWord`]: the first that is not the pattern's.
    pub(super) fn expect(
        &mut self,
        x: &View<u32, impl ReadyOn<Exchange, D>>,
        seed: u32,
        round: u32,
    ) -> Result<(), Error> {
        self.stream.fill(&mut self.verdict, NONE)?;
        self.kernels.verify_pattern(self.stream, x.len() as u32, seed, x, &mut self.verdict)?;
        let mut place = [NONE];
        self.stream.read(&self.verdict, &mut place)?;
        let [place] = place;
        if place == NONE {
            return Ok(());
        }
        let word = place as usize;
        let found = self.stream.download(&x[word..=word])?[0];
        Err(Error::WrongWord(WrongWord { round, word, expected: pattern_word(place, seed), found }))
    }
}
