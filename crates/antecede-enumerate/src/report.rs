//! The findings as a section of a Markdown page.

use crate::compiler;
use crate::completeness::{Offer, RefusedFree};
use crate::edit::nearest_accepted;
use crate::experiment::Experiment;
use crate::program::Program;
use crate::render::{Doors, lines};
use crate::tally::{Cells, FEATURES, Tally};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Numbers of refused programs without a race, by what is accepted in their place.
#[derive(Clone, Copy, Default, Debug)]
pub struct Offers {
    /// The same work, at no more cost.
    pub same: usize,
    /// The same work, dearer.
    pub dearer: usize,
    /// Nothing.
    pub nothing: usize,
}

impl Offers {
    fn add(&mut self, offer: Offer) {
        match offer {
            Offer::Same => self.same += 1,
            Offer::Dearer => self.dearer += 1,
            Offer::Nothing => self.nothing += 1,
        }
    }

    /// Of those that `chosen` holds of.
    pub fn of(tally: &Tally, chosen: impl Fn(&RefusedFree) -> bool) -> Offers {
        let mut offers = Offers::default();
        for refused in tally.completeness.refused.iter().filter(|refused| chosen(refused)) {
            offers.add(tally.completeness.offer_for(refused));
        }
        offers
    }
}

/// The tables of what was found.
pub fn tables(tally: &Tally) -> String {
    let mut text = String::new();
    matrix(&mut text, tally);
    languages(&mut text, tally);
    shares(&mut text, tally);
    racy(&mut text, tally);
    text
}

// Writing to a string does not fail.
macro_rules! line {
    ($text:expr) => { $text.push('\n') };
    ($text:expr, $($format:tt)*) => {{ let _ = writeln!($text, $($format)*); }};
}

fn matrix(text: &mut String, tally: &Tally) {
    line!(text, "| | without a race | racing |");
    line!(text, "|---|---:|---:|");
    let all = tally.all();
    line!(text, "| **accepted** | {} | **{}** |", grouped(all.accepted_free), grouped(all.accepted_racy));
    let moved = |of: usize, moved: usize| format!("{} ({} of them use a moved value)", grouped(of), grouped(moved));
    let (free, racy) = (tally.moved.refused_free, tally.moved.refused_racy);
    line!(text, "| **refused** | {} | {} |", moved(all.refused_free, free), moved(all.refused_racy, racy));
    line!(text);
}

fn languages(text: &mut String, tally: &Tally) {
    line!(text, "| Language | Operations | Programs | Accepted | Refused, racing | Refused, without a race |");
    line!(text, "|---|---:|---:|---:|---:|---:|");
    for (name, length, cells) in &tally.languages {
        let Cells { accepted_free, accepted_racy, refused_free, refused_racy } = *cells;
        let counts = [cells.total(), accepted_free + accepted_racy, refused_racy, refused_free].map(grouped);
        line!(text, "| {name} | 1 to {length} | {} |", counts.join(" | "));
    }
    line!(text);
}

fn shares(text: &mut String, tally: &Tally) {
    line!(
        text,
        "| Programs without a race | Number | Accepted as written | Same work accepted, no dearer | Dearer | Not at all |"
    );
    line!(text, "|---|---:|---:|---:|---:|---:|");
    let row = |text: &mut String, name: &str, cells: Cells, offers: Offers| {
        let free = cells.free();
        let share = |count: usize| format!("{:.1} %", 100.0 * count as f64 / free.max(1) as f64);
        let shares = [cells.accepted_free, offers.same, offers.dearer].map(share);
        line!(text, "| {name} | {} | {} | {} |", grouped(free), shares.join(" | "), grouped(offers.nothing));
    };
    row(text, "**all that use no moved value**", tally.plain, Offers::of(tally, |refused| !refused.uses_moved));
    for (name, has) in FEATURES {
        let cells = tally.features.get(name).copied().unwrap_or_default();
        row(text, name, cells, Offers::of(tally, |refused| !refused.uses_moved && has(&refused.program)));
    }
    row(text, "those that use a moved value", tally.moved, Offers::of(tally, |refused| refused.uses_moved));
    line!(text);
}

fn racy(text: &mut String, tally: &Tally) {
    line!(text, "| Racing programs are refused by | Number |");
    line!(text, "|---|---:|");
    let mut reasons: Vec<_> = tally.racy.iter().collect();
    reasons.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    for (refusal, count) in reasons {
        line!(text, "| `{}`: {} | {} |", refusal.code, refusal.message.replace("`..`", "…"), grouped(*count));
    }
    line!(text);
}

/// For each reason that programs without a race are refused for, examples, each with the nearest program that does the
/// same and is accepted.
///
/// # Errors
/// If the verdicts of rustc are not to be trusted.
pub fn examples(experiment: &Experiment<'_>, tally: &Tally) -> Result<String, compiler::Error> {
    let mut groups: BTreeMap<_, BTreeMap<Offer, Vec<&RefusedFree>>> = BTreeMap::new();
    for refused in &tally.completeness.refused {
        let group = groups.entry(&refused.refusal).or_default();
        group.entry(tally.completeness.offer_for(refused)).or_default().push(refused);
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|(_, offers)| std::cmp::Reverse(offers.values().map(Vec::len).sum::<usize>()));
    let mut text = String::new();
    for (refusal, offers) in groups {
        line!(text, "#### `{}`: {}\n", refusal.code, refusal.message.replace("`..`", "…"));
        for (offer, programs) in offers {
            let moved = programs.iter().filter(|refused| refused.uses_moved).count();
            let what = match offer {
                Offer::Same => "The same work is accepted, no dearer",
                Offer::Dearer => "The same work is accepted, dearer",
                Offer::Nothing => "The same work is not accepted",
            };
            let moved = if moved == 0 { String::new() } else { format!(" ({} use a moved value)", grouped(moved)) };
            let number = if programs.len() == 1 {
                "one program".to_owned()
            } else {
                format!("{} programs", grouped(programs.len()))
            };
            line!(text, "{what}: {number}{moved}.\n");
            let least = programs.iter().min_by_key(|refused| refused.simplicity());
            let Some(refused) = least else { continue };
            listing(&mut text, &refused.program);
            match nearest_accepted(experiment, &refused.program)? {
                Some(accepted) => {
                    line!(text, "Accepted:\n");
                    listing(&mut text, &accepted);
                }
                None => line!(text, "No program within two edits does the same and is accepted.\n"),
            }
        }
    }
    Ok(text)
}

/// A program's body.
pub fn listing(text: &mut String, program: &Program) {
    line!(text, "```text\n{}\n```\n", lines(program, Doors::Checked).join("\n"));
}

/// `1234567` as `1,234,567`.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        assert_eq!([0, 999, 1000, 123_456, 1_234_567].map(grouped), ["0", "999", "1,000", "123,456", "1,234,567"]);
    }
}
