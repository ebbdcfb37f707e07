//! Memory and events that simulators in different processes share.
#![cfg(target_os = "linux")]

#[path = "../common/mod.rs"]
mod common;

mod death;
mod events;
mod garbage;
mod memory;
mod peer;
mod rules;

use antecede::driver::{DevicePtr, DriverResult, ErrorKind, EventData, EventRef, PointerData, PoolRef, StreamRef};
use antecede_sim::{Builder, Sim};
use common::Rig;
use peer::Peer;

const LEN: usize = 1000;

fn fails<T: std::fmt::Debug>(result: DriverResult<T>, kind: ErrorKind) {
    assert_eq!(result.unwrap_err().kind(), kind);
}

/// An allocation in an exportable pool, a stream, and an event for others.
#[derive(Debug)]
struct Export {
    rig: Rig,
    stream: StreamRef,
    pool: PoolRef,
    x: DevicePtr,
    event: EventRef,
}

impl Export {
    /// The allocation is filled with 1, and that has taken effect.
    fn new(builder: Builder) -> Self {
        let rig = Rig::of(builder);
        let (stream, pool, event) = (rig.stream(), rig.exportable_pool().unwrap(), rig.interprocess_event().unwrap());
        let x = rig.alloc_in(&stream, &pool, LEN).unwrap();
        rig.fill(&stream, x, 1, LEN).unwrap();
        rig.sync(&stream).unwrap();
        Export { rig, stream, pool, x, event }
    }

    fn seeded(seed: u64) -> Self {
        Self::new(Sim::builder().seed(seed))
    }

    /// Submits a fill with `byte`, and records the event.
    fn write(&self, byte: u8) {
        self.rig.fill(&self.stream, self.x, byte, LEN).unwrap();
        self.rig.record(&self.event, &self.stream).unwrap();
    }

    fn give(&self, peer: &Peer) {
        peer.send_descriptor(&self.rig.export_pool(&self.pool).unwrap());
        peer.send(&self.rig.export(self.x).unwrap().0);
        peer.send(&self.rig.export_event(&self.event).unwrap().0);
    }

    fn import(&self, seed: u64) -> Import {
        let descriptor = self.rig.export_pool(&self.pool).unwrap();
        let (data, event) = (self.rig.export(self.x).unwrap(), self.rig.export_event(&self.event).unwrap());
        Import::new(Sim::builder().seed(seed), descriptor, &data, &event)
    }
}

/// The same as another simulator has it.
#[derive(Debug)]
struct Import {
    rig: Rig,
    stream: StreamRef,
    pool: PoolRef,
    x: DevicePtr,
    event: EventRef,
}

impl Import {
    fn new(builder: Builder, descriptor: impl std::os::fd::AsFd, data: &PointerData, event: &EventData) -> Self {
        let rig = Rig::of(builder);
        let pool = rig.import_pool(descriptor).unwrap();
        let x = rig.import(&pool, data).unwrap();
        let (stream, event) = (rig.stream(), rig.import_event(event).unwrap());
        Import { rig, stream, pool, x, event }
    }

    fn take(peer: &Peer, seed: u64) -> Self {
        Self::take_with(peer, Sim::builder().seed(seed))
    }

    fn take_with(peer: &Peer, builder: Builder) -> Self {
        let descriptor = peer.receive_descriptor();
        let (data, event) = (PointerData(peer.receive()), EventData(peer.receive()));
        Self::new(builder, descriptor, &data, &event)
    }

    fn wait(&self) {
        self.rig.wait(&self.stream, &self.event).unwrap();
    }

    fn read(&self) -> Vec<u8> {
        self.rig.download(&self.stream, self.x, LEN)
    }

    fn end(&self) {
        self.rig.free(&self.stream, self.x).unwrap();
        self.rig.sync(&self.stream).unwrap();
        self.rig.destroy_pool(&self.pool).unwrap();
        self.rig.destroy_event(&self.event).unwrap();
    }
}
