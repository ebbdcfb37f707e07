//! What is said over the socket, by Python at the other end: `antecede_wire.py` against the wire of `antecede-ipc`.

mod common;

use std::io;
use std::os::fd::AsFd;
use std::time::Duration;

use antecede::driver::{DeviceUuid, EventData, PointerData};
use antecede_ipc::link::{Accepted, Deadline, Foreign, HandshakeError, LinkError, as_exporter, as_importer};
use antecede_ipc::wire::{Access, ElementName, ExportId, Frame, How, Kind, Offer, PoolId, Receipt, Refusal, WireError};
use common::python::Python;

const DEVICE: DeviceUuid = DeviceUuid(*b"0123456789abcdef");
fn soon() -> Deadline {
    Deadline::after(Duration::from_secs(60))
}

fn offer(event: Option<EventData>) -> Offer {
    Offer {
        export: ExportId(u128::from_le_bytes(*b"this one export.")),
        access: Access::ForWriting,
        element: ElementName::new("f32").expect("a name"),
        element_size: 4,
        alignment: 4,
        length: 1000,
        offset: 0,
        device: DEVICE,
        pool: PoolId(u128::from_le_bytes(*b"the pool's name.")),
        pointer: PointerData([0xaa; 64]),
        event,
        pool_attached: event.is_none(),
    }
}

#[test]
#[cfg_attr(not(python3), ignore = "there is no python3")]
fn the_safe_doors_do_not_let_it_in() {
    let (python, link) = Python::linked("refused(lambda: wire.Importer(sock, DEVICE), 3)");
    let outcome = as_exporter(link, DEVICE, Foreign::Refused, soon());
    assert_eq!(outcome.unwrap_err(), HandshakeError::Foreign);
    python.finish();

    let (python, link) = Python::linked("refused(lambda: wire.Exporter(sock, DEVICE), 3)");
    let outcome = as_importer(link, DEVICE, Foreign::Refused, soon());
    assert_eq!(outcome.unwrap_err(), HandshakeError::Foreign);
    python.finish();
}

#[test]
#[cfg_attr(not(python3), ignore = "there is no python3")]
fn another_device_is_named_at_both_ends() {
    let found = DeviceUuid(*b"another device's");
    let (python, link) = Python::linked("refused(lambda: wire.Importer(sock, b\"another device's\"), 2)");
    let outcome = as_exporter(link, DEVICE, Foreign::Allowed, soon());
    assert_eq!(outcome.unwrap_err(), HandshakeError::Device { expected: DEVICE, found });
    python.finish();

    let exporter = "
try:
    wire.Exporter(sock, b\"another device's\")
except wire.WireError as error:
    assert 'another device' in str(error), error
else:
    raise SystemExit('let it in')
";
    let (python, link) = Python::linked(exporter);
    let outcome = as_importer(link, DEVICE, Foreign::Allowed, soon());
    assert_eq!(outcome.unwrap_err(), HandshakeError::Device { expected: DEVICE, found });
    python.finish();
}

#[test]
#[cfg_attr(not(python3), ignore = "there is no python3")]
fn offers_arrive_whole_and_receipts_come_back() {
    let (python, link) = Python::linked(
        r#"
with wire.Importer(sock, DEVICE) as importer:
    offer, descriptor = importer.next()
    assert os.read(descriptor, 9) == b"the pool.", "the descriptor is the one that was sent"
    os.close(descriptor)
    event = b"\xbb" * 64
    expected = wire.Offer(wire.READ_WRITE, "f32", 4, 4, 1000, DEVICE, b"the pool's name.", b"\xaa" * 64, None,
                          b"this one export.")
    assert offer == expected and offer.nbytes == 4000, offer
    importer.decline(offer)
    offer, descriptor = importer.next()
    assert (offer.event, descriptor) == (event, None), offer
    importer.release(offer)
    assert importer.next() is None, "the end of the connection"
"#,
    );
    let accepted = as_exporter(link, DEVICE, Foreign::Allowed, soon()).expect("let in");
    let Accepted { link, foreign, peer, .. } = accepted;
    assert!(foreign, "it says what it is");
    assert_eq!(peer.pid(), python.0.id());
    let (reader, mut writer) = io::pipe().expect("a pipe");
    io::Write::write_all(&mut writer, b"the pool.").expect("written");
    for (event, how) in [(None, How::Declined), (Some(EventData([0xbb; 64])), How::Released)] {
        let offer = offer(event);
        let descriptor = offer.pool_attached.then(|| reader.as_fd());
        link.send(&Frame::Offer(offer), descriptor, soon()).expect("sent");
        let (frame, _) = link.receive(soon()).expect("a receipt");
        assert_eq!(frame, Frame::Receipt(Receipt { export: offer.export, how }));
    }
    drop(link);
    python.finish();
}

#[test]
#[cfg_attr(not(python3), ignore = "there is no python3")]
fn its_own_offers_are_what_the_wire_expects() {
    let (python, link) = Python::linked(
        r#"
with wire.Exporter(sock, DEVICE) as exporter:
    reader, writer = os.pipe()
    os.write(writer, b"the pool.")
    for event in (None, b"\xbb" * 64):
        offer = wire.Offer(wire.READ_WRITE, "f32", 4, 4, 1000, DEVICE, b"the pool's name.", b"\xaa" * 64, event)
        offer = exporter.offer(offer, reader)
        assert exporter.receipt(offer) == (event is not None)
"#,
    );
    let Accepted { link, .. } = as_importer(link, DEVICE, Foreign::Allowed, soon()).expect("let in");
    for (event, how) in [(None, How::Declined), (Some(EventData([0xbb; 64])), How::Released)] {
        let (frame, descriptor) = link.receive(soon()).expect("an offer");
        let Frame::Offer(found) = frame else { panic!("{frame:?}") };
        assert_eq!(found, Offer { export: found.export, ..offer(event) });
        if let Some(descriptor) = descriptor {
            let mut bytes = [0; 9];
            io::Read::read_exact(&mut io::PipeReader::from(descriptor), &mut bytes).expect("readable");
            assert_eq!(&bytes, b"the pool.");
        }
        link.send(&Frame::Receipt(Receipt { export: found.export, how }), None, soon()).expect("sent");
    }
    python.finish();
}

#[test]
#[cfg_attr(not(python3), ignore = "there is no python3")]
fn what_is_no_frame_is_an_error_that_says_so() {
    let kind = Kind::Receipt;
    let malformed = |error: WireError| LinkError::Malformed(error);
    let cases: [(&str, LinkError); 11] = [
        ("b'x' * 7", malformed(WireError::Short { found: 7 })),
        ("b'HTTP' + receipt[4:]", malformed(WireError::Magic { found: *b"HTTP" })),
        ("receipt[:4] + b'\\2' + receipt[5:]", malformed(WireError::Version { expected: 1, found: 2 })),
        ("receipt[:6] + b'\\7' + receipt[7:]", malformed(WireError::Kind { found: 7 })),
        ("receipt[:7] + b'\\1' + receipt[8:]", malformed(WireError::Reserved { offset: 7, found: 1 })),
        ("receipt[:8] + b'\\51' + receipt[9:]", malformed(WireError::StatedLength { kind, expected: 40, found: 41 })),
        ("receipt[:-1]", malformed(WireError::Length { kind, expected: 40, found: 39 })),
        ("receipt[:32] + b'\\3' + receipt[33:]", malformed(WireError::How { found: 3 })),
        ("receipt[:-1] + b'\\1'", malformed(WireError::Reserved { offset: 39, found: 1 })),
        ("b'x' * 600", LinkError::Oversize { found: 600 }),
        ("(receipt, 0)", LinkError::Descriptors { kind, expected: 0, found: 1 }),
    ];
    let messages: Vec<&str> = cases.iter().map(|(message, _)| *message).collect();
    let (python, link) = Python::linked(&format!(
        "
importer = wire.Importer(sock, DEVICE)
receipt = frame(wire.RECEIPT, bytes(16), wire.RELEASED)
for message in [{}]:
    importer.send(*(message if isinstance(message, tuple) else (message,)))
importer.send(receipt)
",
        messages.join(", ")
    ));
    let Accepted { link, .. } = as_exporter(link, DEVICE, Foreign::Allowed, soon()).expect("let in");
    for (message, expected) in cases {
        assert_eq!(link.receive(soon()).unwrap_err(), expected, "{message}");
    }
    // The connection is as good as before.
    let (frame, _) = link.receive(soon()).expect("a receipt");
    assert_eq!(frame.kind(), kind);
    python.finish();
}

#[test]
#[cfg_attr(not(python3), ignore = "there is no python3")]
fn it_refuses_what_is_no_frame_or_has_no_place() {
    let (python, link) = Python::linked(
        r#"
importer = wire.Importer(sock, DEVICE)
for words in ("of 3 bytes", "begins with", "protocol version 9", "of kind 8", "not zero", "the frame Ready", "too long",
              "0 descriptors"):
    try:
        importer.next()
    except wire.WireError as error:
        assert words in str(error), error
    else:
        raise SystemExit(f"took it: {words}")
refused(importer.next, 5)
"#,
    );
    let Accepted { link, nonce, .. } = as_exporter(link, DEVICE, Foreign::Allowed, soon()).expect("let in");
    let ready = Frame::Ready(antecede_ipc::wire::Ready { nonce }).encode().expect("a frame");
    let changed = |at: usize, byte: u8| {
        let mut bytes = ready.to_vec();
        bytes[at] = byte;
        bytes
    };
    let poolless = Frame::Offer(offer(None)).encode().expect("a frame");
    let (expected, found) = (Kind::Receipt, Kind::Hello);
    let refusal = Frame::Refused(Refusal::Unexpected { expected, found }).encode().expect("a frame");
    for bytes in [
        &b"abc"[..],
        &changed(0, b'X'),
        &changed(4, 9),
        &changed(6, 8),
        &changed(15, 1),
        &ready,
        &[0; 600],
        &poolless,
        &refusal,
    ] {
        link.send_bytes(bytes, &[], soon()).expect("sent");
    }
    python.finish();
}
