//! What rustc says, and of which function it says it.

use serde_json::Value;
use std::ops::RangeInclusive;

/// Why a function is refused: the first thing that rustc says of it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Refusal {
    /// `E0277`, say.
    pub code: String,
    /// The head of the message, with `..` for what it quotes.
    pub message: String,
}

/// An error that rustc reports.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    pub(super) line: usize,
    pub(super) refusal: Refusal,
}

/// The errors in rustc's output, one JSON object a line.
///
/// # Errors
/// With the message that could not be attributed to a line of the file.
pub(super) fn faults(output: &str, file: &str) -> Result<Vec<Fault>, String> {
    let mut faults = Vec::new();
    for line in output.lines().filter(|line| line.starts_with('{')) {
        let message: Value = serde_json::from_str(line).map_err(|error| format!("{error}: {line}"))?;
        if message["level"] != "error" {
            continue;
        }
        let text = message["message"].as_str().unwrap_or_default();
        let Some(code) = message["code"]["code"].as_str() else {
            if text.starts_with("aborting due to") {
                continue;
            }
            return Err(format!("an error without a code: {text}"));
        };
        let line = line_of(&message, file).ok_or_else(|| format!("an error outside of the functions: {text}"))?;
        faults.push(Fault { line, refusal: Refusal { code: code.to_owned(), message: without_names(text) } });
    }
    Ok(faults)
}

/// The line of the primary span, if that is in the file.
fn line_of(message: &Value, file: &str) -> Option<usize> {
    let spans = message["spans"].as_array()?;
    let primary = spans.iter().find(|span| span["is_primary"] == true && span["file_name"] == file)?;
    primary["line_start"].as_u64().and_then(|line| usize::try_from(line).ok())
}

/// Names of streams and variables differ from program to program of one kind.
fn without_names(text: &str) -> String {
    let quoted = text.split('`').enumerate();
    quoted.map(|(place, piece)| if place % 2 == 1 { "`..`" } else { piece }).collect()
}

/// Where a function is in its file.
pub(super) fn function_at(lines: &[RangeInclusive<usize>], line: usize) -> Option<usize> {
    let after = lines.partition_point(|function| *function.start() <= line);
    let place = after.checked_sub(1)?;
    lines[place].contains(&line).then_some(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_left_out_of_messages() {
        assert_eq!(without_names("use of moved value: `x`"), "use of moved value: `..`");
        assert_eq!(without_names("`x` is on `B`, not `A`"), "`..` is on `..`, not `..`");
        assert_eq!(without_names("mismatched types"), "mismatched types");
    }

    #[test]
    fn a_line_between_two_functions_is_of_none() {
        let lines = [3..=5, 8..=9];
        let found: Vec<_> = (2..=10).map(|line| function_at(&lines, line)).collect();
        let (one, two) = (Some(0), Some(1));
        assert_eq!(found, [None, one, one, one, None, None, two, two, None]);
    }

    #[test]
    fn an_error_that_no_line_is_known_of_is_not_passed_over() {
        let outside = r#"{"level":"error","message":"m","code":{"code":"E0001"},"spans":[{"is_primary":true,"file_name":"other.rs","line_start":1}]}"#;
        assert!(faults(outside, "programs.rs").is_err());
        assert!(
            faults(r#"{"level":"error","message":"linking failed","code":null,"spans":[]}"#, "programs.rs").is_err()
        );
        let summary = r#"{"level":"error","message":"aborting due to 2 previous errors","code":null,"spans":[]}"#;
        assert!(faults(summary, "programs.rs").is_ok_and(|faults| faults.is_empty()));
    }
}
