//! Peers that are killed, at every step.

use crate::processes::{TwoProcesses, die};
use crate::support::{DEVICE, frames, shortly, soon};
use antecede_ipc::link::{Accepted, Foreign, HandshakeError, Link, LinkError, as_exporter, as_importer};
use antecede_ipc::wire::{Frame, Hello, Nonce, PeerId, Ready, Welcome};

const GONE: HandshakeError = HandshakeError::Link(LinkError::PeerGone);

fn hello(link: &Link) {
    let hello = Hello { device: DEVICE, peer: PeerId(7), foreign: false };
    link.send(&Frame::Hello(hello), None, soon()).expect("sent");
}

fn export(link: Link) -> Result<Accepted, HandshakeError> {
    as_exporter(link, DEVICE, Foreign::Refused, soon())
}

fn import(link: Link) -> Result<Accepted, HandshakeError> {
    as_importer(link, DEVICE, Foreign::Refused, soon())
}

/// Paired with a process that is gone.
fn assert_gone(accepted: &Accepted) {
    assert_eq!(accepted.peer.has_exited(soon()), Ok(true));
    assert_eq!(accepted.link.receive(soon()).unwrap_err(), LinkError::PeerGone);
    assert_eq!(accepted.link.send(&frames()[5], None, soon()).unwrap_err().cause, LinkError::PeerGone);
}

#[test]
fn an_importer_killed_before_its_hello() {
    fn here() {}
    let (link, child) = TwoProcesses::named(&here).child(|_link| die()).start();
    assert_eq!(export(link).unwrap_err(), GONE);
    drop(child);
}

#[test]
fn an_importer_killed_after_its_hello() {
    fn here() {}
    let both = TwoProcesses::named(&here).child(|link| {
        hello(&link);
        die();
    });
    // Not waited for: its process id is still its own. Waited for: it is nobody's.
    for waited_for in [false, true] {
        let (link, child) = both.start();
        let child = match waited_for {
            false => Some(child),
            true => {
                child.wait();
                None
            }
        };
        assert_eq!(export(link).unwrap_err(), GONE);
        drop(child);
    }
}

#[test]
fn an_importer_killed_after_the_welcome() {
    fn here() {}
    let both = TwoProcesses::named(&here).child(|link| {
        hello(&link);
        link.receive(soon()).expect("a welcome");
        die();
    });
    let (link, _child) = both.start();
    assert_eq!(export(link).unwrap_err(), GONE);
}

#[test]
fn an_importer_killed_when_it_is_ready() {
    fn here() {}
    let both = TwoProcesses::named(&here).child(|link| {
        let _accepted = import(link).expect("paired");
        die();
    });
    let (link, _child) = both.start();
    assert_gone(&export(link).expect("it was ready"));
}

#[test]
fn an_exporter_killed_before_the_hello() {
    fn here() {}
    let (link, child) = TwoProcesses::named(&here).child(|_link| die()).start();
    child.wait();
    assert_eq!(import(link).unwrap_err(), GONE);
}

#[test]
fn an_exporter_killed_after_the_hello() {
    fn here() {}
    let both = TwoProcesses::named(&here).child(|link| {
        link.receive(soon()).expect("a hello");
        die();
    });
    let (link, _child) = both.start();
    assert_eq!(import(link).unwrap_err(), GONE);
    // With the `Hello` unread.
    let (link, child) = both.start();
    child.kill();
    assert_eq!(import(link).unwrap_err(), GONE);
}

#[test]
fn an_exporter_killed_after_its_welcome() {
    fn here() {}
    let both = TwoProcesses::named(&here).child(|link| {
        link.receive(soon()).expect("a hello");
        let welcome = Welcome { device: DEVICE, nonce: Nonce(8), foreign: false };
        link.send(&Frame::Welcome(welcome), None, soon()).expect("sent");
        // Whether the importer finds it gone before or after its `Ready` is not settled.
        die();
    });
    let (link, _child) = both.start();
    match import(link) {
        Ok(accepted) => assert_gone(&accepted),
        Err(error) => assert_eq!(error, GONE),
    }
}

#[test]
fn an_exporter_killed_when_it_has_heard_ready() {
    fn here() {}
    let both = TwoProcesses::named(&here).child(|link| {
        let _accepted = export(link).expect("paired");
        die();
    });
    let (link, _child) = both.start();
    assert_gone(&import(link).expect("paired"));
}

#[test]
fn a_process_that_lives_has_not_exited_until_it_does() {
    fn here() {}
    let both = TwoProcesses::named(&here).child(|link| {
        let accepted = import(link).expect("paired");
        accepted.link.receive(soon()).expect("the exporter lets it go");
    });
    let (link, child) = both.start();
    let accepted = export(link).expect("paired");
    assert_eq!(accepted.peer.pid(), child.id());
    assert_eq!(accepted.peer.has_exited(shortly()), Ok(false));
    accepted.link.send(&Frame::Ready(Ready { nonce: Nonce(0) }), None, soon()).expect("sent");
    assert_eq!(accepted.peer.has_exited(soon()), Ok(true));
    child.finish();
}
