//! The legacy default stream and the blocking ones, and each thread's own.

mod common;

use antecede::{Buffer, Device, DeviceBrand, On, Result, Scoped, Stream, kernels, streams};
use antecede_trace::{Call, Counts, Trace, judge};
use common::{Orders, counted, each_call_fails, on_sim, orders};

streams! { Free, A: Blocking, B: Blocking }
kernels! {
    Math {
        unsafe fn add(x: &[u32], y: &mut [u32]) where [x.len() == y.len()] {
            for (y, x) in y.iter_mut().zip(x) { *y += *x }
        }
    }
}

const ONE_RECORD: [(Call, u64); 1] = [(Call::EventRecord, 1)];

#[test]
fn legacy_and_blocking_streams_order_each_other_by_themselves() {
    on_sim(|device, _, trace| {
        let (legacy, a) = (device.legacy()?, device.stream::<A>()?);
        let x = a.upload(&[1u32; 8])?;
        let (x, calls) = counted(trace, || legacy.take(x));
        assert_eq!(calls, Counts::default());
        let mut x = x?;
        legacy.fill(&mut x, 2)?;
        let (x, calls) = counted(trace, || a.take(x));
        assert_eq!(calls, Counts::from(ONE_RECORD));
        let mut x = x?;
        a.fill(&mut x[..4], 3)?;
        let (x, calls) = counted(trace, || legacy.after_blocking(a, (x, a.zeroed::<u32>(1).unwrap())));
        assert_eq!((calls.of(Call::EventRecord), calls.of(Call::EventWait)), (0, 0));
        assert_eq!(legacy.download(&x.0)?, [3, 3, 3, 3, 2, 2, 2, 2]);
        Ok(())
    });
}

#[test]
fn legacy_gives_a_non_blocking_stream_no_order() {
    on_sim(|device, _, trace| {
        let (legacy, free) = (device.legacy()?, device.stream::<Free>()?);
        let mut x = free.zeroed::<u32>(8)?;
        free.fill(&mut x, 1)?;
        let mark = trace.mark();
        let mut x = legacy.take(x)?;
        assert_eq!(orders(trace, &mark), Orders { records: 1, waits: 1 });
        legacy.fill(&mut x[..4], 2)?;
        let mark = trace.mark();
        let mut x = free.take(x)?;
        assert_eq!(orders(trace, &mark), Orders { records: 1, waits: 1 });
        free.fill(&mut x[..2], 3)?;
        assert_eq!(free.download(&x)?, [3, 3, 2, 2, 1, 1, 1, 1]);
        Ok(())
    });
}

/// Two conversions without a call would order nothing: the one record on legacy is what does.
#[test]
fn from_blocking_to_legacy_to_blocking() {
    on_sim(|device, _, trace| {
        let (legacy, a, b) = (device.legacy()?, device.stream::<A>()?, device.stream::<B>()?);
        let mut x = a.zeroed::<u32>(64)?;
        a.fill(&mut x, 1)?;
        let mark = trace.mark();
        let mut x = b.take(legacy.take(x)?)?;
        assert_eq!(trace.counts_since(&mark), Counts::from(ONE_RECORD));
        b.fill(&mut x[..32], 2)?;
        let mut x = a.take(legacy.after_blocking(b, x))?;
        a.fill(&mut x[..16], 3)?;
        assert_eq!(a.download(&x)?, [[3; 16], [2; 16], [1; 16], [1; 16]].concat());
        // A buffer on which legacy has done nothing but allocate it.
        let mut fresh = b.take(legacy.alloc::<u32>(64)?)?;
        b.fill(&mut fresh, 4)?;
        assert_eq!(b.download(&fresh)?, [4; 64]);
        Ok(())
    });
}

/// A sync speaks of what was submitted to the stream: after a hand-over from legacy that may be nothing.
#[test]
fn a_blocking_stream_is_synced_with_what_legacy_did_before() {
    on_sim(|device, _, trace| {
        let (legacy, a, b) = (device.legacy()?, device.stream::<A>()?, device.stream::<B>()?);
        let (x, mut y) = (legacy.upload(&[5u32; 64])?, device.pinned_from(&[0u32; 64])?.on(legacy));
        legacy.copy(&x, &mut y)?;
        let y = b.take(y)?;
        let (y, calls) = counted(trace, || b.sync(y));
        assert_eq!(calls, Counts::from([(Call::EventRecord, 1), (Call::StreamSync, 1)]));
        assert_eq!(y?.as_slice(), [5; 64]);

        // From another blocking stream, and without a brand.
        let mut z = device.pinned_from(&[0u32; 64])?.on(a);
        let x = a.take(x)?;
        a.copy(&x, &mut z)?;
        let z = b.any().sync(b.take(legacy.take(z)?)?)?;
        assert_eq!(z.as_slice(), [5; 64]);
        Ok(())
    });
}

/// Nothing was submitted to legacy, and its sync waits for blocking streams all the same.
#[test]
fn legacy_is_synced_with_what_blocking_streams_did_before() {
    on_sim(|device, _, trace| {
        let (legacy, a) = (device.legacy()?, device.stream::<A>()?);
        let (x, mut y) = (a.upload(&[5u32; 64])?, device.pinned::<u32>(64)?.on(a));
        a.copy(&x, &mut y)?;
        let (y, calls) = counted(trace, || legacy.sync(legacy.take(y).unwrap()));
        assert_eq!(calls, Counts::from([(Call::StreamSync, 1)]));
        assert_eq!(y?.as_slice(), [5; 64]);
        Ok(())
    });
}

#[test]
fn records_pass_through_legacy() {
    on_sim(|device, _, trace| {
        let (legacy, a, free) = (device.legacy()?, device.stream::<A>()?, device.stream::<Free>()?);
        let mut x = a.upload(&[1u32; 8])?;
        a.fill(&mut x, 2)?;
        let mark = trace.mark();
        let x = free.wait(legacy.record(legacy.take(x)?)?)?;
        assert_eq!(orders(trace, &mark), Orders { records: 1, waits: 1 });
        let mut x = a.wait(legacy.record(legacy.take(x)?)?)?;
        assert_eq!(orders(trace, &mark), Orders { records: 3, waits: 3 });
        a.fill(&mut x[..4], 3)?;
        let x = legacy.record(legacy.take(x)?)?.synchronize()?;
        assert_eq!(x.to_vec()?, [3, 3, 3, 3, 2, 2, 2, 2]);
        Ok(())
    });
}

#[test]
fn readers_on_legacy_and_blocking_streams_are_joined() {
    on_sim(|device, _, trace| {
        let (legacy, a, b) = (device.legacy()?, device.stream::<A>()?, device.stream::<B>()?);
        let math = device.load::<Math>()?;
        let mut ys = (legacy.zeroed(64)?, a.zeroed(64)?, b.zeroed(64)?);
        macro_rules! read {
            ($x:expr) => {
                math.add(legacy, &legacy.lease($x)?, &mut ys.0)?;
                math.add(a, &a.lease($x)?, &mut ys.1)?;
                math.add(b, &b.lease($x)?, &mut ys.2)?;
            };
        }
        let x = a.share(a.upload(&[1u32; 64])?)?;
        read!(&x);
        // From legacy its own record alone; from the other blocking stream both.
        let (x, calls) = counted(trace, || b.reunite(x));
        assert_eq!((calls.of(Call::EventRecord), calls.of(Call::EventWait)), (2, 1));
        let mut x = x?;
        b.fill(&mut x, 2)?;
        let x = b.share(x)?;
        read!(&x);
        let (x, calls) = counted(trace, || legacy.reunite(x));
        assert_eq!(calls, Counts::default());
        let mut x = x?;
        legacy.fill(&mut x, 4)?;
        let x = legacy.share(x)?;
        read!(&x);
        drop(x); // on legacy, after all three
        let mut again = legacy.alloc::<u32>(64)?;
        legacy.fill(&mut again, 9)?;
        assert_eq!((legacy.download(&ys.0)?, a.download(&ys.1)?), (vec![7; 64], vec![7; 64]));
        assert_eq!(b.download(&ys.2)?, [7; 64]);
        Ok(())
    });
}

#[test]
fn parts_on_legacy_and_blocking_streams_are_freed_after_all() {
    for last in 0..3 {
        on_sim(|device, _, trace| {
            let (legacy, a, b) = (device.legacy()?, device.stream::<A>()?, device.stream::<B>()?);
            let mut parts = a.zeroed::<u32>(96)?.into_parts(3).into_iter();
            let mut next = || parts.next().unwrap();
            let (mut x, mut y, mut z) = (legacy.take(next())?, b.take(legacy.take(next())?)?, next());
            legacy.fill(&mut x, 1)?;
            b.fill(&mut y, 2)?;
            a.fill(&mut z, 3)?;
            let mark = trace.mark();
            match last {
                0 => drop((z, y, x)),
                1 => drop((x, z, y)),
                _ => drop((y, x, z)),
            }
            assert_eq!(orders(trace, &mark), Orders { records: 2, waits: 2 });
            let mut again = device.stream::<Free>()?.alloc::<u32>(96)?;
            device.stream::<Free>()?.fill(&mut again, 9)?;
            assert_eq!(device.stream::<Free>()?.download(&again)?, [9; 96]);
            Ok(())
        });
    }
}

/// The free is an operation on legacy, which every blocking stream is ordered before.
#[test]
fn memory_is_freed_on_legacy_after_blocking_streams() {
    on_sim(|device, _, trace| {
        let (legacy, a, free) = (device.legacy()?, device.stream::<A>()?, device.stream::<Free>()?);
        let mut x = a.alloc::<u32>(64)?;
        a.fill(&mut x, 1)?;
        let mut pinned = device.pinned::<u32>(64)?.on(a);
        a.copy(&x, &mut pinned)?;
        let (_, calls) = counted(trace, || drop((legacy.take(x).unwrap(), legacy.take(pinned).unwrap())));
        assert_eq!((calls.of(Call::Free), calls.of(Call::EventRecord), calls.of(Call::EventWait)), (1, 1, 0));
        let mut again = free.alloc::<u32>(64)?;
        free.fill(&mut again, 2)?;
        device.pinned::<u32>(64)?.as_mut_slice().fill(3);
        assert_eq!(free.download(&again)?, [2; 64]);
        Ok(())
    });
}

/// Two opened devices over one context have one legacy stream, under two brands.
#[test]
fn one_legacy_stream_of_two_scopes() {
    for seed in 0..20 {
        let sim = antecede_sim::Sim::builder().seed(seed).build();
        let trace = Trace::new(sim.clone());
        Device::scope(trace.clone(), 0, |one| {
            Device::scope(trace.clone(), 0, |two| {
                let (first, second) = (through_legacy(one)?, through_legacy(two)?);
                assert_eq!(one.legacy()?.name(), two.legacy()?.name());
                // Between the two: copies, on streams of all kinds.
                let (legacy, a) = (one.legacy()?, two.stream::<A>()?);
                let (mut x, mut y) = (legacy.alloc::<u32>(8)?, a.alloc::<u32>(8)?);
                legacy.fill(&mut x, first)?;
                a.copy_across(legacy, &x, &mut y)?;
                legacy.fill(&mut x, 0)?;
                let mut z = two.legacy()?.alloc(8)?;
                legacy.fill(&mut x, second)?;
                two.legacy()?.copy_across(legacy, &x, &mut z)?;
                legacy.fill(&mut x, 0)?;
                assert_eq!((a.download(&y)?, two.legacy()?.download(&z)?), (vec![first; 8], vec![second; 8]));
                Ok(())
            })
        })
        .unwrap();
        judge(&trace.log()).assert_silent();
        common::assert_nothing_is_left(&sim);
    }
}

fn through_legacy<D: DeviceBrand>(device: Device<D>) -> Result<u32> {
    let (legacy, a, b) = (device.legacy()?, device.stream::<A>()?, device.stream::<B>()?);
    let mut x = a.zeroed::<u32>(8)?;
    a.fill(&mut x, 6)?;
    let mut x = b.take(legacy.take(x)?)?;
    b.fill(&mut x, 7)?;
    Ok(legacy.download(&legacy.take(x)?)?[0])
}

/// The same stream each time, so the type stands for one.
#[test]
fn legacy_is_one_stream() {
    on_sim(|device, _, _| {
        fn write<S, D>(stream: Stream<S, D>, x: &mut Buffer<u32, On<S, D>>) -> Result<()> {
            stream.fill(x, 1)
        }
        let legacy = device.legacy()?;
        let mut x = legacy.alloc(4)?;
        write(device.legacy()?, &mut x)?;
        assert_eq!(device.legacy()?, legacy);
        let loose = legacy.any().take(x)?;
        let x = legacy.claim(loose)?;
        assert_eq!(legacy.download(&x)?, [1; 4]);
        Ok(())
    });
}

#[test]
fn failing_calls_on_legacy_and_blocking_streams_lose_nothing() {
    fn program<'id>(device: Device<Scoped<'id>>) -> Result<()> {
        let (legacy, a, b) = (device.legacy()?, device.stream::<A>()?, device.stream::<B>()?);
        let (free, math) = (device.stream::<Free>()?, device.load::<Math>()?);
        let mut x = a.zeroed::<u32>(8)?;
        a.fill(&mut x, 1)?;
        let x = match b.take(legacy.take(x)?) {
            Ok(x) => x,
            Err(failed) => b.take(failed.buffers)?,
        };
        let (left, right) = b.sync(x)?.on(b).into_parts_at(3);
        let (left, right) = (legacy.take(left)?, free.take(right)?);
        drop(left);
        let right = legacy.share(legacy.take(right)?)?;
        let mut y = a.zeroed(5)?;
        math.add(a, &a.lease(&right)?, &mut y)?;
        drop(legacy.record(legacy.reunite(right)?)?);
        let y = legacy.after_blocking(a, y);
        b.sync(b.take(y)?).map(drop)?;
        Ok(())
    }
    each_call_fails(|device, _| program(device));
}
