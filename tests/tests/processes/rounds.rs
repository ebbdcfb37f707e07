//! Many rounds: neither memory nor descriptors grow, on either side.

use crate::{Exporting, LEN, descriptors, importer};
use antecede::{ReadOnly, ReadWrite};
use antecede_testkit::{House, Theatre, mount_theatre};
use antecede_tests::B;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

mount_theatre! { 1;
    rounds_with_three_importers,
    rounds_of_lending,
}

const PATIENCE: Duration = Duration::from_secs(550);

/// `ANTECEDE_ROUNDS`, or 2,000 on a GPU and 10,000 on the simulator.
fn rounds(theatre: &Theatre) -> u32 {
    let default = if theatre.house() == House::Gpu { 2_000 } else { 10_000 };
    std::env::var("ANTECEDE_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(default)
}

/// Resident memory of this process, in KiB.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("there is a /proc");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("it is a line of it");
    line.trim().trim_end_matches(" kB").trim().parse().expect("a number")
}

/// Measured after a tenth of the rounds, when everything is warm, and at the end.
struct Growth {
    descriptors: usize,
    resident: u64,
}

impl Growth {
    fn now() -> Self {
        Growth { descriptors: descriptors().len(), resident: resident() }
    }

    fn check(&self) {
        // The simulator's own thread opens and closes connections a little later than it is asked to.
        let begin = Instant::now();
        let mut now = Growth::now();
        while now.descriptors > self.descriptors && begin.elapsed() < Duration::from_secs(20) {
            std::thread::yield_now();
            now = Growth::now();
        }
        let Growth { descriptors, resident } = now;
        assert!(descriptors <= self.descriptors, "{descriptors} descriptors are open, {} were", self.descriptors);
        assert!(resident <= self.resident + 4096, "memory has grown from {} KiB to {resident} KiB", self.resident);
    }
}

fn rounds_with_three_importers(theatre: &Theatre) {
    let director = |theatre: &Theatre, _: OwnedFd| {
        untraced(theatre, |device| {
            let rounds = rounds(theatre);
            let mut show = Exporting::to(theatre, device, "reader", 3);
            let mut x = show.a.alloc_in(show.pool, LEN).unwrap();
            let mut growth = None;
            for round in 0..rounds {
                show.a.fill(&mut x, round).unwrap();
                let mut published = show.exporter.publish(show.a.record(x).unwrap()).unwrap();
                for (id, _) in &show.importers {
                    show.exporter.offer(&mut published, *id).unwrap();
                }
                x = show.a.claim(show.exporter.reclaim(published).unwrap()).unwrap();
                if round == rounds / 10 {
                    growth = Some(Growth::now());
                }
            }
            growth.expect("more than no round").check();
            drop(x);
            show.finish_within(PATIENCE);
        });
    };
    let reader = |theatre: &Theatre, socket: OwnedFd| {
        untraced(theatre, |device| {
            let rounds = rounds(theatre);
            let b = device.stream::<B>().unwrap();
            let mut importer = importer(device, socket);
            let mut growth = None;
            for round in 0..rounds {
                let x = importer.import::<u32, ReadOnly, _>(b).unwrap();
                assert_eq!(b.download(&x).unwrap(), [round; LEN]);
                importer.release(b.sync(x).unwrap()).unwrap();
                if round == rounds / 10 {
                    growth = Some(Growth::now());
                }
            }
            growth.expect("more than no round").check();
        });
    };
    theatre.play_alone(PATIENCE, director, &[("reader", reader)]);
}

/// A buffer of its own for each round, by both ways to be ready, dropped or released on the other side.
fn rounds_of_lending(theatre: &Theatre) {
    let director = |theatre: &Theatre, _: OwnedFd| {
        untraced(theatre, |device| {
            let rounds = rounds(theatre);
            let mut show = Exporting::to(theatre, device, "writer", 1);
            let mut growth = None;
            for round in 0..rounds {
                let mut x = show.a.alloc_in(show.pool, LEN).unwrap();
                show.a.fill(&mut x, round).unwrap();
                let x = if round % 2 == 0 {
                    let lent = show.exporter.lend(show.a.record(x).unwrap(), show.first()).unwrap();
                    show.a.claim(show.exporter.reclaim(lent).unwrap()).unwrap()
                } else {
                    let lent = show.exporter.lend(show.a.sync(x).unwrap(), show.first()).unwrap();
                    show.exporter.reclaim(lent).unwrap().on(show.a)
                };
                assert_eq!(show.a.download(&x).unwrap(), [!round; LEN]);
                if round == rounds / 10 {
                    growth = Some(Growth::now());
                }
            }
            growth.expect("more than no round").check();
            show.finish_within(PATIENCE);
        });
    };
    let writer = |theatre: &Theatre, socket: OwnedFd| {
        untraced(theatre, |device| {
            let rounds = rounds(theatre);
            let b = device.stream::<B>().unwrap();
            let mut importer = importer(device, socket);
            let mut growth = None;
            for round in 0..rounds {
                let mut x = importer.import::<u32, ReadWrite, _>(b).unwrap();
                assert_eq!(b.download(&x).unwrap(), [round; LEN]);
                b.fill(&mut x, !round).unwrap();
                if round % 3 == 0 {
                    drop(x);
                    importer.settle().unwrap();
                } else {
                    importer.release(b.sync(x).unwrap()).unwrap();
                }
                if round == rounds / 10 {
                    growth = Some(Growth::now());
                }
            }
            growth.expect("more than no round").check();
        });
    };
    theatre.play_alone(PATIENCE, director, &[("writer", writer)]);
}

/// Without a trace, whose log would grow.
fn untraced(theatre: &Theatre, part: impl for<'id> FnOnce(antecede::Device<antecede::Scoped<'id>>)) {
    let leaked = antecede::Device::scope(theatre.driver(), 0, |device| {
        part(device);
        Ok(device.leaked())
    });
    assert_eq!(leaked, Ok(0));
}
