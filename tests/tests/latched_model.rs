//! What readers, parts and the legacy default stream order on a GPU, while a stream is held by a kernel that spins. By
//! the model's own way the data is right and the judge is silent; without the wait the data is wrong and the judge says
//! so, on the simulator as well.
//!
//! One test at a time, or the streams of one are held by the kernels of another:
//! `cargo test --features cuda --test latched_model -- --ignored --test-threads=1`

use antecede::{Buffer, Device, DeviceBrand, On, OnDevice, Result, Stream};
use antecede_testkit::{Burn, Fixture, on_cust, report_on_cust};
use antecede_tests::{A, B, P, Q, take_without_waiting};
use antecede_trace::RaceKind;

/// Clock cycles for which a stream is held: some tenths of a second, when what goes ahead takes microseconds.
const HOLD: u64 = 400_000_000;
const LEN: usize = 4096;

/// How buffers get from one stream to another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Take,
    WithoutWaiting,
}

impl Way {
    fn go<S, D, X: OnDevice<D>>(self, device: Device<D>, to: Stream<S, D>, buffers: X) -> Result<X::With<On<S, D>>> {
        match self {
            Way::Take => Ok(to.take(buffers)?),
            Way::WithoutWaiting => Ok(take_without_waiting(device, to, buffers)),
        }
    }
}

/// A stream that can be held; what could wait for the device has been done once.
struct Held<S, D> {
    stream: Stream<S, D>,
    burn: Burn<D>,
    done: Buffer<u32, On<S, D>>,
}

impl<S, D: DeviceBrand> Held<S, D> {
    fn new(device: Device<D>, stream: Stream<S, D>) -> Result<Self> {
        let burn = device.load::<Burn>()?;
        let mut done = stream.zeroed(1)?;
        burn.burn(stream, 1, &mut done)?;
        assert_eq!(stream.download(&done)?, [1]);
        Ok(Held { stream, burn, done })
    }

    fn hold(&mut self) -> Result<()> {
        self.burn.burn(self.stream, HOLD, &mut self.done)
    }
}

/// A buffer of that value, complete.
fn complete<S, D: DeviceBrand>(stream: Stream<S, D>, len: usize, value: u32) -> Result<Buffer<u32, On<S, D>>> {
    let mut x = stream.alloc(len)?;
    stream.fill(&mut x, value)?;
    Ok(stream.sync(x)?.on(stream))
}

/// The last word of what was copied on a stream that was held.
fn last<S, D>(stream: Stream<S, D>, x: &Buffer<u32, On<S, D>>) -> Result<u32> {
    Ok(stream.download(x)?[LEN - 1])
}

/// `A` reads what is shared; `B` takes it back and writes. The other way, `A` takes it back, which is after its own
/// reads, and `B` gets it unchecked.
fn a_writer_after_a_reader<D: DeviceBrand>(device: Device<D>, way: Way) -> Result<u32> {
    let (a, b) = device.streams::<(A, B)>()?;
    let mut held = Held::new(device, a)?;
    let mut y = complete(a, LEN, 0)?;
    let x = b.share(complete(b, LEN, 2)?)?;
    let lease = a.lease(&x)?;
    held.hold()?;
    a.copy(&lease, &mut y)?;
    drop(lease);
    let mut x = match way {
        Way::Take => b.reunite(x)?,
        Way::WithoutWaiting => take_without_waiting(device, b, a.reunite(x)?),
    };
    b.fill(&mut x, 1)?;
    b.sync(())?;
    last(a, &y)
}

/// `A` reads what is shared; it is dropped, and `B` allocates and writes what may be the same memory.
fn a_shared_buffer_is_freed_after_a_reader<D: DeviceBrand>(device: Device<D>, way: Way) -> Result<u32> {
    let (a, b) = device.streams::<(A, B)>()?;
    let mut held = Held::new(device, a)?;
    let mut y = complete(a, LEN, 0)?;
    let x = b.share(complete(b, LEN, 2)?)?;
    let lease = a.lease(&x)?;
    held.hold()?;
    a.copy(&lease, &mut y)?;
    drop(lease);
    match way {
        Way::Take => drop(x),
        Way::WithoutWaiting => drop(take_without_waiting(device, b, a.reunite(x)?)),
    }
    let mut z = b.alloc(LEN)?;
    b.fill(&mut z, 1)?;
    b.sync(())?;
    last(a, &y)
}

/// `A` reads its part and drops it; `B` drops the other one, the last, which frees, and writes what may be the same
/// memory. The other way, the part of `A` is dropped on `B`.
fn parts_are_freed_after_every_part<D: DeviceBrand>(device: Device<D>, way: Way) -> Result<u32> {
    let (a, b) = device.streams::<(A, B)>()?;
    let mut held = Held::new(device, a)?;
    let mut y = complete(a, LEN, 0)?;
    let (left, right) = complete(a, 2 * LEN, 2)?.into_parts_at(LEN);
    let right = b.take(right)?;
    held.hold()?;
    a.copy(&left, &mut y)?;
    match way {
        Way::Take => drop(left),
        Way::WithoutWaiting => drop(take_without_waiting(device, b, left)),
    }
    drop(right);
    let mut z = b.alloc(2 * LEN)?;
    b.fill(&mut z, 1)?;
    b.sync(())?;
    last(a, &y)
}

/// `A` reads its part of page-locked memory and drops it, `B` drops the other one, and writes all memory of that size
/// that can be had. The other way, the part of `A` is dropped on `B`.
fn pinned_parts_are_used_again_after_every_part<D: DeviceBrand>(device: Device<D>, way: Way) -> Result<u32> {
    let (a, b) = device.streams::<(A, B)>()?;
    let mut held = Held::new(device, a)?;
    let mut y = complete(a, LEN, 0)?;
    let mut source = device.pinned::<u32>(2 * LEN)?;
    source.as_mut_slice().fill(2);
    let (left, right) = source.on(a).into_parts_at(LEN);
    let right = b.take(right)?;
    held.hold()?;
    a.copy(&left, &mut y)?;
    match way {
        Way::Take => drop(left),
        Way::WithoutWaiting => drop(take_without_waiting(device, b, left)),
    }
    drop(right);
    // What `B` was to do is done: a block of which that is all is idle.
    b.sync(())?;
    let mut blocks = Vec::new();
    for _ in 0..4 {
        let mut block = device.pinned::<u32>(2 * LEN)?.on(b);
        b.fill(&mut block, 1)?;
        blocks.push(block);
    }
    b.sync(())?;
    last(a, &y)
}

/// Two blocking streams, by way of the legacy default stream: `P` writes, `Q` writes. The one record on legacy between
/// the two is what orders them. The other way nothing is submitted to legacy, and the two conversions order nothing.
fn from_blocking_through_legacy_to_blocking<D: DeviceBrand>(device: Device<D>, way: Way) -> Result<u32> {
    let (legacy, (p, q)) = (device.legacy()?, device.streams::<(P, Q)>()?);
    let mut held = Held::new(device, p)?;
    drop(complete(q, LEN, 0)?);
    let mut x = complete(p, LEN, 0)?;
    held.hold()?;
    p.fill(&mut x, 1)?;
    let x = way.go(device, legacy, x)?;
    let mut x = way.go(device, q, x)?;
    q.fill(&mut x, 2)?;
    q.sync(())?;
    p.sync(())?;
    last(q, &x)
}

/// From a blocking stream to legacy it costs nothing and is right; from a non-blocking one nothing is not enough.
fn legacy_after_a_non_blocking_stream<D: DeviceBrand>(device: Device<D>, way: Way) -> Result<u32> {
    let (legacy, a) = (device.legacy()?, device.stream::<A>()?);
    let mut held = Held::new(device, a)?;
    let mut x = complete(a, LEN, 0)?;
    held.hold()?;
    a.fill(&mut x, 1)?;
    let mut x = way.go(device, legacy, x)?;
    legacy.fill(&mut x, 2)?;
    legacy.sync(())?;
    a.sync(())?;
    last(legacy, &x)
}

#[test]
#[ignore = "needs a GPU"]
fn legacy_after_a_blocking_stream_is_right_without_a_call() {
    on_cust(|device| {
        let (legacy, p) = (device.legacy()?, device.stream::<P>()?);
        let mut held = Held::new(device, p)?;
        let mut x = complete(p, LEN, 0)?;
        held.hold()?;
        p.fill(&mut x, 1)?;
        let mut x = legacy.after_blocking(p, x);
        legacy.fill(&mut x, 2)?;
        legacy.sync(())?;
        p.sync(())?;
        assert_eq!(last(legacy, &x)?, 2);
        Ok(())
    });
}

macro_rules! latched {
    ($($name:ident: $kind:ident,)+) => { $(
        mod $name {
            use super::*;

            #[test]
            #[ignore = "needs a GPU"]
            fn is_right_by_the_way_of_the_model() {
                on_cust(|device| {
                    assert_eq!(super::$name(device, Way::Take)?, 2);
                    Ok(())
                });
            }

            #[test]
            #[ignore = "needs a GPU"]
            fn is_wrong_without_the_wait() {
                let report = report_on_cust(|device| {
                    assert_ne!(super::$name(device, Way::WithoutWaiting)?, 2, "nobody waited, and it is right");
                    Ok(())
                });
                assert!(report.races().iter().any(|race| race.kind == RaceKind::$kind), "{report}");
            }

            /// The same programs, where nothing is held, and any order that is allowed may be taken.
            #[test]
            fn is_judged_on_the_simulator() {
                antecede_testkit::on_sim(|device, _| {
                    assert_eq!(super::$name(device, Way::Take)?, 2);
                    Ok(())
                });
                Fixture::new().allow_races().run(|device, bench| {
                    super::$name(device, Way::WithoutWaiting)?;
                    let report = bench.report();
                    assert!(report.races().iter().any(|race| race.kind == RaceKind::$kind), "{report}");
                    Ok(())
                });
            }
        }
    )+ };
}

latched! {
    a_writer_after_a_reader: WriteAfterRead,
    a_shared_buffer_is_freed_after_a_reader: UseAfterFree,
    parts_are_freed_after_every_part: UseAfterFree,
    pinned_parts_are_used_again_after_every_part: WriteAfterRead,
    from_blocking_through_legacy_to_blocking: WriteAfterWrite,
    legacy_after_a_non_blocking_stream: WriteAfterWrite,
}
