//! A peer in another language.

use crate::support::{DEVICE, offer, soon};
use antecede_ipc::link::{Foreign, HandshakeError, as_exporter, pair};
use antecede_ipc::wire::{Frame, How, Receipt};
use std::io::Write;
use std::os::fd::{AsFd, AsRawFd};
use std::process::{Child, Command};

fn importer() -> (antecede_ipc::link::Link, Child) {
    let (here, there) = pair().expect("a pair");
    let there = there.into_inheritable().expect("an end");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ipc/importer.py");
    let child = Command::new("python3").args([script, &there.as_raw_fd().to_string()]).spawn();
    (here, child.expect("Python 3 is installed"))
}

#[test]
fn python_speaks_the_protocol_from_its_tables() {
    let (link, mut child) = importer();
    let accepted = as_exporter(link, DEVICE, Foreign::Allowed, soon()).expect("paired");
    assert_eq!((accepted.foreign, accepted.peer.pid()), (true, child.id()));
    let mut pool = tempfile::tempfile().expect("a file");
    pool.write_all(b"the pool").expect("written");
    let mut offer = offer();
    offer.pool_attached = true;
    accepted.link.send(&Frame::Offer(offer), Some(pool.as_fd()), soon()).expect("sent");
    let receipt = Receipt { export: offer.export, how: How::Released };
    assert_eq!(accepted.link.receive(soon()).expect("a receipt").0, Frame::Receipt(receipt));
    assert!(child.wait().expect("a child").success());
}

#[test]
fn python_is_refused_unless_it_is_allowed() {
    let (link, mut child) = importer();
    assert_eq!(as_exporter(link, DEVICE, Foreign::Refused, soon()).unwrap_err(), HandshakeError::Foreign);
    assert_eq!(child.wait().expect("a child").code(), Some(103), "it was told the reason, 3");
}
