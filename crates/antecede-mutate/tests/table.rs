//! The table is in date: what it changes is there, and so is what notices.

use antecede_mutate::{Catcher, Mutation, all};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const ASSERTIONS: &str = "crates/antecede/src/assertions.rs";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// What is wrong with a mutation, one line each.
fn none(mut about: impl FnMut(&Mutation) -> Vec<String>) {
    let complaints: Vec<String> = all()
        .flat_map(|mutation| about(mutation).into_iter().map(|what| format!("{}: {what}", mutation.name)))
        .collect();
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

#[test]
fn every_text_that_is_changed_is_there_once() {
    none(|mutation| {
        let times = |edit: &antecede_mutate::Edit| read(edit.file).matches(edit.old).count();
        let wrong = mutation.edits.iter().filter(|edit| times(edit) != 1);
        wrong.map(|edit| format!("{} times in {}: {}", times(edit), edit.file, edit.old)).collect()
    });
}

#[test]
fn every_mutation_changes_something_and_has_a_name_of_its_own() {
    let mut names = BTreeSet::new();
    none(|mutation| {
        let changes = mutation.edits.iter().any(|edit| edit.old != edit.new);
        let known = !names.insert(mutation.name);
        [(!changes).then_some("changes nothing"), known.then_some("is there twice")]
            .into_iter()
            .flatten()
            .map(str::to_owned)
            .collect()
    });
    assert!(names.len() >= 200, "only {} mutations", names.len());
}

#[test]
fn every_catcher_exists() {
    let assertions = read(ASSERTIONS);
    none(|mutation| {
        let is_there = match mutation.catcher {
            Catcher::Refused(program) => root().join("ui-tests/fail").join(program).with_extension("stderr").exists(),
            Catcher::Asserted(line) => assertions.contains(line),
            Catcher::Test { package, target, name } => has_test(package, target, name),
        };
        (!is_there).then(|| format!("{} is not there", mutation.catcher)).into_iter().collect()
    });
}

/// Whether the file that the test's modules name has a function of its name.
fn has_test(package: &str, target: &str, name: &str) -> bool {
    let folder = if package == "antecede-tests" { "tests".to_owned() } else { format!("crates/{package}") };
    let mut modules: Vec<&str> = name.split("::").filter(|part| !matches!(*part, "on_sim" | "tests")).collect();
    let function = format!("fn {}", modules.pop().expect("a name"));
    let base = if target.is_empty() { format!("{folder}/src") } else { format!("{folder}/tests/{target}") };
    let path = [vec![base.as_str()], modules].concat().join("/");
    let files = [format!("{path}.rs"), format!("{path}/mod.rs")];
    files.iter().map(|file| root().join(file)).any(|file| {
        fs::read_to_string(file).is_ok_and(|text| {
            text.match_indices(&function).any(|(at, _)| text[at + function.len()..].starts_with(['(', '<']))
        })
    })
}

#[test]
fn the_book_shows_every_mutation() {
    let page = read("docs/src/mutations.md");
    none(|mutation| {
        let row = mutation.row();
        (!page.lines().any(|line| line == row)).then(|| format!("not in the book: {row}")).into_iter().collect()
    });
    // Other tables follow.
    let shown = page.split("## What is said twice").next().expect("the tables of mutations");
    let rows = shown.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| Mutation ")).count();
    assert_eq!(rows, all().count(), "the book shows mutations that are no more");
}
