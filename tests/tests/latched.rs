//! What a missing wait does on a GPU: one stream is held by a kernel that spins, another goes ahead. Without the wait the
//! data is wrong and the judge says so; with it, it is right and the judge is silent.
//!
//! One test at a time, or the streams of one are held by the kernels of another:
//! `cargo test --features cuda --test latched -- --ignored --test-threads=1`

use antecede::{Buffer, Device, DeviceBrand, On, OnDevice, Result, Stream};
use antecede_testkit::{Burn, on_cust, report_on_cust};
use antecede_tests::{A, B, take_without_waiting};
use antecede_trace::RaceKind;

/// Clock cycles for which a stream is held: some tenths of a second, when what goes ahead takes microseconds.
const HOLD: u64 = 400_000_000;
const LEN: usize = 4096;

/// How buffers get from `A` to `B`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Take,
    WithoutWaiting,
}

impl Way {
    fn go<D, X: OnDevice<D>>(self, device: Device<D>, to: Stream<B, D>, buffers: X) -> Result<X::With<On<B, D>>> {
        match self {
            Way::Take => Ok(to.take(buffers)?),
            Way::WithoutWaiting => Ok(take_without_waiting(device, to, buffers)),
        }
    }
}

/// Two streams and a kernel that holds the first; everything that could wait for the device has been done once.
struct Bench<D> {
    device: Device<D>,
    a: Stream<A, D>,
    b: Stream<B, D>,
    burn: Burn<D>,
    done: Buffer<u32, On<A, D>>,
}

impl<D: DeviceBrand> Bench<D> {
    fn new(device: Device<D>) -> Result<Self> {
        let (a, b) = device.streams::<(A, B)>()?;
        let burn = device.load::<Burn>()?;
        let mut done = a.zeroed(1)?;
        burn.burn(a, 1, &mut done)?;
        assert_eq!(a.download(&done)?, [1]);
        let warm = b.zeroed::<u32>(LEN)?;
        b.download(&warm)?;
        Ok(Bench { device, a, b, burn, done })
    }

    /// A buffer of that value, complete.
    fn of(&self, value: u32) -> Result<Buffer<u32, On<A, D>>> {
        let mut x = self.a.alloc(LEN)?;
        self.a.fill(&mut x, value)?;
        Ok(self.a.sync(x)?.on(self.a))
    }

    fn hold_a(&mut self) -> Result<()> {
        self.burn.burn(self.a, HOLD, &mut self.done)
    }
}

/// `A` writes, `B` reads.
fn read_after_write<D: DeviceBrand>(device: Device<D>, way: Way) -> Result<u32> {
    let mut bench = Bench::new(device)?;
    let mut x = bench.of(1)?;
    bench.hold_a()?;
    bench.a.fill(&mut x, 2)?;
    let x = way.go(bench.device, bench.b, x)?;
    let found = bench.b.download(&x)?[LEN - 1];
    bench.a.sync(())?;
    Ok(found)
}

/// `A` reads, `B` writes.
fn write_after_read<D: DeviceBrand>(device: Device<D>, way: Way) -> Result<u32> {
    let mut bench = Bench::new(device)?;
    let (x, mut y) = (bench.of(2)?, bench.of(0)?);
    bench.hold_a()?;
    bench.a.copy(&x, &mut y)?;
    let mut x = way.go(bench.device, bench.b, x)?;
    bench.b.fill(&mut x, 1)?;
    bench.b.sync(())?;
    Ok(bench.a.download(&y)?[LEN - 1])
}

/// `A` writes, `B` writes.
fn write_after_write<D: DeviceBrand>(device: Device<D>, way: Way) -> Result<u32> {
    let mut bench = Bench::new(device)?;
    let mut x = bench.of(0)?;
    bench.hold_a()?;
    bench.a.fill(&mut x, 1)?;
    let mut x = way.go(bench.device, bench.b, x)?;
    bench.b.fill(&mut x, 2)?;
    bench.b.sync(())?;
    bench.a.sync(())?;
    Ok(bench.b.download(&x)?[LEN - 1])
}

/// `A` reads; `B` frees, and allocates and writes what may be the same memory.
fn free_after_read<D: DeviceBrand>(device: Device<D>, way: Way) -> Result<u32> {
    let mut bench = Bench::new(device)?;
    let (x, mut y) = (bench.of(2)?, bench.of(0)?);
    bench.hold_a()?;
    bench.a.copy(&x, &mut y)?;
    drop(way.go(bench.device, bench.b, x)?);
    let mut z = bench.b.alloc::<u32>(LEN)?;
    bench.b.fill(&mut z, 1)?;
    bench.b.sync(())?;
    Ok(bench.a.download(&y)?[LEN - 1])
}

/// `A` still works on what the host has recorded only later.
fn read_after_a_record_that_was_too_early<D: DeviceBrand>(device: Device<D>, way: Way) -> Result<u32> {
    let mut bench = Bench::new(device)?;
    let early = bench.a.record(())?;
    let mut x = bench.of(1)?;
    bench.hold_a()?;
    bench.a.fill(&mut x, 2)?;
    bench.b.wait(early)?;
    let x = way.go(bench.device, bench.b, x)?;
    let found = bench.b.download(&x)?[LEN - 1];
    bench.a.sync(())?;
    Ok(found)
}

macro_rules! latched {
    ($($name:ident: $kind:ident,)+) => { $(
        mod $name {
            use super::*;

            #[test]
            #[ignore = "needs a GPU"]
            fn is_right_with_the_wait() {
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
        }
    )+ };
}

latched! {
    read_after_write: ReadAfterWrite,
    write_after_read: WriteAfterRead,
    write_after_write: WriteAfterWrite,
    free_after_read: UseAfterFree,
    read_after_a_record_that_was_too_early: ReadAfterWrite,
}
