//! Numbers of calls by kind.

use std::fmt;
use std::ops::{AddAssign, Sub};

use crate::Call;

/// How often each kind of call was made.
///
/// Failed calls count like others. Two counts can be compared, and built by hand for it:
///
/// ```
/// use antecede_trace::{Call, Counts};
///
/// let hand_over = Counts::from([(Call::EventRecord, 1), (Call::EventWait, 1)]);
/// assert_eq!(hand_over.of(Call::EventWait), 1);
/// assert_eq!(hand_over.total(), 2);
/// assert_eq!(hand_over.to_string(), "1 cuEventRecord, 1 cuStreamWaitEvent");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Counts([u64; Call::ALL.len()]);

impl Counts {
    /// How often calls of this kind were made.
    pub const fn of(&self, call: Call) -> u64 {
        self.0[call.index()]
    }

    /// Driver calls in all. Host accesses, which are no calls, are left out.
    pub fn total(&self) -> u64 {
        self.iter().filter(|(call, _)| call.is_driver_call()).map(|(_, count)| count).sum()
    }

    /// The kinds that occurred, with their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (Call, u64)> + '_ {
        Call::ALL.into_iter().map(|call| (call, self.of(call))).filter(|&(_, count)| count != 0)
    }

    pub(crate) fn add(&mut self, call: Call) {
        self.0[call.index()] += 1;
    }
}

impl Default for Counts {
    fn default() -> Self {
        Counts([0; Call::ALL.len()])
    }
}

impl<const N: usize> From<[(Call, u64); N]> for Counts {
    fn from(counts: [(Call, u64); N]) -> Self {
        let mut all = Counts::default();
        for (call, count) in counts {
            all.0[call.index()] += count;
        }
        all
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            *mine += theirs;
        }
    }
}

/// What was counted since the earlier counts; never below zero.
impl Sub for Counts {
    type Output = Counts;

    fn sub(mut self, earlier: Counts) -> Counts {
        for (mine, theirs) in self.0.iter_mut().zip(earlier.0) {
            *mine = mine.saturating_sub(theirs);
        }
        self
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for (call, count) in self.iter() {
            write!(f, "{separator}{count} {call}")?;
            separator = ", ";
        }
        if separator.is_empty() { f.write_str("no calls") } else { Ok(()) }
    }
}

impl fmt::Debug for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Counts({self})")
    }
}
