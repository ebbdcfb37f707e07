//! Nothing leaves before it is ready.

use crate::{Exporting, LEN, importer};
use antecede::{Exportable, ReadOnly, ReadWrite};
use antecede_testkit::{Burn, Theatre, mount_theatre};
use antecede_tests::{A, B, take_without_waiting};
use std::os::fd::OwnedFd;

mount_theatre! { 6;
    ready_by_sync,
    ready_by_event,
    shared_and_read_on_both_sides,
    many_read_while_the_exporter_does,
    exported_before_the_fill_is_stale,
}

/// Clock cycles for which a stream is held on a GPU.
const HOLD: u64 = 400_000_000;

/// SEED-3, IPCR-01: the fill is waited for by the exporter's host.
fn ready_by_sync(theatre: &Theatre) {
    let director = |theatre: &Theatre| {
        theatre.on_device(0, |device| {
            let mut show = Exporting::to(theatre, device, "importer", 1);
            let mut x = show.a.alloc_in(show.pool, LEN).unwrap();
            show.a.fill(&mut x, 7_u32).unwrap();
            let lent = show.exporter.lend(show.a.sync(x).unwrap(), show.first()).unwrap();
            let x = show.exporter.reclaim(lent).unwrap();
            assert_eq!(x.to_vec().unwrap(), [8; LEN], "what the importer wrote");
            drop(x);
            show.finish();
        });
    };
    theatre.play(director, &[("importer", add_one)]);
}

/// SEED-3, IPCR-01, IPCR-03: allocation and fill may still be in flight; the importer's stream waits, and no host.
fn ready_by_event(theatre: &Theatre) {
    let director = |theatre: &Theatre| {
        theatre.on_device(0, |device| {
            let mut show = Exporting::to(theatre, device, "importer", 1);
            let burn = device.load::<Burn>().unwrap();
            let mut done = show.a.zeroed(1).unwrap();
            burn.burn(show.a, HOLD, &mut done).unwrap();
            let mut x = show.a.alloc_in(show.pool, LEN).unwrap();
            show.a.fill(&mut x, 7_u32).unwrap();
            let lent = show.exporter.lend(show.a.record(x).unwrap(), show.first()).unwrap();
            let x = show.a.claim(show.exporter.reclaim(lent).unwrap()).unwrap();
            assert_eq!(show.a.download(&x).unwrap(), [8; LEN], "what the importer wrote");
            drop(x);
            show.finish();
        });
    };
    theatre.play(director, &[("importer", add_one)]);
}

fn add_one(theatre: &Theatre, socket: OwnedFd) {
    theatre.on_device(0, |device| {
        let b = device.stream::<B>().unwrap();
        let mut importer = importer(device, socket);
        let mut x = importer.import::<u32, ReadWrite, _>(b).unwrap();
        let seen = b.download(&x).unwrap();
        assert_eq!(seen, [7; LEN], "what the exporter filled");
        b.write(&mut x, &seen.iter().map(|element| element + 1).collect::<Vec<_>>()).unwrap();
        importer.release(b.sync(x).unwrap()).unwrap();
    });
}

/// The exporter's readers go on; the importers' streams wait for the last write alone.
fn shared_and_read_on_both_sides(theatre: &Theatre) {
    let director = |theatre: &Theatre| {
        theatre.on_device(0, |device| {
            let b = device.stream::<B>().unwrap();
            let mut show = Exporting::to(theatre, device, "reader", 2);
            let mut x = show.a.alloc_in(show.pool, LEN).unwrap();
            show.a.fill(&mut x, 7_u32).unwrap();
            let mut published = show.exporter.publish(show.a.share(x).unwrap()).unwrap();
            for (id, _) in &show.importers {
                show.exporter.offer(&mut published, *id).unwrap();
            }
            assert_eq!(b.download(&b.lease(&published).unwrap()).unwrap(), [7; LEN]);
            let shared = show.exporter.reclaim(published).unwrap();
            let mut x = show.a.reunite(shared).unwrap();
            show.a.fill(&mut x, 9).unwrap();
            assert_eq!(show.a.download(&x).unwrap(), [9; LEN]);
            drop(x);
            show.finish();
        });
    };
    theatre.play(director, &[("reader", read_seven)]);
}

/// A finished buffer is read by the exporter's host while others read it.
fn many_read_while_the_exporter_does(theatre: &Theatre) {
    let director = |theatre: &Theatre| {
        theatre.on_device(0, |device| {
            let mut show = Exporting::to(theatre, device, "reader", 3);
            let mut x = show.a.alloc_in(show.pool, LEN).unwrap();
            show.a.fill(&mut x, 7_u32).unwrap();
            let mut published = show.exporter.publish(show.a.sync(x).unwrap()).unwrap();
            for (id, _) in &show.importers {
                show.exporter.offer(&mut published, *id).unwrap();
            }
            assert_eq!(published.to_vec().unwrap(), [7; LEN]);
            let x = show.exporter.reclaim(published).unwrap();
            assert_eq!(x.to_vec().unwrap(), [7; LEN]);
            drop(x);
            show.finish();
        });
    };
    theatre.play(director, &[("reader", read_seven)]);
}

fn read_seven(theatre: &Theatre, socket: OwnedFd) {
    theatre.on_device(0, |device| {
        let b = device.stream::<B>().unwrap();
        let mut importer = importer(device, socket);
        let x = importer.import::<u32, ReadOnly, _>(b).unwrap();
        assert_eq!(b.download(&x).unwrap(), [7; LEN]);
        importer.release(b.sync(x).unwrap()).unwrap();
    });
}

/// The negative twin: through the unsafe door a buffer is exported as finished that is not. What the other side sees is
/// stale: nothing but the types stands between.
fn exported_before_the_fill_is_stale(theatre: &Theatre) {
    const TIMES: usize = 8;
    let director = |theatre: &Theatre| {
        let trace = antecede_trace::Trace::new(theatre.driver());
        antecede::Device::scope(trace, 0, |device| {
            let b = device.stream::<B>()?;
            let mut show = Exporting::to(theatre, device, "looker", 1);
            let burn = device.load::<Burn>()?;
            let mut done = show.a.zeroed(1)?;
            for _ in 0..TIMES {
                let mut x: antecede::Buffer<u32, antecede::On<A, _>, Exportable> = show.a.alloc_in(show.pool, LEN)?;
                show.a.fill(&mut x, 1)?;
                let x = show.a.sync(x)?;
                let mut x = x.on(show.a);
                burn.burn(show.a, HOLD, &mut done)?;
                show.a.fill(&mut x, 7)?;
                let untrue = b.sync(take_without_waiting(device, b, x))?;
                let lent = show.exporter.lend(untrue, show.first()).unwrap();
                let x = show.exporter.reclaim(lent).unwrap();
                show.a.sync(())?;
                assert_eq!(x.to_vec()?, [7; LEN], "in the end the fill has run");
            }
            let said = show.finish().concat();
            let stale = said.matches("saw 1").count();
            match theatre.house() {
                // Held by a kernel, the fill cannot have run.
                antecede_testkit::House::Gpu => assert_eq!(stale, TIMES, "{said}"),
                antecede_testkit::House::Sim => assert!(stale > 0, "{said}"),
            }
            Ok(())
        })
        .unwrap();
    };
    theatre.play(director, &[("looker", look)]);
}

fn look(theatre: &Theatre, socket: OwnedFd) {
    theatre.on_device(0, |device| {
        let b = device.stream::<B>().unwrap();
        let mut importer = importer(device, socket);
        for _ in 0..8 {
            let x = importer.import::<u32, ReadWrite, _>(b).unwrap();
            println!("saw {}", b.download(&x).unwrap()[0]);
            importer.release(b.sync(x).unwrap()).unwrap();
        }
    });
}
