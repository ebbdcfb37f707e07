//! Several connections at once.

use super::error::os;
use super::{Deadline, Link, LinkError};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

/// The places of the links whose other ends are closed, whatever has come before that.
///
/// # Errors
/// If `poll` fails.
pub fn ended(links: &[&Link]) -> Result<Vec<usize>, LinkError> {
    let mut descriptors: Vec<_> =
        links.iter().map(|link| PollFd::from_borrowed_fd(link.descriptor(), PollFlags::empty())).collect();
    loop {
        match poll(&mut descriptors, Some(&Timespec { tv_sec: 0, tv_nsec: 0 })) {
            Err(Errno::INTR) => {}
            Err(errno) => return Err(os("poll")(errno)),
            Ok(_) => {
                let ended = |(place, found): (usize, &PollFd<'_>)| (!found.revents().is_empty()).then_some(place);
                return Ok(descriptors.iter().enumerate().filter_map(ended).collect());
            }
        }
    }
}

/// The places of the links that have a message, or have ended. `None` if the deadline came first.
///
/// # Errors
/// If `poll` fails.
pub fn readable(links: &[&Link], deadline: Deadline) -> Result<Option<Vec<usize>>, LinkError> {
    let mut descriptors: Vec<_> =
        links.iter().map(|link| PollFd::from_borrowed_fd(link.descriptor(), PollFlags::IN)).collect();
    loop {
        let left = deadline.left();
        let timeout = Timespec::try_from(left).map_err(|_| os("poll")(Errno::INVAL))?;
        match poll(&mut descriptors, Some(&timeout)) {
            Ok(0) if left.is_zero() => return Ok(None),
            Ok(0) | Err(Errno::INTR) => {}
            Ok(_) => {
                let ready = |(place, found): (usize, &PollFd<'_>)| (!found.revents().is_empty()).then_some(place);
                return Ok(Some(descriptors.iter().enumerate().filter_map(ready).collect()));
            }
            Err(errno) => return Err(os("poll")(errno)),
        }
    }
}
