//! A trace that measures, where there is something to measure.

use std::sync::Arc;

use antecede::driver::Driver;
use antecede_trace::Trace;

use crate::error::Error;

/// A trace around the driver. On a GPU it measures, on device 0; the simulator has no durations.
///
/// # Errors
/// [`Error::NoCuda`] if the driver cannot measure.
#[cfg(feature = "cuda")]
pub(crate) fn traced(driver: Arc<dyn Driver>) -> Result<Trace, Error> {
    use antecede_cust::{Cuda, Timer};

    use crate::trusted::TimingEvents;

    if driver.name() != "cuda" {
        return Ok(Trace::new(driver));
    }
    let timer = Cuda::new().and_then(|cuda| Timer::new(cuda, 0)).map_err(Error::NoCuda)?;
    Ok(Trace::timed(driver, Arc::new(TimingEvents(timer))))
}

/// A trace around the driver, which is the simulator here, and has no durations.
///
/// # Errors
/// None.
#[cfg(not(feature = "cuda"))]
pub(crate) fn traced(driver: Arc<dyn Driver>) -> Result<Trace, Error> {
    Ok(Trace::new(driver))
}
