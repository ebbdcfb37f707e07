//! Host functions: order, shapes and failures.

mod common;

use antecede::{Batch, Buffer, Device, Error, Managed, On, Pinned, Query, Result, State, kernels, streams};
use antecede_sim::{Call as SimCall, Fault, Sim};
use antecede_trace::{Call, Trace, judge};
use common::on_sim;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

streams! { Main, Side }
kernels! {
    Math { unsafe fn double(x: &mut [u32]) { for x in x { *x *= 2 } } }
}

#[derive(Batch)]
struct Frame<St: State> {
    pixels: Buffer<u32, St, Pinned>,
    weights: Vec<Buffer<f32, St, Managed>>,
}

fn count(counter: &AtomicUsize, by: usize) {
    counter.fetch_add(by, Relaxed);
}

#[test]
fn it_runs_in_stream_order_and_costs_one_call() {
    on_sim(|device, _, trace| {
        let (main, side) = device.streams::<(Main, Side)>()?;
        let math = device.load::<Math>()?;
        let mut x = device.pinned_from(&[1u32, 2, 3])?.on(main);
        math.double(main, &mut x)?;
        let mark = trace.mark();
        let mut x: Buffer<u32, On<Main, _>, Pinned> = main.host_fn(x, |x| x.iter_mut().for_each(|x| *x += 1))?;
        let counts = trace.counts_since(&mark);
        assert_eq!((counts.of(Call::HostFn), counts.total()), (1, 1));
        let noted = trace.log_since(&mark).entries()[0].accesses.clone();
        assert_eq!((noted.len(), noted[0].bytes, noted[0].write), (1, 12, true));
        math.double(main, &mut x)?;
        // Two of them, the second on another stream: that of the last hand-over.
        let x = main.host_fn(x, |x| x.reverse())?;
        let x = side.take(x)?;
        let x = side.host_fn(x, |x| x[0] += 100)?;
        let x = side.host_fn(x, |x| x[0] *= 2)?;
        assert_eq!(side.sync(x)?.as_slice(), [228, 10, 6]);
        Ok(())
    });
}

#[test]
fn slices_have_the_shape_of_the_batch() {
    on_sim(|device, _, trace| {
        let main = device.stream::<Main>()?;
        let frame = Frame { pixels: device.pinned(2)?, weights: vec![device.managed(1)?, device.managed(3)?] };
        let frame: Frame<On<Main, _>> = main.take(frame)?;
        let frame = main.host_fn(frame, |(pixels, mut weights)| {
            pixels.copy_from_slice(&[7, 8]);
            weights[1].fill(0.5);
            weights[0][0] = pixels[0] as f32;
        })?;

        let pair = [device.pinned_from(&[1u8])?.on(main), device.pinned_from(&[2u8])?.on(main)];
        let (pair, none) = main.host_fn((pair, None::<Buffer<u8, On<Main, _>, Pinned>>), |([a, b], none)| {
            std::mem::swap(&mut a[0], &mut b[0]);
            assert!(none.is_none());
        })?;
        let some = main.host_fn(Some(device.pinned_from(&[3i64])?.on(main)), |some| some.unwrap()[0] = -3)?;
        let mark = trace.mark();
        let () = main.host_fn((), |()| ())?;
        let (empty, units) =
            main.host_fn((device.pinned::<u64>(0)?.on(main), device.pinned::<()>(5)?.on(main)), |(e, u)| {
                assert_eq!((e.len(), u.len()), (0, 5));
            })?;
        assert_eq!(trace.counts_since(&mark).total(), 2);
        drop((none, empty, units));

        let frame = main.sync(frame)?;
        assert_eq!((frame.pixels.as_slice(), frame.weights[0].as_slice()), (&[7, 8][..], &[7.0][..]));
        assert_eq!(frame.weights[1].as_slice(), [0.5; 3]);
        let [a, b] = main.sync(pair)?;
        assert_eq!((a.as_slice(), b.as_slice()), (&[2][..], &[1][..]));
        assert_eq!(main.sync(some)?.unwrap().as_slice(), [-3]);
        Ok(())
    });
}

#[test]
fn parts_and_pooled_memory_are_given_as_well() {
    on_sim(|device, _, _| {
        let (main, side) = device.streams::<(Main, Side)>()?;
        let (left, right) = device.pinned_from(&[1u32, 2, 3])?.into_parts_at(1);
        let left = main.host_fn(left.on(main), |x| x[0] = 10)?;
        let right = side.host_fn(right.on(side), |x| x[1] = 30)?;
        let (left, right) = main.take((left, right))?;
        let x = main.sync(left.unsplit(right)?)?;
        assert_eq!(x.as_slice(), [10, 2, 30]);
        let y = main.alloc_in::<u32, _>(device.pool::<Pinned>()?, 3)?;
        let y = main.host_fn(y, |y| y.fill(1))?;
        assert_eq!(main.sync(y)?.as_slice(), [1; 3]);
        Ok(())
    });
}

/// On every kind of stream: the order is the stream's, that of the legacy default stream included.
#[test]
fn on_streams_that_no_brand_names() {
    on_sim(|device, _, _| {
        let (main, legacy, mine) = (device.stream::<Main>()?, device.legacy()?, device.per_thread()?);
        let x = main.host_fn(device.pinned_from(&[1u32])?.on(main), |x| x[0] += 1)?;
        let x = legacy.take(x)?;
        let x = legacy.host_fn(x, |x| x[0] *= 10)?;
        let x = mine.take(x)?;
        let x = mine.host_fn(x, |x| x[0] += 2)?;
        let stream = device.any_stream()?;
        let x = stream.with(|lane| -> Result<_> {
            let x = lane.take(x)?;
            Ok(lane.host_fn(x, |x| x[0] *= 2)?.loose())
        })?;
        assert_eq!(stream.sync(x)?.as_slice(), [44]);
        Ok(())
    });
}

/// Work on a captured stream is not run, or many times: so there is none.
#[test]
fn a_captured_stream_is_refused() {
    let sim = Sim::new();
    Device::scope(sim.clone(), 0, |device| {
        let mine = device.per_thread()?;
        let x = device.pinned_from(&[1u32])?.on(mine);
        sim.begin_capture(0, 2);
        let failed = mine.host_fn(x, |_| unreachable!("not run")).unwrap_err();
        assert!(matches!(failed.error, Error::Capturing { .. }));
        assert_eq!(sim.calls().of(SimCall::HostFn), 0);
        sim.end_capture(0, 2);
        let x = mine.host_fn(failed.buffers, |x| x[0] = 5)?;
        assert_eq!(mine.sync(x)?.as_slice(), [5]);
        Ok(())
    })
    .unwrap();
}

/// The buffers may be dropped, and their memory used again, before the function has run.
#[test]
fn memory_is_not_used_again_before_the_function_has_returned() {
    on_sim(|device, _, _| {
        let main = device.stream::<Main>()?;
        let seen = Arc::new(AtomicUsize::new(0));
        let sum = |seen: &Arc<AtomicUsize>| {
            let seen = seen.clone();
            move |x: &mut [u32]| count(&seen, x.iter().sum::<u32>() as usize)
        };
        drop(main.host_fn(device.pinned_from(&[1u32; 64])?.on(main), sum(&seen))?);
        let mut other = device.pinned_from(&[0u32; 64])?;
        other.as_mut_slice().fill(50);
        let pool = device.pool::<Managed>()?;
        let mut x = main.alloc_in::<u32, _>(pool, 64)?;
        main.fill(&mut x, 2)?;
        drop(main.host_fn(x, sum(&seen))?);
        let mut again = main.alloc_in::<u32, _>(pool, 64)?;
        main.fill(&mut again, 0)?;
        main.sync(())?;
        assert_eq!(seen.load(Relaxed), 64 + 128);
        Ok(())
    });
}

/// A scope waits for what is queued before it frees the memory.
#[test]
fn a_scope_ends_after_its_functions() {
    for seed in 0..20 {
        let sim = Sim::builder().seed(seed).build();
        let seen = Arc::new(AtomicUsize::new(0));
        Device::scope(sim.clone(), 0, |device| {
            let (main, side) = device.streams::<(Main, Side)>()?;
            for _ in 0..3 {
                let seen = seen.clone();
                let x = device.pinned_from(&[5u8; 100])?.on(main);
                let x = main.host_fn(x, move |x| count(&seen, x.iter().map(|&x| usize::from(x)).sum()))?;
                std::mem::forget(side.take(x)?);
            }
            Ok(())
        })
        .unwrap();
        assert_eq!((seen.load(Relaxed), Arc::strong_count(&seen)), (1500, 1), "seed {seed}");
    }
}

/// If its last wait fails a scope frees nothing: the function may be called at any time.
#[test]
fn a_function_may_be_later_than_a_scope_that_failed() {
    let sim = Sim::new();
    let held = Arc::new(());
    let outcome = Device::scope(sim.clone(), 0, |device| {
        let (main, held) = (device.stream::<Main>()?, held.clone());
        drop(main.host_fn(device.pinned_from(&[5u8; 100])?.on(main), move |x| drop((x[99], held.clone())))?);
        sim.faults().inject(Fault::nth(1).of(SimCall::ContextSync));
        Ok(())
    });
    assert!(matches!(outcome, Err(Error::Driver(_))));
    assert_eq!((Arc::strong_count(&held), sim.live().pinned_allocations), (2, 1));
    // Another scope on the same context: its end waits for everything, the late function included.
    Device::scope(sim.clone(), 0, |_| Ok(())).unwrap();
    assert_eq!(Arc::strong_count(&held), 1);
}

#[test]
fn a_panic_is_reported_once_by_the_next_wait_and_the_buffers_come_back() {
    let expect = |error: Error| {
        assert_eq!(error.to_string(), "a host function on stream `Main` panicked: no 3");
        assert!(matches!(error, Error::HostFnPanicked { stream, .. } if stream == "Main"));
    };
    on_sim(|device, _, trace| {
        let (main, side) = device.streams::<(Main, Side)>()?;
        let panicking = || {
            let x = device.pinned_from(&[1u32, 2])?.on(main);
            main.host_fn(x, |x| {
                x[0] = 9;
                panic!("no {}", 3)
            })
            .map_err(Error::from)
        };
        // The sync of its stream.
        let failed = main.sync(panicking()?).unwrap_err();
        expect(failed.error);
        let x = main.sync(failed.buffers)?;
        assert_eq!(x.as_slice(), [9, 2]);

        // An event, waited for or asked.
        let failed = main.record(panicking()?)?.synchronize().unwrap_err();
        expect(failed.error);
        drop(failed.buffers.synchronize()?);
        let mut recorded = main.record(panicking()?)?;
        let failed = loop {
            match recorded.query() {
                Ok(Query::InFlight(still)) => recorded = still,
                Ok(Query::Finished(_)) => panic!("the panic is not reported"),
                Err(failed) => break failed,
            }
        };
        expect(failed.error);
        assert!(matches!(failed.buffers.query()?, Query::Finished(_)));

        // Another stream of the device that waits for it; copies, which keep their staging memory.
        let y = side.zeroed::<u32>(1)?;
        let _x = side.take(panicking()?)?;
        let staged = trace.counts().of(Call::PinnedAlloc);
        expect(side.download(&y).unwrap_err());
        assert_eq!(side.download(&y)?, [0]);
        let _x = main.take(panicking()?)?;
        expect(main.upload(&[1u8]).unwrap_err());
        let y = main.sync(main.upload(&[1u8])?)?;
        let _x = main.take(panicking()?)?;
        let y = y.on(main);
        let y = match main.sync(y) {
            Ok(_) => panic!("the panic is not reported"),
            Err(failed) => failed.buffers,
        };
        let y = main.sync(y)?;
        assert_eq!(y.to_vec()?, [1]);
        assert!(!device.is_poisoned() && trace.counts().of(Call::PinnedAlloc) <= staged + 1 + 3);

        // Everything of the device.
        let failed = device.sync(panicking()?).unwrap_err();
        expect(failed.error);
        assert_eq!(device.sync(failed.buffers)?.as_slice(), [9, 2]);

        // Two panics are two reports.
        let both = (panicking()?, panicking()?);
        let failed = main.sync(both).unwrap_err();
        expect(failed.error);
        let failed = main.sync(failed.buffers).unwrap_err();
        expect(failed.error);
        drop(main.sync(failed.buffers)?);
        Ok(())
    });
}

/// The cache asks about events as well; that must not swallow the report, nor lose the block.
#[test]
fn the_cache_does_not_swallow_a_panic() {
    on_sim(|device, _, _| {
        let main = device.stream::<Main>()?;
        let x = device.pinned::<u32>(64)?.on(main);
        drop(main.host_fn(x, |_| panic!("lost?"))?);
        for _ in 0..30 {
            drop(device.pinned::<u32>(64)?);
        }
        let error = main.sync(()).unwrap_err().error;
        assert_eq!(error.to_string(), "a host function on stream `Main` panicked: lost?");
        main.sync(())?;
        Ok(())
    });
}

#[test]
fn a_panic_that_nothing_waited_for_is_the_scopes_error() {
    let sim = Sim::new();
    let run = |value: Result<u32>| {
        Device::scope(sim.clone(), 0, |device| {
            let main = device.stream::<Main>()?;
            let x = device.pinned::<u8>(1)?.on(main);
            drop(main.host_fn(x, |_| std::panic::panic_any(17))?);
            value
        })
    };
    assert_eq!(
        run(Ok(1)).unwrap_err().to_string(),
        "a host function on stream `Main` panicked: a value that is no text"
    );
    assert!(matches!(run(Err(Error::NotAdjacent)), Err(Error::NotAdjacent)), "what the closure returned goes first");
    let live = sim.live();
    assert_eq!((live.contexts, live.streams, live.pinned_allocations, live.events), (0, 0, 0, 0), "and it is closed");
}

struct Bomb(Arc<AtomicUsize>);

impl Drop for Bomb {
    fn drop(&mut self) {
        self.0.fetch_add(1, Relaxed);
        panic!("a drop panics")
    }
}

#[test]
fn panics_of_a_payload_and_of_what_was_captured_do_not_unwind() {
    on_sim(|device, _, _| {
        let main = device.stream::<Main>()?;
        let drops = Arc::new(AtomicUsize::new(0));
        let bomb = Bomb(drops.clone());
        let () = main.host_fn((), move |()| std::panic::panic_any(bomb))?;
        let bomb = Bomb(drops.clone());
        let () = main.host_fn((), move |()| {
            let _bomb = bomb;
        })?;
        let messages = [main.sync(()).unwrap_err().error.to_string(), main.sync(()).unwrap_err().error.to_string()];
        assert_eq!(
            messages,
            [
                "a host function on stream `Main` panicked: a value that is no text",
                "a host function on stream `Main` panicked: a drop panics"
            ]
        );
        main.sync(())?;
        assert_eq!(drops.load(Relaxed), 2);
        Ok(())
    });
}

/// Whether the function was queued is unknown after an error: it is called once or never, and dropped once either way.
#[test]
fn a_failed_submission_gives_the_buffers_back_and_the_function_is_not_called_twice() {
    for late in [false, true] {
        for seed in 0..20 {
            let sim = Sim::builder().seed(seed).build();
            let trace = Trace::new(sim.clone());
            let (calls, held) = (Arc::new(AtomicUsize::new(0)), Arc::new(()));
            Device::scope(trace.clone(), 0, |device| {
                let main = device.stream::<Main>()?;
                let x = device.pinned_from(&[1u32])?.on(main);
                let fault = Fault::nth(1).of(SimCall::HostFn);
                sim.faults().inject(if late { fault.after_submitting() } else { fault });
                let (counted, captured) = (calls.clone(), held.clone());
                let failed = main
                    .host_fn(x, move |x| {
                        x[0] += 1;
                        counted.fetch_add(1, Relaxed);
                        drop(captured);
                    })
                    .unwrap_err();
                assert!(matches!(failed.error, Error::Driver(_)));
                assert_eq!(Arc::strong_count(&held), 1, "what it captured is not lost");
                let again = calls.clone();
                let x = main.host_fn(failed.buffers, move |_| count(&again, 10))?;
                let x = main.sync(x)?;
                assert_eq!((x.as_slice(), calls.load(Relaxed)), (&[1][..], 10), "late {late}");
                Ok(())
            })
            .unwrap();
            judge(&trace.log()).assert_silent();
        }
    }
}

/// A wait that fails says nothing of the function: the buffers are still on the stream.
#[test]
fn it_may_run_after_a_wait_that_failed() {
    on_sim(|device, sim, _| {
        let main = device.stream::<Main>()?;
        let x = main.host_fn(device.pinned_from(&[1u32])?.on(main), |x| x[0] = 2)?;
        sim.faults().inject(Fault::nth(1).of(SimCall::StreamSync));
        let failed = main.sync(x).unwrap_err();
        let x = main.host_fn(failed.buffers, |x| x[0] *= 10)?;
        assert_eq!(main.sync(x)?.as_slice(), [20]);
        Ok(())
    });
}

#[test]
fn on_a_poisoned_device_it_is_dropped_uncalled() {
    let sim = Sim::new();
    let held = Arc::new(());
    let outcome = Device::scope(sim.clone(), 0, |device| {
        let main = device.stream::<Main>()?;
        let (x, y) = (device.pinned::<u8>(1)?.on(main), main.alloc::<u8>(1)?);
        sim.faults().inject(Fault::nth(1).of(SimCall::StreamSync));
        main.download(&y).unwrap_err();
        assert!(device.is_poisoned());
        let captured = held.clone();
        let failed = main.host_fn(x, move |_| drop(captured)).unwrap_err();
        assert!(matches!(failed.error, Error::Poisoned { .. }));
        assert_eq!(Arc::strong_count(&held), 1);
        drop(failed.buffers);
        assert_eq!((device.leaked(), sim.calls().of(SimCall::HostFn)), (2, 0), "the staging memory, and this buffer");
        Ok(())
    });
    assert!(matches!(outcome, Err(Error::Poisoned { .. })));
}

/// `lower` is the user's code: what it submits comes before the function, and cannot touch the parts in between.
#[test]
fn a_batch_is_taken_apart_before_the_call() {
    struct Sly<'a, St: State, D> {
        stream: Option<(antecede::Stream<Main, D>, &'a Trace)>,
        x: Buffer<u32, St, Pinned>,
    }
    impl<'a, St: State, D> Batch for Sly<'a, St, D>
    where
        D: 'a,
    {
        type Parts = Buffer<u32, St, Pinned>;
        type With<St2: State> = Sly<'a, St2, D>;
        fn lower(self) -> Self::Parts {
            if let Some((stream, trace)) = self.stream {
                assert_eq!(trace.counts().of(Call::HostFn), 0);
                stream.sync(()).unwrap();
            }
            self.x
        }
        fn raise(x: Self::Parts) -> Self {
            Sly { stream: None, x }
        }
    }
    on_sim(|device, _, trace| {
        let main = device.stream::<Main>()?;
        let sly = Sly { stream: Some((main, trace)), x: device.pinned_from(&[1u32])?.on(main) };
        let sly = main.host_fn(sly, |x| x[0] += 1)?;
        assert_eq!(trace.counts().of(Call::HostFn), 1);
        assert_eq!(main.sync(sly)?.x.as_slice(), [2]);
        Ok(())
    });
}

/// Every driver call fails in turn: no race, nothing is lost, no function is called twice or kept.
#[test]
fn failing_calls_lose_nothing() {
    let mut struck = 0;
    for nth in 1..50 {
        for late in [false, true] {
            let sim = Sim::new();
            let trace = Trace::new(sim.clone());
            let (calls, held) = (Arc::new(AtomicUsize::new(0)), Arc::new(()));
            let mut leaked = 0;
            let outcome = Device::scope(trace.clone(), 0, |device| {
                let program = || {
                    let (main, side) = device.streams::<(Main, Side)>()?;
                    let counting = || {
                        let (calls, held) = (calls.clone(), held.clone());
                        move |x: &mut [u32]| {
                            calls.fetch_add(1, Relaxed);
                            x[0] += 1;
                            drop(held);
                        }
                    };
                    let x = device.pinned_from(&[0u32; 8])?.on(main);
                    let x = main.host_fn(x, counting())?;
                    let x = match side.take(x) {
                        Ok(x) => x,
                        Err(failed) => side.take(failed.buffers)?,
                    };
                    let x = side.host_fn(x, counting())?;
                    let y = main.alloc_in::<u32, _>(device.pool::<Pinned>()?, 8)?;
                    drop(main.host_fn(y, counting())?);
                    drop(device.pinned::<u32>(8)?);
                    let x = side.sync(x)?;
                    assert_eq!(x.as_slice()[0], 2);
                    Ok(())
                };
                let fault = Fault::nth(nth);
                sim.faults().inject(if late { fault.after_submitting() } else { fault });
                let outcome = program();
                struck += sim.faults().struck();
                sim.faults().clear();
                leaked = device.leaked();
                outcome
            });
            judge(&trace.log()).assert_silent();
            assert!(sim.live().pinned_allocations <= leaked, "call {nth}, late {late}: {outcome:?}, {leaked} leaked");
            assert!(calls.load(Relaxed) <= 3 && Arc::strong_count(&held) == 1, "call {nth}, late {late}: {outcome:?}");
        }
    }
    assert!(struck > 30, "{struck} calls failed");
}
