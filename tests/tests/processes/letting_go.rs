//! Nothing is freed before it is let go.

use crate::{Exporting, LEN, calls, importer};
use antecede::{Exportable, ReadOnly, ReadWrite};
use antecede_ipc::{Error, Importer};
use antecede_testkit::{Theatre, mount_theatre};
use antecede_tests::{A, B, C};
use antecede_trace::Call;
use std::os::fd::OwnedFd;
use std::time::Duration;

mount_theatre! { 4;
    free_waits_for_every_receipt,
    dropped_export_is_leaked_and_counted,
    import_is_freed_in_stream_order,
    drop_of_an_import_does_not_block,
    device_of_the_import_is_the_one_that_is_synced,
    an_exporter_that_is_gone_leaves_the_memory,
    a_receipt_counts_for_its_own_buffer_alone,
}

const SHORT: Duration = Duration::from_millis(50);

/// IPCX-01: one importer lets go, the other does not: nothing comes back before both have.
fn free_waits_for_every_receipt(theatre: &Theatre) {
    let director = |theatre: &Theatre| {
        theatre.on_device(0, |device| {
            let mut show = Exporting::to(theatre, device, "reader", 2);
            let mut x = show.a.alloc_in(show.pool, LEN).unwrap();
            show.a.fill(&mut x, 7_u32).unwrap();
            let mut published = show.exporter.publish(show.a.sync(x).unwrap()).unwrap();
            let slow = show.importers[1].0;
            for (id, _) in &show.importers {
                show.exporter.offer(&mut published, *id).unwrap();
            }
            show.exporter.set_time_limit(SHORT);
            // Both wait for one more offer before they let go. It comes to the first alone.
            let mut go = show.exporter.publish(show.a.sync(small(&show)).unwrap()).unwrap();
            show.exporter.offer(&mut go, show.first()).unwrap();
            let failed = loop {
                let failed = show.exporter.reclaim(published).unwrap_err();
                assert!(matches!(failed.error, Error::NoReceipt { .. }), "{}", failed.error);
                published = failed.kept;
                if published.holders().eq([slow]) {
                    break published;
                }
            };
            show.exporter.offer(&mut go, slow).unwrap();
            show.exporter.set_time_limit(Duration::from_secs(10));
            let x = show.exporter.reclaim(failed).unwrap();
            assert_eq!(x.to_vec().unwrap(), [7; LEN]);
            drop((x, show.exporter.reclaim(go).unwrap()));
            show.finish();
        });
    };
    let reader = |theatre: &Theatre, socket: OwnedFd| {
        theatre.on_device(0, |device| {
            let b = device.stream::<B>().unwrap();
            let mut importer = importer(device, socket);
            let x = importer.import::<u32, ReadOnly, _>(b).unwrap();
            importer.next_offer().unwrap().decline().unwrap();
            assert_eq!(b.download(&x).unwrap(), [7; LEN]);
            importer.release(b.sync(x).unwrap()).unwrap();
        });
    };
    theatre.play(director, &[("reader", reader)]);
}

fn small<D: antecede::DeviceBrand>(
    show: &Exporting<D>,
) -> antecede::Buffer<u8, antecede::On<A, D>, antecede::Exportable> {
    let mut x = show.a.alloc_in(show.pool, 1).unwrap();
    show.a.fill(&mut x, 0).unwrap();
    x
}

/// IPCX-03: an export that is dropped frees nothing, though its importer has let go by then: nobody has asked.
fn dropped_export_is_leaked_and_counted(theatre: &Theatre) {
    let director = |theatre: &Theatre| {
        let log = theatre.on_device(1, |device| {
            let mut show = Exporting::to(theatre, device, "importer", 1);
            let mut x = show.a.alloc_in(show.pool, LEN).unwrap();
            show.a.fill(&mut x, 7_u32).unwrap();
            let lent = show.exporter.lend(show.a.sync(x).unwrap(), show.first()).unwrap();
            drop(lent);
            assert_eq!(device.leaked(), 1);
            // Its receipt is no error later.
            let mut y = show.a.alloc_in(show.pool, LEN).unwrap();
            show.a.fill(&mut y, 7_u32).unwrap();
            let lent = show.exporter.lend(show.a.record(y).unwrap(), show.first()).unwrap();
            drop(show.exporter.reclaim(lent).unwrap());
            show.finish();
        });
        assert_eq!(calls(&log, Call::Free), 1, "the second buffer's alone\n{log}");
    };
    let twice = |theatre: &Theatre, socket: OwnedFd| {
        theatre.on_device(0, |device| {
            let b = device.stream::<B>().unwrap();
            let mut importer = importer(device, socket);
            for _ in 0..2 {
                let x = importer.import::<u32, ReadWrite, _>(b).unwrap();
                assert_eq!(b.download(&x).unwrap(), [7; LEN]);
                importer.release(b.sync(x).unwrap()).unwrap();
            }
        });
    };
    theatre.play(director, &[("importer", twice)]);
}

/// IPCX-05, IPCI-03: a drop ends this process's use on the stream that the buffer is on, after its last use there; the
/// exporter is told once that has taken effect.
fn import_is_freed_in_stream_order(theatre: &Theatre) {
    let director = |theatre: &Theatre| {
        theatre.on_device(0, |device| {
            let mut show = Exporting::to(theatre, device, "dropper", 1);
            for _ in 0..3 {
                let mut x = show.a.alloc_in(show.pool, LEN).unwrap();
                show.a.fill(&mut x, 7_u32).unwrap();
                let lent = show.exporter.lend(show.a.record(x).unwrap(), show.first()).unwrap();
                let x = show.a.claim(show.exporter.reclaim(lent).unwrap()).unwrap();
                assert_eq!(show.a.download(&x).unwrap(), [9; LEN], "the last use is before the receipt");
            }
            show.finish();
        });
    };
    let dropper = |theatre: &Theatre, socket: OwnedFd| {
        let log = theatre.on_device(0, |device| {
            let (b, c) = device.streams::<(B, C)>().unwrap();
            let mut importer = importer(device, socket);
            for _ in 0..3 {
                let mut x = importer.import::<u32, ReadWrite, _>(b).unwrap();
                b.fill(&mut x, 8).unwrap();
                let mut x = c.take(x).unwrap();
                c.fill(&mut x, 9).unwrap();
                // In parts: the whole ends with its last part.
                let (left, right) = x.into_parts_at(LEN / 2);
                drop(left);
                drop(b.take(right).unwrap());
                assert_eq!((importer.settle().unwrap(), device.leaked()), (0, 0));
            }
        });
        assert_eq!(calls(&log, Call::Free), 3, "{log}");
        assert_eq!(calls(&log, Call::StreamSync), 0, "no stream was waited for\n{log}");
    };
    theatre.play(director, &[("dropper", dropper)]);
}

/// IPCI-05: a drop waits for nothing, whatever is in flight; and a process that does not settle tells nothing.
fn drop_of_an_import_does_not_block(theatre: &Theatre) {
    let director = |theatre: &Theatre| {
        theatre.on_device(1, |device| {
            let mut show = Exporting::to(theatre, device, "dropper", 1);
            let mut x = show.a.alloc_in(show.pool, LEN).unwrap();
            show.a.fill(&mut x, 7_u32).unwrap();
            let lent = show.exporter.lend(show.a.record(x).unwrap(), show.first()).unwrap();
            let failed = show.exporter.reclaim(lent).unwrap_err();
            assert!(matches!(failed.error, Error::ImporterGone { owed: 1, .. }), "{}", failed.error);
            drop(failed);
            show.finish();
        });
    };
    let dropper = |theatre: &Theatre, socket: OwnedFd| {
        let log = theatre.on_device(0, |device| {
            let b = device.stream::<B>().unwrap();
            let mut importer = importer(device, socket);
            let mut x = importer.import::<u32, ReadWrite, _>(b).unwrap();
            b.fill(&mut x, 8).unwrap();
            drop(x);
            // Not even asked whether it is over.
            std::mem::forget(importer);
        });
        let waits = [Call::StreamSync, Call::EventSync].map(|call| calls(&log, call));
        assert_eq!(waits, [0, 0], "{log}");
    };
    theatre.play(director, &[("dropper", dropper)]);
}

/// SEED-6's cleanup: what is synchronised for a receipt is the stream that the free was queued on, of the import's own device.
/// There is no other device in the call, nor a current one.
fn device_of_the_import_is_the_one_that_is_synced(theatre: &Theatre) {
    let director = |theatre: &Theatre| {
        theatre.on_device(0, |device| {
            let mut show = Exporting::to(theatre, device, "importer", 1);
            let mut x = show.a.alloc_in(show.pool, LEN).unwrap();
            show.a.fill(&mut x, 7_u32).unwrap();
            let lent = show.exporter.lend(show.a.record(x).unwrap(), show.first()).unwrap();
            let x = show.a.claim(show.exporter.reclaim(lent).unwrap()).unwrap();
            drop(x);
            show.finish();
        });
    };
    let closer = |theatre: &Theatre, socket: OwnedFd| {
        let log = theatre.on_device(0, |device| {
            let b = device.stream::<B>().unwrap();
            let mut importer = importer(device, socket);
            let x = importer.import::<u32, ReadWrite, _>(b).unwrap();
            let x = b.sync(x).unwrap();
            importer.release(x).unwrap();
        });
        let entries = log.entries();
        let free = entries.iter().position(|entry| entry.call == Call::Free).expect("the free of the import");
        let sync = &entries[free + 1];
        assert_eq!(sync.call, Call::StreamSync, "the next call is the wait for the free\n{log}");
        assert_eq!(sync.stream, entries[free].stream, "on the same stream\n{log}");
    };
    theatre.play(director, &[("importer", closer)]);
}

/// An imported block lives until it is let go, whatever becomes of the exporter.
fn an_exporter_that_is_gone_leaves_the_memory(theatre: &Theatre) {
    let director = |theatre: &Theatre| {
        let (here, there) = antecede_ipc::pair().unwrap();
        let mut running = theatre.start("exporter", "", there);
        theatre.on_device(0, |device| {
            let b = device.stream::<B>().unwrap();
            let mut importer = Importer::over(device, here).unwrap();
            let mut x = importer.import::<u32, ReadWrite, _>(b).unwrap();
            let x = {
                // What it waited for has happened.
                assert_eq!(b.download(&x).unwrap(), [7; LEN]);
                running.kill();
                b.fill(&mut x, 8).unwrap();
                assert_eq!(b.download(&x).unwrap(), [8; LEN]);
                b.sync(x).unwrap()
            };
            let failed = importer.release(x).unwrap_err();
            assert!(matches!(failed.error, Error::Link(antecede_ipc::LinkError::PeerGone)), "{}", failed.error);
            assert!(failed.kept.is_none(), "it was let go all the same");
        });
    };
    let exporter = |theatre: &Theatre, socket: OwnedFd| {
        theatre.on_device(0, |device| {
            let a = device.stream::<A>().unwrap();
            let mut exporter = antecede_ipc::Exporter::new(device).unwrap();
            let id = exporter.add(socket).unwrap();
            let mut x = a.alloc_in(device.pool::<Exportable>().unwrap(), LEN).unwrap();
            a.fill(&mut x, 7_u32).unwrap();
            let lent = exporter.lend(a.record(x).unwrap(), id).unwrap();
            exporter.set_time_limit(Duration::from_secs(60));
            let _ = exporter.reclaim(lent);
        });
    };
    theatre.play(director, &[("exporter", exporter)]);
}

/// Two buffers are out to one importer: the receipt for one does not bring the other back.
fn a_receipt_counts_for_its_own_buffer_alone(theatre: &Theatre) {
    let director = |theatre: &Theatre| {
        theatre.on_device(1, |device| {
            let mut show = Exporting::to(theatre, device, "importer", 1);
            let make = |show: &Exporting<_>, value: u32| {
                let mut x = show.a.alloc_in(show.pool, LEN).unwrap();
                show.a.fill(&mut x, value).unwrap();
                show.a.sync(x).unwrap()
            };
            let first = make(&show, 1);
            let first = show.exporter.lend(first, show.first()).unwrap();
            let second = make(&show, 2);
            let second = show.exporter.lend(second, show.first()).unwrap();
            let second = show.exporter.reclaim(second).unwrap();
            assert_eq!(second.to_vec().unwrap(), [2; LEN]);
            show.exporter.set_time_limit(SHORT);
            let failed = show.exporter.reclaim(first).unwrap_err();
            assert!(
                matches!(failed.error, Error::NoReceipt { .. } | Error::ImporterGone { owed: 1, .. }),
                "{}",
                failed.error
            );
            drop((failed, second));
            show.finish();
        });
    };
    let keeper = |theatre: &Theatre, socket: OwnedFd| {
        theatre.on_device(0, |device| {
            let b = device.stream::<B>().unwrap();
            let mut importer = importer(device, socket);
            let first = importer.import::<u32, ReadWrite, _>(b).unwrap();
            let second = importer.import::<u32, ReadWrite, _>(b).unwrap();
            importer.release(b.sync(second).unwrap()).unwrap();
            // The exporter ends first.
            let end = importer.next_offer().unwrap_err();
            assert!(matches!(end, Error::Link(antecede_ipc::LinkError::PeerGone)), "{end}");
            drop(first);
        });
    };
    theatre.play(director, &[("importer", keeper)]);
}
