//! The library, as rustc is given it.

use serde_json::Value;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The compiled library, and the folder of what it needs.
#[derive(Clone, Debug)]
pub struct Library {
    antecede: PathBuf,
    /// This crate, for the programs that are run.
    enumerate: PathBuf,
    dependencies: PathBuf,
}

impl Library {
    /// Builds this crate and `antecede` by cargo, for debugging; nothing if it is built.
    ///
    /// # Errors
    /// If cargo does not run, or says of no library that it is built.
    pub fn build() -> io::Result<Library> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        let built = Command::new(cargo)
            .args(["build", "--offline", "--quiet", "--lib", "--message-format=json", "--manifest-path"])
            .arg(manifest)
            .output()?;
        let messages = String::from_utf8_lossy(&built.stdout);
        let messages: Vec<Value> = messages.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let rlib = |name: &str| messages.iter().find_map(|message| rlib_of(message, name));
        match (rlib("antecede"), rlib("antecede_enumerate")) {
            (Some(antecede), Some(enumerate)) if built.status.success() => {
                let folder = enumerate.parent().unwrap_or(Path::new("."));
                // Cargo leaves the library in the folder above `deps`.
                let below = folder.join("deps");
                let dependencies = if below.is_dir() { below } else { folder.to_owned() };
                Ok(Library { antecede, enumerate, dependencies })
            }
            _ => Err(io::Error::other(format!("`antecede` is not built:\n{}", String::from_utf8_lossy(&built.stderr)))),
        }
    }

    /// `rustc`, to check types, moves and borrows.
    pub(super) fn rustc_to_check(&self) -> Command {
        let mut rustc = self.rustc();
        rustc.args(["--crate-type=lib", "--crate-name=programs", "--emit=metadata", "--error-format=json"]);
        rustc
    }

    /// `rustc`, to make a process.
    pub(super) fn rustc_to_run(&self) -> Command {
        let mut rustc = self.rustc();
        rustc.args(["--crate-type=bin", "--crate-name=run", "-Copt-level=0", "-Cdebuginfo=0", "--extern"]);
        rustc.arg(pair("antecede_enumerate", &self.enumerate));
        rustc
    }

    fn rustc(&self) -> Command {
        let mut rustc = rustc();
        rustc.arg("--edition=2024").arg("--extern").arg(pair("antecede", &self.antecede));
        rustc.arg("-L").arg(pair("dependency", &self.dependencies));
        rustc
    }

    /// What `rustc --version` says.
    ///
    /// # Errors
    /// If it does not run.
    pub fn rustc_version(&self) -> io::Result<String> {
        let told = rustc().arg("--version").output()?;
        Ok(String::from_utf8_lossy(&told.stdout).trim().to_owned())
    }
}

fn rustc() -> Command {
    Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
}

/// `name=path`.
fn pair(name: &str, path: &Path) -> OsString {
    let mut pair = OsString::from(name);
    pair.push("=");
    pair.push(path);
    pair
}

fn rlib_of(message: &Value, name: &str) -> Option<PathBuf> {
    let is_it = message["reason"] == "compiler-artifact" && message["target"]["name"] == name;
    let files = message["filenames"].as_array().filter(|_| is_it)?;
    files.iter().filter_map(Value::as_str).find(|file| file.ends_with(".rlib")).map(PathBuf::from)
}
