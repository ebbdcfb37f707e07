//! The importer's side: one memory once, on a stream, as it was offered.

use crate::{Exporting, LEN, calls, importer};
use antecede::{Exportable, ReadOnly, ReadWrite};
use antecede_ipc::{Error, Exporter, Importer, pair};
use antecede_testkit::{Theatre, mount_theatre};
use antecede_tests::{A, B, C};
use antecede_trace::Call;
use std::os::fd::OwnedFd;

mount_theatre! { 4;
    duplicate_import_is_refused,
    import_takes_a_stream,
    an_imported_buffer_is_handed_over_like_any_other,
    a_part_is_not_released,
    an_importer_releases_what_came_by_it_alone,
}

/// IPCI-01: one process, two connections, one published buffer. The driver would give one address twice, and the first free
/// would end both.
fn duplicate_import_is_refused(theatre: &Theatre) {
    let director = |theatre: &Theatre| {
        theatre.on_device(0, |device| {
            let a = device.stream::<A>().unwrap();
            let mut exporter = Exporter::new(device).unwrap();
            let ((here, there), (here_too, there_too)) = (pair().unwrap(), pair().unwrap());
            // One process with two connections: it gets the second as its standard error's place has no use for it.
            let path = tempfile::tempdir().unwrap();
            let path = path.path().join("exporter");
            let mut listening = Exporter::listen(device, &path).unwrap();
            drop((here_too, there_too));
            let running = theatre.start("importer", path.display(), there);
            let one = exporter.add(here).unwrap();
            let other = listening.accept().unwrap();
            let pool = device.pool::<Exportable>().unwrap();
            for _ in 0..3 {
                let mut x = a.alloc_in(pool, LEN).unwrap();
                a.fill(&mut x, 7_u32).unwrap();
                let shared = a.share(x).unwrap();
                let mut published = exporter.publish(shared).unwrap();
                exporter.offer(&mut published, one).unwrap();
                // The same memory, by another exporter of this process: out twice.
                let failed = listening.offer(&mut published, other).unwrap_err();
                assert!(matches!(failed, Error::OtherExporter), "{failed}");
                exporter.offer(&mut published, one).unwrap();
                drop(a.reunite(exporter.reclaim(published).unwrap()).unwrap());
            }
            drop((exporter, listening));
            running.finish();
        });
    };
    let twice = |theatre: &Theatre, socket: OwnedFd| {
        theatre.on_device(0, |device| {
            let b = device.stream::<B>().unwrap();
            let mut importer = importer(device, socket);
            let _other = Importer::connect(device, theatre.words()).unwrap();
            for round in 0..3 {
                let x = importer.import::<u32, ReadOnly, _>(b).unwrap();
                let failed = importer.next_offer().unwrap().import::<u32, ReadOnly, _>(b).unwrap_err();
                assert!(matches!(failed.error, Error::Device(antecede::Error::AlreadyImported)), "{}", failed.error);
                assert_eq!(b.download(&x).unwrap(), [7; LEN]);
                let x = b.sync(x).unwrap();
                if round == 0 {
                    failed.kept.decline().unwrap();
                    importer.release(x).unwrap();
                } else {
                    // The second offer again, once the first is let go.
                    let told = failed.kept;
                    drop(told);
                    importer.release(x).unwrap();
                }
            }
        });
    };
    theatre.play(director, &[("importer", twice)]);
}

/// IPCI-03: an import is on a stream from the first: what uses it, and its free, are ordered there.
fn import_takes_a_stream(theatre: &Theatre) {
    let director = |theatre: &Theatre| {
        theatre.on_device(0, |device| {
            let mut show = Exporting::to(theatre, device, "importer", 1);
            let mut x = show.a.alloc_in(show.pool, LEN).unwrap();
            show.a.fill(&mut x, 7_u32).unwrap();
            let lent = show.exporter.lend(show.a.record(x).unwrap(), show.first()).unwrap();
            drop(show.exporter.reclaim(lent).unwrap());
            show.finish();
        });
    };
    let counted = |theatre: &Theatre, socket: OwnedFd| {
        let log = theatre.on_device(0, |device| {
            let b = device.stream::<B>().unwrap();
            let mut importer = importer(device, socket);
            let mut x = importer.import::<u32, ReadWrite, _>(b).unwrap();
            b.fill(&mut x, 9).unwrap();
            drop(x);
            importer.settle().unwrap();
        });
        let made = [Call::PointerImport, Call::EventImport, Call::EventWait, Call::Fill, Call::Free];
        assert_eq!(made.map(|call| calls(&log, call)), [1; 5], "{log}");
        let of = |call| log.entries().iter().find(|entry| entry.call == call).expect("it was called");
        assert_eq!(of(Call::EventWait).stream, of(Call::Fill).stream, "the stream that waits is the one that uses it");
        assert_eq!(of(Call::Free).stream, of(Call::Fill).stream);
    };
    theatre.play(director, &[("importer", counted)]);
}

/// Hand-overs, leases, launches: all that buffers do.
fn an_imported_buffer_is_handed_over_like_any_other(theatre: &Theatre) {
    let director = |theatre: &Theatre| {
        theatre.on_device(0, |device| {
            let mut show = Exporting::to(theatre, device, "importer", 1);
            let mut x = show.a.alloc_in(show.pool, LEN).unwrap();
            show.a.fill(&mut x, 1_u32).unwrap();
            let lent = show.exporter.lend(show.a.record(x).unwrap(), show.first()).unwrap();
            let x = show.a.claim(show.exporter.reclaim(lent).unwrap()).unwrap();
            assert_eq!(show.a.download(&x).unwrap(), [3; LEN]);
            drop(x);
            show.finish();
        });
    };
    let user = |theatre: &Theatre, socket: OwnedFd| {
        theatre.on_device(0, |device| {
            let (a, b, c) = device.streams::<(A, B, C)>().unwrap();
            let mut importer = importer(device, socket);
            let mut own = c.alloc::<u32>(LEN).unwrap();
            let x = importer.import::<u32, ReadWrite, _>(b).unwrap();
            let shared = b.share(x).unwrap();
            assert_eq!(a.download(&a.lease(&shared).unwrap()).unwrap(), [1; LEN]);
            c.copy(&c.lease(&shared).unwrap(), &mut own).unwrap();
            let mut x = a.reunite(shared).unwrap();
            a.fill(&mut x, 2).unwrap();
            let (x, own) = b.take((x, own)).unwrap();
            assert_eq!((b.download(&x).unwrap(), b.download(&own).unwrap()), (vec![2; LEN], vec![1; LEN]));
            let mut x = c.wait(b.record(x).unwrap()).unwrap();
            c.fill(&mut x, 3).unwrap();
            importer.release(c.sync(x).unwrap()).unwrap();
        });
    };
    theatre.play(director, &[("importer", user)]);
}

/// A part is not the whole: it comes back; joined again, the whole is released.
fn a_part_is_not_released(theatre: &Theatre) {
    let director = |theatre: &Theatre| {
        theatre.on_device(0, |device| {
            let mut show = Exporting::to(theatre, device, "importer", 1);
            let mut x = show.a.alloc_in(show.pool, LEN).unwrap();
            show.a.fill(&mut x, 1_u32).unwrap();
            let lent = show.exporter.lend(show.a.record(x).unwrap(), show.first()).unwrap();
            let x = show.a.claim(show.exporter.reclaim(lent).unwrap()).unwrap();
            let halves = show.a.download(&x).unwrap();
            assert_eq!((halves[0], halves[LEN - 1]), (2, 3));
            drop(x);
            show.finish();
        });
    };
    let splitter = |theatre: &Theatre, socket: OwnedFd| {
        theatre.on_device(0, |device| {
            let (b, c) = device.streams::<(B, C)>().unwrap();
            let mut importer = importer(device, socket);
            let x = importer.import::<u32, ReadWrite, _>(b).unwrap();
            let (mut left, right) = x.into_parts_at(LEN / 2);
            let mut right = c.take(right).unwrap();
            b.fill(&mut left, 2).unwrap();
            c.fill(&mut right, 3).unwrap();
            let failed = importer.release(b.sync(left).unwrap()).unwrap_err();
            assert!(matches!(failed.error, Error::Device(antecede::Error::Part)), "{}", failed.error);
            let left = failed.kept.expect("the part comes back");
            let x = left.unsplit(c.sync(right).unwrap()).unwrap();
            importer.release(x).unwrap();
        });
    };
    theatre.play(director, &[("importer", splitter)]);
}

/// Two connections, and a buffer of each: released at the other importer it comes back.
fn an_importer_releases_what_came_by_it_alone(theatre: &Theatre) {
    let director = |theatre: &Theatre| {
        theatre.on_device(0, |device| {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("exporter");
            let mut other = Exporter::listen(device, &path).unwrap();
            let (here, there) = pair().unwrap();
            let running = theatre.start("importer", path.display(), there);
            let mut exporter = Exporter::new(device).unwrap();
            let one = exporter.add(here).unwrap();
            let two = other.accept().unwrap();
            let a = device.stream::<A>().unwrap();
            let pool = device.pool::<Exportable>().unwrap();
            let make = |value: u32| {
                let mut x = a.alloc_in(pool, LEN).unwrap();
                a.fill(&mut x, value).unwrap();
                a.sync(x).unwrap()
            };
            let first = exporter.lend(make(1), one).unwrap();
            let second = other.lend(make(2), two).unwrap();
            let failed = exporter.reclaim(second).unwrap_err();
            assert!(matches!(failed.error, Error::OtherExporter), "{}", failed.error);
            drop((exporter.reclaim(first).unwrap(), other.reclaim(failed.kept).unwrap()));
            running.finish();
        });
    };
    let two = |theatre: &Theatre, socket: OwnedFd| {
        theatre.on_device(0, |device| {
            let b = device.stream::<B>().unwrap();
            let mut one = importer(device, socket);
            let mut other = Importer::connect(device, theatre.words()).unwrap();
            let first = one.import::<u32, ReadWrite, _>(b).unwrap();
            let second = other.import::<u32, ReadWrite, _>(b).unwrap();
            assert_eq!((b.download(&first).unwrap()[0], b.download(&second).unwrap()[0]), (1, 2));
            let failed = one.release(b.sync(second).unwrap()).unwrap_err();
            assert!(matches!(failed.error, Error::OtherImporter), "{}", failed.error);
            other.release(failed.kept.expect("it comes back")).unwrap();
            one.release(b.sync(first).unwrap()).unwrap();
        });
    };
    theatre.play(director, &[("importer", two)]);
}
