//! Waiting for something that nothing tells of: first busily, then less and less so.

use crate::link::Deadline;
use std::time::Duration;

const SHORTEST: Duration = Duration::from_micros(20);
const LONGEST: Duration = Duration::from_millis(2);

/// Pauses between two looks, each longer than the last.
#[derive(Debug)]
pub(crate) struct Pause {
    next: Duration,
}

impl Default for Pause {
    fn default() -> Self {
        Pause { next: SHORTEST }
    }
}

impl Pause {
    /// Pauses; `false` at once if the deadline has passed.
    pub(crate) fn within(&mut self, deadline: Deadline) -> bool {
        let left = deadline.left();
        if left.is_zero() {
            return false;
        }
        std::thread::sleep(self.next.min(left));
        self.next = (self.next * 2).min(LONGEST);
        true
    }
}
