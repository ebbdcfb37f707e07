//! Scenarios that are written once and run on several drivers.

use antecede::driver::Driver;
use antecede::{Device, Result, Scoped};
use antecede_trace::{Report, Trace, judge};
use std::sync::Arc;

/// Mounts scenarios on the simulator, with [`on_sim`](crate::on_sim), and on a GPU, with [`on_cust`]: for each of
/// `fn name<D: DeviceBrand>(device: Device<D>) -> Result<()>` the tests `on_sim::name` and `on_cust::name`.
///
/// The tests on a GPU are ignored, so that they are counted where there is none. Run them with
/// `cargo test --features cuda -- --ignored on_cust --test-threads=1`.
#[macro_export]
macro_rules! mount {
    ($($name:ident),* $(,)?) => {
        mod on_sim {
            $(#[test]
            fn $name() {
                $crate::on_sim(|device, _| super::$name(device));
            })*
        }

        mod on_cust {
            $(#[test]
            #[ignore = "needs a GPU"]
            fn $name() {
                $crate::on_cust(|device| super::$name(device));
            })*
        }
    };
}

/// Runs a test on the first GPU, with a trace around its driver: no race, nothing leaked.
///
/// # Panics
/// If the closure panics or returns an error, a check fails, there is no GPU, or this crate was built without the feature
/// `cuda`.
#[track_caller]
pub fn on_cust(test: impl for<'id> FnOnce(Device<Scoped<'id>>) -> Result<()>) {
    report_on_cust(test).assert_silent();
}

/// Runs a test on the first GPU, with a trace around its driver: nothing leaked. Returns what the judge says.
///
/// # Panics
/// If the closure panics or returns an error, something is leaked, there is no GPU, or this crate was built without the
/// feature `cuda`.
#[track_caller]
pub fn report_on_cust(test: impl for<'id> FnOnce(Device<Scoped<'id>>) -> Result<()>) -> Report {
    let trace = Trace::new(driver_on_cust());
    let leaked = Device::scope(trace.clone(), 0, |device| {
        test(device)?;
        Ok(device.leaked())
    });
    assert_eq!(leaked.expect("the test's operations succeed"), 0, "allocations were leaked");
    judge(&trace.log())
}

#[cfg(feature = "cuda")]
/// The driver of the GPU, for tests that open devices themselves.
///
/// # Panics
/// Without a GPU, or without the feature `cuda`.
pub fn driver_on_cust() -> Arc<dyn Driver> {
    antecede_cust::Cuda::new().expect("there is a GPU").into()
}

#[cfg(not(feature = "cuda"))]
/// The driver of the GPU, for tests that open devices themselves.
///
/// # Panics
/// Without a GPU, or without the feature `cuda`.
pub fn driver_on_cust() -> Arc<dyn Driver> {
    panic!("this is built without a driver for GPUs: build with the feature `cuda`");
}
