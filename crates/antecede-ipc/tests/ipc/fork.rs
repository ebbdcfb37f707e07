//! A link in a child that was forked, not started.
#![expect(unsafe_code, reason = "fork")]

use crate::support::{frames, soon};
use antecede_ipc::link::{Link, LinkError, Listener, pair};
use rustix::process::{Pid, WaitOptions, waitpid};

/// Whether `check` is true in a forked child. It must not allocate: other threads may have held the allocator's lock.
fn in_a_fork(check: impl FnOnce(u32) -> bool) -> bool {
    let parent = std::process::id();
    // SAFETY: `fork` has no precondition; the child calls what is safe after it (`getpid`, comparisons, `_exit`).
    match unsafe { libc::fork() } {
        // SAFETY: as above. `_exit` runs nothing of the parent's.
        0 => unsafe { libc::_exit(if check(parent) { 0 } else { 1 }) },
        child => {
            let child = Pid::from_raw(child).expect("forked");
            let (_, status) = waitpid(Some(child), WaitOptions::empty()).expect("a child").expect("it has ended");
            status.exit_status() == Some(0)
        }
    }
}

fn is_forked<T>(result: Result<T, LinkError>, parent: u32) -> bool {
    matches!(result, Err(LinkError::Forked { expected, found }) if expected == parent && found == std::process::id())
}

#[test]
fn a_forked_child_neither_sends_nor_receives() {
    let (one, other) = pair().expect("a pair");
    one.send(&frames()[0], None, soon()).expect("sent");
    let refuses = |link: &Link, parent| {
        let sent = link.send(&frames()[1], None, soon());
        is_forked(link.receive(soon()), parent)
            && sent.as_ref().is_err_and(|error| !error.may_have_left)
            && is_forked(sent.map_err(|error| error.cause), parent)
    };
    assert!(in_a_fork(|parent| refuses(&other, parent) && refuses(&one, parent)));
    assert_eq!(other.receive(soon()).expect("the child has not taken it").0, frames()[0]);
    one.send(&frames()[2], None, soon()).expect("sent");
    assert_eq!(other.receive(soon()).expect("the child has sent nothing").0, frames()[2]);
}

#[test]
fn a_forked_child_neither_accepts_nor_removes_the_path() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("socket");
    let mut listener = Some(Listener::bind(&path).expect("bound"));
    assert!(in_a_fork(|parent| is_forked(listener.as_ref().expect("bound").accept(soon()), parent)));
    assert!(in_a_fork(|_| {
        listener = None;
        true
    }));
    assert!(path.exists());
    drop(listener);
    assert!(!path.exists());
}
