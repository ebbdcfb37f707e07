//! Compiles functions by the thousand, and says of each whether rustc accepts it.

mod canary;
mod diagnostics;
mod library;
mod run;

use self::canary::{CANARIES, Canary};
pub use self::diagnostics::Refusal;
use self::diagnostics::{faults, function_at};
pub use self::library::Library;
pub use self::run::run;
use crate::render::PRELUDE;
use std::collections::BTreeSet;
use std::path::Path;
use std::{fs, io};

const FILE: &str = "programs.rs";
const ROUNDS: usize = 8;

/// Why the verdicts on a file are not to be trusted.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be written, or rustc not run.
    Io(io::Error),
    /// rustc reported an error of no function.
    Unattributed(String),
    /// A function whose verdict is known was judged otherwise.
    Canary {
        /// Which.
        name: &'static str,
        /// The code that it is refused with.
        expected: Option<&'static str>,
        /// What was found.
        found: Option<Refusal>,
    },
    /// rustc fails without an error in a function.
    NoReason(String),
    /// Functions were still refused in the last round.
    Rounds,
}

/// Says of each function why it is refused, or `None`.
///
/// rustc may stop before it checks moves and borrows where types are wrong, in whatever function. So what is refused is
/// left out of the next round, until nothing is refused but the canaries of moves and borrows, which are in every round.
///
/// # Errors
/// If anything was found that says that the verdicts are wrong.
pub fn compile(library: &Library, folder: &Path, functions: &[String]) -> Result<Vec<Option<Refusal>>, Error> {
    compile_with(library, folder, functions, &CANARIES)
}

fn compile_with(
    library: &Library,
    folder: &Path,
    functions: &[String],
    canaries: &[Canary],
) -> Result<Vec<Option<Refusal>>, Error> {
    let mut file = SourceFile::new(functions, canaries);
    for _ in 0..ROUNDS {
        if !file.round(library, folder)? {
            return file.verdicts(functions.len());
        }
    }
    Err(Error::Rounds)
}

/// What stands in a file, in its order.
#[derive(Clone, Copy, Debug)]
enum Item {
    Function(usize),
    Canary(Canary),
}

struct SourceFile {
    items: Vec<(Item, String)>,
    /// By item.
    refusals: Vec<Option<Refusal>>,
}

impl SourceFile {
    /// The functions, with the canaries spread among them.
    fn new(functions: &[String], canaries: &[Canary]) -> SourceFile {
        let mut items = Vec::new();
        let apart = functions.len().div_ceil(canaries.len()).max(1);
        let mut canaries = canaries.iter().enumerate();
        let mut next_canary = |items: &mut Vec<_>| {
            if let Some((number, &canary)) = canaries.next() {
                items.push((Item::Canary(canary), canary.function(number)));
            }
            canaries.len()
        };
        for (number, function) in functions.iter().enumerate() {
            if number % apart == 0 {
                next_canary(&mut items);
            }
            items.push((Item::Function(number), function.clone()));
        }
        while next_canary(&mut items) > 0 {}
        let refusals = vec![None; items.len()];
        SourceFile { items, refusals }
    }

    /// Compiles what is not refused yet; whether anything new was.
    fn round(&mut self, library: &Library, folder: &Path) -> Result<bool, Error> {
        let stays = |place: usize| match self.items[place].0 {
            Item::Canary(canary) if canary.is_late() => true,
            _ => self.refusals[place].is_none(),
        };
        let places: Vec<usize> = (0..self.items.len()).filter(|&place| stays(place)).collect();
        let mut text = PRELUDE.to_owned();
        let mut next = text.lines().count() + 1;
        let mut lines = Vec::new();
        for &place in &places {
            let function = &self.items[place].1;
            let end = next + function.lines().count();
            lines.push(next..=end - 1);
            text.push_str(function);
            next = end;
        }
        fs::write(folder.join(FILE), &text).map_err(Error::Io)?;
        let told = library.rustc_to_check().current_dir(folder).arg(FILE).output().map_err(Error::Io)?;
        let told_text = String::from_utf8_lossy(&told.stderr);
        let mut found = faults(&told_text, FILE).map_err(Error::Unattributed)?;
        found.sort_by_key(|fault| fault.line);
        if found.is_empty() {
            // Not even the canaries that are in every round.
            return Err(Error::NoReason(told_text.chars().take(2000).collect()));
        }
        let mut refused = false;
        let mut late = BTreeSet::new();
        for fault in found {
            let function = function_at(&lines, fault.line)
                .ok_or_else(|| Error::Unattributed(format!("line {}: {}", fault.line, fault.refusal.message)))?;
            let place = places[function];
            let is_late = matches!(self.items[place].0, Item::Canary(canary) if canary.is_late());
            late.extend(is_late.then_some(place));
            if self.refusals[place].is_none() {
                refused |= !is_late;
                self.refusals[place] = Some(fault.refusal);
            }
        }
        let is_late = |item: &(Item, String)| matches!(item.0, Item::Canary(canary) if canary.is_late());
        let expected = self.items.iter().filter(|item| is_late(item)).count();
        // In the last round at least, rustc has got to moves and borrows.
        if !refused && late.len() < expected {
            let late = late.len();
            return Err(Error::NoReason(format!("{late} of {expected} canaries of moves and borrows are refused")));
        }
        Ok(refused)
    }

    /// By function, once the canaries are as expected.
    fn verdicts(self, functions: usize) -> Result<Vec<Option<Refusal>>, Error> {
        let mut verdicts = vec![None; functions];
        for ((item, _), refusal) in self.items.into_iter().zip(self.refusals) {
            match item {
                Item::Function(number) => verdicts[number] = refusal,
                Item::Canary(canary) => {
                    if canary.code != refusal.as_ref().map(|refusal| refusal.code.as_str()) {
                        return Err(Error::Canary { name: canary.name, expected: canary.code, found: refusal });
                    }
                }
            }
        }
        Ok(verdicts)
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::Io(error) => write!(f, "{error}"),
            Error::Unattributed(message) => write!(f, "rustc reports an error of no function: {message}"),
            Error::Canary { name, expected, found } => {
                write!(f, "the canary `{name}` should be {expected:?}, and is {found:?}")
            }
            Error::NoReason(message) => write!(f, "rustc does not do what it must: {message}"),
            Error::Rounds => write!(f, "functions are still refused after {ROUNDS} rounds"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Io(error) => Some(error),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(body: &str) -> String {
        format!(
            "fn planted(device: Device, math: &Math, a: Stream<A>, b: Stream<B>) -> Result<()> {{\n    {body}\n    Ok(())\n}}\n"
        )
    }

    fn verdicts(functions: &[String], canaries: &[Canary]) -> Result<Vec<Option<String>>, Error> {
        let library = Library::build().expect("it builds");
        let folder = tempfile::tempdir().expect("a folder");
        let refusals = compile_with(&library, folder.path(), functions, canaries)?;
        Ok(refusals.into_iter().map(|refusal| Some(refusal?.code)).collect())
    }

    /// Names would clash: each function has its own.
    fn named(bodies: &[&str]) -> Vec<String> {
        let number = |(number, body): (usize, &&str)| function(body).replace("planted", &format!("planted{number}"));
        bodies.iter().enumerate().map(number).collect()
    }

    #[test]
    fn each_error_is_that_of_its_function() {
        let bodies = [
            "a.fill(&mut a.zeroed::<u32>(16)?, 1)?;",
            "b.fill(&mut a.zeroed::<u32>(16)?, 1)?;",
            "let x = a.zeroed::<u32>(16)?; let r = a.record(x)?; b.wait(r)?; b.wait(r)?;",
            "let x = a.zeroed::<u32>(16)?; let x = b.take(x)?; b.sync(x)?;",
            "let x: u32 = true;",
        ];
        let code = |code: &str| Some(code.to_owned());
        let expected = vec![None, code("E0277"), code("E0382"), None, code("E0308")];
        assert_eq!(verdicts(&named(&bodies), &CANARIES).expect("the canaries are right"), expected);
    }

    #[test]
    fn a_canary_that_is_not_as_expected_ends_the_run() {
        for number in 0..CANARIES.len() {
            let mut canaries = CANARIES;
            canaries[number].code = match canaries[number].code {
                None => Some("E0277"),
                Some(_) => None,
            };
            let found = verdicts(&named(&["let _ = a;"]), &canaries);
            assert!(
                matches!(found, Err(Error::Canary { .. } | Error::NoReason(_) | Error::Rounds)),
                "{number}: {found:?}"
            );
        }
    }

    #[test]
    fn rustc_must_get_to_moves_and_borrows() {
        let early: Vec<Canary> = CANARIES.into_iter().filter(|canary| !canary.is_late()).collect();
        let found = verdicts(&named(&["let _ = a;"]), &early);
        assert!(matches!(found, Err(Error::NoReason(_))), "nothing says that moves were checked: {found:?}");
    }

    #[test]
    fn an_error_between_the_functions_ends_the_run() {
        let mut functions = named(&["let _ = a;", "let _ = b;"]);
        functions[1].push_str("use antecede::NoSuchThing;\n");
        // It is counted among the lines of the function before it: so it makes that one refused, not another.
        let found = verdicts(&functions, &CANARIES).expect("it is attributed");
        assert_eq!(found, [None, Some("E0432".to_owned())]);
    }
}
