//! Attacks from safe code, on both sides of a connection.

use crate::in_one::{Both, LEN, Side, connect, filled, filled_on, greet, play};
use crate::{calls, descriptors};
use antecede::driver::StreamKind;
use antecede::{Buffer, Device, Exportable, Imported, ReadOnly, ReadWrite, Recorded, Synced};
use antecede_ipc::{Error, Exporter, Failed, Importer, Kept, LinkError, pair};
use antecede_testkit::{Theatre, in_own_process, mount_theatre};
use antecede_tests::{A, B, with_adopted_stream};
use antecede_trace::Call as Traced;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::os::fd::OwnedFd;
use std::time::Duration;

/// The process that exports has the memory: an import would be a second owner, also once the exporter's scope is over.
#[test]
fn a_process_does_not_import_its_own_memory() {
    let side = Side::new(3);
    Device::scope(side.trace.clone(), 0, |importing| {
        let b = importing.stream::<B>()?;
        let kept = Device::scope(side.trace.clone(), 0, |exporting| {
            let mut both = Both::new(exporting, importing).unwrap();
            let lent = both.exporter.lend(both.a.record(filled(&both, 1))?, both.to).unwrap();
            let failed = both.importer.next_offer().unwrap().import::<u32, ReadWrite, _>(b).unwrap_err();
            assert!(matches!(failed.error, Error::Device(antecede::Error::OwnMemory)), "{}", failed.error);
            drop(failed);
            drop(both.exporter.reclaim(lent).unwrap());
            drop(both.exporter.lend(both.a.record(filled(&both, 1))?, both.to).unwrap());
            assert_eq!(exporting.leaked(), 1);
            Ok(both.importer)
        })?;
        let mut importer = kept;
        let failed = importer.next_offer().unwrap().import::<u32, ReadWrite, _>(b).unwrap_err();
        assert!(matches!(failed.error, Error::Device(antecede::Error::OwnMemory)), "{}", failed.error);
        Ok(())
    })
    .unwrap();
    side.assert_silent();
}

/// More offers and receipts than the sockets hold: neither side waits for the other to read first.
#[test]
fn many_are_out_at_once() {
    const MANY: usize = 1500;
    let (here, there) = (Side::new(1), Side::new(2));
    Device::scope(here.sim.clone(), 0, |exporting| {
        let a = exporting.stream::<A>()?;
        let pool = exporting.pool::<Exportable>()?;
        let mut exporter = Exporter::new(exporting).unwrap();
        let (one, other) = pair().unwrap();
        std::thread::scope(|threads| {
            let importer = threads.spawn(|| {
                Device::scope(there.sim.clone(), 0, |importing| {
                    let mut importer = Importer::over(importing, other).unwrap();
                    for _ in 0..MANY / 500 {
                        // All receipts at once.
                        let offers: Vec<_> = (0..500).map(|_| importer.next_offer().unwrap()).collect();
                        offers.into_iter().for_each(|offer| offer.decline().unwrap());
                    }
                    Ok(())
                })
            });
            let to = exporter.add(one).unwrap();
            let mut lent = Vec::new();
            for _ in 0..MANY {
                let x = a.sync(a.alloc_in::<u32, Exportable>(pool, 1)?)?;
                lent.push(exporter.lend(x, to).unwrap());
            }
            for lent in lent {
                drop(exporter.reclaim(lent).unwrap());
            }
            importer.join().expect("it does not panic")
        })
    })
    .unwrap();
}

/// Where no driver call may be made, none is: what was opened is destroyed later.
#[test]
fn an_importer_that_is_dropped_in_a_host_function_calls_nothing() {
    in_own_process!({
        let (here, there) = (Side::new(1), Side::new(2));
        let importing = Device::primary(there.trace.clone()).unwrap();
        Device::scope(here.trace.clone(), 0, |exporting| {
            let mut both = Both::new(exporting, importing).unwrap();
            let lent = both.exporter.lend(both.a.record(filled(&both, 1))?, both.to).unwrap();
            drop(both.importer.import::<u32, ReadWrite, _>(both.b).unwrap());
            let importer = both.importer;
            both.b.host_fn((), move |()| drop(importer))?;
            both.b.sync(())?;
            // Nobody has said that it has ended.
            let failed = both.exporter.reclaim(lent).unwrap_err();
            assert!(matches!(failed.error, Error::ImporterGone { owed: 1, .. }), "{}", failed.error);
            drop(failed);
            // Both go on; and what was left open is closed.
            both.exporter.set_time_limit(Duration::from_secs(10));
            let (to, mut importer) = greet(&mut both.exporter, importing).unwrap();
            let lent = both.exporter.lend(both.a.record(filled_on(&both.a, both.pool, 2))?, to).unwrap();
            let x = importer.import::<u32, ReadWrite, _>(both.b).unwrap();
            importer.release(both.b.sync(x)?).unwrap();
            drop(both.exporter.reclaim(lent).unwrap());
            drop(importer);
            assert_eq!(there.sim.live().imported_pools, 0);
            let log = there.trace.log();
            assert_eq!(calls(&log, Traced::EventDestroy), 2);
            // The simulator refuses what a host function calls.
            let refused: Vec<_> = log.entries().iter().filter(|entry| entry.outcome.error().is_some()).collect();
            assert!(refused.is_empty(), "{refused:?}");
            assert_eq!((exporting.leaked(), importing.leaked()), (1, 0));
            Ok(())
        })
        .unwrap();
        here.assert_silent();
        there.assert_silent();
    });
}

/// Forgotten, whatever it is, it is not answered.
#[test]
fn what_is_forgotten_does_not_come_back() {
    play((3, 0), |_, there, mut both| {
        let mut lent = Vec::new();
        for _ in 0..2 {
            lent.push(both.exporter.lend(both.a.record(filled(&both, 1)).unwrap(), both.to).unwrap());
        }
        std::mem::forget(both.importer.next_offer().unwrap());
        std::mem::forget(both.importer.import::<u32, ReadWrite, _>(both.b).unwrap());
        assert_eq!(both.importer.settle().unwrap(), 1);
        both.exporter.set_time_limit(Duration::from_secs(10));
        let (to, mut second) = greet(&mut both.exporter, there).unwrap();
        both.exporter.set_time_limit(Duration::ZERO);
        lent.push(both.exporter.lend(both.a.record(filled(&both, 1)).unwrap(), to).unwrap());
        drop(second.import::<u32, ReadWrite, _>(both.b).unwrap());
        std::mem::forget(second);
        for lent in lent {
            let failed = both.exporter.reclaim(lent).unwrap_err();
            assert!(matches!(failed.error, Error::NoReceipt { .. }), "{}", failed.error);
        }
    });
}

/// The connection it went out on is gone with its exporter: nobody else takes it back.
#[test]
fn what_is_out_outlives_its_exporter_as_a_leak() {
    play((1, 0), |here, there, mut both| {
        let lent = both.exporter.lend(both.a.record(filled(&both, 1)).unwrap(), both.to).unwrap();
        let x = both.importer.import::<u32, ReadWrite, _>(both.b).unwrap();
        drop(both.exporter);
        let (mut other, _, _other_importer) = connect(here, there).unwrap();
        let failed = other.reclaim(lent).unwrap_err();
        assert!(matches!(failed.error, Error::OtherExporter), "{}", failed.error);
        // The importer's memory stays valid.
        assert_eq!(both.b.download(&x).unwrap(), [1; LEN]);
        let failed_too = both.importer.release(both.b.sync(x).unwrap()).unwrap_err();
        assert!(matches!(failed_too.error, Error::Link(LinkError::PeerGone)), "{}", failed_too.error);
        drop(failed);
    });
}

/// One process has a published buffer once at a time, and again after it has let go.
#[test]
fn the_same_memory_comes_again_after_its_receipt() {
    play((0, 0), |_, _, mut both| {
        let mut published = both.exporter.publish(both.a.share(filled(&both, 1)).unwrap()).unwrap();
        for _ in 0..20 {
            both.exporter.offer(&mut published, both.to).unwrap();
            let x = both.importer.import::<u32, ReadOnly, _>(both.b).unwrap();
            // Leases, as of any other buffer.
            let shared = both.b.share(x).unwrap();
            assert_eq!(both.c.download(&both.c.lease(&shared).unwrap()).unwrap(), [1; LEN]);
            drop(shared);
            assert_eq!(both.importer.settle().unwrap(), 0);
        }
        // Whoever has let go is not remembered: the offers are not added up.
        both.exporter.offer(&mut published, both.to).unwrap();
        assert_eq!(published.holders().count(), 1);
        both.importer.next_offer().unwrap().decline().unwrap();
        let shared = both.exporter.reclaim(published).unwrap();
        drop(both.a.reunite(shared).unwrap());
    });
}

/// An empty buffer came by nobody.
#[test]
fn an_empty_buffer_is_not_released() {
    play((0, 0), |_, _, mut both| {
        let empty = Buffer::<u32, Synced<_>, Imported<ReadWrite>>::default();
        let failed = both.importer.release(empty).unwrap_err();
        assert!(matches!(failed.error, Error::OtherImporter), "{}", failed.error);
    });
}

/// A record on a per-thread stream is another thread's to export: it comes back.
#[test]
fn a_record_of_another_threads_stream_is_not_lent() {
    play((0, 0), |here, _, mut both| {
        let own = here.per_thread().unwrap();
        let mut x = own.alloc_in::<u32, Exportable>(both.pool, LEN).unwrap();
        own.fill(&mut x, 3).unwrap();
        let record: Recorded<_, _> = own.record(x).unwrap();
        let lent = both.exporter.lend(record, both.to).unwrap();
        let x = both.importer.import::<u32, ReadWrite, _>(both.b).unwrap();
        assert_eq!(both.b.download(&x).unwrap(), [3; LEN]);
        both.importer.release(both.b.sync(x).unwrap()).unwrap();
        let back = own.claim(both.exporter.reclaim(lent).unwrap()).unwrap();
        // As a loose buffer it moves to another thread, where nothing may be submitted to its stream.
        let record = own.record(back).unwrap();
        let (exporter, to) = (&mut both.exporter, both.to);
        let record = std::thread::scope(|threads| {
            let lend = threads.spawn(move || match exporter.lend(record, to) {
                Err(Failed {
                    error: Error::Device(antecede::Error::WrongThread { .. }),
                    kept: Kept::Given(record),
                }) => record,
                other => panic!("{other:?}"),
            });
            lend.join().expect("it comes back")
        });
        drop(own.wait(record).unwrap());
    });
}

/// A record on an adopted stream is exported after the adoption has ended: ordered by the heir.
#[test]
fn a_record_of_an_adopted_stream_is_lent_after_the_adoption() {
    let (here, there) = (Side::new(1), Side::new(2));
    Device::scope(here.trace.clone(), 0, |exporting| {
        Device::scope(there.trace.clone(), 0, |importing| {
            let mut both = Both::new(exporting, importing).unwrap();
            let record = with_adopted_stream(&here.sim, exporting, StreamKind::NonBlockingStream, |adopted| {
                let mut x = adopted.alloc_in::<u32, Exportable>(both.pool, LEN)?;
                adopted.fill(&mut x, 4)?;
                Ok(adopted.record(x)?)
            })?;
            let lent = both.exporter.lend(record, both.to).unwrap();
            let x = both.importer.import::<u32, ReadWrite, _>(both.b).unwrap();
            assert_eq!(both.b.download(&x)?, [4; LEN]);
            both.importer.release(both.b.sync(x)?).unwrap();
            drop(both.exporter.reclaim(lent).unwrap());
            Ok(())
        })
    })
    .unwrap();
    there.assert_silent();
}

/// A process that may open nothing more declines what it cannot open; and gets it again.
#[test]
fn an_offer_whose_descriptor_is_lost_is_declined() {
    in_own_process!({
        let none_more = |soft| {
            let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
            setrlimit(Resource::Nofile, Rlimit { current: Some(soft), maximum }).unwrap();
        };
        play((0, 0), |_, _, mut both| {
            let lent = both.exporter.lend(both.a.record(filled(&both, 1)).unwrap(), both.to).unwrap();
            none_more(0);
            let lost = both.importer.next_offer().unwrap_err();
            none_more(256);
            assert!(matches!(lost, Error::Link(LinkError::ControlTruncated { .. })), "{lost}");
            let x = both.a.claim(both.exporter.reclaim(lent).unwrap()).unwrap();
            let lent = both.exporter.lend(both.a.record(x).unwrap(), both.to).unwrap();
            let x = both.importer.import::<u32, ReadWrite, _>(both.b).unwrap();
            both.importer.release(both.b.sync(x).unwrap()).unwrap();
            drop(both.exporter.reclaim(lent).unwrap());
        });
    });
}

mount_theatre! { 1; importers_that_come_and_go_leave_nothing_open }

/// An exporter lives longer than many importers: it does not keep what it has open for each.
fn importers_that_come_and_go_leave_nothing_open(theatre: &Theatre) {
    let director = |theatre: &Theatre, _: OwnedFd| {
        Device::scope(theatre.driver(), 0, |device| {
            let mut exporter = Exporter::new(device).unwrap();
            let (first, importer) = greet(&mut exporter, device).unwrap();
            drop(importer);
            let before = descriptors().len();
            for _ in 0..50 {
                drop(greet(&mut exporter, device).unwrap());
            }
            let (_, last) = greet(&mut exporter, device).unwrap();
            drop(last);
            let open = descriptors().len();
            assert!(open <= before + 4, "{open} are open, {before} were");
            assert_eq!(exporter.importers().count(), 1);
            assert!(exporter.pid(first).is_err());
            Ok(())
        })
        .unwrap();
    };
    theatre.play_alone(Duration::from_secs(60), director, &[]);
}
