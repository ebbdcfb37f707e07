//! One side's driver fails, or its program panics: what the other is told is true.

use crate::calls;
use crate::in_one::{Both, Side, filled, filled_on, greet};
use antecede::{Device, Exportable, ReadOnly, ReadWrite};
use antecede_ipc::{Error, Exporter};
use antecede_sim::{Call, Fault};
use antecede_tests::{A, B};
use antecede_trace::Call as Traced;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

fn is_device<T>(result: Result<T, Error>, is: impl Fn(&antecede::Error) -> bool) -> bool {
    matches!(result, Err(Error::Device(error)) if is(&error))
}

/// The wait for the exporter's record fails, and may have been submitted: the exporter is told when it is over for certain.
#[test]
fn a_failed_wait_is_answered_by_its_end() {
    for late in [false, true] {
        let (here, there) = (Side::new(1), Side::new(2));
        Device::scope(here.trace.clone(), 0, |exporting| {
            Device::scope(there.trace.clone(), 0, |importing| {
                let mut both = Both::new(exporting, importing).unwrap();
                let lent = both.exporter.lend(both.a.record(filled(&both, 1))?, both.to).unwrap();
                let offer = both.importer.next_offer().unwrap();
                let fault = Fault::nth(1).of(Call::EventWait);
                there.sim.faults().inject(if late { fault.after_submitting() } else { fault });
                let failed = offer.import::<u32, ReadWrite, _>(both.b).unwrap_err();
                assert!(matches!(failed.error, Error::Device(antecede::Error::Driver(_))), "{}", failed.error);
                // It is not tried again: its answer is on its way.
                let failed = failed.kept.import::<u32, ReadWrite, _>(both.b).unwrap_err();
                assert!(matches!(failed.error, Error::Spent), "{}", failed.error);
                let failed_again = both.exporter.reclaim(lent).unwrap_err();
                assert!(matches!(failed_again.error, Error::NoReceipt { .. }), "{}", failed_again.error);
                drop(failed);
                let failed_again = both.exporter.reclaim(failed_again.kept).unwrap_err();
                assert!(matches!(failed_again.error, Error::NoReceipt { .. }), "the offer's drop is no answer");
                assert_eq!(both.importer.settle().unwrap(), 0);
                drop(both.exporter.reclaim(failed_again.kept).unwrap());
                assert_eq!((exporting.leaked(), importing.leaked()), (0, 0));
                Ok(())
            })
        })
        .unwrap();
        here.assert_silent();
        there.assert_silent();
    }
}

/// What could not be unmapped is not mapped a second time, not even by another scope of the same process.
#[test]
fn what_may_be_mapped_is_not_imported_again() {
    let (here, there) = (Side::new(1), Side::new(2));
    Device::scope(here.trace.clone(), 0, |exporting| {
        Device::scope(there.trace.clone(), 0, |second| {
            let a = exporting.stream::<A>()?;
            let mut exporter = Exporter::new(exporting).unwrap();
            let x = filled_on(&a, exporting.pool::<Exportable>()?, 1);
            let mut published = exporter.publish(a.sync(x)?).unwrap();
            let first = Device::scope(there.trace.clone(), 0, |first| {
                let (to, mut importer) = greet(&mut exporter, first).unwrap();
                exporter.offer(&mut published, to).unwrap();
                let offer = importer.next_offer().unwrap();
                there.sim.faults().inject(Fault::nth(1).of(Call::AllocationBytes));
                there.sim.faults().inject(Fault::nth(1).of(Call::Free));
                let b = first.stream::<B>()?;
                let failed = offer.import::<u32, ReadOnly, _>(b).unwrap_err();
                assert!(first.is_poisoned() && first.leaked() == 1, "{}", failed.error);
                Ok(())
            });
            assert!(first.is_err(), "a poisoned device is not closed");
            let (to, mut importer) = greet(&mut exporter, second).unwrap();
            exporter.offer(&mut published, to).unwrap();
            let b = second.stream::<B>()?;
            let again = importer.next_offer().unwrap().import::<u32, ReadOnly, _>(b).unwrap_err();
            assert!(matches!(again.error, Error::Device(antecede::Error::AlreadyImported)), "{}", again.error);
            drop(again);
            exporter.set_time_limit(Duration::ZERO);
            let failed = exporter.reclaim(published).unwrap_err();
            assert!(matches!(failed.error, Error::ImporterGone { owed: 1, .. }), "{}", failed.error);
            Ok(())
        })
    })
    .unwrap();
}

/// A pool that could not be opened: the offer is declined, and the next one brings the descriptor again.
#[test]
fn a_pool_that_could_not_be_opened_is_offered_again() {
    let (here, there) = (Side::new(1), Side::new(2));
    Device::scope(here.trace.clone(), 0, |exporting| {
        Device::scope(there.trace.clone(), 0, |importing| {
            let mut both = Both::new(exporting, importing).unwrap();
            let lent = both.exporter.lend(both.a.record(filled(&both, 1))?, both.to).unwrap();
            there.sim.faults().inject(Fault::nth(1).of(Call::PoolImport));
            assert!(is_device(both.importer.next_offer(), |error| matches!(error, antecede::Error::Driver(_))));
            let x = both.a.claim(both.exporter.reclaim(lent).unwrap())?;
            let lent = both.exporter.lend(both.a.record(x)?, both.to).unwrap();
            let x = both.importer.import::<u32, ReadWrite, _>(both.b).unwrap();
            both.importer.release(both.b.sync(x)?).unwrap();
            drop(both.exporter.reclaim(lent).unwrap());
            Ok(())
        })
    })
    .unwrap();
    assert_eq!(calls(&here.trace.log(), Traced::PoolExport), 2);
}

/// An importer unwinds in the middle of its work.
#[test]
fn a_panic_answers_for_nothing_that_is_mapped() {
    let (here, there) = (Side::new(1), Side::new(2));
    Device::scope(here.trace.clone(), 0, |exporting| {
        let a = exporting.stream::<A>()?;
        let pool = exporting.pool::<Exportable>()?;
        let mut exporter = Exporter::new(exporting).unwrap();
        let mut lent = None;
        let unwound = catch_unwind(AssertUnwindSafe(|| {
            Device::scope(there.trace.clone(), 0, |importing| {
                let (to, mut importer) = greet(&mut exporter, importing).unwrap();
                lent = Some(exporter.lend(a.record(filled_on(&a, pool, 1))?, to).unwrap());
                let b = importing.stream::<B>()?;
                let _x = importer.import::<u32, ReadWrite, _>(b).unwrap();
                std::panic::resume_unwind(Box::new("in the middle"));
                #[expect(unreachable_code, reason = "it names the type")]
                Ok(())
            })
        }));
        assert!(unwound.is_err());
        let mapped = there.sim.live().imported_allocations;
        match exporter.reclaim(lent.expect("it was lent")) {
            Ok(_) => assert_eq!(mapped, 0),
            Err(failed) => assert!(matches!(failed.error, Error::ImporterGone { .. }), "{}", failed.error),
        }
        Ok(())
    })
    .unwrap();
    here.assert_silent();
}

/// A poisoned importer tells nothing of what it may be using.
#[test]
fn a_poisoned_importer_gives_nothing_back() {
    let (here, there) = (Side::new(1), Side::new(2));
    Device::scope(here.trace.clone(), 0, |exporting| {
        let closed = Device::scope(there.trace.clone(), 0, |importing| {
            let mut both = Both::new(exporting, importing).unwrap();
            let lent = both.exporter.lend(both.a.record(filled(&both, 1))?, both.to).unwrap();
            let x = both.importer.import::<u32, ReadWrite, _>(both.b).unwrap();
            there.sim.faults().inject(Fault::nth(1).of(Call::StreamSync));
            both.b.download(&x).unwrap_err();
            assert!(importing.is_poisoned());
            drop(x);
            let _ = both.importer.settle();
            let failed = both.exporter.reclaim(lent).unwrap_err();
            assert!(matches!(failed.error, Error::NoReceipt { .. }), "{}", failed.error);
            assert!(importing.leaked() > 0);
            Ok(())
        });
        assert!(closed.is_err());
        Ok(())
    })
    .unwrap();
}

/// Its last free may not have taken effect: the pool is destroyed once it has, and not refused before.
#[test]
fn a_pool_outlives_the_frees_of_what_came_from_it() {
    let (here, there) = (Side::new(1), Side::new(2));
    Device::scope(here.trace.clone(), 0, |exporting| {
        Device::scope(there.trace.clone(), 0, |importing| {
            let mut both = Both::new(exporting, importing).unwrap();
            let _lent = both.exporter.lend(both.a.record(filled(&both, 1))?, both.to).unwrap();
            drop(both.importer.import::<u32, ReadWrite, _>(both.b).unwrap());
            drop(both.importer);
            assert_eq!(there.sim.live().imported_pools, 1, "its free waits for the exporter");
            both.b.sync(())?;
            // Looked at again when another pool is opened.
            both.exporter.set_time_limit(Duration::from_secs(10));
            let (to, mut importer) = greet(&mut both.exporter, importing).unwrap();
            let _lent = both.exporter.lend(both.a.record(filled_on(&both.a, both.pool, 1))?, to).unwrap();
            drop(importer.next_offer().unwrap());
            assert_eq!(there.sim.live().imported_pools, 1, "the second alone");
            assert_eq!(importing.leaked(), 0);
            Ok(())
        })
    })
    .unwrap();
    let log = there.trace.log();
    let failed: Vec<_> = log.entries().iter().filter(|entry| entry.outcome.error().is_some()).collect();
    assert!(failed.is_empty(), "{failed:?}");
}
