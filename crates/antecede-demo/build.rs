//! Tells the tests whether there is a `python3`: those that need it are ignored where there is none.

use std::process::Command;

fn main() {
    println!("cargo::rustc-check-cfg=cfg(python3)");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=PATH");
    if Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success()) {
        println!("cargo::rustc-cfg=python3");
    }
}
