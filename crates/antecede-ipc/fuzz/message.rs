//! Messages: valid ones, and what becomes of them.

use antecede::driver::{DeviceUuid, EventData, PointerData};
use antecede_ipc::wire::{
    Access, ElementName, ExportId, Frame, Hello, How, Kind, MAX_FRAME, Nonce, Offer, PeerId, PoolId, Ready, Receipt,
    Refusal, Welcome,
};
use fastrand::Rng;
use std::fmt;

/// The device of all targets.
pub(crate) const DEVICE: DeviceUuid = DeviceUuid(*b"the same device!");
/// More descriptors than come with any message.
pub(crate) const MAX_DESCRIPTORS: usize = 4;

/// Bytes with so many descriptors.
#[derive(Clone)]
pub(crate) struct Message {
    /// What is sent.
    pub(crate) bytes: Vec<u8>,
    /// How many descriptors are attached.
    pub(crate) descriptors: usize,
}

/// Makes messages from a seed.
#[derive(Debug)]
pub(crate) struct Generator {
    random: Rng,
    sent: Vec<Message>,
}

impl Generator {
    /// How many messages may come again.
    const KEPT: usize = 64;

    /// The same messages for the same seed.
    #[must_use]
    pub(crate) fn new(seed: u64) -> Self {
        Self { random: Rng::with_seed(seed), sent: vec![] }
    }

    /// The next one.
    pub(crate) fn message(&mut self) -> Message {
        let mut message = self.valid();
        match self.random.u8(..16) {
            0..4 => {}
            4..7 => self.flip_bits(&mut message.bytes),
            7 => message.bytes.truncate(self.random.usize(..message.bytes.len())),
            8 => {
                let more = self.random.usize(1..MAX_FRAME);
                message.bytes.extend(std::iter::repeat_with(|| self.random.u8(..)).take(more));
            }
            9 => message.descriptors = self.random.usize(..=MAX_DESCRIPTORS),
            10 => {
                if let Some(before) = self.random.choice(&self.sent) {
                    message = before.clone();
                }
            }
            11 => self.put_extreme(&mut message.bytes),
            12 => {
                // The beginning of one, the end of another.
                let other = self.valid().bytes;
                let at = self.random.usize(..message.bytes.len().min(other.len()));
                message.bytes.truncate(at);
                message.bytes.extend(&other[at..]);
            }
            13 => {
                let length = self.random.usize(..2 * MAX_FRAME);
                message.bytes = std::iter::repeat_with(|| self.random.u8(..)).take(length).collect();
            }
            14 => {
                // Valid up to its header.
                self.random.fill(&mut message.bytes[16..]);
            }
            _ => {
                self.put_extreme(&mut message.bytes);
                self.flip_bits(&mut message.bytes);
                message.descriptors = self.random.usize(..=MAX_DESCRIPTORS);
            }
        }
        self.keep(&message);
        message
    }

    fn valid(&mut self) -> Message {
        let frame = self.frame();
        let bytes = frame.encode().expect("the frame is valid").to_vec();
        Message { bytes, descriptors: frame.descriptors() }
    }

    fn keep(&mut self, message: &Message) {
        match self.sent.len() < Self::KEPT {
            true => self.sent.push(message.clone()),
            false => self.sent[self.random.usize(..Self::KEPT)].clone_from(message),
        }
    }

    fn flip_bits(&mut self, bytes: &mut [u8]) {
        for _ in 0..self.random.usize(1..=4) {
            if let Some(byte) = self.random.choice(bytes.iter_mut()) {
                *byte ^= 1 << self.random.u8(..8);
            }
        }
    }

    /// A number at the end of its range, where a field may begin.
    fn put_extreme(&mut self, bytes: &mut [u8]) {
        let size = 1 << self.random.u32(..4);
        let at = self.random.usize(..bytes.len() / size) * size;
        let extreme = self.random.choice([0, 1, 2, u64::MAX, i64::MAX as u64, 1 << 63, 1 << 31, 64, 65]);
        bytes[at..][..size].copy_from_slice(&extreme.expect("there are some").to_le_bytes()[..size]);
    }

    fn frame(&mut self) -> Frame {
        match self.random.choice(Kind::ALL).expect("there are some") {
            Kind::Hello => Frame::Hello(Hello {
                device: self.device(),
                peer: PeerId(self.random.u128(..)),
                foreign: self.rarely(),
            }),
            Kind::Welcome => Frame::Welcome(Welcome {
                device: self.device(),
                nonce: Nonce(self.random.u128(..)),
                foreign: self.rarely(),
            }),
            Kind::Ready => Frame::Ready(Ready { nonce: Nonce(self.random.u128(..)) }),
            Kind::Refused => Frame::Refused(self.refusal()),
            Kind::Offer => Frame::Offer(self.offer()),
            Kind::Receipt => {
                let how = if self.random.bool() { How::Released } else { How::Declined };
                Frame::Receipt(Receipt { export: ExportId(self.random.u128(..)), how })
            }
        }
    }

    fn rarely(&mut self) -> bool {
        self.random.u8(..8) == 0
    }

    fn device(&mut self) -> DeviceUuid {
        if self.rarely() { DeviceUuid(self.random.u128(..).to_le_bytes()) } else { DEVICE }
    }

    fn refusal(&mut self) -> Refusal {
        let mut kind = || self.random.choice(Kind::ALL).expect("there are some");
        let unexpected = Refusal::Unexpected { expected: kind(), found: kind() };
        match self.random.u8(..5) {
            0 => Refusal::Version { expected: self.random.u16(..), found: self.random.u16(..) },
            1 => Refusal::Device { expected: DEVICE, found: DeviceUuid(self.random.u128(..).to_le_bytes()) },
            2 => Refusal::Foreign,
            3 => Refusal::Nonce,
            _ => unexpected,
        }
    }

    fn offer(&mut self) -> Offer {
        let alignment = 1 << self.random.u32(..8);
        let name = self.random.choice(["f32", "u8", "[f64; 3]", "physics::Particle", "é"]).expect("there are some");
        let mut data = [0; 64];
        self.random.fill(&mut data);
        Offer {
            export: ExportId(self.random.u128(..)),
            access: if self.random.bool() { Access::ForReading } else { Access::ForWriting },
            element: ElementName::new(name).expect("a name"),
            element_size: alignment * self.random.u32(1..100),
            alignment,
            length: self.random.u64(1..1 << 40),
            offset: 0,
            device: self.device(),
            pool: PoolId(self.random.u128(..)),
            pointer: PointerData(data),
            event: self.random.bool().then_some(EventData(data)),
            pool_attached: self.random.bool(),
        }
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes, {} descriptors: ", self.bytes.len(), self.descriptors)?;
        self.bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
