//! Tests in a process of their own.

use std::env;
use std::process::Command;

/// Which test the child process is to run.
const ROLE: &str = "ANTECEDE_TESTKIT_OWN_PROCESS";

/// Runs the body of a test in a process of its own, where `Primary` is not bound yet, and every driver, device and count
/// is the test's alone.
///
/// ```no_run
/// # use antecede_testkit::in_own_process;
/// // #[test] fn the_device_is_mine_alone() {
/// in_own_process!({
///     // ..
/// });
/// // }
/// ```
///
/// The test's own binary is run again with the test's exact name, so it wants the standard test harness (`cargo test`,
/// `cargo nextest`) and to be called by the test function itself, not by a helper function. The child's output is
/// printed; a panic in it fails the test. A test that is ignored works as well.
///
/// # Panics
/// If the body panics, or the child did not run it.
#[macro_export]
macro_rules! in_own_process {
    ($body:block) => {{
        fn here() {}
        $crate::run_in_own_process(::core::any::type_name_of_val(&here), || $body)
    }};
}

/// `place` is the type name of an item inside the test function.
#[doc(hidden)]
#[track_caller]
pub fn run_in_own_process(place: &str, body: impl FnOnce()) {
    let test = test_name(place);
    match env::var(ROLE) {
        Ok(role) if role == test => {
            body();
            println!("{}", receipt(&test));
        }
        // Under another test's name: the harness was given a name that fits this test too, which `--exact` excludes.
        Ok(role) => panic!("this process was started for the test `{role}`, not for `{test}`"),
        Err(_) => run_child(&test),
    }
}

#[track_caller]
fn run_child(test: &str) {
    let binary = env::current_exe().expect("the test's binary is known");
    let child = Command::new(binary)
        .args([test, "--exact", "--nocapture", "--include-ignored", "--test-threads=1"])
        .env(ROLE, test)
        .output()
        .expect("the test's binary runs again");
    let (stdout, stderr) = (String::from_utf8_lossy(&child.stdout), String::from_utf8_lossy(&child.stderr));
    // By the printing macros, so that the harness captures it.
    print!("{stdout}");
    eprint!("{stderr}");
    assert!(child.status.success(), "`{test}` failed in its own process: {}", child.status);
    assert!(stdout.contains(&receipt(test)), "the child process did not run `{test}`");
}

/// What the child prints when the body has run to its end: that it exits with success alone would also be true if it had
/// found no test of that name.
fn receipt(test: &str) -> String {
    format!("`{test}` ran in its own process")
}

/// `binary::module::test::here` is the harness's `module::test`. A test that returns a value has the same name.
pub(crate) fn test_name(place: &str) -> String {
    let path = place.strip_suffix("::here").unwrap_or(place);
    let path = path.strip_suffix("::{{closure}}").unwrap_or(path);
    path.split_once("::").map_or(path, |(_binary, test)| test).to_owned()
}

#[cfg(test)]
mod tests {
    use super::test_name;
    use std::sync::atomic::{AtomicU32, Ordering};

    static RUNS: AtomicU32 = AtomicU32::new(0);

    #[test]
    fn the_harness_knows_a_test_by_its_path_without_the_binary() {
        assert_eq!(test_name("scenarios::on_sim::join::here"), "on_sim::join");
        assert_eq!(test_name("scenarios::join::here"), "join");
        assert_eq!(test_name("scenarios::join::{{closure}}::here"), "join");
    }

    #[test]
    fn the_body_runs_once_in_another_process() {
        in_own_process!({
            assert_eq!(RUNS.fetch_add(1, Ordering::Relaxed), 0);
        });
        let is_child = std::env::var_os(super::ROLE).is_some();
        assert_eq!(RUNS.load(Ordering::Relaxed), u32::from(is_child), "a static of the parent is not the child's");
    }

    #[test]
    #[should_panic = "failed in its own process"]
    fn a_panic_in_the_body_fails_the_test() {
        // The child itself passes `should_panic` if it panics with these words alone.
        in_own_process!({
            panic!("on purpose");
        });
    }
}
