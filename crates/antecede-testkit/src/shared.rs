//! One simulated device for ordinary code, shared by all tests of a process.

use crate::Bench;
use antecede::Device;
use antecede_sim::Sim;
use antecede_trace::{Counts, HostThread, Mark, Race, Trace};
use std::sync::OnceLock;

/// The process's one simulated `Primary`, as one test sees it: counts and faults are those of the calling thread.
///
/// When it is dropped it takes back the calling thread's faults, and fails the test if one of the thread's operations
/// races.
///
/// Not seen by it: what other threads do that the test starts. Such a test has [`on_sim`](crate::on_sim), or a process
/// of its own ([`in_own_process!`](crate::in_own_process)).
#[derive(Debug)]
pub struct Shared {
    device: Device,
    bench: &'static Bench,
}

/// The process's simulated device. The first call builds the simulator and binds `Primary` to it.
///
/// # Panics
/// If `Primary` is bound to another driver already: a test that does so belongs in a
/// [process of its own](crate::in_own_process).
#[track_caller]
pub fn shared_device() -> Shared {
    static BENCH: OnceLock<Bench> = OnceLock::new();
    let bench = BENCH.get_or_init(|| Bench::new(Sim::new()));
    let device = Device::primary(bench.trace().clone()).expect("`Primary` is bound to the shared simulator");
    Shared { device, bench }
}

impl Shared {
    /// The device. Code under test that opens `Primary` itself gets the same one from [`driver`](Shared::driver).
    pub fn device(&self) -> Device {
        self.device
    }

    /// The driver that it was opened with, for code that calls `Device::primary(driver)` itself.
    pub fn driver(&self) -> Trace {
        self.bench.trace().clone()
    }

    /// The simulator. Limit faults to this thread: `Fault::nth(1).on_this_thread()`.
    pub fn sim(&self) -> &Sim {
        self.bench.sim()
    }

    /// This moment.
    pub fn mark(&self) -> Mark {
        self.bench.mark()
    }

    /// The calling thread's calls since then.
    pub fn counts_since(&self, mark: &Mark) -> Counts {
        self.bench.trace().thread_counts_since(mark)
    }

    /// The races in which an operation of the calling thread takes part.
    pub fn races(&self) -> Vec<Race> {
        let mine = HostThread::current();
        // The whole log is judged: what other threads did gives order too.
        let report = self.bench.report();
        let is_mine = |race: &&Race| race.first.thread == mine || race.second.thread == mine;
        report.races().iter().filter(is_mine).cloned().collect()
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.sim().faults().clear_this_thread();
        if !std::thread::panicking() {
            let races = self.races();
            assert!(races.is_empty(), "{}", races.iter().map(Race::to_string).collect::<Vec<_>>().join("\n"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::shared_device;
    use antecede::{Device, Error, streams};
    use antecede_sim::{Call, Fault};
    use antecede_trace::Call as Traced;
    use std::thread;

    streams! { Here, There }

    #[test]
    fn each_thread_counts_for_itself() {
        let shared = shared_device();
        let here = shared.device().stream::<Here>().unwrap();
        let mark = shared.mark();
        let x = here.alloc::<u8>(4).unwrap();
        thread::spawn(move || drop(x)).join().unwrap();
        let calls = shared.counts_since(&mark);
        assert_eq!((calls.of(Traced::Alloc), calls.of(Traced::Free)), (1, 0));
    }

    #[test]
    fn a_fault_strikes_its_own_thread_and_is_taken_back() {
        let shared = shared_device();
        let here = shared.device().stream::<Here>().unwrap();
        shared.sim().faults().inject(Fault::every().of(Call::Alloc).on_this_thread());
        let elsewhere = thread::spawn(move || here.alloc::<u8>(4).is_ok()).join().unwrap();
        assert!(elsewhere);
        assert!(matches!(here.alloc::<u8>(4), Err(Error::Driver(_))));
        drop(shared);
        assert!(here.alloc::<u8>(4).is_ok());
    }

    #[test]
    fn code_that_opens_primary_itself_gets_the_same_device() {
        let shared = shared_device();
        let there = shared.device().stream::<There>().unwrap();
        let again = Device::primary(shared.driver()).unwrap().stream::<There>().unwrap();
        assert!(there == again);
    }

    #[test]
    fn races_of_this_thread_fail_its_test() {
        let outcome = thread::spawn(|| {
            let shared = shared_device();
            let (here, there) = shared.device().streams::<(Here, There)>().unwrap();
            crate::racing::write_without_a_wait(here, there);
        });
        assert!(outcome.join().is_err());
        // It is reported to the thread that it belongs to, and to no other.
        assert!(shared_device().races().is_empty());
    }
}
