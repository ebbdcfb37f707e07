//! Tests on a fresh simulated device.

use crate::Bench;
use antecede::{Device, Result, Scoped};
use antecede_sim::{Order, Sim};
use std::ops::Range;

/// Runs a test on a fresh simulated device, and checks afterwards what every test wants checked.
///
/// After the closure, and after the end of the device's scope:
/// - the judge finds no race in the log of all calls, unless [`allow_races`](Fixture::allow_races);
/// - nothing was leaked, nothing is still allocated, no stream, event, module or context is left, and no operation is
///   left undone, unless [`allow_leaks`](Fixture::allow_leaks).
///
/// A failure prints the seed, and the setting of `ANTECEDE_SIM_SEED` that repeats it.
#[derive(Clone, Debug)]
#[must_use = "a fixture does nothing until it is run"]
pub struct Fixture {
    seeds: Range<u64>,
    devices: u32,
    order: Order,
    memory: Option<u64>,
    races: bool,
    leaks: bool,
}

/// Runs a test on fresh simulated devices with eight seeds, one after the other. See [`Fixture`].
///
/// ```
/// antecede::streams! { Compute }
///
/// antecede_testkit::on_sim(|device, bench| {
///     let compute = device.stream::<Compute>()?;
///     let x = compute.upload(&[1u8, 2, 3])?;
///     assert_eq!(compute.download(&x)?, [1, 2, 3]);
///     assert_eq!(bench.sim().live().allocations, 1);
///     Ok(())
/// });
/// ```
///
/// # Panics
/// If the closure panics or returns an error, or a check fails.
#[track_caller]
pub fn on_sim(test: impl for<'id> FnMut(Device<Scoped<'id>>, &Bench) -> Result<()>) {
    Fixture::new().run(test);
}

impl Fixture {
    /// One device, eight seeds, the adversarial order, nothing allowed.
    pub fn new() -> Self {
        Fixture { seeds: 0..8, devices: 1, order: Order::default(), memory: None, races: false, leaks: false }
    }

    /// One run for each of these seeds. `ANTECEDE_SIM_SEED`, if it is set, is the only one.
    pub fn seeds(self, seeds: Range<u64>) -> Self {
        Fixture { seeds, ..self }
    }

    /// The number of devices; the closure gets that of ordinal 0.
    pub fn devices(self, devices: u32) -> Self {
        Fixture { devices, ..self }
    }

    /// The order in which operations take effect.
    pub fn order(self, order: Order) -> Self {
        Fixture { order, ..self }
    }

    /// The device's memory, in bytes.
    pub fn memory(self, bytes: u64) -> Self {
        Fixture { memory: Some(bytes), ..self }
    }

    /// The test means to race.
    pub fn allow_races(self) -> Self {
        Fixture { races: true, ..self }
    }

    /// The test means to leak: it forgets values, or makes calls fail.
    pub fn allow_leaks(self) -> Self {
        Fixture { leaks: true, ..self }
    }

    /// Runs the test.
    ///
    /// # Panics
    /// If the closure panics or returns an error, or a check fails.
    #[track_caller]
    pub fn run(self, mut test: impl for<'id> FnMut(Device<Scoped<'id>>, &Bench) -> Result<()>) {
        if std::env::var_os("ANTECEDE_SIM_SEED").is_some() {
            return self.run_once(None, &mut test);
        }
        for seed in self.seeds.clone() {
            self.run_once(Some(seed), &mut test);
        }
    }

    #[track_caller]
    fn run_once(&self, seed: Option<u64>, test: &mut impl for<'id> FnMut(Device<Scoped<'id>>, &Bench) -> Result<()>) {
        let mut builder = Sim::builder().devices(self.devices).mode(self.order);
        if let Some(seed) = seed {
            builder = builder.seed(seed);
        }
        if let Some(bytes) = self.memory {
            builder = builder.memory(bytes);
        }
        let bench = Bench::new(builder.build());
        let _replay = Replay(bench.sim().seed());
        let (mut result, mut leaked) = (Ok(()), 0);
        let closed = Device::scope(bench.trace().clone(), 0, |device| {
            result = test(device, &bench);
            leaked = device.leaked();
            Ok(())
        });
        let report = bench.report();
        assert!(self.races || report.is_silent(), "{report}\n{}", bench.trace().log());
        result.expect("the test's operations succeed");
        // A device that was lost ends its scope with an error.
        assert!(self.leaks || closed.is_ok(), "the scope of the test's device ends with an error: {closed:?}");
        if !self.leaks {
            assert_eq!(leaked, 0, "allocations were leaked");
            let live = bench.sim().live();
            let left = (live.allocations, live.pinned_allocations, live.streams, live.events, live.modules);
            assert_eq!(left, (0, 0, 0, 0, 0), "allocations, pinned allocations, streams, events, modules are left");
            assert_eq!((live.contexts, live.pending), (0, 0), "open contexts and undone operations are left");
        }
    }
}

impl Default for Fixture {
    fn default() -> Self {
        Fixture::new()
    }
}

/// Says how to repeat a run that fails.
struct Replay(u64);

impl Drop for Replay {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the simulator's seed was {0}: repeat with ANTECEDE_SIM_SEED={0}", self.0);
        }
    }
}
