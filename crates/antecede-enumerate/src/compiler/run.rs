//! Compiles accepted programs to a process, and runs it.

use super::{Error, Library};
use crate::program::{Program, Var};
use crate::render::{Doors, PRELUDE, call, function};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

/// By program, the calls that it makes, as [`ran`](crate::ran) writes them.
///
/// # Errors
/// If rustc refuses them, or one fails or races.
pub fn run(library: &Library, folder: &Path, programs: &[Program]) -> Result<Vec<String>, Error> {
    let mut text = PRELUDE.to_owned();
    text.push_str("use antecede_enumerate::program::Var;\nuse antecede_enumerate::ran::{NullDriver, Trace, run};\n");
    let mut calls = String::new();
    for (number, program) in programs.iter().enumerate() {
        let name = format!("p{number}");
        text.push_str(&function(&name, program, Doors::Checked));
        let has = |start: bool, var: Var| if start { format!("Var::{var:?}, ") } else { String::new() };
        let vars = has(program.x.is_some(), Var::X) + &has(program.y.is_some(), Var::Y);
        // Writing to a string does not fail.
        let _ = writeln!(calls, "    println!(\"{{}}\", run(&trace, &[{vars}], || {}));", call(&name, program));
    }
    text.push_str(
        "fn main() -> Result<()> {\n    let trace = Trace::new(NullDriver::new());\n    \
         let device = Device::primary(trace.clone())?;\n    \
         let (a, b, c, j, k) = device.streams::<(A, B, C, J, K)>()?;\n    \
         let legacy = device.legacy()?;\n    let math = &device.load::<Math>()?;\n",
    );
    text.push_str(&calls);
    text.push_str("    Ok(())\n}\n");
    fs::write(folder.join("run.rs"), text).map_err(Error::Io)?;
    let mut rustc = library.rustc_to_run();
    let told = rustc.current_dir(folder).args(["-o", "run", "run.rs"]).output().map_err(Error::Io)?;
    if !told.status.success() {
        let text = String::from_utf8_lossy(&told.stderr);
        return Err(Error::NoReason(format!("accepted programs are refused together: {text}")));
    }
    let ran = Command::new(folder.join("run")).output().map_err(Error::Io)?;
    let lines: Vec<String> = String::from_utf8_lossy(&ran.stdout).lines().map(str::to_owned).collect();
    if !ran.status.success() || lines.len() != programs.len() {
        let stderr = String::from_utf8_lossy(&ran.stderr);
        return Err(Error::NoReason(format!("program {} does not run to its end: {stderr}", lines.len())));
    }
    Ok(lines)
}
