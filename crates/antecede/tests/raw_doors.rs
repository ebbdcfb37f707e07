//! Memory and streams that go to other code and come back, by the `unsafe` doors.
#![expect(unsafe_code, reason = "the doors are what is tested; each use states why its obligations hold")]

mod common;

use antecede::driver::DevicePtr;
use antecede::{Error, Failed, kernels, streams};
use antecede_trace::Call;
use common::{on_sim, orders};

streams! { Main, Side }
kernels! {
    Math { unsafe fn double(x: &mut [u32]) { for x in x { *x *= 2 } } }
}

#[test]
fn a_buffer_given_away_and_taken_back_makes_no_call_and_is_freed_once() {
    on_sim(|device, sim, trace| {
        let main = device.stream::<Main>()?;
        let x = main.upload(&[1u32, 2, 3])?;
        let mark = trace.mark();
        // SAFETY: nobody does anything with it until it is taken back.
        let (ptr, len) = unsafe { x.into_raw() }?;
        assert_eq!((len, sim.live().allocations), (3, 1));
        // SAFETY: from `into_raw`, of as many elements; nobody has it; all earlier work on it was on this stream.
        let x = unsafe { main.from_raw::<u32>(ptr, len) }?;
        assert_eq!(trace.counts_since(&mark).total(), 0);
        assert_eq!(main.download(&x)?, [1, 2, 3]);
        drop(x);
        assert_eq!(trace.counts_since(&mark).of(Call::Free), 1);
        Ok(())
    });
}

#[test]
fn borrowed_memory_is_an_argument_and_is_not_freed() {
    on_sim(|device, _, trace| {
        let (main, side) = device.streams::<(Main, Side)>()?;
        let math = device.load::<Math>()?;
        // Other code's: here, a buffer that stands aside meanwhile.
        let mut theirs = main.upload(&[1u32, 2, 3, 4])?;
        // SAFETY: it is read and written below, on `main` alone, before `theirs` is used again.
        let ptr = unsafe { theirs.address() };
        let mark = trace.mark();
        {
            // SAFETY: live, of `main`'s device and ready there; `theirs` is not used until this is gone.
            let mut lent = unsafe { main.borrow_raw::<u32>(ptr, 4) }?;
            math.double(main, &mut lent)?;
            main.fill(&mut lent[3..], 0)?;
        }
        assert_eq!(trace.counts_since(&mark).of(Call::Free), 0);
        assert_eq!(main.download(&theirs)?, [2, 4, 6, 0]);
        main.fill(&mut theirs, 1)?;
        let theirs = side.take(theirs)?;
        assert_eq!(side.download(&theirs)?, [1; 4]);
        let _ = orders(trace, &mark);
        Ok(())
    });
}

#[test]
fn a_part_is_not_given_away() {
    on_sim(|device, _, _| {
        let main = device.stream::<Main>()?;
        let (left, right) = main.zeroed::<u32>(4)?.into_parts_at(2);
        // SAFETY: refused; the buffer comes back.
        let Failed { error, buffers: left } = unsafe { left.into_raw() }.unwrap_err();
        assert_eq!(error, Error::Part);
        assert_eq!(left.unsplit(right)?.len(), 4);
        Ok(())
    });
}

#[test]
fn nothing_has_no_address() {
    on_sim(|device, _, trace| {
        let main = device.stream::<Main>()?;
        let mark = trace.mark();
        // SAFETY: no bytes.
        let empty = unsafe { main.from_raw::<u32>(DevicePtr(8), 0) }?;
        // SAFETY: as above.
        let (ptr, len) = unsafe { empty.into_raw() }?;
        assert_eq!((ptr, len), (DevicePtr::NULL, 0));
        // SAFETY: too large to be looked at.
        let error = unsafe { main.borrow_raw::<u64>(DevicePtr(8), usize::MAX) }.unwrap_err();
        assert!(matches!(error, Error::TooLarge { .. }));
        assert_eq!(trace.counts_since(&mark).total(), 0);
        Ok(())
    });
}

#[test]
fn a_streams_handle_is_the_drivers() {
    on_sim(|device, sim, _| {
        let (main, side) = device.streams::<(Main, Side)>()?;
        // SAFETY: compared, and used for nothing else.
        let (a, b) = unsafe { (main.raw(), side.raw()) };
        assert_ne!(a, b);
        assert_eq!(sim.live().streams, 2);
        Ok(())
    });
}
