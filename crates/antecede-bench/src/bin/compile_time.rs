//! Compiles the three forms of one program, and prints what that costs: user CPU seconds of cargo and all it starts, the
//! dependencies built before. The forms take turns, and the median of each is printed.
//!
//! `scripts/with-stub.sh cargo run --release -p antecede-bench --bin compile_time -- [REPEATS]`

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use antecede_bench::compile::{Form, WRAPPER};

/// What is measured.
#[derive(Clone, Copy)]
struct Task {
    name: &'static str,
    arguments: &'static [&'static str],
    incremental: bool,
    /// The most that this library may cost: times that of a form.
    target: Option<(f64, Form)>,
}

const TASKS: [Task; 4] = [
    Task { name: "check", arguments: &["check"], incremental: false, target: Some((1.1, Form::Raw)) },
    Task { name: "debug build", arguments: &["build"], incremental: false, target: Some((1.25, Form::Raii)) },
    Task {
        name: "release build",
        arguments: &["build", "--release"],
        incremental: false,
        target: Some((1.25, Form::Raii)),
    },
    Task { name: "check of one change", arguments: &["check"], incremental: true, target: None },
];

fn main() -> ExitCode {
    let repeats = std::env::args().nth(1).and_then(|repeats| repeats.parse().ok()).unwrap_or(5);
    match measure(repeats) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn measure(repeats: usize) -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().map_err(|error| error.to_string())?;
    let workspace = Workspace { folder: root.join("target/compile-time") };
    workspace.write(&root)?;
    println!("{:<20} {:>9} {:>9} {:>9}   target", "user seconds", "antecede", "raw", "raii");
    let mut change = 1;
    for task in TASKS {
        let mut seconds = [const { Vec::new() }; 3];
        // The first time builds what the forms depend on.
        for repeat in 0..=repeats {
            for (form, seconds) in Form::ALL.into_iter().zip(&mut seconds) {
                change += 1;
                workspace.change(form, change)?;
                let took = workspace.cargo(form, task)?;
                if repeat > 0 {
                    seconds.push(took);
                }
            }
        }
        let [antecede, raw, raii] = seconds.map(median);
        let target = task.target.map_or("below 1 s".to_owned(), |(times, form)| {
            let other = if form == Form::Raw { raw } else { raii };
            format!("{:.2} of {}, at most {times}", antecede / other, form.package().trim_start_matches("form-"))
        });
        println!("{:<20} {antecede:>9.2} {raw:>9.2} {raii:>9.2}   {target}", task.name);
    }
    Ok(())
}

struct Workspace {
    folder: PathBuf,
}

impl Workspace {
    /// Writes the packages.
    fn write(&self, root: &Path) -> Result<(), String> {
        let package = |name: &str, dependencies: &str| {
            format!(
                "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n{dependencies}"
            )
        };
        self.file("Cargo.toml", "[workspace]\nresolver = \"3\"\nmembers = [\"form-*\", \"plain\"]\n")?;
        self.file("plain/Cargo.toml", &package("plain", "cust = \"=0.3.2\"\n"))?;
        self.file("plain/src/lib.rs", WRAPPER)?;
        for form in Form::ALL {
            let dependencies = form.dependencies(&root.display().to_string());
            self.file(&format!("{}/Cargo.toml", form.package()), &package(form.package(), &dependencies))?;
            self.change(form, 1)?;
        }
        // The versions that the repository is locked to.
        let lock = std::fs::read_to_string(root.join("Cargo.lock")).map_err(|error| error.to_string())?;
        self.file("Cargo.lock", &lock)
    }

    fn change(&self, form: Form, change: u32) -> Result<(), String> {
        self.file(&format!("{}/src/main.rs", form.package()), &form.program(change))
    }

    fn file(&self, name: &str, text: &str) -> Result<(), String> {
        let path = self.folder.join(name);
        let folder = path.parent().unwrap_or(&self.folder);
        let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, text));
        written.map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Runs cargo, and returns the user CPU seconds that it took.
    fn cargo(&self, form: Form, task: Task) -> Result<f64, String> {
        let before = children_seconds()?;
        let output = Command::new(env!("CARGO"))
            .args(task.arguments)
            .args(["--quiet", "--package", form.package()])
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", self.folder.join("target"))
            .env("CARGO_INCREMENTAL", if task.incremental { "1" } else { "0" })
            .output()
            .map_err(|error| error.to_string())?;
        if !output.status.success() {
            return Err(format!("{}: {}", form.package(), String::from_utf8_lossy(&output.stderr)));
        }
        Ok(children_seconds()? - before)
    }
}

/// User CPU seconds of the children that this process has waited for, and theirs (`cutime` in `/proc/self/stat`).
fn children_seconds() -> Result<f64, String> {
    const TICKS_A_SECOND: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").map_err(|error| format!("/proc/self/stat: {error}"))?;
    // The name, in parentheses, may have spaces; the third field follows it.
    let fields = stat.rsplit_once(") ").map_or("", |(_, fields)| fields);
    let ticks = fields.split(' ').nth(13).and_then(|ticks| ticks.parse::<f64>().ok());
    ticks.map(|ticks| ticks / TICKS_A_SECOND).ok_or_else(|| format!("not as expected: {stat}"))
}

fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds.get(seconds.len() / 2).copied().unwrap_or(f64::NAN)
}
