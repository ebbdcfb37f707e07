//! A Python script exports, and this process imports.

use std::ffi::OsString;
use std::fmt;
use std::path::Path;
use std::time::Duration;

use antecede::Device;
use clap::ValueEnum;

use super::IpcArgs;
use super::importer::serve;
use super::process::{Peer, Processes};
use super::table::Distribution;
use crate::error::Error;
use crate::trusted;

/// What came of it.
#[derive(Debug)]
pub(super) struct Imported {
    buffers: usize,
    bytes: usize,
    driver: &'static str,
    times: Distribution,
}

/// Imports all that the script offers: as many buffers as it was asked for.
pub(super) fn import_from(script: &Path, args: &IpcArgs) -> Result<String, Error> {
    let mut processes = Processes::default();
    let mut arguments = asked_for(args);
    arguments.extend(args.script_arguments.iter().cloned());
    let (python, script) = (args.python.clone(), script.to_owned());
    processes.start("the script".into(), Peer::Script { python, script, arguments, exports: true })?;
    let imported = import(&mut processes, args);
    match imported {
        Ok(imported) => {
            processes.finish()?;
            let (expected, found) = (args.rounds.get() as usize, imported.buffers);
            if expected != found {
                return Err(Error::FewerRounds { expected, found });
            }
            Ok(imported.to_string())
        }
        Err(error) => Err(processes.explain(error)),
    }
}

fn import(processes: &mut Processes, args: &IpcArgs) -> Result<Imported, Error> {
    let driver = args.device.open()?.driver;
    let device = Device::primary(driver)?;
    let mut importer = trusted::import_from_script(device, processes.when_ready()?)?;
    let times = serve(device, &mut importer, args.time_limit(), args.plant)?;
    let (buffers, bytes, driver) = (times.len(), args.bytes.bytes(), device.driver_name());
    Ok(Imported { buffers, bytes, driver, times: Distribution::of(times) })
}

/// What the script is to do.
fn asked_for(args: &IpcArgs) -> Vec<OsString> {
    let ready = args.ready.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
    [
        ["--rounds".to_owned(), args.rounds.to_string()],
        ["--bytes".to_owned(), args.bytes.bytes().to_string()],
        ["--ready".to_owned(), ready],
    ]
    .into_iter()
    .flatten()
    .map(Into::into)
    .collect()
}

impl fmt::Display for Imported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Imported { buffers, bytes, driver, times } = self;
        let micros = |time: Duration| time.as_secs_f64() * 1e6;
        let (median, min) = (micros(times.median), micros(times.min));
        writeln!(
            f,
            "{buffers} buffers of {bytes} bytes of a script's, verified and let go ({driver}): median {median:.1} us, min {min:.1} us"
        )
    }
}
