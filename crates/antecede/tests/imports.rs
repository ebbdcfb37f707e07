//! What is refused before another process's memory is a buffer. Here the other process is this one, under another name.
#![expect(unsafe_code, reason = "who imports promises; each use states why its obligations hold, or is refused")]
#![cfg(unix)]

mod common;

use antecede::ipc::{Import, ImportState, ImportedPool, Manifest, Parcel};
use antecede::{Buffer, Device, Error, Exportable, Imported, On, ReadOnly, Result, Scoped, Stream, Synced, streams};
use antecede_sim::Sim;
use antecede_trace::{Call, Trace, judge};
use common::counted;
use std::os::fd::AsFd;
use std::sync::mpsc::channel;

streams! { Main, Side }

const LEN: usize = 8;

type Own<'id> = Buffer<u32, Synced<Scoped<'id>>, Exportable>;
type Theirs<'id> = (Buffer<u32, On<Side, Scoped<'id>>, Imported<ReadOnly>>, Import<Scoped<'id>>);

/// Memory that was handed out, and what is told of it.
struct Told<'id> {
    side: Stream<Side, Scoped<'id>>,
    parcel: Parcel<Own<'id>, ReadOnly, Scoped<'id>>,
    pool: ImportedPool<Scoped<'id>>,
    /// As another process's: of a pool that this one has not made.
    manifest: Manifest,
}

impl<'id> Told<'id> {
    fn of(device: Device<Scoped<'id>>) -> Result<Self> {
        let (main, side) = device.streams::<(Main, Side)>()?;
        let pool = device.pool::<Exportable>()?;
        let mut x = main.alloc_in(pool, LEN)?;
        main.fill(&mut x, 7)?;
        let parcel = Parcel::pack(main.sync(x)?)?;
        let descriptor = parcel.pool().descriptor()?;
        let manifest =
            Manifest { pool: !pool.identity(), pointer: *parcel.pointer(), ready: None, len: parcel.element_count() };
        Ok(Told { side, parcel, pool: device.import_pool(descriptor.as_fd())?, manifest })
    }

    fn import(&self, manifest: Manifest) -> Result<Theirs<'id>> {
        // SAFETY: (1) told of the parcel, or refused. (2) `end` opens it when the import has ended. (3) it is read only.
        unsafe { self.side.import(&self.pool, &manifest) }.map_err(|failed| failed.error)
    }

    fn end(self, (x, import): Theirs<'id>) -> Result<()> {
        assert_eq!(self.side.download(&x)?, [7; LEN]);
        drop(x);
        assert_eq!(import.wait()?, ImportState::Ended);
        // SAFETY: the import has ended, and nobody else was told.
        drop(unsafe { self.parcel.unpack() });
        Ok(())
    }
}

#[track_caller]
fn on_sim(test: impl for<'id> FnOnce(Told<'id>, Device<Scoped<'id>>) -> Result<()>) {
    traced(|told, device, _| test(told, device));
}

#[track_caller]
fn traced(test: impl for<'id> FnOnce(Told<'id>, Device<Scoped<'id>>, &Trace) -> Result<()>) {
    let trace = Trace::new(Sim::new());
    Device::scope(trace.clone(), 0, |device| test(Told::of(device)?, device, &trace)).expect("no call fails");
    judge(&trace.log()).assert_silent();
}

#[test]
fn memory_of_ones_own_is_not_imported() {
    on_sim(|told, device| {
        let own = Manifest { pool: told.parcel.pool().identity(), ..told.manifest };
        assert_eq!(told.import(own).unwrap_err(), Error::OwnMemory);
        let theirs = told.import(told.manifest)?;
        told.end(theirs)?;
        assert_eq!(device.leaked(), 0);
        Ok(())
    });
}

#[test]
fn more_elements_than_the_memory_has_are_not_imported() {
    on_sim(|told, device| {
        let longer = Manifest { len: 1 << 20, ..told.manifest };
        let refused = told.import(longer).unwrap_err();
        assert!(matches!(refused, Error::ImportTooShort { needed: 0x40_0000, .. }), "{refused}");
        // It was mapped, and is no more: it may be imported as what it is.
        let theirs = told.import(told.manifest)?;
        told.end(theirs)?;
        assert_eq!(device.leaked(), 0);
        Ok(())
    });
}

#[test]
fn one_memory_is_imported_once() {
    on_sim(|told, device| {
        let theirs = told.import(told.manifest)?;
        assert_eq!(told.import(told.manifest).unwrap_err(), Error::AlreadyImported);
        assert_eq!(device.leaked(), 0);
        told.end(theirs)
    });
}

#[test]
fn an_import_has_ended_when_its_free_has_taken_effect() {
    on_sim(|told, _| {
        let (x, import) = told.import(told.manifest)?;
        assert_eq!(import.state()?, ImportState::Held);
        let (open, opened) = channel::<()>();
        told.side.host_fn((), move |()| {
            let _ = opened.recv();
        })?;
        drop(x);
        assert_eq!(import.state()?, ImportState::Ending, "its stream is not that far");
        open.send(()).expect("the stream waits for it");
        assert_eq!(import.wait()?, ImportState::Ended);
        // SAFETY: the import has ended, and nobody else was told.
        drop(unsafe { told.parcel.unpack() });
        Ok(())
    });
}

#[test]
fn a_synced_import_is_ended_and_its_end_is_seen() {
    traced(|told, _, trace| {
        let (x, import) = told.import(told.manifest)?;
        let x = told.side.sync(x)?;
        let (ended, calls) = counted(trace, || x.end_import());
        ended.map_err(|failed| failed.error)?;
        assert_eq!((calls.of(Call::Free), calls.of(Call::StreamSync)), (1, 1), "the host waits for the free");
        assert_eq!(import.state()?, ImportState::Ended);
        // SAFETY: the import has ended, and nobody else was told.
        drop(unsafe { told.parcel.unpack() });
        Ok(())
    });
}
