//! The copy that is mutated, and what is run there.

use antecede_mutate::{Catcher, Mutation};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Files that are no part of what is built.
const LEFT_OUT: &[&str] = &["target", ".git", "shared", "wip"];
/// Seconds that a test may take. One that hangs is cut off, and counts as failed.
const PATIENCE: &str = "120";

/// A copy of the repository, built in a folder of its own.
pub(crate) struct Scratch {
    root: PathBuf,
    tree: PathBuf,
    work: PathBuf,
}

/// What became of a mutation, or of none.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// The catcher found nothing.
    Passed,
    /// The catcher failed, as it should.
    Failed,
    /// The mutated code does not compile, or something else is wrong: nothing is shown.
    Broken(String),
}

impl Scratch {
    /// Makes the copy, in `folder` below `target`, like the repository.
    pub(crate) fn new(folder: &str) -> io::Result<Scratch> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
        let work = root.join("target").join(folder);
        let scratch = Scratch { tree: work.join("tree"), root, work };
        copy(&scratch.root, &scratch.tree)?;
        Ok(scratch)
    }

    /// Runs `catcher` with the mutation in place, and takes it out again.
    pub(crate) fn with(&self, mutation: &Mutation) -> io::Result<Verdict> {
        let mut changed: BTreeMap<&str, String> = BTreeMap::new();
        for edit in mutation.edits {
            let text = match changed.remove(edit.file) {
                Some(text) => text,
                None => fs::read_to_string(self.root.join(edit.file))?,
            };
            if text.matches(edit.old).count() != 1 {
                return Ok(Verdict::Broken(format!("{}: the text does not occur once", edit.file)));
            }
            changed.insert(edit.file, text.replacen(edit.old, edit.new, 1));
        }
        for (file, text) in &changed {
            fs::write(self.tree.join(file), text)?;
        }
        let verdict = self.run(mutation.catcher);
        for file in changed.keys() {
            fs::write(self.tree.join(file), fs::read(self.root.join(file))?)?;
        }
        verdict
    }

    /// Runs a catcher on what is there.
    pub(crate) fn run(&self, catcher: Catcher) -> io::Result<Verdict> {
        match catcher {
            Catcher::Refused(program) => self.compile(program),
            Catcher::Asserted(line) => self.assert(line),
            Catcher::Test { package, target, name } => self.test(package, target, &[name]),
        }
    }

    /// Whether rustc accepts the program, or some of the mistakes in it: then its test fails.
    fn compile(&self, program: &str) -> io::Result<Verdict> {
        let built = self.cargo("check", &["check", "-p", "antecede", "-p", "antecede-ipc"])?;
        if !built.status.success() {
            return Ok(Verdict::Broken(tail(&built)));
        }
        let libraries = self.work.join("check/debug/deps");
        let library = |name: &str| newest(&libraries, &format!("lib{name}-"));
        let rustc = Command::new("rustc")
            .args(["--edition=2024", "--crate-type=bin", "--emit=metadata", "--crate-name=program", "-o"])
            .arg(self.work.join("program.rmeta"))
            .arg("-L")
            .arg(format!("dependency={}", libraries.display()))
            .args(["--extern", &format!("antecede={}", library("antecede")?.display())])
            .args(["--extern", &format!("antecede_ipc={}", library("antecede_ipc")?.display())])
            .arg(self.tree.join("ui-tests/fail").join(program).with_extension("rs"))
            .output()?;
        let text = fs::read_to_string(self.root.join("ui-tests/fail").join(program).with_extension("rs"))?;
        let declared = text.lines().find_map(|line| line.strip_prefix("// errors: "));
        let declared = declared.map_or(Ok(1), str::parse).map_err(io::Error::other)?;
        Ok(if errors(&String::from_utf8_lossy(&rustc.stderr)) < declared { Verdict::Failed } else { Verdict::Passed })
    }

    /// Whether that assertion of the crate fails to compile.
    fn assert(&self, line: &str) -> io::Result<Verdict> {
        let built = self.cargo("check", &["check", "-p", "antecede"])?;
        if !built.status.success() {
            return Ok(Verdict::Broken(tail(&built)));
        }
        let built = self.cargo("check", &["check", "-p", "antecede", "--lib", "--profile", "test"])?;
        let words = String::from_utf8_lossy(&built.stderr);
        Ok(match built.status.success() {
            true => Verdict::Passed,
            false if words.contains("assertions.rs") && words.contains(line) => Verdict::Failed,
            false => Verdict::Broken(tail(&built)),
        })
    }

    /// Runs tests of one file. They have passed only if each was run.
    pub(crate) fn test(&self, package: &str, target: &str, names: &[&str]) -> io::Result<Verdict> {
        let which = if target.is_empty() { vec!["--lib"] } else { vec!["--test", target] };
        let common = [&["test", "-p", package][..], &which].concat();
        let built = self.cargo("tests", &[&common[..], &["--no-run"]].concat())?;
        if !built.status.success() {
            return Ok(Verdict::Broken(tail(&built)));
        }
        let ran = self.cargo("tests", &[&common[..], &["--", "--exact"], names].concat())?;
        let words = String::from_utf8_lossy(&ran.stdout);
        let all_ran = names.iter().all(|name| words.contains(&format!("test {name} ... ")));
        Ok(match ran.status.success() {
            false => Verdict::Failed,
            true if all_ran => Verdict::Passed,
            true => Verdict::Broken(format!("not run: {}", names.join(", "))),
        })
    }

    fn cargo(&self, folder: &str, arguments: &[&str]) -> io::Result<Output> {
        let quick = ["antecede-sim", "antecede-trace", "antecede-demo"]
            .map(|package| format!("--config=profile.dev.package.{package}.opt-level=0"));
        Command::new("timeout")
            .args([if arguments.contains(&"--exact") { PATIENCE } else { "900" }, "cargo"])
            .args(quick)
            .args(arguments)
            .current_dir(&self.tree)
            .env("CARGO_TARGET_DIR", self.work.join(folder))
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .env("CARGO_INCREMENTAL", "1")
            .output()
    }
}

/// Makes `to` like `from`. Files that are alike are left alone, so that they are not built again.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    let names =
        |folder: &Path| -> io::Result<Vec<_>> { fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name())).collect() };
    let wanted: Vec<_> = names(from)?.into_iter().filter(|name| !LEFT_OUT.iter().any(|left| name == left)).collect();
    for name in names(to)?.into_iter().filter(|name| !wanted.contains(name)) {
        let path = to.join(name);
        if path.is_dir() { fs::remove_dir_all(path)? } else { fs::remove_file(path)? }
    }
    for name in wanted {
        let (from, to) = (from.join(&name), to.join(&name));
        if from.is_dir() {
            copy(&from, &to)?;
        } else if fs::read(&to).ok() != Some(fs::read(&from)?) {
            fs::write(&to, fs::read(&from)?)?;
        }
    }
    Ok(())
}

/// The library of that name that was built last.
fn newest(folder: &Path, start: &str) -> io::Result<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with(start) && name.ends_with(".rmeta") {
            found.push((entry.metadata()?.modified()?, entry.path()));
        }
    }
    found.into_iter().max().map(|(_, path)| path).ok_or_else(|| io::Error::other(format!("no {start}*.rmeta")))
}

/// How many mistakes rustc names.
fn errors(words: &str) -> usize {
    let is_one = |line: &&str| line.starts_with("error[") || line.starts_with("error: ");
    words.lines().filter(is_one).filter(|line| !line.starts_with("error: aborting")).count()
}

fn tail(output: &Output) -> String {
    let words = String::from_utf8_lossy(&output.stderr);
    let errors: Vec<&str> = words.lines().skip_while(|line| !line.starts_with("error")).take(12).collect();
    errors.join("\n")
}
