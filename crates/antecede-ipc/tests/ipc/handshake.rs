//! Both ends in one process, as threads.

use crate::support::{DEVICE, OTHER_DEVICE, soon};
use antecede_ipc::link::{Accepted, Foreign, HandshakeError, as_exporter, as_importer, pair};
use std::thread;

type Outcome = Result<Accepted, HandshakeError>;

fn both(exporter: antecede::driver::DeviceUuid, importer: antecede::driver::DeviceUuid) -> (Outcome, Outcome) {
    let (one, other) = pair().expect("a pair");
    let there = thread::spawn(move || as_importer(other, importer, Foreign::Refused, soon()));
    let here = as_exporter(one, exporter, Foreign::Refused, soon());
    (here, there.join().expect("no panic"))
}

#[test]
fn both_ends_agree_on_the_numbers_and_know_each_other() {
    let (exporter, importer) = both(DEVICE, DEVICE);
    let (exporter, importer) = (exporter.expect("paired"), importer.expect("paired"));
    assert_eq!((exporter.nonce, exporter.importer), (importer.nonce, importer.importer));
    assert_eq!((exporter.foreign, importer.foreign), (false, false));
    assert_eq!((exporter.peer.pid(), importer.peer.pid()), (std::process::id(), std::process::id()));
}

#[test]
fn another_device_is_named_at_both_ends() {
    let (exporter, importer) = both(DEVICE, OTHER_DEVICE);
    assert_eq!(exporter.unwrap_err(), HandshakeError::Device { expected: DEVICE, found: OTHER_DEVICE });
    assert_eq!(importer.unwrap_err(), HandshakeError::Device { expected: OTHER_DEVICE, found: DEVICE });
}
