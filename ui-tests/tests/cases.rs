//! What every case must have.

use antecede_ui_tests::Case;

/// One mistake fits on a screen.
const LONGEST: usize = 36;

/// A twin has the fix and nothing else: so many lines are in one program only. `messages` holds all mistakes at once.
const WIDEST_FIX: usize = 16;

/// What a case breaks, one line each.
fn complaints(mut about: impl FnMut(&Case) -> Option<String>) -> Vec<String> {
    let cases = Case::all();
    assert!(cases.len() >= 100, "only {} cases were found", cases.len());
    cases.iter().filter_map(|case| Some(format!("{}: {}", case.name, about(case)?))).collect()
}

fn none(complaints: &[String]) {
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

#[test]
fn the_first_two_lines_are_the_guarantee_and_the_message() {
    none(&complaints(|case| {
        let lines: Vec<&str> = case.source.lines().take(2).collect();
        let as_agreed = matches!(lines[..], [first, second]
            if first.starts_with("// guarantee: ") && second.starts_with("// message: "));
        (!as_agreed).then(|| format!("{lines:?}"))
    }));
}

#[test]
fn the_message_is_in_the_stderr() {
    none(&complaints(|case| {
        let message = case.header("message")?;
        (!case.stderr.contains(message)).then(|| format!("not found: {message}"))
    }));
}

#[test]
fn the_twin_defends_the_same_guarantee() {
    none(&complaints(|case| {
        let guarantee = format!("// guarantee: {}", case.header("guarantee")?);
        let first = case.twin.lines().next();
        (first != Some(&guarantee)).then(|| format!("{first:?}"))
    }));
}

#[test]
fn one_mistake_is_one_error() {
    none(&complaints(|case| {
        let declared = case.header("errors").map_or(1, |errors| errors.parse().expect("a number of errors"));
        (case.errors() != declared).then(|| format!("{} errors", case.errors()))
    }));
}

#[test]
fn no_warning_distracts() {
    none(&complaints(|case| case.stderr.contains("\nwarning").then(|| "has a warning".to_owned())));
}

#[test]
fn a_case_is_short() {
    none(&complaints(|case| {
        let lines = case.source.lines().count();
        (lines > LONGEST && case.subject() != "messages").then(|| format!("{lines} lines"))
    }));
}

#[test]
fn twins_differ_by_the_fix() {
    none(&complaints(|case| {
        let (refused, accepted) = case.bodies();
        let apart = apart(&refused, &accepted);
        (apart == 0 || apart > WIDEST_FIX && case.subject() != "messages").then(|| format!("{apart} lines differ"))
    }));
}

#[test]
fn imports_are_explicit() {
    none(&complaints(|case| case.source.contains("::*;").then(|| "a glob makes rustc print paths".to_owned())));
}

/// Number of lines that are in one of the programs only.
fn apart(left: &[&str], right: &[&str]) -> usize {
    left.len() + right.len() - 2 * in_common(left, right)
}

/// Length of the longest common subsequence.
fn in_common(left: &[&str], right: &[&str]) -> usize {
    let mut row = vec![0; right.len() + 1];
    for a in left {
        let mut diagonal = 0;
        for (place, b) in right.iter().enumerate() {
            let above = row[place + 1];
            row[place + 1] = if a == b { diagonal + 1 } else { above.max(row[place]) };
            diagonal = above;
        }
    }
    row[right.len()]
}
