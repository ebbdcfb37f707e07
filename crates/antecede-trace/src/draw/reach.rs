//! What comes before a step, on each lane.

/// Vector clocks over lanes.
#[derive(Clone, Default, Debug)]
pub(super) struct Reach(Vec<u32>);

impl Reach {
    /// Whether the first `count` steps of that lane come before.
    pub(super) fn covers(&self, lane: usize, count: u32) -> bool {
        self.0.get(lane).is_some_and(|&covered| covered >= count)
    }

    /// Adds what comes before another step, and that step.
    pub(super) fn join(&mut self, other: &Reach) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).max(*theirs);
        }
    }

    /// What comes before either of two steps, when it is one of them and nobody knows which.
    pub(super) fn meet(&mut self, other: &Reach) {
        self.0.truncate(other.0.len());
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).min(*theirs);
        }
    }

    /// Each lane with how many of its steps come before.
    pub(super) fn counts(&self) -> impl Iterator<Item = (usize, u32)> + '_ {
        self.0.iter().copied().enumerate()
    }

    /// Adds the first `count` steps of a lane.
    pub(super) fn reach(&mut self, lane: usize, count: u32) {
        if self.0.len() <= lane {
            self.0.resize(lane + 1, 0);
        }
        self.0[lane] = self.0[lane].max(count);
    }
}
