//! Runs this program under callgrind and reads what it wrote.

use std::collections::{HashMap, HashSet};
use std::process::Command;

/// What callgrind counted.
#[derive(Debug, Default)]
pub struct Counts {
    /// Names of functions, by callgrind's number.
    names: HashMap<u32, String>,
    /// Instructions of each function and what it called, by its callers' calls.
    inclusive: HashMap<u32, u64>,
    /// Who called whom, at least once.
    calls: HashSet<(u32, u32)>,
}

/// Runs this program with the given arguments under callgrind.
///
/// # Errors
/// In words: if callgrind is not there, or the program fails under it.
pub fn count(arguments: &[&str]) -> Result<Counts, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let out = std::env::temp_dir().join(format!("antecede-callgrind-{}", std::process::id()));
    let ran = Command::new("valgrind")
        .args(["--tool=callgrind", "--quiet"])
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(program)
        .args(arguments)
        // The C library picks a `memcpy` by the processor: this one is the same everywhere.
        .env("GLIBC_TUNABLES", "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX2,-AVX,-ERMS,-FSRM")
        .output()
        .map_err(|error| format!("valgrind does not run ({error}): install it, as in `apt-get install valgrind`"))?;
    if !ran.status.success() {
        return Err(format!("under valgrind: {}\n{}", ran.status, String::from_utf8_lossy(&ran.stderr)));
    }
    let text = std::fs::read_to_string(&out).map_err(|error| format!("{}: {error}", out.display()));
    let _ = std::fs::remove_file(&out);
    Ok(Counts::parse(&text?))
}

impl Counts {
    /// Reads callgrind's format: `fn=(number) name` begins a function, `cfn=` names one that it calls, and two lines on is
    /// the cost of those calls. A name is written once.
    pub fn parse(text: &str) -> Counts {
        let mut counts = Counts::default();
        let (mut function, mut called, mut cost_of_calls) = (0, 0, false);
        for line in text.lines() {
            if let Some(name) = line.strip_prefix("fn=") {
                function = counts.number(name);
            } else if let Some(name) = line.strip_prefix("cfn=") {
                called = counts.number(name);
            } else if line.starts_with("calls=") {
                cost_of_calls = true;
            } else if std::mem::take(&mut cost_of_calls) {
                let cost: u64 = line.split_whitespace().nth(1).and_then(|cost| cost.parse().ok()).unwrap_or(0);
                *counts.inclusive.entry(called).or_default() += cost;
                counts.calls.insert((function, called));
            }
        }
        counts
    }

    fn number(&mut self, text: &str) -> u32 {
        let (number, name) = text.trim_start_matches('(').split_once(')').unwrap_or((text, ""));
        let number = number.parse().unwrap_or(0);
        if !name.is_empty() {
            self.names.insert(number, name.trim().to_owned());
        }
        number
    }

    /// Instructions in all calls of the function whose path ends so, with what it called.
    pub fn inclusive(&self, path: &str) -> u64 {
        let ends_so = |number: &u32| self.names.get(number).is_some_and(|name| is_path(name, path));
        self.inclusive.iter().filter(|(number, _)| ends_so(number)).map(|(_, cost)| cost).sum()
    }

    /// Names of the functions that were called, at any depth, from the one whose path ends so.
    pub fn called_from(&self, path: &str) -> Vec<&str> {
        let mut open: Vec<u32> = self.names.iter().filter(|(_, name)| is_path(name, path)).map(|(n, _)| *n).collect();
        let mut seen: HashSet<u32> = HashSet::new();
        while let Some(function) = open.pop() {
            let callees = self.calls.iter().filter(|(from, _)| *from == function).map(|(_, to)| *to);
            open.extend(callees.filter(|callee| seen.insert(*callee)));
        }
        let mut names: Vec<&str> =
            seen.iter().filter_map(|number| self.names.get(number)).map(String::as_str).collect();
        names.sort_unstable();
        names
    }
}

/// Whether a function's name, as callgrind shows it, is that path.
fn is_path(name: &str, path: &str) -> bool {
    name == path || name.strip_suffix(path).is_some_and(|before| before.ends_with("::"))
}

#[cfg(test)]
mod tests {
    use super::Counts;

    const FILE: &str = "\
fn=(1) main
10 5
cfn=(2) a::b::one
calls=3 20
10 300
cfn=(3) a::b::someone
calls=1 30
11 7

fn=(2)
20 290
cfn=(4) malloc
calls=3 1
21 10
";

    #[test]
    fn calls_are_added_up_and_followed() {
        let counts = Counts::parse(FILE);
        assert_eq!(counts.inclusive("b::one"), 300);
        assert_eq!(counts.inclusive("one"), 300, "`someone` is another");
        assert_eq!(counts.called_from("b::one"), ["malloc"]);
        assert_eq!(counts.called_from("main"), ["a::b::one", "a::b::someone", "malloc"]);
    }
}
