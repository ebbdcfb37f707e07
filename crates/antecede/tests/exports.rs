//! The events of parcels: when they may be recorded again.
#![expect(unsafe_code, reason = "that nobody has what is in a parcel is for the caller of `unpack` to promise")]
#![cfg(unix)]

mod common;

use antecede::ipc::Parcel;
use antecede::{Exportable, ReadOnly, Result, Scoped, Stream, streams};
use antecede_sim::Sim;
use antecede_trace::Trace;
use common::assert_nothing_is_left;
use std::sync::mpsc::{Receiver, channel};

streams! { Main }

type Buffer<'id> = antecede::Buffer<u32, antecede::Loose<Scoped<'id>>, Exportable>;
type Packed<'id> = Parcel<Buffer<'id>, ReadOnly, Scoped<'id>>;

/// A parcel with an event that is recorded now.
fn packed<'id>(main: Stream<Main, Scoped<'id>>, x: Buffer<'id>) -> Result<Packed<'id>> {
    Ok(Parcel::pack(main.record(main.claim(x)?)?)?)
}

/// Its stream goes on when `opened` is dropped or told.
fn hold(main: Stream<Main, Scoped<'_>>, opened: Receiver<()>) -> Result<()> {
    Ok(main.host_fn((), move |()| {
        let _ = opened.recv();
    })?)
}

#[test]
fn an_event_is_recorded_again_when_it_has_passed() {
    let sim = Sim::new();
    antecede::Device::scope(Trace::new(sim.clone()), 0, |device| {
        let main = device.stream::<Main>()?;
        let x = main.alloc_in(device.pool::<Exportable>()?, 8)?;
        let (open, opened) = channel();
        hold(main, opened)?;
        let first = packed(main, x.loose())?;
        let in_flight = *first.ready().expect("an event");
        // SAFETY: nobody was told of it.
        let x = unsafe { first.unpack() };
        let second = packed(main, x)?;
        let other = *second.ready().expect("an event");
        assert_ne!(other, in_flight, "a wait for a later record of one that is in flight was seen not to end");
        open.send(()).expect("the stream waits for it");
        main.sync(())?;
        // SAFETY: as above.
        let x = unsafe { second.unpack() };
        let third = packed(main, x)?;
        assert!([in_flight, other].contains(third.ready().expect("an event")), "both have passed");
        // SAFETY: as above.
        drop(unsafe { third.unpack() });
        Ok(())
    })
    .expect("no call fails");
    assert_nothing_is_left(&sim);
}

#[test]
fn the_event_of_a_dropped_parcel_is_not_recorded_again() {
    let sim = Sim::new();
    let leaked = antecede::Device::scope(Trace::new(sim.clone()), 0, |device| {
        let main = device.stream::<Main>()?;
        let pool = device.pool::<Exportable>()?;
        let dropped = packed(main, main.alloc_in(pool, 8)?.loose())?;
        let told = *dropped.ready().expect("an event");
        drop(dropped);
        main.sync(())?;
        let next = packed(main, main.alloc_in(pool, 8)?.loose())?;
        assert_ne!(*next.ready().expect("an event"), told, "another process may still be about to wait for it");
        // SAFETY: nobody was told of it.
        drop(unsafe { next.unpack() });
        Ok(device.leaked())
    });
    assert_eq!(leaked.expect("no call fails"), 1);
}
