//! Which device to use.

use std::sync::Arc;

use antecede::driver::Driver;
use antecede_sim::Sim;

use crate::error::Error;

/// The device that a command is asked to use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum DeviceChoice {
    /// The simulator: the same program, slowly, on the CPU
    Sim,
    /// The first CUDA device
    Cuda,
    /// A CUDA device if there is one, else the simulator
    #[default]
    Auto,
}

/// A driver, and why it is not the one for GPUs.
#[derive(Debug)]
pub struct Chosen {
    /// The driver.
    pub driver: Arc<dyn Driver>,
    /// Where a GPU was looked for and not found, the reason.
    pub instead_of_cuda: Option<Error>,
}

impl DeviceChoice {
    /// Opens the driver.
    ///
    /// # Errors
    /// For [`Cuda`](DeviceChoice::Cuda): [`Error::NoCuda`], [`Error::NoCudaDevice`], [`Error::BuiltWithoutCuda`].
    pub fn open(self) -> Result<Chosen, Error> {
        let chosen = |driver, instead_of_cuda| Ok(Chosen { driver, instead_of_cuda });
        match self {
            DeviceChoice::Sim => chosen(Sim::new().into(), None),
            DeviceChoice::Cuda => chosen(cuda()?, None),
            DeviceChoice::Auto => match cuda() {
                Ok(driver) => chosen(driver, None),
                Err(error) => chosen(Sim::new().into(), Some(error)),
            },
        }
    }

    /// The same, with a [`simulator`] that is the same at each run.
    ///
    /// # Errors
    /// Those of [`open`](DeviceChoice::open).
    pub fn open_repeatable(self) -> Result<Chosen, Error> {
        let chosen = self.open()?;
        Ok(if chosen.driver.name() == "sim" { Chosen { driver: simulator(), ..chosen } } else { chosen })
    }
}

/// A simulator whose order is the same at each run of the program. It is late, so the read overtakes the write for most
/// seeds, and for this one.
pub fn simulator() -> Arc<dyn Driver> {
    Sim::builder().seed(1).build().into()
}

#[cfg(feature = "cuda")]
fn cuda() -> Result<Arc<dyn Driver>, Error> {
    let driver: Arc<dyn Driver> = antecede_cust::Cuda::new().map_err(Error::NoCuda)?.into();
    match driver.device_count() {
        Ok(0) => Err(Error::NoCudaDevice),
        Ok(_) => Ok(driver),
        Err(error) => Err(Error::NoCuda(error)),
    }
}

#[cfg(not(feature = "cuda"))]
fn cuda() -> Result<Arc<dyn Driver>, Error> {
    Err(Error::BuiltWithoutCuda)
}
