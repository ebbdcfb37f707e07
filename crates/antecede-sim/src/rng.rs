//! Where the seed goes.

/// SplitMix64. Written out so that a seed replays the same order whatever versions other crates have.
#[derive(Debug)]
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound` (0 for a bound of 0).
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        // The high half of the product: as good as uniform for the small bounds used here, without a division by zero.
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// One of the items that `keep` admits, each as likely as the other.
    pub(crate) fn choose<T: Copy>(&mut self, items: &[T], keep: impl Fn(&T) -> bool) -> Option<T> {
        let kept = items.iter().filter(|item| keep(item)).count();
        let place = self.below(kept);
        items.iter().filter(|item| keep(item)).nth(place).copied()
    }
}
