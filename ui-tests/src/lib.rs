//! Programs that must not compile, and their twins that must.
//!
//! `fail/<subject>/<what_is_refused>.rs` is refused with the words in the `.stderr` beside it;
//! `pass/<subject>/<what_is_refused>.rs` differs by the fix alone, and is accepted. The first lines of a refused program
//! are comments:
//!
//! ```text
//! // guarantee: what would be lost if it were accepted
//! // message: what its .stderr contains
//! // errors: 2          (only where one mistake is more than one error)
//! // case: RAW-01       (only where a reported case is of this kind: rows of docs/src/cases.md)
//! ```
//!
//! This crate reads the cases for the tests about them. The programs themselves are compiled by `tests/ui.rs`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A refused program.
#[derive(Debug)]
pub struct Case {
    /// `<subject>/<what_is_refused>`.
    pub name: String,
    /// The program.
    pub source: String,
    /// What rustc says of it.
    pub stderr: String,
    /// The program with the fix.
    pub twin: String,
}

impl Case {
    /// All of them, by name.
    ///
    /// # Panics
    /// If a file is alone: a program without its `.stderr`, or without its twin, or the reverse.
    pub fn all() -> Vec<Case> {
        let (fail, pass) = (files("fail"), files("pass"));
        let (programs, errors): (BTreeMap<_, _>, BTreeMap<_, _>) =
            fail.into_iter().partition(|(path, _)| path.ends_with(".rs"));
        let alone = |kind: &str, path: &str| panic!("{kind}/{path} has no counterpart");
        for path in errors.keys() {
            if !programs.contains_key(&path.replace(".stderr", ".rs")) {
                alone("fail", path);
            }
        }
        for path in pass.keys() {
            if !programs.contains_key(path) {
                alone("pass", path);
            }
        }
        let case = |(path, source): (&String, &String)| Case {
            name: path.trim_end_matches(".rs").to_owned(),
            source: source.clone(),
            stderr: errors.get(&path.replace(".rs", ".stderr")).cloned().unwrap_or_else(|| alone("fail", path)),
            twin: pass.get(path).cloned().unwrap_or_else(|| alone("fail", path)),
        };
        programs.iter().map(case).collect()
    }

    /// `order` of `order/fill_on_another_stream`.
    pub fn subject(&self) -> &str {
        self.name.split_once('/').map_or("", |(subject, _)| subject)
    }

    /// The text after `// key: ` among the comments at the top.
    pub fn header(&self, key: &str) -> Option<&str> {
        let mut comments = self.source.lines().take_while(|line| line.starts_with("// "));
        comments.find_map(|line| line.strip_prefix("// ")?.strip_prefix(key)?.strip_prefix(": "))
    }

    /// Number of errors that rustc reports.
    pub fn errors(&self) -> usize {
        self.stderr.lines().filter(|line| line.starts_with("error:") || line.starts_with("error[")).count()
    }

    /// The program's and its twin's lines, without comments at the top.
    pub fn bodies(&self) -> (Vec<&str>, Vec<&str>) {
        let body = |text| str::lines(text).skip_while(|line| line.starts_with("// ")).collect();
        (body(&self.source), body(&self.twin))
    }
}

/// Paths below `folder` of this package, and what is in them.
fn files(folder: &str) -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    read(&root).into_iter().map(|(path, text)| (relative(&path, &root), text)).collect()
}

/// All files below `folder`, and what is in them.
///
/// # Panics
/// If one cannot be read.
pub fn read(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("an entry of a folder").path();
        if path.is_dir() {
            files.extend(read(&path));
        } else {
            let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            files.insert(path, text);
        }
    }
    files
}

fn relative(path: &Path, root: &Path) -> String {
    let relative = path.strip_prefix(root).expect("a path below its root");
    relative.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/")
}
