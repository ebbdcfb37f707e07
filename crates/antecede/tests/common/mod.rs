//! A traced simulator for tests of this crate alone.

use antecede::{Device, Result, Scoped};
use antecede_sim::Sim;
use antecede_trace::{Call, Mark, Trace, judge};

/// The calls that tests count, since a mark.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Orders {
    pub(crate) records: u64,
    pub(crate) waits: u64,
}

pub(crate) fn orders(trace: &Trace, mark: &Mark) -> Orders {
    let counts = trace.counts_since(mark);
    Orders { records: counts.of(Call::EventRecord), waits: counts.of(Call::EventWait) }
}

/// Runs `test` on a fresh simulated device for several seeds; the judge is silent, and nothing is left, after each.
#[track_caller]
pub(crate) fn on_sim(test: impl for<'id> Fn(Device<Scoped<'id>>, &Sim, &Trace) -> Result<()>) {
    for seed in 0..20 {
        let sim = Sim::builder().seed(seed).build();
        let trace = Trace::new(sim.clone());
        Device::scope(trace.clone(), 0, |device| {
            test(device, &sim, &trace)?;
            assert_eq!(device.leaked(), 0, "seed {seed}");
            Ok(())
        })
        .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        judge(&trace.log()).assert_silent();
        let live = sim.live();
        assert_eq!((live.allocations, live.pinned_allocations, live.events), (0, 0, 0), "seed {seed}");
    }
}
