//! Connections by a path.

use crate::processes::TwoProcesses;
use crate::support::{DEVICE, frames, shortly, soon};
use antecede_ipc::link::{
    Awaited, Foreign, LinkError, Listener, MAX_PATH, as_exporter, as_importer, connect, connect_when_ready,
};
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, bind, socket_with};
use std::fs;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::thread;
use tempfile::TempDir;

fn directory() -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("socket");
    (directory, path)
}

/// A socket as a process leaves it that was killed: nobody listens. It never did, since a child that another test is just
/// starting has all descriptors for a moment.
fn leave_behind(path: &Path) {
    let socket = socket_with(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None).expect("a socket");
    bind(&socket, &SocketAddrUnix::new(path).expect("short")).expect("bound");
}

fn names(directory: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(directory.path()).expect("a directory");
    entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("text")).collect()
}

#[test]
fn a_socket_is_this_users_alone_and_gone_when_dropped() {
    let (directory, path) = directory();
    let listener = Listener::bind(&path).expect("bound");
    let metadata = fs::symlink_metadata(&path).expect("it is there");
    assert!(metadata.file_type().is_socket());
    assert_eq!(metadata.mode() & 0o777, 0o600);
    assert_eq!((listener.path(), names(&directory)), (&*path, vec!["socket".to_owned()]));
    drop(listener);
    assert_eq!(names(&directory), [""; 0]);
}

#[test]
fn processes_pair_by_a_path() {
    fn here() {}
    let both = TwoProcesses::named(&here).child(|_link| {
        let path = std::env::temp_dir()
            .join(format!("antecede-{}", rustix::process::getppid().expect("a parent").as_raw_nonzero()));
        let link = connect_when_ready(&path, soon()).expect("the parent listens");
        let accepted = as_importer(link, DEVICE, Foreign::Refused, soon()).expect("paired");
        accepted.link.send(&frames()[5], None, soon()).expect("sent");
    });
    let path = std::env::temp_dir().join(format!("antecede-{}", std::process::id()));
    // The child is started first: it waits for the path.
    let (_link, child) = both.start();
    let listener = Listener::bind(&path).expect("bound");
    let link = listener.accept(soon()).expect("connected");
    let accepted = as_exporter(link, DEVICE, Foreign::Refused, soon()).expect("paired");
    assert_eq!(accepted.peer.pid(), child.id());
    assert_eq!(accepted.link.receive(soon()).expect("received").0, frames()[5]);
    child.finish();
}

#[test]
fn a_socket_left_behind_is_replaced() {
    let (directory, path) = directory();
    leave_behind(&path);
    assert_eq!(connect(&path, soon()).unwrap_err(), LinkError::NoListener { path: path.clone() });
    let listener = Listener::bind(&path).expect("replaced");
    let _there = connect(&path, soon()).expect("connected");
    listener.accept(soon()).expect("accepted");
    assert_eq!(names(&directory), ["socket"]);
}

#[test]
fn a_live_listener_is_not_replaced() {
    let (directory, path) = directory();
    let first = Listener::bind(&path).expect("bound");
    assert_eq!(Listener::bind(&path).unwrap_err(), LinkError::AddrInUse { path: path.clone() });
    // What the second saw of the first is a connection that ended at once.
    let seen = first.accept(soon()).expect("accepted");
    assert_eq!(seen.receive(soon()).unwrap_err(), LinkError::PeerGone);
    let _there = connect(&path, soon()).expect("the first still listens");
    first.accept(soon()).expect("accepted");
    assert_eq!(names(&directory), ["socket"]);
    drop(first);
    let stream = UnixListener::bind(&path).expect("bound");
    assert_eq!(Listener::bind(&path).unwrap_err(), LinkError::AddrInUse { path: path.clone() });
    let found = "a Unix socket of another type";
    assert_eq!(connect(&path, soon()).unwrap_err(), LinkError::NotOurSocket { path, found });
    drop(stream);
}

#[test]
fn what_is_no_socket_is_left_alone() {
    let (directory, path) = directory();
    let refused = || Err(LinkError::NotOurSocket { path: path.clone(), found: "it is not a socket" });
    let bound = || Listener::bind(&path).map(drop);
    fs::write(&path, "precious").expect("written");
    assert_eq!(bound(), refused());
    assert_eq!(fs::read_to_string(&path).expect("it is there"), "precious");
    fs::remove_file(&path).expect("removed");
    fs::create_dir(&path).expect("created");
    assert_eq!(bound(), refused());
    fs::remove_dir(&path).expect("still a directory");
    // Not followed, wherever it leads.
    let target = directory.path().join("target");
    leave_behind(&target);
    symlink(&target, &path).expect("linked");
    assert_eq!(bound(), refused());
    assert!(target.exists() && fs::symlink_metadata(&path).expect("it is there").is_symlink());
}

#[test]
fn of_many_that_replace_a_socket_one_listens() {
    let (directory, path) = directory();
    for _ in 0..50 {
        leave_behind(&path);
        let bound: Vec<_> = thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| Listener::bind(&path))).collect();
            threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
        });
        let listeners: Vec<_> = bound.iter().filter_map(|listener| listener.as_ref().ok()).collect();
        assert_eq!(listeners.len(), 1, "{bound:?}");
        assert_eq!(names(&directory), ["socket"]);
        connect(&path, soon()).expect("it is the one that listens");
        drop(bound);
        assert_eq!(names(&directory), [""; 0]);
    }
}

#[test]
fn a_path_that_is_anothers_now_is_not_removed() {
    let (directory, path) = directory();
    let first = Listener::bind(&path).expect("bound");
    fs::remove_file(&path).expect("removed");
    let second = Listener::bind(&path).expect("bound");
    drop(first);
    assert_eq!(names(&directory), ["socket"]);
    connect(&path, soon()).expect("the second listens");
    drop(second);
}

#[test]
fn a_path_that_is_too_long_is_named_with_its_bound() {
    let long = PathBuf::from(format!("/tmp/{}", "x".repeat(MAX_PATH)));
    let refused = LinkError::PathTooLong { path: long.clone(), expected: MAX_PATH, found: MAX_PATH + 5 };
    assert_eq!(Listener::bind(&long).unwrap_err(), refused);
    assert_eq!(connect(&long, soon()).unwrap_err(), refused);
    assert!(refused.to_string().contains("112 bytes") && refused.to_string().contains("at most 107"), "{refused}");
    // Nine bytes are needed beside it.
    let deep = PathBuf::from(format!("/tmp/{}/x", "x".repeat(MAX_PATH - 7)));
    let refused = LinkError::PathTooLong { path: deep.clone(), expected: MAX_PATH - 8, found: MAX_PATH };
    assert_eq!(Listener::bind(&deep).unwrap_err(), refused);
    let (directory, _) = directory();
    let used = directory.path().as_os_str().len() + 1;
    let longest = directory.path().join("x".repeat(MAX_PATH - used));
    let _listener = Listener::bind(&longest).expect("bound");
    connect(&longest, soon()).expect("connected");
}

#[test]
fn paths_that_are_none_are_refused() {
    for path in ["", "/", "/tmp/..", "a\0b"] {
        let bound = Listener::bind(Path::new(path)).unwrap_err();
        assert!(matches!(bound, LinkError::NotOurSocket { .. }), "{path:?}: {bound}");
    }
    assert!(matches!(connect(Path::new(""), soon()).unwrap_err(), LinkError::NotOurSocket { .. }));
}

#[test]
fn nobody_who_connects_ends_an_accept_at_its_deadline() {
    let (_directory, path) = directory();
    let listener = Listener::bind(&path).expect("bound");
    let deadline = shortly();
    assert_eq!(listener.accept(deadline).unwrap_err(), LinkError::TimedOut { awaited: Awaited::Connection });
    assert!(deadline.has_passed());
}

#[test]
fn nobody_who_listens_is_an_error_at_once_or_at_the_deadline() {
    let (_directory, path) = directory();
    let nobody = LinkError::NoListener { path: path.clone() };
    let later = soon();
    assert_eq!(connect(&path, later).unwrap_err(), nobody);
    assert!(!later.has_passed());
    let deadline = shortly();
    assert_eq!(connect_when_ready(&path, deadline).unwrap_err(), nobody);
    assert!(deadline.has_passed());
}

#[test]
fn a_listener_that_does_not_accept_ends_a_connect_at_its_deadline() {
    let (_directory, path) = directory();
    let listener = Listener::bind(&path).expect("bound");
    let mut waiting = vec![];
    let error = loop {
        let deadline = shortly();
        match connect(&path, deadline) {
            Ok(link) => waiting.push(link),
            Err(error) => {
                assert!(deadline.has_passed());
                break error;
            }
        }
    };
    assert_eq!(error, LinkError::TimedOut { awaited: Awaited::Listener });
    // Somebody listens all the same.
    assert_eq!(Listener::bind(&path).unwrap_err(), LinkError::AddrInUse { path: path.clone() });
    for _ in &waiting {
        listener.accept(soon()).expect("accepted");
    }
}

#[test]
fn a_hello_from_before_the_accept_names_its_sender() {
    let (_directory, path) = directory();
    let listener = Listener::bind(&path).expect("bound");
    let there = connect(&path, soon()).expect("connected");
    there.send(&frames()[0], None, soon()).expect("sent");
    drop(there);
    let here = listener.accept(soon()).expect("accepted");
    assert_eq!(here.receive(soon()).expect("its sender is known").0, frames()[0]);
    assert_eq!(here.sender(), Some(std::process::id()));
}

#[test]
fn neither_end_is_inherited() {
    let (_directory, path) = directory();
    let listener = Listener::bind(&path).expect("bound");
    for end in [connect(&path, soon()).expect("connected"), listener.accept(soon()).expect("accepted")] {
        let end: OwnedFd = end.into_fd();
        assert!(rustix::io::fcntl_getfd(&end).expect("open").contains(rustix::io::FdFlags::CLOEXEC));
    }
}
