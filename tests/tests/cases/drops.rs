//! Memory is freed after its last use, on the stream of that use, on whatever thread and path the drop happens.
//!
//! case: FREE-01, FREE-03, FREE-11, FREE-13, FREE-17, FREE-19, FREE-05, VIEW-01

use crate::costs;
use antecede::{Buffer, DeviceBrand, Error, On, Result, Stream};
use antecede_sim::{Call as SimCall, Fault};
use antecede_testkit::{Bench, Math, on_sim};
use antecede_tests::{A, B};
use antecede_trace::Call;

/// The names of the streams that memory was freed on meanwhile.
fn freed_on(bench: &Bench, f: impl FnOnce()) -> Vec<&'static str> {
    let ((), log) = bench.log(f);
    let frees = log.entries().iter().filter(|entry| entry.call == Call::Free);
    frees.map(|entry| entry.stream.and_then(|stream| stream.name).unwrap_or("none")).collect()
}

/// Freed in stream order, right behind the launch: safe, and nothing waits.
#[test]
fn arguments_may_be_dropped_right_after_the_launch() {
    on_sim(|device, bench| {
        let (a, math) = (device.stream::<A>()?, device.load::<Math>()?);
        let (x, mut y) = (a.upload(&[1.0f32; 8])?, a.zeroed::<f32>(8)?);
        costs(bench, [(Call::Launch, 1), (Call::Free, 1)], || {
            math.saxpy(a, 8, 3.0, &x, &mut y)?;
            drop(x);
            Ok(())
        })?;
        let mut again = a.alloc::<f32>(8)?;
        a.fill(&mut again, 9.0)?;
        assert_eq!(a.download(&y)?, [3.0; 8]);
        Ok(())
    });
}

/// Pinned memory has an immediate free alone: it is not called, and the memory is not given out before its event,
/// though only a view of it is being copied.
#[test]
fn memory_without_an_ordered_free_waits_for_its_event() {
    on_sim(|device, bench| {
        let a = device.stream::<A>()?;
        drop(a.record(())?);
        let host = device.pinned_from(&[4u32; 16])?.on(a);
        let mut x = a.alloc::<u32>(8)?;
        a.copy(&host[8..], &mut x)?;
        costs(bench, [(Call::EventRecord, 1)], || {
            drop(host);
            Ok(())
        })?;
        device.pinned_from(&[9u32; 16])?.as_mut_slice().fill(8);
        assert_eq!(a.download(&x)?, [4; 8]);
        Ok(())
    });
}

#[test]
fn what_moved_to_another_stream_is_freed_there() {
    on_sim(|device, bench| {
        let (a, b) = device.streams::<(A, B)>()?;
        let mut x = b.take(a.zeroed::<u32>(8)?)?;
        b.fill(&mut x, 1)?;
        let (frees, calls) = bench.counts(|| freed_on(bench, || drop(x)));
        assert_eq!(frees, ["B"]);
        assert_eq!(calls.total(), 1, "no wait of any kind");
        Ok(())
    });
}

#[test]
fn a_drop_on_another_thread_frees_on_the_buffers_own_stream() {
    on_sim(|device, bench| {
        let a = device.stream::<A>()?;
        let mut x = a.zeroed::<u32>(8)?;
        a.fill(&mut x, 1)?;
        let frees = freed_on(bench, || std::thread::scope(|threads| drop(threads.spawn(move || drop(x)).join())));
        assert_eq!(frees, ["A"]);
        Ok(())
    });
}

/// The last use is on `B`, then something fails: on the way out the buffer is freed on `B`.
#[test]
fn an_early_return_frees_on_the_stream_of_the_last_use() {
    fn work<D: DeviceBrand>(b: Stream<B, D>, x: Buffer<u32, On<A, D>>, math: &Math<D>) -> Result<()> {
        let mut x = b.take(x)?;
        math.increment(b, 8, &mut x)?;
        b.alloc::<u32>(8).map(drop)
    }
    on_sim(|device, bench| {
        let (a, b, math) = (device.stream::<A>()?, device.stream::<B>()?, device.load::<Math>()?);
        let x = a.zeroed::<u32>(8)?;
        bench.sim().faults().inject(Fault::nth(1).of(SimCall::Alloc));
        let frees = freed_on(bench, || {
            let error = work(b, x, &math).expect_err("the allocation fails");
            assert!(matches!(error, Error::Driver(_)), "{error}");
        });
        assert_eq!(frees, ["B"]);
        let y = a.zeroed::<u32>(8)?;
        let frees = freed_on(bench, || {
            let unwinding = std::panic::AssertUnwindSafe(|| {
                let _x = b.take(y).expect("nothing fails");
                panic!("on the way out");
            });
            assert!(std::panic::catch_unwind(unwinding).is_err());
        });
        assert_eq!(frees, ["B"]);
        Ok(())
    });
}
