//! Bytes of frames.

use crate::golden::GOLDEN;
use crate::support::{frames, offer};
use antecede::driver::{DeviceUuid, EventData, PointerData};
use antecede_ipc::wire::{
    Access, ElementName, ExportId, Frame, Hello, How, Kind, MAX_FRAME, Nonce, Offer, PeerId, PoolId, Ready, Receipt,
    Refusal, VERSION, Welcome, WireError,
};
use proptest::prelude::*;

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn encoded(frame: &Frame) -> Vec<u8> {
    frame.encode().expect("the frame is valid").to_vec()
}

/// The frame's bytes with some of them replaced.
fn with(frame: Frame, offset: usize, bytes: &[u8]) -> Vec<u8> {
    let mut all = encoded(&frame);
    all[offset..][..bytes.len()].copy_from_slice(bytes);
    all
}

fn offered() -> Frame {
    Frame::Offer(offer())
}

#[test]
fn the_layout_is_that_of_version_1() {
    assert_eq!(VERSION, 1, "another layout is another version, and the other way round");
    for (frame, (kind, golden)) in frames().iter().zip(GOLDEN) {
        assert_eq!(frame.kind(), kind);
        assert_eq!(hexadecimal(&encoded(frame)), golden, "{kind}");
        assert_eq!(golden.len(), 2 * kind.length());
        assert_eq!(Frame::decode(&encoded(frame)), Ok(*frame));
    }
}

#[test]
fn every_length_but_the_kinds_own_is_refused() {
    for frame in frames() {
        let whole = encoded(&frame);
        for length in 0..=MAX_FRAME {
            let mut bytes = whole.clone();
            bytes.resize(length, 0);
            let (kind, expected) = (frame.kind(), whole.len());
            match Frame::decode(&bytes) {
                Ok(same) => assert_eq!((same, length), (frame, expected)),
                Err(WireError::Short { found }) => assert!(found == length && found < 16),
                Err(error) => assert_eq!(error, WireError::Length { kind, expected, found: length }),
            }
        }
    }
}

#[test]
fn a_header_that_is_not_this_protocols_is_refused_with_what_it_says() {
    let hello = frames()[0];
    assert_eq!(Frame::decode(&with(hello, 0, b"AnIq")), Err(WireError::Magic { found: *b"AnIq" }));
    assert_eq!(Frame::decode(&with(hello, 4, &[2, 1])), Err(WireError::Version { expected: 1, found: 0x0102 }));
    assert_eq!(Frame::decode(&with(hello, 4, &[0, 0])), Err(WireError::Version { expected: 1, found: 0 }));
    for found in [0, 7, 255] {
        assert_eq!(Frame::decode(&with(hello, 6, &[found])), Err(WireError::Kind { found }));
    }
    let stated = WireError::StatedLength { kind: Kind::Hello, expected: 56, found: 57 };
    assert_eq!(Frame::decode(&with(hello, 8, &[57])), Err(stated));
}

/// Of another version nothing is known but its header: neither its kinds nor its lengths.
#[test]
fn another_version_is_named_whatever_else_is_wrong() {
    let expected = Err(WireError::Version { expected: 1, found: 9 });
    assert_eq!(Frame::decode(&[&b"AnIp\x09\x00\xff\x01"[..], &[0xff; 8]].concat()), expected);
    assert_eq!(Frame::decode(&[&b"AnIp\x09\x00\x01\x00"[..], &[0; 30]].concat()), expected);
}

#[test]
fn a_refusal_is_understood_in_every_version() {
    let refused = Frame::Refused(Refusal::Version { expected: 9, found: 1 });
    assert_eq!(Frame::decode(&with(refused, 4, &[9, 0])), Ok(refused));
    let unknown_code = with(refused, 16, &[77]);
    assert_eq!(Frame::decode(&unknown_code), Err(WireError::RefusalCode { found: 77 }));
}

#[test]
#[expect(clippy::single_range_in_vec_init, reason = "lists of ranges, of which one has one")]
fn every_byte_named_zero_is_zero() {
    let mut no_event = offer();
    no_event.event = None;
    let zeros: [(Frame, &[std::ops::Range<usize>]); 7] = [
        (frames()[0], &[7..8, 12..16, 49..56]),
        (frames()[1], &[7..8, 12..16, 49..56]),
        (frames()[2], &[7..8, 12..16]),
        (frames()[3], &[7..8, 12..16, 18..24]),
        (offered(), &[7..8, 12..16, 35..36, 44..48, 227..288]),
        (Frame::Offer(no_event), &[160..224]),
        (frames()[5], &[7..8, 12..16, 33..40]),
    ];
    for (frame, ranges) in zeros {
        for offset in ranges.iter().cloned().flatten() {
            let refused = Frame::decode(&with(frame, offset, &[0x80]));
            assert_eq!(refused, Err(WireError::Reserved { offset, found: 0x80 }), "{frame:?}");
        }
    }
}

#[test]
fn flags_and_choices_without_a_meaning_are_refused() {
    let [hello, welcome, _, _, offer, receipt] = frames();
    for (frame, offset, expected, found) in [(hello, 48, 1, 2), (welcome, 48, 1, 0x81), (offer, 33, 3, 4)] {
        let refused = WireError::Flags { kind: frame.kind(), expected, found };
        assert_eq!(Frame::decode(&with(frame, offset, &[found])), Err(refused));
    }
    for found in [0, 3, 255] {
        assert_eq!(Frame::decode(&with(offer, 32, &[found])), Err(WireError::Access { found }));
        assert_eq!(Frame::decode(&with(receipt, 32, &[found])), Err(WireError::How { found }));
    }
}

#[test]
fn a_refusals_values_mean_something() {
    let refused = frames()[3];
    let mut fields = [0; 40];
    for (code, expected, found, wrong) in
        [(1, 1, 0x1_0000, 0x1_0000), (3, 0, 2, 2), (3, 1, 1, 1), (4, 0, 1, 1), (5, 1, 0, 0), (5, 7, 1, 7)]
    {
        fields[0] = code;
        fields[8..24].copy_from_slice(&u128::to_le_bytes(expected));
        fields[24..].copy_from_slice(&u128::to_le_bytes(found));
        let error = WireError::RefusalValue { code: code.into(), found: wrong };
        assert_eq!(Frame::decode(&with(refused, 16, &fields)), Err(error));
    }
}

#[test]
fn elements_that_no_type_has_are_neither_sent_nor_received() {
    let refuse = |change: &dyn Fn(&mut Offer), error: WireError| {
        let mut wrong = offer();
        change(&mut wrong);
        assert_eq!(Frame::Offer(wrong).encode().unwrap_err(), error);
        let mut bytes = encoded(&offered());
        bytes[36..40].copy_from_slice(&wrong.element_size.to_le_bytes());
        bytes[40..44].copy_from_slice(&wrong.alignment.to_le_bytes());
        bytes[48..56].copy_from_slice(&wrong.length.to_le_bytes());
        bytes[56..64].copy_from_slice(&wrong.offset.to_le_bytes());
        assert_eq!(Frame::decode(&bytes), Err(error));
    };
    for (size, alignment) in [(0, 1), (0, 4), (4, 0), (4, 3), (6, 4), (4, 8), (u32::MAX, 2)] {
        let change = |offer: &mut Offer| (offer.element_size, offer.alignment) = (size, alignment);
        refuse(&change, WireError::Element { size, alignment });
    }
    for length in [0, 1 << 61, u64::MAX] {
        refuse(&|offer| offer.length = length, WireError::Elements { size: 4, length });
    }
    refuse(&|offer| offer.offset = 4, WireError::Offset { found: 4 });
    let mut largest = offer();
    largest.length = (1 << 61) - 1;
    assert_eq!(largest.bytes(), Ok(i64::MAX as u64 - 3));
    assert_eq!(Frame::decode(&encoded(&Frame::Offer(largest))), Ok(Frame::Offer(largest)));
}

#[test]
fn a_name_is_short_text_without_control_characters() {
    assert_eq!(ElementName::new(""), Err(WireError::NameLength { found: 0 }));
    assert_eq!(ElementName::new(&"x".repeat(65)), Err(WireError::NameLength { found: 65 }));
    assert_eq!(ElementName::new("a\u{1b}[2J"), Err(WireError::NameControl { at: 1 }));
    assert_eq!(ElementName::from_bytes(b"ab\xff"), Err(WireError::NameUtf8 { valid_up_to: 2 }));
    assert_eq!(ElementName::new(&"x".repeat(64)).expect("fits").to_string(), "x".repeat(64));
    assert_eq!(Frame::decode(&with(offered(), 34, &[0])), Err(WireError::Reserved { offset: 224, found: b'f' }));
    assert_eq!(Frame::decode(&with(offered(), 34, &[65])), Err(WireError::NameLength { found: 65 }));
    assert_eq!(Frame::decode(&with(offered(), 34, &[4])), Err(WireError::NameControl { at: 3 }));
    assert_eq!(Frame::decode(&with(offered(), 224, b"f\xc3(")), Err(WireError::NameUtf8 { valid_up_to: 1 }));
}

#[test]
fn errors_name_what_was_expected_and_found() {
    for (error, words) in [
        (WireError::Version { expected: 1, found: 2 }, ["version 2", "version 1"]),
        (
            WireError::Length { kind: Kind::Offer, expected: 288, found: 3 },
            ["`Offer` frame has 3 bytes", "expected 288"],
        ),
        (WireError::Element { size: 6, alignment: 4 }, ["6 bytes", "aligned to 4"]),
        (WireError::Reserved { offset: 7, found: 1 }, ["byte 7", "expected 0"]),
    ] {
        let text = error.to_string();
        assert!(words.iter().all(|word| text.contains(word)), "{text}");
    }
}

fn device() -> impl Strategy<Value = DeviceUuid> {
    any::<[u8; 16]>().prop_map(DeviceUuid)
}

fn kind() -> impl Strategy<Value = Kind> {
    (0..6_usize).prop_map(|at| Kind::ALL[at])
}

fn refusal() -> impl Strategy<Value = Refusal> {
    prop_oneof![
        any::<(u16, u16)>().prop_map(|(expected, found)| Refusal::Version { expected, found }),
        (device(), device()).prop_map(|(expected, found)| Refusal::Device { expected, found }),
        Just(Refusal::Foreign),
        Just(Refusal::Nonce),
        (kind(), kind()).prop_map(|(expected, found)| Refusal::Unexpected { expected, found }),
    ]
}

fn any_offer() -> impl Strategy<Value = Offer> {
    let name = "[a-zé<>:]{1,32}".prop_map(|name| ElementName::new(&name).expect("short"));
    let elements = (0..8_u32, 1..1000_u32, 1..u64::from(u32::MAX));
    let access = prop_oneof![Just(Access::ForReading), Just(Access::ForWriting)];
    let data = (any::<[u8; 64]>(), any::<Option<[u8; 64]>>(), any::<bool>());
    (any::<(u128, u128)>(), device(), name, elements, access, data).prop_map(
        |((export, pool), device, element, (log, times, length), access, (pointer, event, pool_attached))| Offer {
            export: ExportId(export),
            access,
            element,
            element_size: times << log,
            alignment: 1 << log,
            length,
            offset: 0,
            device,
            pool: PoolId(pool),
            pointer: PointerData(pointer),
            event: event.map(EventData),
            pool_attached,
        },
    )
}

fn any_frame() -> impl Strategy<Value = Frame> {
    let how = prop_oneof![Just(How::Released), Just(How::Declined)];
    prop_oneof![
        (device(), any::<u128>(), any::<bool>()).prop_map(|(device, peer, foreign)| Frame::Hello(Hello {
            device,
            peer: PeerId(peer),
            foreign
        })),
        (device(), any::<u128>(), any::<bool>()).prop_map(|(device, nonce, foreign)| Frame::Welcome(Welcome {
            device,
            nonce: Nonce(nonce),
            foreign
        })),
        any::<u128>().prop_map(|nonce| Frame::Ready(Ready { nonce: Nonce(nonce) })),
        refusal().prop_map(Frame::Refused),
        any_offer().prop_map(Frame::Offer),
        (any::<u128>(), how).prop_map(|(export, how)| Frame::Receipt(Receipt { export: ExportId(export), how })),
    ]
}

proptest! {
    #[test]
    fn what_is_decoded_is_what_was_encoded(frame in any_frame()) {
        let bytes = encoded(&frame);
        prop_assert!(bytes.len() <= MAX_FRAME && bytes.len() == frame.kind().length());
        prop_assert_eq!(Frame::decode(&bytes), Ok(frame));
    }

    /// Each frame has one encoding: what a change leaves valid is another frame.
    #[test]
    fn what_is_encoded_is_what_was_decoded(frame in any_frame(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut bytes = encoded(&frame);
        let at = at.index(bytes.len());
        bytes[at] = byte;
        if let Ok(other) = Frame::decode(&bytes) {
            // A refusal alone is read in other versions.
            if !(matches!(other, Frame::Refused(_)) && (4..6).contains(&at)) {
                prop_assert_eq!(encoded(&other), bytes);
            }
        }
    }

    #[test]
    fn bytes_at_random_are_no_frame(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        prop_assert!(Frame::decode(&bytes).is_err());
    }
}
