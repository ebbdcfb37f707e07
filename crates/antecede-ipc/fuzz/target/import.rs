use super::genuine::Genuine;
use super::message::MAX_DESCRIPTORS;
use super::open::OpenDescriptors;
use super::{Message, Target, oracle, soon};
use antecede::driver::{DeviceUuid, EventData, PointerData};
use antecede::{Buffer, Device, Imported, On, ReadOnly, ReadWrite, Stream};
use antecede_ipc::link::{Deadline, Foreign, Link, as_exporter, pair};
use antecede_ipc::wire::{Access, ElementName, ExportId, Frame, Offer, PoolId};
use antecede_ipc::{Error, Importer, LinkError};
use antecede_sim::Sim;
use fastrand::Rng;
use std::collections::HashMap;
use std::fs::File;
use std::os::fd::{AsFd, BorrowedFd};
use std::thread;

antecede::streams! { Reader }

/// An [`Importer`] whose exporter offers what it likes: some of it is there.
pub(super) struct Import {
    importer: Importer,
    stream: Stream<Reader>,
    sim: Sim,
    uuid: DeviceUuid,
    there: Link,
    genuine: Genuine,
    null: File,
    random: Rng,
    held: Vec<Held>,
    /// Answers that are to come, by export.
    unanswered: HashMap<ExportId, u32>,
    sent: Vec<ExportId>,
    attached: bool,
    thrown: u64,
    open: OpenDescriptors,
}

enum Held {
    ToRead(Buffer<u32, On<Reader>, Imported<ReadOnly>>),
    ToWrite(Buffer<u32, On<Reader>, Imported<ReadWrite>>),
}

impl Import {
    const KEPT: usize = 64;

    pub(super) fn new(device: Device, sim: Sim, seed: u64) -> Self {
        let uuid = device.uuid().expect("a device");
        let (here, there) = pair().expect("a pair");
        let (importer, there) = thread::scope(|threads| {
            let there =
                threads.spawn(|| as_exporter(there, uuid, Foreign::Refused, soon()).expect("it is welcome").link);
            let importer = Importer::over(device, here.into_fd()).expect("it is welcome");
            (importer, there.join().expect("it does not panic"))
        });
        Import {
            importer,
            stream: device.stream().expect("a stream"),
            sim,
            uuid,
            there,
            genuine: Genuine::new(),
            null: File::open("/dev/null").expect("a device"),
            random: Rng::with_seed(seed ^ 13),
            held: Vec::new(),
            unanswered: HashMap::new(),
            sent: Vec::new(),
            attached: false,
            thrown: 0,
            open: OpenDescriptors::default(),
        }
    }

    /// Of memory that is there, as an exporter would offer it.
    fn offer(&mut self) -> Offer {
        let attach = !self.attached || self.random.u8(..8) == 0;
        Offer {
            export: ExportId(self.random.u128(..)),
            access: if self.random.bool() { Access::ForReading } else { Access::ForWriting },
            element: ElementName::new("u32").expect("a name"),
            element_size: 4,
            alignment: 4,
            length: Genuine::LEN as u64,
            offset: 0,
            device: self.uuid,
            pool: self.genuine.pool,
            pointer: self.random.choice(&self.genuine.pointers).copied().expect("there are some"),
            event: self.random.bool().then_some(self.genuine.event),
            pool_attached: attach,
        }
    }

    /// Something about it is wrong.
    fn spoil(&mut self, offer: &mut Offer) {
        let bit = 1 << self.random.u8(..8);
        let byte = self.random.usize(..64);
        match self.random.u8(..9) {
            0 => offer.device.0[byte % 16] ^= bit,
            1 => offer.pool = PoolId(self.random.u128(..)),
            2 => offer.pointer.0[byte] ^= bit,
            3 => self.random.fill(&mut offer.pointer.0),
            4 => offer.event.get_or_insert(self.genuine.event).0[byte] ^= bit,
            5 => {
                let mut data = [0; 64];
                self.random.fill(&mut data);
                (offer.event, offer.pointer) = (Some(EventData(data)), PointerData(data));
            }
            6 => offer.length = self.random.u64(1..1 << 60),
            7 => offer.element = ElementName::new("f32").expect("a name"),
            _ => {
                if let Some(&export) = self.random.choice(&self.sent) {
                    offer.export = export;
                }
            }
        }
        // Then it is no pool's.
        offer.pool_attached &= offer.pool == self.genuine.pool || self.random.bool();
    }

    /// Offers something. Returns the offer, where the importer must understand it.
    fn say(&mut self, message: &Message) -> Result<Option<Offer>, String> {
        let kind = self.random.u8(..4);
        if kind < 2 {
            let mut offer = self.offer();
            if kind == 1 {
                self.spoil(&mut offer);
            }
            let ours = offer.pool == self.genuine.pool;
            let descriptor = if ours { self.genuine.descriptor.as_fd() } else { self.null.as_fd() };
            let descriptors: &[BorrowedFd<'_>] = if offer.pool_attached { &[descriptor] } else { &[] };
            let bytes = Frame::Offer(offer).encode().map_err(|error| error.to_string())?;
            self.there.send_bytes(&bytes, descriptors, soon()).map_err(|error| error.to_string())?;
            self.attached |= ours && offer.pool_attached && offer.device == self.uuid;
            return Ok(Some(offer));
        }
        let descriptors = [self.null.as_fd(); MAX_DESCRIPTORS];
        let sent = self.there.send_bytes(&message.bytes, &descriptors[..message.descriptors], soon());
        sent.map_err(|error| error.to_string())?;
        match (oracle::judge(&message.bytes), Frame::decode(&message.bytes)) {
            (Some((5, descriptors)), Ok(Frame::Offer(offer))) if descriptors == message.descriptors => Ok(Some(offer)),
            _ => Ok(None),
        }
    }

    /// Takes what was offered, or not.
    fn take(&mut self, said: Option<Offer>) -> Result<bool, String> {
        let offer = match self.importer.next_offer() {
            Ok(offer) => offer,
            Err(error) => return is_typed(&error).map(|()| false),
        };
        let Some(said) = said else { return Err(format!("it was offered {offer:?}, which nobody has said")) };
        match self.random.u8(..6) {
            0 => return offer.decline().map(|()| false).map_err(|error| error.to_string()),
            1 => {
                drop(offer);
                return Ok(false);
            }
            2 => {
                let ready = offer.is_ready();
                if let Err(error) = ready {
                    is_typed(&error)?;
                }
            }
            _ => {}
        }
        let imported = if self.random.u8(..8) == 0 || said.access == Access::ForReading {
            offer.import(self.stream).map(Held::ToRead).map_err(|failed| failed.error)
        } else {
            offer.import(self.stream).map(Held::ToWrite).map_err(|failed| failed.error)
        };
        match imported {
            Ok(held) if self.is_there(&said, &held) => {
                self.held.push(held);
                Ok(true)
            }
            Ok(_) => Err(format!("it mapped what is not there: {said:?}")),
            Err(error) => is_typed(&error).map(|()| false),
        }
    }

    fn is_there(&self, said: &Offer, held: &Held) -> bool {
        let access = match held {
            Held::ToRead(_) => Access::ForReading,
            Held::ToWrite(_) => Access::ForWriting,
        };
        let known = said.pool == self.genuine.pool && self.genuine.pointers.contains(&said.pointer);
        let event = said.event.is_none_or(|event| event == self.genuine.event);
        known && event && said.device == self.uuid && said.length <= Genuine::LEN as u64 && said.access == access
    }

    /// Lets go of some of what it has.
    fn let_go(&mut self) -> Result<(), String> {
        while self.held.len() > 1 || (!self.held.is_empty() && self.random.u8(..3) == 0) {
            let held = self.held.swap_remove(self.random.usize(..self.held.len()));
            if self.random.bool() {
                drop(held);
                continue;
            }
            let failed = match held {
                Held::ToRead(x) => self.importer.release(self.stream.sync(x).map_err(said)?).err().map(said),
                Held::ToWrite(mut x) => {
                    self.stream.fill(&mut x, 7).map_err(said)?;
                    self.importer.release(self.stream.sync(x).map_err(said)?).err().map(said)
                }
            };
            if let Some(failed) = failed {
                return Err(failed);
            }
        }
        let (left, mapped) = (self.importer.settle().map_err(said)?, self.sim.live().imported_allocations);
        match (left, mapped) == (self.held.len(), self.held.len()) {
            true => Ok(()),
            false => Err(format!("{} are held, {left} are owed, {mapped} are mapped", self.held.len())),
        }
    }

    /// Each offer is answered once.
    fn hear(&mut self) -> Result<(), String> {
        loop {
            match self.there.receive(Deadline::now()) {
                Ok((Frame::Receipt(receipt), None)) => match self.unanswered.get_mut(&receipt.export) {
                    Some(1) => drop(self.unanswered.remove(&receipt.export)),
                    Some(count) => *count -= 1,
                    None => return Err(format!("{receipt:?} answers no offer, or one a second time")),
                },
                Err(LinkError::TimedOut { .. }) => break,
                other => return Err(format!("it said {other:?}")),
            }
        }
        let open: usize = self.unanswered.values().map(|&count| count as usize).sum();
        match open == self.held.len() {
            true => Ok(()),
            false => Err(format!("{open} offers are unanswered, and it holds {}", self.held.len())),
        }
    }
}

fn said(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// One that an exporter which breaks the protocol brings about.
fn is_typed(error: &Error) -> Result<(), String> {
    match error {
        Error::Unexpected { .. }
        | Error::WrongDevice { .. }
        | Error::WrongElement { .. }
        | Error::WrongAccess { .. }
        | Error::UnknownPool { .. }
        | Error::Link(LinkError::Malformed(_) | LinkError::Oversize { .. } | LinkError::Descriptors { .. }) => Ok(()),
        Error::Device(
            antecede::Error::Driver(_)
            | antecede::Error::AlreadyImported
            | antecede::Error::ImportTooShort { .. }
            | antecede::Error::TooLarge { .. },
        ) => Ok(()),
        other => Err(format!("the error is {other:?}")),
    }
}

impl Target for Import {
    fn name(&self) -> &'static str {
        "Importer"
    }

    fn throw(&mut self, message: &Message) -> Result<bool, String> {
        self.thrown += 1;
        let said = self.say(message)?;
        if let Some(offer) = &said {
            *self.unanswered.entry(offer.export).or_insert(0) += 1;
            match self.sent.len() < Self::KEPT {
                true => self.sent.push(offer.export),
                false => self.sent[self.random.usize(..Self::KEPT)] = offer.export,
            }
        }
        let taken = self.take(said)?;
        self.let_go()?;
        self.hear()?;
        self.open.check(self.thrown)?;
        Ok(taken)
    }

    /// What is noted for each import, and what the simulator notes.
    fn may_allocate(&self) -> usize {
        64 << 10
    }
}
