//! Mutations of the library: each weakens one bound, marker, seal or call on which soundness rests, and each is caught by
//! a test that is named beside it.
//!
//! `cargo run -p antecede-mutate` applies them one at a time to a copy of the repository below `target/mutations`, and runs
//! the catcher alone, which must fail; unmutated, every catcher is run once first, and must pass. The programs of `ui-tests`
//! are compiled by rustc directly, against the mutated library: that one is accepted now is what its test would report.
//! `tests/table.rs` keeps the table in date: every text is still there to be changed, every catcher to be run.

mod table;

pub use table::all;

/// Replaces a text of a file, which occurs there once.
#[derive(Debug)]
pub struct Edit {
    /// Path below the repository's root.
    pub file: &'static str,
    /// The text.
    pub old: &'static str,
    /// What it becomes.
    pub new: &'static str,
}

/// What fails when a mutation is there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Catcher {
    /// The program `ui-tests/fail/<name>.rs` compiles then. The test is `programs_are_refused_or_accepted`.
    Refused(&'static str),
    /// This line of `crates/antecede/src/assertions.rs` does not compile then.
    Asserted(&'static str),
    /// A test fails then.
    Test {
        /// Its package.
        package: &'static str,
        /// The file of tests that it is in; empty for the unit tests of the library.
        target: &'static str,
        /// Its path in there.
        name: &'static str,
    },
}

/// One mutation.
#[derive(Debug)]
pub struct Mutation {
    /// What is weakened, in a few words.
    pub name: &'static str,
    /// How. More than one where a relation and its seal say the same.
    pub edits: &'static [Edit],
    /// What a program could do then.
    pub allows: &'static str,
    /// What notices.
    pub catcher: Catcher,
}

impl Mutation {
    /// The row of the book's table.
    pub fn row(&self) -> String {
        let Mutation { name, allows, catcher, .. } = self;
        format!("| {name} | {allows} | {catcher} |")
    }
}

impl std::fmt::Display for Catcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Catcher::Refused(program) => write!(f, "`ui-tests/fail/{program}.rs`"),
            Catcher::Asserted(line) => write!(f, "`{line}`"),
            Catcher::Test { package, target: "", name } => write!(f, "{package}: `{name}`"),
            Catcher::Test { package, target, name } => write!(f, "{package}, {target}: `{name}`"),
        }
    }
}

/// Short forms, for the table.
const fn edit(file: &'static str, old: &'static str, new: &'static str) -> Edit {
    Edit { file, old, new }
}

const fn refused(program: &'static str) -> Catcher {
    Catcher::Refused(program)
}

const fn asserted(line: &'static str) -> Catcher {
    Catcher::Asserted(line)
}

const fn test(package: &'static str, target: &'static str, name: &'static str) -> Catcher {
    Catcher::Test { package, target, name }
}

const fn mutation(name: &'static str, edits: &'static [Edit], allows: &'static str, catcher: Catcher) -> Mutation {
    Mutation { name, edits, allows, catcher }
}
