//! The command `ipc`: a buffer goes to other processes and back, again and again, and every word of it is verified on
//! both sides.

mod args;
mod exporter;
mod importer;
mod pattern;
mod process;
mod script;
mod table;

pub use args::{ImporterArgs, IpcArgs, Plant, ReadyChoice};
pub use importer::ipc_importer;

use std::io::Write;
use std::time::Duration;

use antecede::{Device, DeviceBrand};
use antecede_ipc::Exporter;

use crate::error::{Error, FileName};
use exporter::{Rounds, Timing};
use process::{Peer, Processes};
use table::Table;

antecede::streams! {
    /// Where each process works.
    pub Exchange,
}

/// What a process may take to start and to open the device, whatever the time limit of a round is.
const START_LIMIT: Duration = Duration::from_secs(60);
/// Rounds of each way before those that are measured: pools are opened, modules loaded and events made in them.
const WARM_UP: u32 = 10;

/// Which word the exporter writes in a round, and which the importer answers with: seeds of the pattern.
fn written(round: u32) -> u32 {
    round.wrapping_mul(2)
}

fn answered(round: u32) -> u32 {
    written(round).wrapping_add(1)
}

/// Exchanges buffers as the command line says, and prints how long it took.
///
/// # Errors
/// [`Error::WrongWord`], [`Error::Exchange`], [`Error::Process`], [`Error::Device`], and what opening the device returns.
/// No process is left behind.
pub fn ipc(args: &IpcArgs, out: &mut dyn Write) -> Result<(), Error> {
    let text = match &args.python_export {
        Some(script) => script::import_from(script, args)?,
        None => export(args)?.to_string(),
    };
    write!(out, "{text}")
        .and_then(|()| out.flush())
        .map_err(|source| Error::Write { file: FileName::StandardOutput, source })
}

fn export(args: &IpcArgs) -> Result<Table, Error> {
    let mut table = Table::new(args);
    // Before the device is opened: what its driver opens is none of theirs.
    let mut processes = Processes::default();
    for number in 0..args.importers.get() {
        processes.start(format!("importer {number}"), Peer::of(number, args))?;
    }
    let driver = args.device.open()?.driver;
    let device = Device::primary(driver)?;
    table.driver = device.driver_name();
    let rounds = exchange(device, &mut processes, args);
    // The exporter is gone here: so the processes end.
    match rounds {
        Ok(timings) => {
            let theirs = processes.finish()?;
            for (number, (ready, timing)) in timings.into_iter().enumerate() {
                let first = number * (WARM_UP + args.rounds.get()) as usize + WARM_UP as usize;
                table.add(ready, &timing, theirs.iter().filter_map(|times| times.get(first..)));
            }
            Ok(table)
        }
        Err(error) => Err(processes.explain(error)),
    }
}

/// All rounds of all ways, over connections that end with this.
fn exchange<D: DeviceBrand>(
    device: Device<D>,
    processes: &mut Processes,
    args: &IpcArgs,
) -> Result<Vec<(&'static str, Vec<Timing>)>, Error> {
    let mut exporter = Exporter::new(device)?;
    exporter.set_time_limit(START_LIMIT);
    let importers = processes.connect(&mut exporter)?;
    exporter.set_time_limit(args.time_limit());
    let progress = args.progress();
    let mut rounds = Rounds::new(device, exporter, importers, args)?;
    let mut timings = Vec::new();
    for ready in args.ready.ways() {
        timings.push((ready.name(), rounds.run(*ready, &progress)?));
    }
    progress.finish_and_clear();
    Ok(timings)
}
