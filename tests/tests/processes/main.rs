//! Buffers between real processes: on the simulator, whose pools and events cross processes too, and on a GPU.
//!
//! Each test directs; the processes that it starts run this binary again, with the test's name and a part.

mod attacks;
mod broken;
mod crashes;
mod exchange;
mod faults;
mod importing;
mod in_one;
mod letting_go;
mod offers;
mod ready;
mod rounds;

use antecede::{Device, DeviceBrand, Exportable, Pool, Stream};
use antecede_ipc::{Exporter, Importer, ImporterId, pair};
use antecede_testkit::{Running, Theatre};
use antecede_tests::A;
use antecede_trace::{Call, Entry, Log, Outcome};
use std::os::fd::OwnedFd;
use std::time::Duration;

/// Elements of a buffer.
const LEN: usize = 1000;

/// An exporter with what it needs, and one importer in a process of its own.
struct Exporting<D: DeviceBrand> {
    a: Stream<A, D>,
    pool: Pool<Exportable, D>,
    exporter: Exporter<D>,
    importers: Vec<(ImporterId, Running)>,
}

impl<D: DeviceBrand> Exporting<D> {
    /// Starts `count` processes that play `part`.
    fn to(theatre: &Theatre, device: Device<D>, part: &str, count: usize) -> Self {
        let mut exporter = Exporter::new(device).expect("an exporter");
        // A process takes its time to open a GPU, more so beside others.
        exporter.set_time_limit(Duration::from_secs(60));
        let importers = (0..count).map(|number| {
            let (here, there) = pair().expect("a socket pair");
            let running = theatre.start(part, number, there);
            (exporter.add(here).expect("the importer greets"), running)
        });
        let importers = importers.collect();
        let a = device.stream::<A>().expect("a stream");
        let pool = device.pool::<Exportable>().expect("a pool");
        Exporting { a, pool, exporter, importers }
    }

    fn first(&self) -> ImporterId {
        self.importers[0].0
    }

    /// Waits for the importers to end well.
    fn finish(self) -> Vec<String> {
        self.finish_within(Duration::from_secs(60))
    }

    fn finish_within(self, patience: Duration) -> Vec<String> {
        drop(self.exporter);
        self.importers.into_iter().map(|(_, running)| running.finish_within(patience)).collect()
    }
}

/// An importer over the socket that this process was started with.
fn importer<D: DeviceBrand>(device: Device<D>, socket: OwnedFd) -> Importer<D> {
    Importer::over(device, socket).expect("the exporter greets")
}

/// How often a call was made.
fn calls(log: &Log, call: Call) -> usize {
    let made = |entry: &&Entry| {
        entry.call == call && !matches!(entry.outcome, Outcome::Ended { .. } | Outcome::EndedFailed { .. })
    };
    log.entries().iter().filter(made).count()
}

/// The descriptors that this process has open, and what they are.
fn descriptors() -> Vec<String> {
    let entries = std::fs::read_dir("/proc/self/fd").expect("there is a /proc").flatten();
    let mut open: Vec<_> =
        entries.filter_map(|entry| Some(std::fs::read_link(entry.path()).ok()?.display().to_string())).collect();
    // The directory that is being read is not counted.
    open.retain(|name| !name.contains("/fd"));
    open.sort();
    open
}
