//! Applies the mutations, and reports which were caught.
//!
//! `--sample N` takes every so many of them, N in all; `--only WORDS` those with these words in their row; `--in FOLDER` works
//! in another folder below `target` than `mutations`; `--rows` prints the book's table.

mod scratch;

use antecede_mutate::{Catcher, Mutation, all};
use scratch::{Scratch, Verdict};
use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;
use std::time::Instant;

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (mut sample, mut only, mut folder) = (usize::MAX, String::new(), "mutations".to_owned());
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("{argument} needs a value"));
        match argument.as_str() {
            "--sample" => sample = value()?.parse()?,
            "--only" => only = value()?,
            "--in" => folder = value()?,
            "--rows" => {
                all().for_each(|mutation| println!("{}", mutation.row()));
                return Ok(ExitCode::SUCCESS);
            }
            other => return Err(format!("unknown: {other}").into()),
        }
    }
    let chosen: Vec<&Mutation> = all().filter(|mutation| mutation.row().contains(&only)).collect();
    let step = chosen.len().div_ceil(sample.max(1)).max(1);
    let chosen: Vec<&Mutation> = chosen.into_iter().step_by(step).collect();
    let scratch = Scratch::new(&folder)?;
    let mut wrong = unmutated(&scratch, &chosen)?;
    for mutation in &chosen {
        let begun = Instant::now();
        let verdict = scratch.with(mutation)?;
        let word = match &verdict {
            Verdict::Failed => "caught",
            Verdict::Passed => "SURVIVED",
            Verdict::Broken(_) => "BROKEN",
        };
        println!("{word:8} {:5.1} s  {}  ({})", begun.elapsed().as_secs_f64(), mutation.name, mutation.catcher);
        if let Verdict::Broken(why) = &verdict {
            println!("{why}");
        }
        wrong += usize::from(verdict != Verdict::Failed);
    }
    println!("{} mutations, {wrong} of them or of their catchers not as they should be", chosen.len());
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs each catcher once without a mutation; how many do not pass.
fn unmutated(scratch: &Scratch, chosen: &[&Mutation]) -> std::io::Result<usize> {
    let catchers: BTreeSet<Catcher> = chosen.iter().map(|mutation| mutation.catcher).collect();
    let mut tests: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    let mut wrong = 0;
    let mut asserted = false;
    for catcher in &catchers {
        match catcher {
            Catcher::Test { package, target, name } => tests.entry((package, target)).or_default().push(name),
            // All assertions are compiled at once.
            Catcher::Asserted(_) if asserted => {}
            other => {
                asserted |= matches!(other, Catcher::Asserted(_));
                let verdict = scratch.run(*other)?;
                if verdict != Verdict::Passed {
                    println!("unmutated, {other}: {verdict:?}");
                    wrong += 1;
                }
            }
        }
    }
    for ((package, target), names) in tests {
        let verdict = scratch.test(package, target, &names)?;
        if verdict != Verdict::Passed {
            println!("unmutated, {package} {target} {names:?}: {verdict:?}");
            wrong += 1;
        }
    }
    println!("{} catchers, {wrong} wrong without a mutation", catchers.len());
    Ok(wrong)
}
