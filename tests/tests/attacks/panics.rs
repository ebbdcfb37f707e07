//! Attack: panics at the places where a user's code runs inside the library: `lower`, `raise`, kernels, threads.

use antecede::driver::ErrorKind;
use antecede::{Batch, Buffer, Error, Loose, State, kernels};
use antecede_sim::{Call, Fault};
use antecede_testkit::{Fixture, on_sim};
use antecede_tests::{A, B};
use antecede_trace::Call as Traced;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

thread_local! {
    static PANIC_IN: Cell<&'static str> = const { Cell::new("") };
}

fn panic_in(place: &'static str) {
    if PANIC_IN.get() == place {
        PANIC_IN.set("");
        panic!("on purpose, in `{place}`");
    }
}

/// A batch whose conversions panic when they are told to.
struct Nervous<St: State>(Buffer<u32, St>, Buffer<u32, St>);

impl<St: State> Batch for Nervous<St> {
    type Parts = (Buffer<u32, St>, Buffer<u32, St>);
    type With<St2: State> = Nervous<St2>;

    fn lower(self) -> Self::Parts {
        panic_in("lower");
        (self.0, self.1)
    }
    fn raise((one, two): Self::Parts) -> Self {
        panic_in("raise");
        Nervous(one, two)
    }
}

/// Runs `f`, which panics at `place`.
fn panics_in(place: &'static str, f: impl FnOnce()) {
    PANIC_IN.set(place);
    assert!(catch_unwind(AssertUnwindSafe(f)).is_err());
    assert_eq!(PANIC_IN.get(), "", "it panicked there");
}

/// The buffers are dropped by the unwinding, where they are ready: on the old stream, or behind the wait.
#[test]
fn in_lower_and_raise() {
    on_sim(|device, bench| {
        let (a, b) = device.streams::<(A, B)>()?;
        let nervous = || -> antecede::Result<_> {
            let mut x = a.zeroed::<u32>(64)?;
            a.fill(&mut x, 1)?;
            Ok(Nervous(x, a.zeroed(64)?))
        };
        for place in ["lower", "raise"] {
            let batch = nervous()?;
            panics_in(place, || drop(b.take(batch)));
            let batch = nervous()?;
            panics_in(place, || drop(a.sync(batch)));
            let batch = nervous()?;
            panics_in(place, || drop(a.claim(batch)));
        }
        let batch = nervous()?;
        panics_in("lower", || drop(a.record(batch)));
        for step in 0..3 {
            let record = a.record(nervous()?)?;
            panics_in("raise", || match step {
                0 => drop(b.wait(record)),
                1 => drop(a.wait(record)),
                _ => drop(record.synchronize()),
            });
        }
        // `raise` after a failure: the buffers would come back.
        let batch = nervous()?;
        bench.sim().faults().inject(Fault::nth(1).of(Call::EventWait));
        panics_in("raise", || drop(b.take(batch)));
        assert_eq!(bench.sim().live().allocations, 0, "everything is freed");
        let mut x = b.zeroed::<u32>(64)?;
        b.fill(&mut x, 2)?;
        assert_eq!(b.download(&x)?, [2; 64]);
        Ok(())
    });
}

/// A batch whose `lower` keeps one of the buffers back and gives another: it owns both, so nothing is wrong.
struct Swap<St: State> {
    given: Buffer<u32, St>,
    kept: Cell<Option<Buffer<u32, St>>>,
}

thread_local! {
    static HIDDEN: Cell<usize> = const { Cell::new(0) };
}

impl<St: State> Batch for Swap<St> {
    type Parts = Buffer<u32, St>;
    type With<St2: State> = Swap<St2>;

    fn lower(self) -> Self::Parts {
        // Dropped here, where it is ready.
        HIDDEN.set(self.kept.take().map_or(0, |buffer| buffer.len()));
        self.given
    }
    fn raise(given: Self::Parts) -> Self {
        Swap { given, kept: Cell::default() }
    }
}

#[test]
fn a_lower_that_drops_some_of_its_buffers() {
    on_sim(|device, _| {
        let (a, b) = device.streams::<(A, B)>()?;
        let swap = Swap { given: a.zeroed::<u32>(4)?, kept: Cell::new(Some(a.zeroed(9)?)) };
        let swap = b.take(swap)?;
        assert_eq!((HIDDEN.get(), b.download(&swap.given)?), (9, vec![0; 4]));
        Ok(())
    });
}

kernels! {
    Faulty {
        unsafe fn fail(x: &mut [u32]) {
            assert!(x.is_empty(), "on purpose, in a kernel");
        }
    }
}

/// A kernel that fails loses the context: later calls say so, and nothing hangs.
#[test]
fn in_a_kernel() {
    Fixture::new().allow_leaks().run(|device, _| {
        let (a, b) = device.streams::<(A, B)>()?;
        let faulty = device.load::<Faulty>()?;
        let mut x = a.zeroed::<u32>(4)?;
        faulty.fail(a, &mut x)?;
        let failed = a.sync(x).expect_err("the kernel failed");
        let Error::Driver(error) = &failed.error else { panic!("{failed:?}") };
        assert_eq!(error.kind(), ErrorKind::LaunchFailed);
        assert!(b.alloc::<u8>(1).is_err());
        drop(failed);
        assert_eq!(device.leaked(), 1);
        Ok(())
    });
}

#[test]
fn in_a_thread_that_owns_buffers() {
    on_sim(|device, bench| {
        let (a, b) = device.streams::<(A, B)>()?;
        let mut x = a.zeroed::<u32>(64)?;
        a.fill(&mut x, 1)?;
        let panicked = thread::scope(|scope| {
            scope
                .spawn(move || {
                    let _x = b.take(x).expect("nothing fails");
                    panic!("on purpose, in a thread");
                })
                .join()
                .is_err()
        });
        assert!(panicked);
        assert_eq!(bench.sim().live().allocations, 0);
        Ok(())
    });
}

/// A drop during unwinding, of every kind of value, with a driver that fails: a second panic would abort the process.
#[test]
fn drops_during_unwinding_do_not_panic() {
    Fixture::new().allow_leaks().run(|device, bench| {
        let (a, b) = device.streams::<(A, B)>()?;
        let mut host = device.pinned::<u32>(8)?.on(a);
        a.fill(&mut host, 1)?;
        let values = (a.zeroed::<u32>(8)?, a.record(a.zeroed::<u32>(8)?)?, host, b.zeroed::<u32>(8)?.loose());
        bench.sim().faults().inject(Fault::every());
        let caught = catch_unwind(AssertUnwindSafe(move || {
            let _values = values;
            panic!("on purpose");
        }));
        bench.sim().faults().clear();
        assert!(caught.is_err());
        assert_eq!(device.leaked(), 4);
        assert_eq!(bench.trace().counts().of(Traced::Free), 3);
        let _: Buffer<u8, Loose<_>> = a.zeroed::<u8>(1)?.loose();
        Ok(())
    });
}
