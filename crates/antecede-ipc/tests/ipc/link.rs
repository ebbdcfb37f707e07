//! Messages through real sockets.

use crate::processes::{TwoProcesses, open_descriptors};
use crate::support::{frames, offer, shortly, soon};
use antecede_ipc::link::{Awaited, Link, LinkError, SendError, may_have_left, pair};
use antecede_ipc::wire::{Frame, Kind, WireError};
use rustix::io::Errno;
use rustix::net::{AddressFamily, SendFlags, SocketFlags, SocketType, socket_with, socketpair, sockopt};
use std::fs::File;
use std::io::{Read, Seek, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::process;

/// An offer that a descriptor belongs to.
fn with_pool() -> Frame {
    let mut offer = offer();
    offer.pool_attached = true;
    Frame::Offer(offer)
}

static_assertions::assert_impl_all!(Link: Send, Sync);
static_assertions::assert_not_impl_any!(Link: Clone);

fn null() -> File {
    File::open("/dev/null").expect("a device")
}

fn raw_pair(kind: SocketType) -> (OwnedFd, OwnedFd) {
    socketpair(AddressFamily::UNIX, kind, SocketFlags::CLOEXEC, None).expect("a pair")
}

#[test]
fn every_frame_arrives_as_it_was_sent() {
    let (one, other) = pair().expect("a pair");
    for frame in frames() {
        one.send(&frame, None, soon()).expect("sent");
        let (received, descriptor) = other.receive(soon()).expect("received");
        assert_eq!((received, descriptor.is_none()), (frame, true));
    }
    assert_eq!((other.sender(), one.sender()), (Some(process::id()), None));
}

#[test]
fn a_descriptor_arrives_and_is_closed_on_exec() {
    let (one, other) = pair().expect("a pair");
    let mut file = tempfile::tempfile().expect("a file");
    file.write_all(b"the same file").expect("written");
    one.send(&with_pool(), Some(file.as_fd()), soon()).expect("sent");
    let (frame, descriptor) = other.receive(soon()).expect("received");
    assert_eq!(frame, with_pool());
    let descriptor = descriptor.expect("it was attached");
    assert!(rustix::io::fcntl_getfd(&descriptor).expect("open").contains(rustix::io::FdFlags::CLOEXEC));
    let (mut same, mut text) = (File::from(descriptor), String::new());
    same.rewind().expect("a file");
    same.read_to_string(&mut text).expect("text");
    assert_eq!(text, "the same file");
}

#[test]
fn a_descriptor_goes_with_the_frame_it_belongs_to_alone() {
    let (one, other) = pair().expect("a pair");
    let file = null();
    let not_sent = |kind, expected, found| {
        Err(SendError { cause: LinkError::Descriptors { kind, expected, found }, may_have_left: false })
    };
    assert_eq!(one.send(&with_pool(), None, soon()), not_sent(Kind::Offer, 1, 0));
    assert_eq!(one.send(&frames()[0], Some(file.as_fd()), soon()), not_sent(Kind::Hello, 0, 1));
    for (frame, expected, found) in
        [(with_pool(), 1, 0), (with_pool(), 1, 2), (with_pool(), 1, 253), (frames()[4], 0, 1)]
    {
        let descriptors = vec![file.as_fd(); found];
        one.send_bytes(&frame.encode().expect("valid"), &descriptors, soon()).expect("sent");
        let error = other.receive(soon()).unwrap_err();
        assert_eq!(error, LinkError::Descriptors { kind: Kind::Offer, expected, found });
    }
}

#[test]
fn a_message_that_is_no_frame_does_not_end_the_connection() {
    let (one, other) = pair().expect("a pair");
    let cut = &frames()[0].encode().expect("valid")[..55];
    let oversize = vec![0x41; 100_000];
    for (bytes, expected) in [
        (cut, LinkError::Malformed(WireError::Length { kind: Kind::Hello, expected: 56, found: 55 })),
        (&[][..], LinkError::Malformed(WireError::Short { found: 0 })),
        (&oversize[..512], LinkError::Malformed(WireError::Magic { found: *b"AAAA" })),
        (&oversize[..513], LinkError::Oversize { found: 513 }),
        (&oversize[..], LinkError::Oversize { found: 100_000 }),
    ] {
        one.send_bytes(bytes, &[], soon()).expect("sent");
        one.send(&frames()[1], None, soon()).expect("sent");
        assert_eq!(other.receive(soon()).unwrap_err(), expected);
        assert_eq!(other.receive(soon()).expect("the next is whole").0, frames()[1]);
    }
}

#[test]
fn a_frame_that_cannot_be_encoded_is_not_sent() {
    let (one, other) = pair().expect("a pair");
    let mut wrong = offer();
    wrong.length = 0;
    let cause = LinkError::Malformed(WireError::Elements { size: 4, length: 0 });
    assert_eq!(one.send(&Frame::Offer(wrong), None, soon()), Err(SendError { cause, may_have_left: false }));
    assert_eq!(other.receive(shortly()).unwrap_err(), LinkError::TimedOut { awaited: Awaited::Message });
}

#[test]
fn what_the_peer_sent_before_it_closed_is_received_first() {
    let (one, other) = pair().expect("a pair");
    one.send(&frames()[3], None, soon()).expect("sent");
    // Unread by the peer when it closes: the kernel reports that before what the peer has sent.
    other.send(&frames()[0], None, soon()).expect("sent");
    drop(one);
    assert_eq!(other.receive(soon()).expect("it was sent").0, frames()[3]);
    for _ in 0..3 {
        assert_eq!(other.receive(soon()).unwrap_err(), LinkError::PeerGone);
        let not_sent = SendError { cause: LinkError::PeerGone, may_have_left: false };
        assert_eq!(other.send(&frames()[0], None, soon()), Err(not_sent));
    }
}

#[test]
fn a_peer_that_does_not_read_ends_a_send_at_its_deadline() {
    let (one, other) = pair().expect("a pair");
    let mut sent = 0;
    let error = loop {
        let deadline = shortly();
        match one.send(&frames()[4], None, deadline) {
            Ok(()) => sent += 1,
            Err(error) => {
                assert!(deadline.has_passed());
                break error;
            }
        }
    };
    assert_eq!(error, SendError { cause: LinkError::TimedOut { awaited: Awaited::Room }, may_have_left: false });
    for _ in 0..sent {
        assert_eq!(other.receive(shortly()).expect("what was sent is there").0, frames()[4]);
    }
    let deadline = shortly();
    assert_eq!(other.receive(deadline).unwrap_err(), LinkError::TimedOut { awaited: Awaited::Message });
    assert!(deadline.has_passed());
    one.send(&frames()[4], None, shortly()).expect("there is room again");
}

#[test]
fn an_end_is_a_connected_unix_socket_of_messages() {
    let unconnected = socket_with(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None);
    let inet = socket_with(AddressFamily::INET, SocketType::STREAM, SocketFlags::CLOEXEC, None);
    for (descriptor, expected) in [
        (OwnedFd::from(null()), "it is no socket"),
        (inet.expect("a socket"), "it is a socket of another family"),
        (raw_pair(SocketType::STREAM).0, "it is a Unix socket of another type"),
        (raw_pair(SocketType::DGRAM).0, "it is a Unix socket of another type"),
        (unconnected.expect("a socket"), "it is not connected"),
    ] {
        assert_eq!(Link::from_fd(descriptor).unwrap_err(), LinkError::NotALink { found: expected });
    }
}

#[test]
fn a_message_from_before_credentials_were_asked_for_is_refused() {
    let (one, other) = raw_pair(SocketType::SEQPACKET);
    rustix::net::send(&one, &frames()[0].encode().expect("valid"), SendFlags::NOSIGNAL).expect("sent");
    let other = Link::from_fd(other).expect("an end");
    assert_eq!(other.receive(soon()).unwrap_err(), LinkError::HiddenProcess);
    Link::from_fd(one).expect("an end").send(&frames()[0], None, soon()).expect("sent");
    assert_eq!(other.receive(soon()).expect("it is named now").0, frames()[0]);
}

#[test]
fn a_message_without_credentials_is_refused_and_its_descriptor_closed() {
    let (one, other) = raw_pair(SocketType::SEQPACKET);
    let shared = other.try_clone().expect("another descriptor of the same socket");
    let other = Link::from_fd(other).expect("an end");
    sockopt::set_socket_passcred(&shared, false).expect("an option");
    let one = Link::from_fd(one).expect("an end");
    let pipe = rustix::pipe::pipe().expect("a pipe");
    one.send(&with_pool(), Some(pipe.1.as_fd()), soon()).expect("sent");
    drop(pipe.1);
    assert_eq!(other.receive(soon()).unwrap_err(), LinkError::NoCredentials);
    // Its last writing end is gone.
    assert_eq!(rustix::io::read(&pipe.0, &mut [0_u8; 1][..]), Ok(0));
}

#[test]
fn another_process_at_the_same_end_is_refused() {
    fn here() {}
    let both = TwoProcesses::named(&here).child(|link| {
        link.send(&frames()[0], None, soon()).expect("sent");
        link.receive(soon()).expect("the parent lets it go");
    });
    let (link, end) = pair().expect("a pair");
    let end = end.into_fd();
    let first = both.start_with(end.try_clone().expect("the same end"));
    assert_eq!(link.receive(soon()).expect("the first to send is the peer").0, frames()[0]);
    let second = both.start_with(end);
    let refused = LinkError::OtherProcess { expected: first.id(), found: second.id() };
    assert_eq!(link.receive(soon()).unwrap_err(), refused);
    assert_eq!(link.sender(), Some(first.id()));
    for _ in 0..2 {
        link.send(&frames()[1], None, soon()).expect("sent");
    }
    first.finish();
    second.finish();
}

#[test]
fn a_process_that_may_open_no_more_descriptors_loses_none() {
    fn here() {}
    let both = TwoProcesses::named(&here).child(|link| {
        let before = open_descriptors();
        let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile);
        let none_left = rustix::process::Rlimit { current: Some(3), ..limit };
        rustix::process::setrlimit(rustix::process::Resource::Nofile, none_left).expect("a lower limit");
        let lost = link.receive(soon()).unwrap_err();
        assert!(matches!(lost, LinkError::ControlTruncated { found: 0, offer: Some(_) }), "{lost:?}");
        rustix::process::setrlimit(rustix::process::Resource::Nofile, limit).expect("the limit from before");
        assert_eq!(link.receive(soon()).expect("the next is whole").0, with_pool());
        assert_eq!(open_descriptors(), before);
    });
    let (link, child) = both.start();
    for _ in 0..2 {
        link.send(&with_pool(), Some(null().as_fd()), soon()).expect("sent");
    }
    child.finish();
}

#[test]
fn no_message_leaks_a_descriptor() {
    fn here() {}
    let both = TwoProcesses::named(&here).child(|link| {
        let mut refused = 0;
        let mut baseline = None;
        loop {
            match link.receive(soon()) {
                Ok((Frame::Ready(_), None)) => break,
                Ok((_, descriptor)) => assert!(descriptor.is_some()),
                Err(_) => refused += 1,
            }
            let open = open_descriptors();
            assert_eq!(open, *baseline.get_or_insert(open));
        }
        assert_eq!(refused, 4000);
    });
    let (link, child) = both.start();
    let file = null();
    let offer = with_pool().encode().expect("valid");
    let hello = frames()[0].encode().expect("valid");
    let send =
        |bytes: &[u8], descriptors: &[BorrowedFd<'_>]| link.send_bytes(bytes, descriptors, soon()).expect("sent");
    for _ in 0..1000 {
        send(&offer, &[file.as_fd()]);
        send(&offer[..287], &[file.as_fd()]);
        send(&hello, &[file.as_fd(); 2]);
        send(&offer, &[file.as_fd(); 253]);
        send(&[7; 600], &[file.as_fd(); 3]);
    }
    link.send(&frames()[2], None, soon()).expect("sent");
    child.finish();
}

#[test]
fn an_errors_number_tells_whether_the_message_may_have_left() {
    let proves_it_stayed =
        [Errno::AGAIN, Errno::PIPE, Errno::CONNRESET, Errno::MSGSIZE, Errno::NOBUFS, Errno::BADF, Errno::TOOMANYREFS];
    let proves_nothing = [Errno::IO, Errno::TIMEDOUT, Errno::FAULT, Errno::NOSYS, Errno::CANCELED];
    assert!(proves_it_stayed.into_iter().all(|errno| !may_have_left(errno)));
    assert!(proves_nothing.into_iter().all(may_have_left));
    // What is not known proves nothing.
    assert_eq!((1..4096).filter(|number| !may_have_left(Errno::from_raw_os_error(*number))).count(), 17);
}
