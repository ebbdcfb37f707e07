use super::message::MAX_DESCRIPTORS;
use super::open::OpenDescriptors;
use super::{Message, Target, soon};
use antecede::{Buffer, Device, Exportable, Synced};
use antecede_ipc::link::{Foreign, Link, as_importer, pair};
use antecede_ipc::wire::{ExportId, Frame, How, Receipt};
use antecede_ipc::{Error, Exporter, Failed, ImporterId, Kept, Lent, LinkError, Published};
use fastrand::Rng;
use std::fs::File;
use std::os::fd::AsFd;
use std::thread;
use std::time::Duration;

type Own = Buffer<u32, Synced, Exportable>;

/// An [`Exporter`] whose importer says what it likes. It knows the true receipts, and sends them now and then.
pub(super) struct Reclaim {
    exporter: Exporter,
    importer: ImporterId,
    there: Link,
    descriptor: File,
    random: Rng,
    idle: Vec<Own>,
    out: Vec<Out>,
    /// Receipts that counted, which count no more.
    used: Vec<ExportId>,
    thrown: u64,
    open: OpenDescriptors,
}

/// A buffer that is out.
struct Out {
    exported: Exported,
    /// For which no true receipt has been sent.
    owed: Vec<ExportId>,
}

enum Exported {
    Lent(Lent<Own>),
    Published(Published<Own>),
}

impl Reclaim {
    /// How many buffers there are.
    const BUFFERS: usize = 6;
    const KEPT: usize = 64;

    pub(super) fn new(device: Device, seed: u64) -> Self {
        antecede::streams! { Home }
        let home = device.stream::<Home>().expect("a stream");
        let pool = device.pool::<Exportable>().expect("a pool");
        let idle = (0..Self::BUFFERS).map(|_| home.sync(home.alloc_in(pool, 16).expect("memory")).expect("a wait"));
        let idle = idle.collect();
        let mut exporter = Exporter::new(device).expect("an exporter");
        let (importer, there) = connect(&mut exporter, device);
        let descriptor = File::open("/dev/null").expect("a device");
        let (random, used, open) = (Rng::with_seed(seed ^ 11), Vec::new(), OpenDescriptors::default());
        Self { exporter, importer, there, descriptor, random, idle, out: Vec::new(), used, thrown: 0, open }
    }

    /// Hands out one more buffer, and reads what the importer is told.
    fn hand_out(&mut self) -> Result<(), String> {
        let Some(own) = self.idle.pop() else { return Ok(()) };
        if self.random.bool() {
            let published = self.exporter.publish(own).map_err(|failed| failed.to_string())?;
            let mut out = Out { exported: Exported::Published(published), owed: Vec::new() };
            for _ in 0..self.random.usize(1..3) {
                let Exported::Published(published) = &mut out.exported else { unreachable!("it was just published") };
                match self.exporter.offer(published, self.importer) {
                    Ok(()) => out.owed.push(self.told()?),
                    Err(error) => is_typed(&error)?,
                }
            }
            self.out.push(out);
            return Ok(());
        }
        match self.exporter.lend(own, self.importer) {
            Ok(lent) => {
                let owed = vec![self.told()?];
                self.out.push(Out { exported: Exported::Lent(lent), owed });
                Ok(())
            }
            // A frame that was passed over; the offer was not sent.
            Err(Failed { error, kept: Kept::Out(lent) }) => {
                is_typed(&error)?;
                self.out.push(Out { exported: Exported::Lent(lent), owed: Vec::new() });
                Ok(())
            }
            Err(Failed { error, kept: Kept::Given(_) }) => Err(format!("it could not be lent: {error}")),
        }
    }

    fn told(&self) -> Result<ExportId, String> {
        match self.there.receive(soon()) {
            Ok((Frame::Offer(offer), _)) => Ok(offer.export),
            other => Err(format!("instead of an offer came {other:?}")),
        }
    }

    /// Says something: the message, or a receipt that is true, or nearly.
    fn say(&mut self, message: &Message) -> Result<(), String> {
        let how = if self.random.bool() { How::Released } else { How::Declined };
        let owing: Vec<usize> = (0..self.out.len()).filter(|&place| !self.out[place].owed.is_empty()).collect();
        match (self.random.u8(..8), self.random.choice(owing)) {
            (0 | 1, Some(place)) => {
                let owed = &mut self.out[place].owed;
                let export = owed.swap_remove(self.random.usize(..owed.len()));
                match self.used.len() < Self::KEPT {
                    true => self.used.push(export),
                    false => self.used[self.random.usize(..Self::KEPT)] = export,
                }
                self.send(&Frame::Receipt(Receipt { export, how }), 0)
            }
            (2, Some(place)) => {
                let export = self.out[place].owed[0].0 ^ 1 << self.random.u32(..128);
                self.send(&Frame::Receipt(Receipt { export: ExportId(export), how }), 0)
            }
            (3, Some(place)) => {
                // True but for what comes with it.
                let export = self.out[place].owed[0];
                self.send(&Frame::Receipt(Receipt { export, how }), self.random.clone().usize(1..=MAX_DESCRIPTORS))
            }
            (4, _) if !self.used.is_empty() => {
                let export = self.used[self.random.usize(..self.used.len())];
                self.send(&Frame::Receipt(Receipt { export, how }), 0)
            }
            _ => self.send_bytes(&message.bytes, message.descriptors),
        }
    }

    fn send(&self, frame: &Frame, descriptors: usize) -> Result<(), String> {
        self.send_bytes(&frame.encode().map_err(|error| error.to_string())?, descriptors)
    }

    fn send_bytes(&self, bytes: &[u8], descriptors: usize) -> Result<(), String> {
        let attached = [self.descriptor.as_fd(); MAX_DESCRIPTORS];
        self.there.send_bytes(bytes, &attached[..descriptors], soon()).map_err(|error| error.to_string())
    }

    /// Asks for one that is out. Whether it came back.
    fn ask(&mut self) -> Result<bool, String> {
        if self.out.is_empty() {
            return Ok(false);
        }
        let Out { mut exported, owed } = self.out.swap_remove(self.random.usize(..self.out.len()));
        loop {
            match reclaim(&mut self.exporter, exported).map_err(|failed| *failed) {
                Ok(own) if owed.is_empty() => {
                    self.idle.push(own);
                    return Ok(true);
                }
                Ok(_) => return Err("a buffer came back without its true receipt".to_owned()),
                // Nothing more is there.
                Err(Failed { error: Error::NoReceipt { .. }, kept }) if !owed.is_empty() => {
                    self.out.push(Out { exported: kept, owed });
                    return Ok(false);
                }
                Err(Failed { error: error @ Error::NoReceipt { .. }, .. }) => {
                    return Err(format!("its true receipts were sent, and: {error}"));
                }
                Err(Failed { error, kept }) => {
                    is_typed(&error)?;
                    exported = kept;
                }
            }
        }
    }
}

fn reclaim(exporter: &mut Exporter, exported: Exported) -> Result<Own, Box<Failed<Exported>>> {
    match exported {
        Exported::Lent(lent) => exporter
            .reclaim(lent)
            .map_err(|Failed { error, kept }| Box::new(Failed { error, kept: Exported::Lent(kept) })),
        Exported::Published(published) => exporter
            .reclaim(published)
            .map_err(|Failed { error, kept }| Box::new(Failed { error, kept: Exported::Published(kept) })),
    }
}

/// One that a peer which breaks the protocol brings about.
fn is_typed(error: &Error) -> Result<(), String> {
    match error {
        Error::UnknownReceipt { .. }
        | Error::Unexpected { .. }
        | Error::Link(LinkError::Malformed(_) | LinkError::Oversize { .. } | LinkError::Descriptors { .. }) => Ok(()),
        other => Err(format!("the error is {other:?}")),
    }
}

/// An importer that is only its end of the connection.
fn connect(exporter: &mut Exporter, device: Device) -> (ImporterId, Link) {
    let uuid = device.uuid().expect("a device");
    let (here, there) = pair().expect("a pair");
    exporter.set_time_limit(Duration::from_secs(30));
    let greeted = thread::scope(|threads| {
        let there = threads.spawn(|| as_importer(there, uuid, Foreign::Refused, soon()).expect("it is welcome").link);
        (exporter.add(here.into_fd()).expect("it is welcome"), there.join().expect("it does not panic"))
    });
    // What was said is there.
    exporter.set_time_limit(Duration::ZERO);
    greeted
}

impl Target for Reclaim {
    fn name(&self) -> &'static str {
        "Exporter"
    }

    fn throw(&mut self, message: &Message) -> Result<bool, String> {
        self.thrown += 1;
        self.hand_out()?;
        self.say(message)?;
        let back = self.ask()?;
        self.open.check(self.thrown)?;
        Ok(back)
    }

    /// What is noted for each buffer that is out, and what the simulator notes.
    fn may_allocate(&self) -> usize {
        64 << 10
    }
}
