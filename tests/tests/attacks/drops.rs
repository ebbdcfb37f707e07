//! Attack: drops at unusual times: at a thread's end, with a failing driver.

use antecede::{Buffer, Loose, Pinned};
use antecede_sim::{Call, Fault};
use antecede_testkit::{Fixture, in_own_process, shared_device};
use antecede_tests::{A, B};
use antecede_trace::Call as Traced;
use std::cell::RefCell;
use std::thread;

thread_local! {
    static KEPT: RefCell<Vec<Buffer<u32, Loose>>> = const { RefCell::new(Vec::new()) };
    static PINNED: RefCell<Option<Buffer<u32, Loose, Pinned>>> = const { RefCell::new(None) };
}

/// A destructor of a thread-local may run after those of everything that the library, the trace or the simulator keep
/// for the thread.
#[test]
fn at_the_end_of_a_thread() {
    in_own_process!({
        let shared = shared_device();
        let (a, b) = shared.device().streams::<(A, B)>().unwrap();
        thread::spawn(move || {
            // Touched before the library is used here: destroyed after whatever the library has in this thread.
            KEPT.with_borrow_mut(|kept| kept.reserve(2));
            PINNED.with_borrow_mut(|pinned| *pinned = None);
            let mut x = a.zeroed::<u32>(64).unwrap();
            a.fill(&mut x, 1).unwrap();
            let y = b.take(a.zeroed::<u32>(64).unwrap()).unwrap();
            let mut host = shared_device().device().pinned::<u32>(64).unwrap().on(a);
            a.fill(&mut host, 2).unwrap();
            KEPT.with_borrow_mut(|kept| kept.extend([x.loose(), y.loose()]));
            PINNED.with_borrow_mut(|pinned| *pinned = Some(host.loose()));
        })
        .join()
        .unwrap();
        assert_eq!(shared.sim().live().allocations, 0, "both were freed");
        assert_eq!(shared.device().leaked(), 0);
        assert_eq!(shared.driver().counts().of(Traced::EventRecord), 2, "a hand-over, and the pinned buffer's end");
        antecede_trace::judge(&shared.driver().log()).assert_silent();
    });
}

#[test]
fn a_free_that_fails_is_counted() {
    Fixture::new().allow_leaks().run(|device, bench| {
        let a = device.stream::<A>()?;
        for (fault, live) in [(Fault::nth(1), 1), (Fault::nth(1).after_submitting(), 1)] {
            let x = a.zeroed::<u32>(64)?;
            let before = device.leaked();
            bench.sim().faults().inject(fault.of(Call::Free));
            drop(x);
            assert_eq!(device.leaked(), before + 1);
            assert_eq!(bench.sim().live().allocations, live);
        }
        Ok(())
    });
}

/// Each buffer of a batch is freed for itself: one failure takes no other with it.
#[test]
fn one_failed_free_of_many() {
    Fixture::new().allow_leaks().run(|device, bench| {
        let a = device.stream::<A>()?;
        let many = (0..10).map(|_| a.zeroed::<u32>(8)).collect::<antecede::Result<Vec<_>>>()?;
        bench.sim().faults().inject(Fault::nth(4).of(Call::Free));
        drop(a.record(many)?);
        assert_eq!((device.leaked(), bench.sim().live().allocations), (1, 1));
        Ok(())
    });
}
