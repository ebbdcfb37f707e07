//! Enumerates, compiles, judges and reports.

use antecede_enumerate::compiler::Library;
use antecede_enumerate::experiment::Experiment;
use antecede_enumerate::render::Doors;
use antecede_enumerate::{Language, page, report};
use clap::Parser;
use std::error::Error;
use std::fs;
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Instant;

/// Every program of a small language, compiled against `antecede` and judged: what is accepted must not race.
#[derive(Parser, Debug)]
struct Options {
    /// Operations of the longest programs; some languages go one further, one stops one before.
    #[arg(long, default_value_t = 2)]
    length: usize,
    /// Only languages whose name contains this.
    #[arg(long)]
    only: Option<String>,
    /// Programs in one file.
    #[arg(long, default_value = "4000")]
    file: NonZero<usize>,
    /// Files that are compiled at once.
    #[arg(long, default_value = "2")]
    jobs: NonZero<usize>,
    /// Writes `take` as `take_unchecked`, to see that programs which race are then accepted and found.
    #[arg(long)]
    unchecked: bool,
    /// Says how many programs there are, and compiles none.
    #[arg(long)]
    count: bool,
    /// A Markdown page whose section on the enumeration is replaced by what was found.
    #[arg(long)]
    out: Option<PathBuf>,
    /// The date that the section gives.
    #[arg(long, default_value = "an unknown date", requires = "out")]
    date: String,
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let options = Options::parse();
    let is_chosen =
        |language: &Language| options.only.as_ref().is_none_or(|only| language.name.contains(only.as_str()));
    let languages: Vec<Language> = Language::all().into_iter().filter(is_chosen).collect();
    if options.count {
        let mut total = 0;
        for (language, programs) in Language::programs_of(&languages, options.length) {
            let (name, operations) = (language.name, language.alphabet.len());
            println!("{name}: {operations} operations, {} programs", programs.len());
            total += programs.len();
        }
        println!("{total} programs");
        return Ok(ExitCode::SUCCESS);
    }
    let library = Library::build()?;
    let doors = if options.unchecked { Doors::TakeUnchecked } else { Doors::Checked };
    let experiment =
        Experiment { library: &library, length: options.length, file: options.file, jobs: options.jobs, doors };
    let begun = Instant::now();
    let latest = Mutex::new("");
    let tally = experiment.run(&languages, |what, done, of| {
        if let Ok(mut latest) = latest.lock() {
            let start = if *latest == what { '\r' } else { '\n' };
            eprint!("{start}{:5} s  {what}: {done} of {of}", begun.elapsed().as_secs());
            *latest = what;
        }
    })?;
    let seconds = begun.elapsed().as_secs();
    eprintln!();
    println!("{}", report::tables(&tally));
    println!("{} programs in {seconds} s, with {} jobs", tally.all().total(), options.jobs);
    for hole in &tally.holes {
        let mut text = "accepted, and racing:\n".to_owned();
        report::listing(&mut text, hole);
        println!("{text}");
    }
    if let (Some(out), true) = (&options.out, tally.holes.is_empty()) {
        let mut command = format!("cargo run --release -p antecede-enumerate -- --length {}", options.length);
        if let Some(only) = &options.only {
            command.push_str(&format!(" --only '{only}'"));
        }
        command.push_str(&format!(" --out docs/src/evidence.md --date {}", options.date));
        let run = page::Run {
            command,
            date: options.date,
            rustc: library.rustc_version()?,
            seconds,
            jobs: options.jobs.get(),
        };
        let section = page::section(&run, &tally, &report::examples(&experiment, &tally)?);
        let before = fs::read_to_string(out).unwrap_or_default();
        fs::write(out, page::replace(&before, &section))?;
    }
    Ok(if tally.holes.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
