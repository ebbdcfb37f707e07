//! The side that uses another process's buffer.

use std::convert::Infallible;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use antecede::{Device, DeviceBrand, ReadOnly, ReadWrite};
use antecede_ipc::{Access, Importer, LinkError};

use super::pattern::Words;
use super::{Exchange, ImporterArgs, Plant, START_LIMIT, answered, written};
use crate::error::{Error, FileName};

/// Imports what the exporter at standard input offers, until it ends the connection; then writes how long each round took
/// to standard output: nanoseconds, as 8 little-endian bytes.
///
/// # Errors
/// [`Error::WrongWord`], [`Error::Exchange`], [`Error::Device`], and what opening the device returns. Not that the exporter
/// is gone, at whatever point: it knows why.
pub fn ipc_importer(args: &ImporterArgs) -> Result<(), Error> {
    let socket = io::stdin().as_fd().try_clone_to_owned().map_err(Error::Start)?;
    let driver = args.device.open()?.driver;
    let device = Device::primary(driver)?;
    let mut importer = match Importer::over(device, socket).map_err(Error::from) {
        Err(error) if error.is_of_a_peer_that_is_gone() => return Ok(()),
        connected => connected?,
    };
    let times = serve(device, &mut importer, Duration::from_secs(args.time_limit.get()), args.plant)?;
    let bytes: Vec<u8> = times.iter().flat_map(|time| (time.as_nanos() as u64).to_le_bytes()).collect();
    io::stdout().write_all(&bytes).map_err(|source| Error::Write { file: FileName::StandardOutput, source })
}

/// Verifies every buffer that is offered, answers if it may be written, and lets it go: until the connection ends.
/// Returns how long each took, from the offer to the receipt.
pub(super) fn serve<D: DeviceBrand>(
    device: Device<D>,
    importer: &mut Importer<D>,
    time_limit: Duration,
    plant: Option<Plant>,
) -> Result<Vec<Duration>, Error> {
    let mut times = Vec::new();
    match rounds(device, importer, time_limit, plant, &mut times) {
        Err(error) if error.is_of_a_peer_that_is_gone() => Ok(times),
        Err(error) => Err(error),
        Ok(never) => match never {},
    }
}

fn rounds<D: DeviceBrand>(
    device: Device<D>,
    importer: &mut Importer<D>,
    time_limit: Duration,
    plant: Option<Plant>,
    times: &mut Vec<Duration>,
) -> Result<Infallible, Error> {
    let stream = device.stream::<Exchange>()?;
    let mut words = Words::new(device, stream)?;
    let mut round = 0_u32;
    // The first offer comes when the others are there too.
    importer.set_time_limit(START_LIMIT);
    loop {
        let offer = importer.next_offer()?;
        let begun = Instant::now();
        importer.set_time_limit(time_limit);
        let plant = plant.filter(|_| round == Plant::ROUND);
        match offer.access() {
            Access::ForWriting => {
                let mut x = offer.import::<u32, ReadWrite, _>(stream)?;
                words.expect(&x, written(round), round)?;
                words.fill(&mut x, answered(round))?;
                match plant {
                    Some(Plant::Answer) => words.spoil(&mut x, answered(round))?,
                    Some(Plant::Exit) => std::process::exit(3),
                    Some(Plant::Hang) => return until_the_end(importer),
                    Some(Plant::Fill) | None => {}
                }
                importer.release(stream.sync(x)?)?;
            }
            Access::ForReading => {
                let x = offer.import::<u32, ReadOnly, _>(stream)?;
                words.expect(&x, written(round), round)?;
                match plant {
                    Some(Plant::Exit) => std::process::exit(3),
                    Some(Plant::Hang) => return until_the_end(importer),
                    Some(Plant::Answer | Plant::Fill) | None => {}
                }
                importer.release(stream.sync(x)?)?;
            }
        }
        times.push(begun.elapsed());
        round = round.wrapping_add(1);
    }
}

/// Keeps what it has until the exporter is gone.
fn until_the_end<D: DeviceBrand>(importer: &mut Importer<D>) -> Result<Infallible, Error> {
    loop {
        if let Err(error @ antecede_ipc::Error::Link(LinkError::PeerGone)) = importer.next_offer() {
            return Err(error.into());
        }
    }
}
