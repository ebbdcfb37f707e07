//! The command `timeline`: a picture of what happened on the device.

use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use antecede::driver::Driver;
use antecede::{Device, DeviceBrand};
use antecede_trace::draw::{Timeline, bytes};
use antecede_trace::{Log, Trace, judge};

use crate::cli::TimelineArgs;
use crate::error::{Error, FileName};
use crate::key::Cipher;
use crate::output::Output;
use crate::pipeline::{Failure, Pipeline, Ring};
use crate::race::{HandOver, run_traced};
use crate::sink::SequentialSink;
use crate::source::SequentialSource;
use crate::stopwatch;

/// How a timeline is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Svg,
    Json,
}

impl Format {
    /// By the ending of the name.
    fn of(path: &Path) -> Result<Self, Error> {
        match path.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase).as_deref() {
            Some("svg") => Ok(Format::Svg),
            Some("json") => Ok(Format::Json),
            _ => Err(Error::Format { file: path.into() }),
        }
    }

    fn write(self, drawn: &Drawn) -> String {
        match self {
            Format::Svg => drawn.timeline.to_svg(&drawn.title),
            Format::Json => drawn.timeline.to_perfetto(&drawn.title),
        }
    }
}

/// A timeline and its title.
#[derive(Clone, PartialEq, Debug)]
pub struct Drawn {
    /// The timeline.
    pub timeline: Timeline,
    /// The title.
    pub title: String,
}

/// Draws what the command line asks for.
///
/// # Errors
/// [`Error::Format`], [`Error::Directory`], [`Error::NoFolder`], [`Error::Write`], [`Error::Device`], and what opening
/// the device returns; nothing is left of the output then.
pub fn timeline(args: &TimelineArgs) -> Result<(), Error> {
    let format = Format::of(&args.out)?;
    let output = Output::create_alone(&args.out)?;
    let driver = args.device.open_repeatable()?.driver;
    let drawn = if args.race {
        draw_race(driver)?
    } else {
        let ring = Ring { chunk: args.chunk, ..Ring::default() };
        draw_crypt(driver, ring, args.chunks)?
    };
    output.write_text(&format.write(&drawn))
}

/// Runs the pipeline of `crypt` on so many chunks, of which the last has three quarters of the size, and draws it from
/// the first chunk on: what opens streams and allocates before, and what ends them, is left out.
///
/// # Errors
/// [`Error::Device`], and what setting up the measurement returns.
pub fn draw_crypt(driver: Arc<dyn Driver>, ring: Ring, chunks: u16) -> Result<Drawn, Error> {
    let name = driver.name();
    let trace = stopwatch::traced(driver)?;
    let log = Device::scope(trace.clone(), 0, |device| Ok(run_crypt(device, &trace, ring, chunks)))?;
    let log = log.map_err(|failure| failure.of(&FileName::StandardInput, &FileName::StandardOutput, &cipher()))?;
    // Every stream has been waited for by now, so all times are there.
    let timeline = Timeline::measured(&log, &trace.times()).with_races(&judge(&log));
    let noun = if chunks == 1 { "chunk" } else { "chunks" };
    let title = format!("crypt, {chunks} {noun} of {}, on {name}", bytes(ring.chunk.bytes() as u64));
    Ok(Drawn { timeline, title })
}

/// Runs the program of `race` without its wait, and draws it and the race.
///
/// # Errors
/// [`Error::Device`], and what setting up the measurement returns.
pub fn draw_race(driver: Arc<dyn Driver>) -> Result<Drawn, Error> {
    let name = driver.name();
    let trace = stopwatch::traced(driver)?;
    let run = run_traced(&trace, HandOver::Unchecked)?;
    let timeline = Timeline::measured(&run.log, &trace.times()).with_races(&run.report);
    Ok(Drawn { timeline, title: format!("race, the wait left out, on {name}") })
}

fn run_crypt<D: DeviceBrand>(device: Device<D>, trace: &Trace, ring: Ring, chunks: u16) -> Result<Log, Failure> {
    let mut pipeline = Pipeline::new(device, cipher(), ring)?;
    let mut run = |bytes| {
        let mut source = SequentialSource(io::repeat(0x5a).take(bytes));
        pipeline.run(&mut source, &mut SequentialSink(io::sink()), &|_| {})
    };
    let chunk = ring.chunk.bytes() as u64;
    // What happens once only, on a device and in the library, is not what the picture is about.
    run(chunk / 2)?;
    let begun = trace.mark();
    run((u64::from(chunks) * 4 - 1) * chunk / 4)?;
    Ok(trace.log_since(&begun))
}

/// Any cipher: the bytes are not looked at.
fn cipher() -> Cipher {
    let (key, nonce) = ("2a".repeat(32), "07".repeat(12));
    Cipher::new(&key.parse().expect("64 digits"), &nonce.parse().expect("24 digits"), 0)
}
