//! Who pairs with whom.

use crate::support::{DEVICE, OTHER_DEVICE, frames, offer, shortly, soon};
use antecede::driver::DeviceUuid;
use antecede_ipc::link::{Accepted, Awaited, Foreign, HandshakeError, Link, LinkError, as_exporter, as_importer, pair};
use antecede_ipc::wire::{Frame, Hello, Kind, Nonce, PeerId, Ready, Refusal, Welcome};
use std::process;
use std::thread;

type Outcome = Result<Accepted, HandshakeError>;

fn both(exporter: DeviceUuid, importer: DeviceUuid) -> (Outcome, Outcome) {
    let (one, other) = pair().expect("a pair");
    let there = thread::spawn(move || as_importer(other, importer, Foreign::Refused, soon()));
    let here = as_exporter(one, exporter, Foreign::Refused, soon());
    (here, there.join().expect("no panic"))
}

/// An exporter, and what an importer that says `script` hears.
fn exporter_of(foreign: Foreign, script: impl FnOnce(&Link) + Send + 'static) -> (Outcome, Vec<Frame>) {
    against(move |link| as_exporter(link, DEVICE, foreign, soon()), script)
}

/// An importer, and what an exporter that says `script` hears.
fn importer_of(foreign: Foreign, script: impl FnOnce(&Link) + Send + 'static) -> (Outcome, Vec<Frame>) {
    against(move |link| as_importer(link, DEVICE, foreign, soon()), script)
}

fn against(side: impl FnOnce(Link) -> Outcome, script: impl FnOnce(&Link) + Send + 'static) -> (Outcome, Vec<Frame>) {
    let (here, there) = pair().expect("a pair");
    let there = thread::spawn(move || {
        script(&there);
        let heard = std::iter::from_fn(|| there.receive(soon()).ok());
        heard.map(|(frame, _)| frame).collect()
    });
    let outcome = side(here);
    // Closes the connection if it was accepted, which ends the script's hearing.
    let outcome = outcome.map(|accepted| Accepted { link: pair().expect("a pair").0, ..accepted });
    (outcome, there.join().expect("no panic"))
}

fn say(link: &Link, frame: Frame) {
    link.send(&frame, None, soon()).expect("sent");
}

fn hear(link: &Link) -> Frame {
    link.receive(soon()).expect("received").0
}

fn hello(device: DeviceUuid, foreign: bool) -> Frame {
    Frame::Hello(Hello { device, peer: PeerId(7), foreign })
}

fn welcome(device: DeviceUuid, foreign: bool) -> Frame {
    Frame::Welcome(Welcome { device, nonce: Nonce(8), foreign })
}

fn say_in_version_9(link: &Link, frame: Frame) {
    let mut bytes = frame.encode().expect("valid").to_vec();
    bytes[4] = 9;
    link.send_bytes(&bytes, &[], soon()).expect("sent");
}

#[test]
fn both_ends_agree_on_the_numbers_and_know_each_other() {
    let (exporter, importer) = both(DEVICE, DEVICE);
    let (exporter, importer) = (exporter.expect("paired"), importer.expect("paired"));
    assert_eq!((exporter.nonce, exporter.importer), (importer.nonce, importer.importer));
    assert_eq!((exporter.foreign, importer.foreign), (false, false));
    assert_eq!((exporter.peer.pid(), importer.peer.pid()), (process::id(), process::id()));
    assert_eq!(exporter.peer.has_exited(shortly()), Ok(false));
    say(&importer.link, frames()[5]);
    assert_eq!(hear(&exporter.link), frames()[5]);
    let (again, _) = both(DEVICE, DEVICE);
    let again = again.expect("paired");
    assert!(again.nonce != exporter.nonce && again.importer != exporter.importer, "each connection has its own");
}

#[test]
fn another_device_is_named_at_both_ends() {
    let (exporter, importer) = both(DEVICE, OTHER_DEVICE);
    assert_eq!(exporter.unwrap_err(), HandshakeError::Device { expected: DEVICE, found: OTHER_DEVICE });
    assert_eq!(importer.unwrap_err(), HandshakeError::Device { expected: OTHER_DEVICE, found: DEVICE });
}

#[test]
fn an_importer_checks_the_device_itself() {
    let (outcome, heard) = importer_of(Foreign::Refused, |link| say(link, welcome(OTHER_DEVICE, false)));
    assert_eq!(outcome.unwrap_err(), HandshakeError::Device { expected: DEVICE, found: OTHER_DEVICE });
    assert_eq!(heard[1], Frame::Refused(Refusal::Device { expected: DEVICE, found: OTHER_DEVICE }));
}

#[test]
fn another_version_is_named_at_both_ends() {
    let refusal = Frame::Refused(Refusal::Version { expected: 1, found: 9 });
    let (exporter, heard) = exporter_of(Foreign::Refused, |link| say_in_version_9(link, hello(DEVICE, false)));
    assert_eq!(exporter.unwrap_err(), HandshakeError::Version { expected: 1, found: 9 });
    assert_eq!(heard, [refusal]);
    let (importer, heard) = importer_of(Foreign::Refused, |link| say_in_version_9(link, welcome(DEVICE, false)));
    assert_eq!(importer.unwrap_err(), HandshakeError::Version { expected: 1, found: 9 });
    assert_eq!(heard[1], refusal);
    // The other way round: version 9 refuses version 1.
    let refused = Frame::Refused(Refusal::Version { expected: 9, found: 1 });
    let (importer, _) = importer_of(Foreign::Refused, move |link| say_in_version_9(link, refused));
    assert_eq!(importer.unwrap_err(), HandshakeError::Version { expected: 1, found: 9 });
}

#[test]
fn another_program_is_refused_unless_it_is_allowed() {
    let refusal = Frame::Refused(Refusal::Foreign);
    let (exporter, heard) = exporter_of(Foreign::Refused, |link| say(link, hello(DEVICE, true)));
    assert_eq!((exporter.unwrap_err(), heard), (HandshakeError::Foreign, vec![refusal]));
    let (importer, heard) = importer_of(Foreign::Refused, |link| say(link, welcome(DEVICE, true)));
    assert_eq!((importer.unwrap_err(), heard[1]), (HandshakeError::Foreign, refusal));
    let (exporter, _) = exporter_of(Foreign::Allowed, |link| {
        say(link, hello(DEVICE, true));
        let Frame::Welcome(welcome) = hear(link) else { panic!("no welcome") };
        say(link, Frame::Ready(Ready { nonce: welcome.nonce }));
    });
    let exporter = exporter.expect("allowed");
    assert_eq!((exporter.foreign, exporter.importer), (true, PeerId(7)));
    let (importer, heard) = importer_of(Foreign::Allowed, |link| say(link, welcome(DEVICE, true)));
    assert_eq!((importer.expect("allowed").foreign, heard[1]), (true, Frame::Ready(Ready { nonce: Nonce(8) })));
}

#[test]
fn the_nonce_must_come_back() {
    let (outcome, heard) = exporter_of(Foreign::Refused, |link| {
        say(link, hello(DEVICE, false));
        let Frame::Welcome(Welcome { nonce: Nonce(nonce), .. }) = hear(link) else { panic!("no welcome") };
        say(link, Frame::Ready(Ready { nonce: Nonce(nonce ^ 1) }));
    });
    let error = outcome.unwrap_err();
    assert!(matches!(error, HandshakeError::Nonce { expected, found } if expected.0 == found.0 ^ 1), "{error}");
    assert_eq!(heard, [Frame::Refused(Refusal::Nonce)]);
}

#[test]
fn every_frame_out_of_place_is_refused_at_every_step() {
    let mut with_pool = offer();
    with_pool.pool_attached = true;
    let refused = |found, expected| {
        let error = HandshakeError::Unexpected { expected, found };
        (error, Frame::Refused(Refusal::Unexpected { expected, found }))
    };
    for frame in frames().into_iter().filter(|frame| frame.kind() != Kind::Refused) {
        let found = frame.kind();
        if found != Kind::Hello {
            let (outcome, heard) = exporter_of(Foreign::Allowed, move |link| say(link, frame));
            assert_eq!((outcome.unwrap_err(), heard[0]), refused(found, Kind::Hello));
        }
        if found != Kind::Ready {
            let (outcome, heard) = exporter_of(Foreign::Allowed, move |link| {
                say(link, hello(DEVICE, false));
                say(link, frame);
            });
            assert_eq!((outcome.unwrap_err(), heard[1]), refused(found, Kind::Ready));
        }
        if found != Kind::Welcome {
            let (outcome, heard) = importer_of(Foreign::Allowed, move |link| say(link, frame));
            assert_eq!((outcome.unwrap_err(), heard[1]), refused(found, Kind::Welcome));
        }
    }
    // With a descriptor, as an offer has it.
    let (outcome, heard) = exporter_of(Foreign::Allowed, move |link| {
        let null = std::fs::File::open("/dev/null").expect("a device");
        let descriptor = std::os::fd::AsFd::as_fd(&null);
        link.send(&Frame::Offer(with_pool), Some(descriptor), soon()).expect("sent");
    });
    assert_eq!((outcome.unwrap_err(), heard[0]), refused(Kind::Offer, Kind::Hello));
}

#[test]
fn a_refusal_ends_the_handshake_at_every_step() {
    let refusal = Refusal::Nonce;
    let expected = HandshakeError::Refused(refusal);
    let (outcome, heard) = exporter_of(Foreign::Refused, move |link| say(link, Frame::Refused(refusal)));
    assert_eq!((outcome.unwrap_err(), heard), (expected.clone(), vec![]));
    let (outcome, heard) = exporter_of(Foreign::Refused, move |link| {
        say(link, hello(DEVICE, false));
        say(link, Frame::Refused(refusal));
    });
    assert_eq!((outcome.unwrap_err(), heard.len()), (expected.clone(), 1));
    let (outcome, heard) = importer_of(Foreign::Refused, move |link| say(link, Frame::Refused(refusal)));
    assert_eq!((outcome.unwrap_err(), heard.len()), (expected, 1));
}

#[test]
fn a_peer_that_never_answers_ends_it_at_the_deadline() {
    let timed_out = HandshakeError::Link(LinkError::TimedOut { awaited: Awaited::Message });
    let (here, _there) = pair().expect("a pair");
    assert_eq!(as_exporter(here, DEVICE, Foreign::Refused, shortly()).unwrap_err(), timed_out);
    let (here, there) = pair().expect("a pair");
    say(&there, hello(DEVICE, false));
    assert_eq!(as_exporter(here, DEVICE, Foreign::Refused, shortly()).unwrap_err(), timed_out);
    assert!(matches!(hear(&there), Frame::Welcome(_)), "it came to the second step");
    let (here, _there) = pair().expect("a pair");
    assert_eq!(as_importer(here, DEVICE, Foreign::Refused, shortly()).unwrap_err(), timed_out);
}

#[test]
fn errors_name_both_sides_and_what_to_do() {
    for (error, words) in [
        (HandshakeError::Version { expected: 1, found: 9 }, ["version 1", "peer 9", "one version"]),
        (
            HandshakeError::Device { expected: DEVICE, found: OTHER_DEVICE },
            ["GPU-3031", "GPU-7468", "CUDA_VISIBLE_DEVICES"],
        ),
        (
            HandshakeError::Unexpected { expected: Kind::Welcome, found: Kind::Hello },
            ["`Hello`", "`Welcome`", "importer too"],
        ),
    ] {
        let text = error.to_string();
        assert!(words.iter().all(|word| text.contains(word)), "{text}");
    }
}
