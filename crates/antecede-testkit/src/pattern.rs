//! Data that can be checked where it is.

use crate::{Pattern, pattern_word};
use antecede::{Buffer, Device, On, Primary, ReadyOn, Result, Stream, View};
use std::fmt;

/// Fills memory with a pattern, copies it and verifies it, all on one stream. `Copy`.
///
/// It is given a stream, and has no other: there is no default that some of its work could be on. What it works on is
/// ready on that stream, in memory of any kind; a view of a part counts its places from its own first element.
///
/// ```
/// # use antecede::streams;
/// # use antecede_testkit::{PatternGen, on_sim};
/// streams! { Upload, Compute }
///
/// # on_sim(|device, _| {
/// let (upload, compute) = device.streams::<(Upload, Compute)>()?;
/// let x = PatternGen::new(device, upload, 7)?.filled(1000)?;
/// let x = compute.take(x)?;
/// assert_eq!(PatternGen::new(device, compute, 7)?.verify(&x)?, None);
/// # Ok(()) });
/// ```
pub struct PatternGen<S, D = Primary> {
    kernels: Pattern<D>,
    stream: Stream<S, D>,
    seed: u32,
}

/// The first place of a view that has another word than the pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// The place in the view, in elements.
    pub index: usize,
    /// The pattern's word.
    pub expected: u32,
    /// The word that is there.
    pub found: u32,
}

impl<S, D> PatternGen<S, D> {
    /// The pattern of that seed on that stream, which is one of the device's. `cuModuleLoadDataEx` at the first call for
    /// a device.
    ///
    /// # Errors
    /// As for [`Device::load`].
    pub fn new(device: Device<D>, stream: Stream<S, D>, seed: u32) -> Result<Self> {
        Ok(PatternGen { kernels: device.load::<Pattern>()?, stream, seed })
    }

    /// The same pattern from its place `first` on: for a part of what was filled as a whole. No driver call.
    #[must_use = "it is another pattern, and this one is as it was"]
    pub fn starting_at(self, first: u32) -> Self {
        // The word at a place is a function of `place * factor + seed`.
        const FACTOR: u32 = 0x9E37_79B1;
        PatternGen { seed: self.seed.wrapping_add(first.wrapping_mul(FACTOR)), ..self }
    }

    /// The pattern's word at a place.
    pub fn word(self, place: u32) -> u32 {
        pattern_word(place, self.seed)
    }

    /// Device memory of `len` words with the pattern (`cuMemAllocAsync`, `cuLaunchKernel`).
    ///
    /// # Errors
    /// As for [`Stream::alloc`] and [`fill`](PatternGen::fill).
    pub fn filled(self, len: usize) -> Result<Buffer<u32, On<S, D>>> {
        let mut x = self.stream.alloc(len)?;
        self.fill(&mut x)?;
        Ok(x)
    }

    /// Writes the pattern (`cuLaunchKernel`). No call for no elements.
    ///
    /// # Errors
    /// [`Error::Driver`](antecede::Error::Driver), [`Error::Poisoned`](antecede::Error::Poisoned).
    pub fn fill(self, target: &mut View<u32, impl ReadyOn<S, D>>) -> Result<()> {
        pieces(target.len()).try_for_each(|(start, len)| {
            let Self { kernels, stream, seed } = self.starting_at(start as u32);
            kernels.fill_pattern(stream, len, seed, &mut target[start..start + len as usize])
        })
    }

    /// Copies (`cuMemcpyAsync`). No call for no elements.
    ///
    /// # Errors
    /// As for [`Stream::copy`].
    pub fn copy(
        self,
        source: &View<u32, impl ReadyOn<S, D>>,
        target: &mut View<u32, impl ReadyOn<S, D>>,
    ) -> Result<()> {
        self.stream.copy(source, target)
    }

    /// Looks for the first word that is not the pattern's, on the device; `None` if there is none.
    ///
    /// The host waits for this stream alone, once (for each 2^32 - 1 elements): `cuMemAllocAsync`, `cuMemsetD32Async`, `cuLaunchKernel`,
    /// `cuMemcpyAsync`, `cuStreamSynchronize` and `cuMemFreeAsync`. To fetch a wrong word it copies, and waits, once more.
    /// No call for no elements.
    ///
    /// # Errors
    /// As for [`fill`](PatternGen::fill) and [`Stream::download`].
    pub fn verify(self, source: &View<u32, impl ReadyOn<S, D>>) -> Result<Option<Mismatch>> {
        for (start, len) in pieces(source.len()) {
            let piece = &source[start..start + len as usize];
            if let Some(mismatch) = self.starting_at(start as u32).verify_piece(piece, len)? {
                return Ok(Some(Mismatch { index: start + mismatch.index, ..mismatch }));
            }
        }
        Ok(None)
    }

    fn verify_piece(self, source: &View<u32, impl ReadyOn<S, D>>, len: u32) -> Result<Option<Mismatch>> {
        // More than any place: a piece has at most `u32::MAX` elements.
        const NONE: u32 = u32::MAX;
        let mut verdict = self.stream.alloc(1)?;
        self.stream.fill(&mut verdict, NONE)?;
        self.kernels.verify_pattern(self.stream, len, self.seed, source, &mut verdict)?;
        let place = self.stream.download(&verdict)?[0];
        if place == NONE {
            return Ok(None);
        }
        let index = place as usize;
        let found = self.stream.download(&source[index..=index])?[0];
        Ok(Some(Mismatch { index, expected: self.word(place), found }))
    }
}

/// Start and length of each piece that a kernel can count. (The pattern repeats itself after 2^32 places.)
fn pieces(len: usize) -> impl Iterator<Item = (usize, u32)> {
    const LARGEST: usize = u32::MAX as usize;
    (0..len).step_by(LARGEST).map(move |start| (start, LARGEST.min(len - start) as u32))
}

impl<S, D> Clone for PatternGen<S, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S, D> Copy for PatternGen<S, D> {}

impl<S, D> fmt::Debug for PatternGen<S, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PatternGen(seed {} on {})", self.seed, self.stream.name())
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mismatch { index, expected, found } = self;
        write!(f, "at {index}: {expected:#010x} expected, {found:#010x} found")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use antecede::{DeviceBrand, Pinned, Writable, streams};
    use antecede_trace::{Call, Counts};

    streams! { Here, There }

    const LEN: usize = 10_000;

    crate::mount! {
        what_is_filled_is_right, a_wrong_byte_is_found, parts_are_verified_as_parts, every_kind_of_memory,
        copies_carry_the_pattern_to_another_stream,
    }

    fn what_is_filled_is_right<D: DeviceBrand>(device: Device<D>) -> Result<()> {
        let here = device.stream::<Here>()?;
        for seed in [0, 1, 0xdead_beef] {
            let pattern = PatternGen::new(device, here, seed)?;
            let x = pattern.filled(LEN)?;
            assert_eq!(pattern.verify(&x)?, None);
            let words: Vec<u32> = (0..LEN as u32).map(|place| pattern.word(place)).collect();
            assert_eq!(here.download(&x)?, words);
            let other = PatternGen::new(device, here, seed + 1)?;
            let mismatch = Mismatch { index: 0, expected: other.word(0), found: words[0] };
            assert_eq!(other.verify(&x)?, Some(mismatch), "another seed's words differ at the first place");
        }
        Ok(())
    }

    fn a_wrong_byte_is_found<D: DeviceBrand>(device: Device<D>) -> Result<()> {
        let here = device.stream::<Here>()?;
        let pattern = PatternGen::new(device, here, 5)?;
        let mut x = pattern.filled(LEN)?;
        // Each before the one found so far.
        for index in [LEN - 1, LEN / 2, 0] {
            for byte in [3, 0] {
                let expected = pattern.word(index as u32);
                let found = expected ^ 1 << (8 * byte);
                here.fill(&mut x[index..=index], found)?;
                assert_eq!(pattern.verify(&x)?, Some(Mismatch { index, expected, found }));
            }
        }
        assert_eq!(pattern.starting_at(1).verify(&x[1..LEN / 2])?, None, "the words between are right");
        pattern.fill(&mut x)?;
        assert_eq!(pattern.verify(&x)?, None);
        Ok(())
    }

    fn parts_are_verified_as_parts<D: DeviceBrand>(device: Device<D>) -> Result<()> {
        let here = device.stream::<Here>()?;
        let pattern = PatternGen::new(device, here, 9)?;
        let mut x = here.zeroed(100)?;
        pattern.fill(&mut x[30..70])?;
        assert_eq!(pattern.verify(&x[30..70])?, None);
        assert_eq!(pattern.verify(&x[30..71])?.map(|mismatch| (mismatch.index, mismatch.found)), Some((40, 0)));
        assert_eq!(pattern.starting_at(12).verify(&x[42..70])?, None);
        let words = here.download(&x)?;
        assert!(words[..30].iter().chain(&words[70..]).all(|&word| word == 0), "nothing else is written");
        assert_eq!(pattern.verify(&x[..0])?, None);
        pattern.fill(&mut x[..0])?;
        Ok(())
    }

    fn every_kind_of_memory<D: DeviceBrand>(device: Device<D>) -> Result<()> {
        fn check<D: DeviceBrand, M: Writable>(
            pattern: PatternGen<Here, D>,
            mut x: Buffer<u32, On<Here, D>, M>,
        ) -> Result<()> {
            pattern.fill(&mut x)?;
            assert_eq!(pattern.verify(&x)?, None);
            pattern.stream.clear(&mut x[7..8])?;
            assert_eq!(pattern.verify(&x)?, Some(Mismatch { index: 7, expected: pattern.word(7), found: 0 }));
            Ok(())
        }
        let here = device.stream::<Here>()?;
        let pattern = PatternGen::new(device, here, 77)?;
        check(pattern, here.alloc(300)?)?;
        check(pattern, device.pinned(300)?.on(here))?;
        check(pattern, device.managed(300)?.on(here))?;
        check(pattern, here.alloc_in(device.pool::<Pinned>()?, 300)?)
    }

    fn copies_carry_the_pattern_to_another_stream<D: DeviceBrand>(device: Device<D>) -> Result<()> {
        let (here, there) = device.streams::<(Here, There)>()?;
        let (one, other) = (PatternGen::new(device, here, 3)?, PatternGen::new(device, there, 3)?);
        let (x, mut y) = (one.filled(LEN)?, here.zeroed(LEN)?);
        one.copy(&x, &mut y)?;
        let y = there.take(y)?;
        assert_eq!(other.verify(&y)?, None);
        Ok(())
    }

    #[test]
    fn pieces_are_those_that_a_kernel_can_count() {
        const MOST: usize = u32::MAX as usize;
        assert_eq!(pieces(0).count(), 0);
        assert_eq!(pieces(MOST).collect::<Vec<_>>(), [(0, u32::MAX)]);
        assert_eq!(pieces(2 * MOST + 1).collect::<Vec<_>>(), [(0, u32::MAX), (MOST, u32::MAX), (2 * MOST, 1)]);
    }

    #[test]
    fn all_is_submitted_on_its_stream_and_the_host_waits_for_the_verdict_alone() {
        crate::on_sim(|device, bench| {
            let (here, _) = device.streams::<(Here, There)>()?;
            let pattern = PatternGen::new(device, here, 1)?;
            pattern.verify(&*pattern.filled(8)?)?; // staging memory is there from now on
            let before = bench.mark();
            let mut x = pattern.filled(100)?;
            let mut y = here.alloc(100)?;
            pattern.copy(&x, &mut y)?;
            let calls = bench.trace().counts_since(&before);
            assert_eq!(calls, Counts::from([(Call::Alloc, 2), (Call::Launch, 1), (Call::Copy, 1)]));
            let (verdict, calls) = bench.counts(|| pattern.verify(&y));
            assert_eq!(verdict?, None);
            let once = [(Call::Alloc, 1), (Call::Fill, 1), (Call::Launch, 1), (Call::Copy, 1), (Call::Free, 1)];
            assert_eq!(calls.of(Call::StreamSync), 1);
            once.iter().for_each(|&(call, times)| assert_eq!(calls.of(call), times, "{calls}"));
            assert_eq!(calls.total(), 6, "{calls}");
            here.clear(&mut x[3..4])?;
            let (verdict, calls) = bench.counts(|| pattern.verify(&x));
            assert!(verdict?.is_some());
            assert_eq!((calls.of(Call::StreamSync), calls.of(Call::Copy)), (2, 2), "the wrong word is fetched as well");
            let log = bench.trace().log_since(&before);
            let streams = log.entries().iter().filter_map(|entry| entry.stream).map(|stream| stream.stream.id);
            let streams: std::collections::BTreeSet<_> = streams.map(|id| format!("{id:?}")).collect();
            assert_eq!(streams.len(), 1, "there is one stream in its calls");
            Ok(())
        });
    }
}
