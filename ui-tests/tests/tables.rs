//! The tables of the book that name tests: every test is there, and every test that names a case is in the table.

use antecede_ui_tests::read;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// How many cases and attacks there are at least. A table that is not read has fewer.
const CASES: usize = 79;
const ATTACKS: usize = 118;

/// What is accepted is run in one of these.
const RUN: [&str; 2] = ["tests/tests/cases/", "tests/tests/processes/"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn page(name: &str) -> String {
    fs::read_to_string(root().join("docs/src").join(name)).expect("a page of the book")
}

/// The cells of a page's tables, without their headings.
fn rows(page: &str) -> Vec<Vec<&str>> {
    let is_text = |row: &Vec<&str>| !row[0].starts_with("---") && !["Case", "Attack"].contains(&row[0]);
    let tables = page.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix('|'));
    tables.map(|line| line.split(" |").map(str::trim).collect()).filter(is_text).collect()
}

/// What stands in backticks.
fn quoted(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

/// Each case, and the files that the table names for it.
fn in_the_table(page: &str) -> BTreeMap<&str, BTreeSet<String>> {
    let mut cases = BTreeMap::new();
    for row in rows(page) {
        let [id, kind, verdict, tests] = row[..] else { panic!("four cells: {row:?}") };
        let id = quoted(id).next().expect("the name of a case");
        let tests: BTreeSet<String> = quoted(tests).map(str::to_owned).collect();
        assert!(kind.split_whitespace().count() <= 6, "{id}: {kind}");
        let verdicts = ["refused", "accepted", "checked at run time", "not enforced", "later"];
        assert!(verdicts.iter().any(|known| verdict.starts_with(known)), "{id}: {verdict}");
        assert!(!tests.is_empty() || verdict.starts_with("later"), "{id} has no test");
        assert!(!verdict.starts_with("refused") || tests.iter().any(|path| path.starts_with("ui-tests/fail/")), "{id}");
        assert!(
            !verdict.contains("accepted") || tests.iter().any(|path| RUN.iter().any(|folder| path.starts_with(folder))),
            "{id}"
        );
        assert!(cases.insert(id, tests).is_none(), "{id} twice");
    }
    assert!(cases.len() >= CASES, "only {} cases", cases.len());
    cases
}

/// Each case that a test's heading names, and in which files.
fn in_the_tests() -> BTreeMap<String, BTreeSet<String>> {
    let mut cases: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for folder in ["ui-tests/fail", "tests/tests/cases", "tests/tests/processes"] {
        for (path, text) in read(&root().join(folder)) {
            let path = path.strip_prefix(root()).expect("below the root").to_string_lossy().replace('\\', "/");
            let heading = text.lines().take_while(|line| line.starts_with("//"));
            let lines = heading.filter_map(|line| line.trim_start_matches(['/', '!', ' ']).strip_prefix("case: "));
            for id in lines.flat_map(|line| line.split(", ")).chain(text.lines().flat_map(of_a_function)) {
                cases.entry(id.to_owned()).or_default().insert(path.clone());
            }
        }
    }
    cases
}

/// The cases that the comment on one function begins with: `/// SEED-3, IPCR-01: ..`, `/// SEED-6's cleanup: ..`.
fn of_a_function(line: &str) -> Vec<&str> {
    let Some((names, _)) = line.strip_prefix("/// ").and_then(|line| line.split_once(": ")) else { return Vec::new() };
    let case = |name: &'_ str| {
        let (kind, number) = name.split_once('-')?;
        let is_one = kind.chars().all(|c| c.is_ascii_uppercase()) && number.chars().all(|c| c.is_ascii_digit());
        (is_one && !kind.is_empty() && !number.is_empty()).then_some(())
    };
    let names: Vec<&str> = names.split(", ").map(|name| name.split('\'').next().unwrap_or(name)).collect();
    if names.iter().all(|name| case(name).is_some()) { names } else { Vec::new() }
}

#[test]
fn every_case_names_its_tests_and_every_test_its_cases() {
    let page_of_cases = page("cases.md");
    let (table, mut tests) = (in_the_table(&page_of_cases), in_the_tests());
    for (id, paths) in &table {
        for path in paths.iter().filter(|path| path.ends_with(".md")) {
            let text = fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
            assert!(text.contains(&format!("`{id}`")), "{path} does not mention {id}");
            tests.entry((*id).to_owned()).or_default().insert(path.clone());
        }
        assert_eq!(tests.remove(*id).unwrap_or_default(), *paths, "{id}: by the tests, and by the table");
    }
    assert!(tests.is_empty(), "not in the table: {tests:?}");
}

#[test]
fn every_refused_case_has_a_program_that_is_accepted() {
    for (id, paths) in in_the_tests() {
        for path in paths.iter().filter(|path| path.starts_with("ui-tests/fail/")) {
            let twin = root().join(path.replace("/fail/", "/pass/"));
            assert!(twin.exists(), "{id}: {path} has no twin");
        }
    }
}

#[test]
fn every_attack_is_met_by_a_test_that_exists() {
    let attacks = page("attacks.md");
    let rows = rows(&attacks);
    assert!(rows.len() >= ATTACKS, "only {} attacks", rows.len());
    let mut complaints = Vec::new();
    for row in rows {
        let [attack, _, met_by, tests] = row[..] else { panic!("four cells: {row:?}") };
        let mut text = None;
        for name in quoted(tests) {
            if name.contains('/') {
                text = fs::read_to_string(root().join(name)).ok();
                if text.is_none() {
                    complaints.push(format!("{attack}: there is no {name}"));
                }
            } else if !text.as_ref().is_some_and(|text| text.contains(name)) {
                complaints.push(format!("{attack}: there is no {name} in the file before it"));
            }
        }
        if text.is_none() && !met_by.starts_with("later") {
            complaints.push(format!("{attack}: no test"));
        }
    }
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}
