//! The command `crypt`.

use std::io::{self, Write};
use std::thread;
use std::time::Instant;

use antecede::{Device, DeviceBrand};
use indicatif::ProgressBar;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::cli::CryptArgs;
use crate::error::Error;
use crate::input::Input;
use crate::key::Cipher;
use crate::output::Output;
use crate::pipeline::{Pipeline, Ring};
use crate::progress::{Summary, bar};

/// The most threads that read and write.
const MOST_THREADS: usize = 16;

/// Enciphers a file as the command line says.
///
/// # Errors
/// Any [`Error`]; nothing is left of the output then.
pub fn crypt(args: &CryptArgs) -> Result<(), Error> {
    let cipher = Cipher::new(&args.key.parse()?, &args.nonce.parse()?, args.counter);
    let input = Input::open(&args.input)?;
    check_length(&cipher, &input)?;
    let output = Output::create(&args.output, &input)?;
    let chosen = args.device.open()?;
    let say = |line: &dyn std::fmt::Display| {
        if !args.quiet {
            // Nobody reads it: no reason to fail.
            let _ = writeln!(io::stderr(), "{line}");
        }
    };
    let device = Device::primary(chosen.driver)?;
    let progress = if args.quiet { ProgressBar::hidden() } else { bar(input.known_len()) };
    let ring = Ring { chunk: args.chunk, ..Ring::default() };
    let result = encipher(device, &cipher, ring, &input, output, &progress);
    progress.finish_and_clear();
    let summary = result?;
    // Said at the end: where something fails, the cause is the one line.
    if let Some(reason) = chosen.instead_of_cuda {
        say(&format_args!("ran on the simulator: {reason}"));
    }
    say(&summary);
    Ok(())
}

/// Enciphers `input` into `output`, which is finished if all goes well, and removed otherwise. Chunks are no larger than
/// the input.
///
/// # Errors
/// [`Error::Counter`], [`Error::Read`], [`Error::Write`], [`Error::Device`], [`Error::Start`].
pub fn encipher<D: DeviceBrand>(
    device: Device<D>,
    cipher: &Cipher,
    ring: Ring,
    input: &Input,
    output: Output,
    progress: &ProgressBar,
) -> Result<Summary, Error> {
    check_length(cipher, input)?;
    let threads = threads()?;
    let ring = Ring { chunk: input.known_len().map_or(ring.chunk, |len| ring.chunk.at_most(len)), ..ring };
    let failed = |failure: crate::Failure| failure.of(input.name(), output.name(), cipher);
    let mut pipeline = Pipeline::new(device, cipher.clone(), ring).map_err(failed)?;
    let begun = Instant::now();
    let (mut source, mut sink) = (input.source(&threads), output.sink(&threads));
    let bytes = pipeline.run(&mut *source, &mut *sink, &|bytes| progress.inc(bytes)).map_err(failed)?;
    let elapsed = begun.elapsed();
    drop(sink);
    output.finish()?;
    Ok(Summary { bytes, elapsed, driver: device.driver_name(), ring })
}

/// Refuses an input that is known to be too long, before anything is done.
fn check_length(cipher: &Cipher, input: &Input) -> Result<(), Error> {
    match input.known_len() {
        Some(len) if cipher.counter_at(0, len).is_none() => Err(Error::counter(input.name(), cipher)),
        _ => Ok(()),
    }
}

fn threads() -> Result<ThreadPool, Error> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let pool = ThreadPoolBuilder::new().num_threads(cores.min(MOST_THREADS)).thread_name(|i| format!("files-{i}"));
    pool.build().map_err(|error| Error::Start(io::Error::other(error)))
}
