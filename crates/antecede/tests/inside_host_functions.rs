//! What a host function cannot do: reach the driver.

use antecede::driver::Driver;
use antecede::{Buffer, Device, Error, Failed, Loose, On, Pinned, Result, Stream, Vram, kernels, streams};
use antecede_sim::Sim;
use antecede_trace::{Call, Trace, judge};
use std::sync::{LazyLock, Mutex, mpsc};

streams! { Main, Side, Unopened }
kernels! {
    Math { unsafe fn double(x: &mut [u32]) { for x in x { *x *= 2 } } }
    Unloaded { unsafe fn nothing(x: &[u32]) { let _ = x; } }
}

/// What a function captures is `'static`, so of the process's device. One test at a time: they count.
static PRIMARY: LazyLock<Mutex<(Device, Trace)>> = LazyLock::new(|| {
    let trace = Trace::new(Sim::new());
    Mutex::new((Device::primary(trace.clone()).unwrap(), trace))
});

#[track_caller]
fn on_primary(test: impl FnOnce(Device, &Trace) -> Result<()>) {
    let primary = PRIMARY.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let (device, trace) = &*primary;
    trace.clear();
    test(*device, trace).unwrap();
    judge(&trace.log()).assert_silent();
}

/// Runs `f` in a host function; what it returns, and the driver calls that were made meanwhile.
fn inside<R: Send + 'static>(main: Stream<Main>, trace: &Trace, f: impl FnOnce() -> R + Send + 'static) -> (R, u64) {
    let (send, receive) = mpsc::channel();
    let counting = trace.clone();
    let () = main
        .host_fn((), move |()| {
            let before = counting.counts().total();
            let returned = f();
            send.send((returned, counting.counts().total() - before)).unwrap();
        })
        .unwrap();
    main.sync(()).unwrap();
    receive.recv().unwrap()
}

fn refused<T, E: Into<Error>>(result: Result<T, E>) -> bool {
    result.err().map(Into::into) == Some(Error::InHostFunction)
}

#[test]
fn every_call_is_refused() {
    on_primary(|device, trace| {
        let (main, side) = device.streams::<(Main, Side)>()?;
        let math = device.load::<Math>()?;
        let pool = device.pool::<Vram>()?;
        device.legacy()?;
        let mut x = main.upload(&[1u32, 2])?;
        let y = side.upload(&[3u32, 4])?;
        let driver = trace.clone();
        let ((answers, x, y), calls) = inside(main, trace, move || {
            let mut answers = Vec::new();
            let mut z = Buffer::<u32, On<Main>>::default();
            answers.push(("launch", refused(math.double(main, &mut x))));
            answers.push(("fill", refused(main.fill(&mut x, 1))));
            answers.push(("clear", refused(main.clear(&mut z))));
            answers.push(("copy", refused(main.copy(&x[..0], &mut z))));
            answers.push(("write", refused(main.write(&mut x, &[1, 2]))));
            answers.push(("download", refused(main.download(&x))));
            answers.push(("alloc", refused(main.alloc::<u8>(1))));
            answers.push(("alloc_in", refused(main.alloc_in::<u8, _>(pool, 1))));
            answers.push(("pool", refused(device.pool::<Pinned>())));
            answers.push(("statistics", refused(pool.statistics())));
            answers.push(("trim", refused(pool.trim(0))));
            answers.push(("set", refused(pool.set_release_threshold(0))));
            answers.push(("pinned", refused(device.pinned::<u8>(1))));
            answers.push(("managed", refused(device.managed::<u8>(1))));
            answers.push(("stream", refused(device.stream::<Unopened>())));
            answers.push(("stream that is open", refused(device.stream::<Main>())));
            answers.push(("legacy", refused(device.legacy())));
            answers.push(("per_thread", refused(device.per_thread())));
            answers.push(("any_stream", refused(device.any_stream())));
            answers.push(("priorities", refused(device.priorities())));
            answers.push(("device.sync", refused(device.sync(()))));
            answers.push(("peer", refused(device.peer(device))));
            answers.push(("copy_across", refused(main.copy_across(side, &y[..1], &mut x[..1]))));
            answers.push(("scope_all", refused(Device::scope_all(driver.clone(), |_| Ok(())))));
            answers.push(("load", refused(device.load::<Unloaded>())));
            answers.push(("primary", refused(Device::primary(driver.clone()))));
            answers.push(("scope", refused(Device::scope(driver.clone(), 0, |_| Ok(())))));
            answers.push(("scope of another driver", refused(Device::scope(Sim::new(), 0, |_| Ok(())))));
            answers.push(("host_fn", refused(main.host_fn((), |()| ()))));
            answers.push(("sync", refused(main.sync(()))));
            // The buffers come back from each of them.
            let Failed { error, buffers: y } = main.take(y).unwrap_err();
            answers.push(("take", error == Error::InHostFunction));
            let Failed { error, buffers: x } = main.record(x).unwrap_err();
            answers.push(("record", error == Error::InHostFunction));
            let Failed { error, buffers: x } = main.share(x).unwrap_err();
            answers.push(("share", error == Error::InHostFunction));
            (answers, x, y)
        });
        assert_eq!((answers.iter().filter(|(_, refused)| !refused).collect::<Vec<_>>(), calls), (vec![], 0));
        let (x, y) = main.take((x, y))?;
        assert_eq!((main.download(&x)?, main.download(&y)?), (vec![1, 2], vec![3, 4]));
        Ok(())
    });
}

#[test]
fn records_and_shared_buffers_are_refused_and_come_back() {
    on_primary(|device, trace| {
        let (main, side) = device.streams::<(Main, Side)>()?;
        let recorded = side.record(side.upload(&[1u32])?)?;
        let shared = side.share(side.upload(&[2u32])?)?;
        let ((recorded, shared, refusals), calls) = inside(main, trace, move || {
            let Failed { error: waited, buffers: recorded } = main.wait(recorded).unwrap_err();
            let Failed { error: synced, buffers: recorded } = recorded.synchronize().unwrap_err();
            let Failed { error: asked, buffers: recorded } = recorded.query().unwrap_err();
            let leased = main.lease(&shared).map(drop).unwrap_err();
            // Without a reader, and on the stream that shared: no call would be needed.
            let Failed { error: reunited, buffers: shared } = side.reunite(shared).unwrap_err();
            (recorded, shared, [waited, synced, asked, leased, reunited])
        });
        assert!(refusals.iter().all(|error| *error == Error::InHostFunction), "{refusals:?}");
        assert_eq!(calls, 0);
        let (x, y) = (main.wait(recorded)?, main.reunite(shared)?);
        assert_eq!((main.download(&x)?, main.download(&y)?), (vec![1], vec![2]));
        Ok(())
    });
}

/// Leaked and counted, whatever its kind and state, and without a lock or a call.
#[test]
fn what_is_dropped_inside_is_leaked_and_counted() {
    on_primary(|device, trace| {
        let (main, side) = device.streams::<(Main, Side)>()?;
        let leaked = device.leaked();
        let queued = main.zeroed::<u32>(4)?;
        let pooled = main.alloc_in::<u32, _>(device.pool::<Pinned>()?, 4)?;
        let (left, right) = side.zeroed::<u32>(4)?.into_parts_at(1);
        let captured = (
            (queued, queued_loose(side)?, main.sync(main.zeroed::<u32>(4)?)?),
            (device.pinned::<u32>(4)?, device.pinned::<u32>(4)?.on(main), device.managed::<u32>(4)?.on(main), pooled),
            (side.record(side.zeroed::<u32>(4)?)?, side.share(side.zeroed::<u32>(4)?)?, left),
        );
        let ((), calls) = inside(main, trace, move || drop(captured));
        assert_eq!((device.leaked() - leaked, calls), (10, 0));

        // The other part is not the last one, for all that anybody knows.
        let mark = trace.mark();
        drop(right);
        let counts = trace.counts_since(&mark);
        assert_eq!((counts.of(Call::Free), counts.of(Call::EventRecord)), (0, 1));
        // A captured one that a panic drops.
        let lost = main.zeroed::<u32>(4)?;
        let () = main.host_fn((), move |()| {
            let _lost = lost;
            panic!("dropped on the way")
        })?;
        assert!(matches!(main.sync(()).unwrap_err().error, Error::HostFnPanicked { .. }));
        assert_eq!(device.leaked() - leaked, 11);
        Ok(())
    });

    fn queued_loose(side: Stream<Side>) -> Result<Buffer<u32, Loose>> {
        Ok(side.zeroed(4)?.loose())
    }
}

/// A lease that is dropped inside counts as forgotten: it is joined all the same.
#[test]
fn a_lease_that_is_dropped_inside_is_joined() {
    on_primary(|device, trace| {
        let (main, side) = device.streams::<(Main, Side)>()?;
        let shared = &*Box::leak(Box::new(main.share(main.upload(&[1u32])?)?));
        let (lease, released) = (side.lease(shared)?, side.lease(shared)?);
        let (error, calls) = inside(main, trace, move || {
            drop(lease);
            released.release().unwrap_err()
        });
        assert_eq!((error, calls), (Error::InHostFunction, 0));
        let mark = trace.mark();
        side.lease(shared)?.release()?;
        assert_eq!(trace.counts_since(&mark).of(Call::EventRecord), 0, "two leases were never given back");
        Ok(())
    });
}

#[test]
fn parts_are_neither_cut_nor_joined_inside() {
    on_primary(|device, trace| {
        let main = device.stream::<Main>()?;
        let (left, right) = main.upload(&[1u32, 2])?.into_parts_at(1);
        let (failed, _) = inside(main, trace, move || left.unsplit(right).unwrap_err());
        assert_eq!(failed.error, Error::InHostFunction);
        let (left, right) = failed.buffers;
        let whole = left.unsplit(right)?;
        let () = main.host_fn((), move |()| drop(whole.into_parts_at(1)))?;
        let error = main.sync(()).unwrap_err().error;
        assert_eq!(
            error.to_string(),
            "a host function on stream `Main` panicked: a host function makes no driver call: make it on another thread, \
             or after the host has waited for the stream"
        );
        Ok(())
    });
}

/// Captured host memory that nobody works on may be read and written inside; the driver is told.
#[test]
fn captured_slices_may_be_used_and_the_thread_is_free_afterwards() {
    on_primary(|device, trace| {
        let main = device.stream::<Main>()?;
        let mut notes = device.pinned_from(&[0u32; 2])?;
        let x = device.pinned_from(&[4u32, 5])?.on(main);
        let (send, receive) = mpsc::channel();
        let x = main.host_fn(x, move |x| {
            notes.as_mut_slice().copy_from_slice(x);
            send.send(notes).unwrap();
        })?;
        drop(main.sync(x)?);
        assert_eq!(receive.recv().unwrap().as_slice(), [4, 5]);
        assert_eq!((trace.device_count().unwrap(), main.download(&main.upload(&[1u8])?)?), (1, vec![1]));
        Ok(())
    });
}
