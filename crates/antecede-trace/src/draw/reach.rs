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

    /// Adds the first `count` steps of a lane.
    pub(super) fn reach(&mut self, lane: usize, count: u32) {
        if self.0.len() <= lane {
            self.0.resize(lane + 1, 0);
        }
        self.0[lane] = self.0[lane].max(count);
    }
}
