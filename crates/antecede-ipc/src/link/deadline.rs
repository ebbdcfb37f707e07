//! Until when a call waits.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use std::os::fd::BorrowedFd;
use std::time::{Duration, Instant};

/// Until when a call waits. There is none that waits for ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Deadline(Instant);

/// So far away that it does not come, and near enough for any clock to hold.
const FAR: Duration = Duration::from_secs(60 * 60 * 24 * 365);

impl Deadline {
    /// That long from now; at most a year.
    #[must_use]
    pub fn after(time: Duration) -> Self {
        Self(Instant::now() + time.min(FAR))
    }

    /// Then.
    #[must_use]
    pub fn at(instant: Instant) -> Self {
        Self(instant)
    }

    /// Now: what can be done at once is done.
    #[must_use]
    pub fn now() -> Self {
        Self::after(Duration::ZERO)
    }

    /// What is left of it; zero if it has passed.
    #[must_use]
    pub fn left(self) -> Duration {
        self.0.saturating_duration_since(Instant::now())
    }

    /// Whether it has come.
    #[must_use]
    pub fn has_passed(self) -> bool {
        self.left().is_zero()
    }

    /// Waits until `descriptor` has one of the `events`, an error or an end. `false` if the deadline came first.
    pub(super) fn wait(self, descriptor: BorrowedFd<'_>, events: PollFlags) -> Result<bool, Errno> {
        loop {
            let left = self.left();
            // A conversion that fails stands for more time than the kernel can count, which `FAR` excludes.
            let timeout = Timespec::try_from(left).unwrap_or(Timespec { tv_sec: FAR.as_secs() as i64, tv_nsec: 0 });
            let mut descriptors = [PollFd::from_borrowed_fd(descriptor, events)];
            match poll(&mut descriptors, Some(&timeout)) {
                Ok(0) if left.is_zero() => return Ok(false),
                Ok(0) | Err(Errno::INTR) => {}
                Ok(_) => return Ok(true),
                Err(errno) => return Err(errno),
            }
        }
    }
}
