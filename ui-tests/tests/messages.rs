//! What a reader of an error may and may not see.

use antecede_ui_tests::{Case, read};
use std::collections::BTreeMap;
use std::path::Path;

/// Names that mean nothing to a user. (A case may use one itself: then rustc has to say it.)
const INTERNAL: &[&str] = &[
    "__antecede",
    "__private",
    "trusted::",
    "Debt",
    "DeviceCore",
    "EachOn",
    "EachOnDevice",
    "Fact",
    "Freed",
    "ImportCore",
    "ModuleCore",
    "NoStream",
    "NotTheReason",
    "PartsOn",
    "Parents",
    "Place<",
    "PooledEvent",
    "Sealed",
    "sealed::",
    "Readers",
    "Sources",
    "StreamCore",
    "never::",
];

/// Who tries to get behind the library meets what is there.
const BEHIND_THE_SCENES: &[&str] = &["driver", "forge", "implement"];

/// What is shown although it should not be, and why. Shrinks: an entry that is not needed fails the test.
const STILL_SHOWN: &[(&str, &str)] = &[
    ("__private", "kernels/pass_a_value_with_padding, lane: what is generated has names"),
    ("EachOn", "a note says through which bound `AllOn` failed"),
    ("EachOnDevice", "a note says through which bound `OnDevice` failed"),
    ("NoStream", "order/use_without_the_bound: rustc proposes the bound that failed"),
    ("never::", "a help line names the bound that failed: its words say why"),
    ("trusted::", "a method in another file than its type: rustc names the module that it is in"),
    ("sealed::", "scope/use_the_primary_device_in_a_scope: rustc shows the one impl that could apply"),
];

#[test]
fn no_internal_name_is_shown() {
    let mut shown = Vec::new();
    let mut needed = vec![false; STILL_SHOWN.len()];
    for case in Case::all().iter().filter(|case| !BEHIND_THE_SCENES.contains(&case.subject())) {
        for name in INTERNAL.iter().filter(|name| says(&case.stderr, name) && !case.source.contains(**name)) {
            match STILL_SHOWN.iter().position(|(text, _)| text == name) {
                Some(place) => needed[place] = true,
                None => shown.push(format!("{}: `{name}`", case.name)),
            }
        }
    }
    assert!(shown.is_empty(), "\n{}", shown.join("\n"));
    let stale: Vec<_> = STILL_SHOWN.iter().zip(needed).filter(|(_, needed)| !needed).collect();
    assert!(stale.is_empty(), "shown no more: {stale:?}");
}

/// Whether `text` has this name, and not merely a longer one that begins with it: `ReadersStay` is public.
fn says(text: &str, name: &str) -> bool {
    let is_word = |text: &str, at: usize| text[at..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
    let ends_a_word = !name.ends_with(|c: char| !c.is_alphanumeric());
    text.match_indices(name).any(|(at, _)| !(ends_a_word && is_word(text, at + name.len())))
}

/// A `.stderr` with the source of the standard library in it differs from one computer to the next. In `thread` the
/// compiler walks through `PhantomData` to say what is not `Send`.
#[test]
fn the_standard_library_is_not_shown() {
    let shown: Vec<_> = Case::all()
        .into_iter()
        .filter(|case| case.subject() != "thread" && case.stderr.contains("$RUST"))
        .map(|case| case.name)
        .collect();
    assert!(shown.is_empty(), "{shown:?}");
}

/// The program in the README: eighteen lines at most, and the argument underlined.
#[test]
fn the_first_error_that_people_see_is_short() {
    let cases = Case::all();
    let case = cases.iter().find(|case| case.name == "readme/launch_on_another_stream").expect("the README's program");
    let lines: Vec<&str> = case.stderr.trim_end().lines().collect();
    assert!(lines.len() <= 18, "{} lines:\n{}", lines.len(), case.stderr);
    let (code, underlined) = lines
        .windows(2)
        .find_map(|pair| pair[0].contains("math.saxpy(").then_some((pair[0], pair[1])))
        .expect("the call is shown");
    let place = code.find("&x").expect("the argument");
    assert_eq!(underlined.get(place..place + 2), Some("^^"), "\n{code}\n{underlined}");
    assert!(underlined[place + 2..].starts_with(' '), "only the argument: {underlined}");
}

#[test]
fn every_message_of_the_library_is_shown() {
    let cases = Case::all();
    let shown = &cases.iter().find(|case| case.name == "messages/every_message").expect("all messages").stderr;
    let missing: Vec<_> = messages()
        .into_iter()
        .filter(|message| !shown.lines().any(|line| matches(message.slot("message"), line)))
        .map(|message| message.to_string())
        .collect();
    assert!(missing.is_empty(), "\n{}", missing.join("\n"));
}

/// Hazard, underline, smallest edit, and when that edit is wrong.
#[test]
fn every_message_fills_its_slots() {
    let mut complaints = Vec::new();
    for message in messages() {
        let mut complain = |about: &str| complaints.push(format!("{message}: {about}"));
        let (text, notes) = (message.slot("message").to_owned(), message.slots("note"));
        if text.is_empty() || message.slot("label").is_empty() {
            complain("no message, or no label");
        }
        if !notes.iter().any(|note| note.matches('`').count() >= 2) {
            complain("no note says what to type");
        }
        if notes.len() > 3 {
            complain("too many notes");
        }
        for name in message.traits.iter().filter(|name| text.contains(name.as_str())) {
            complain(&format!("the message names the trait `{name}`"));
        }
        for text in message.slots.iter().map(|(_, text)| text) {
            if text.chars().next().is_some_and(char::is_uppercase) || text.ends_with('.') {
                complain(&format!("not in the compiler's style: {text}"));
            }
        }
    }
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

/// One `#[diagnostic::on_unimplemented(..)]`.
struct Message {
    file: String,
    slots: Vec<(String, String)>,
    traits: Vec<String>,
}

impl Message {
    fn slots(&self, key: &str) -> Vec<&str> {
        self.slots.iter().filter(|(slot, _)| slot == key).map(|(_, text)| text.as_str()).collect()
    }

    fn slot(&self, key: &str) -> &str {
        self.slots(key).first().copied().unwrap_or_default()
    }
}

impl std::fmt::Display for Message {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {:?}", self.file, self.slot("message"))
    }
}

/// All that the library and `antecede-ipc` declare.
fn messages() -> Vec<Message> {
    const OPEN: &str = "#[diagnostic::on_unimplemented(";
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
    let sources: BTreeMap<_, _> =
        ["antecede/src", "antecede-ipc/src"].iter().flat_map(|folder| read(&crates.join(folder))).collect();
    let traits: Vec<String> = sources.values().flat_map(|source| traits_of(source)).collect();
    let mut messages = Vec::new();
    for (path, source) in &sources {
        for attribute in source.split(OPEN).skip(1) {
            let slots = attribute.lines().take_while(|line| line.trim() != ")]").filter_map(|line| {
                let (key, text) = line.trim().trim_end_matches(',').split_once(" = ")?;
                Some((key.to_owned(), text.trim_matches('"').replace("\\\"", "\"")))
            });
            let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            messages.push(Message { file, slots: slots.collect(), traits: traits.clone() });
        }
    }
    assert!(messages.len() >= 17, "only {} messages were found", messages.len());
    messages
}

/// Names of public traits, but those that are words of the message as well.
fn traits_of(source: &str) -> impl Iterator<Item = String> + '_ {
    let declared = source.lines().filter_map(|line| line.trim().split_once("pub trait ").map(|(_, rest)| rest));
    declared.map(|rest| rest.chars().take_while(|c| c.is_alphanumeric()).collect())
}

/// Whether `line` is the message `text`, whose `{..}` stand for anything.
fn matches(text: &str, line: &str) -> bool {
    let text = text.replace("{{", "\u{1}").replace("}}", "\u{2}");
    let mut rest = line;
    for (index, piece) in text.split(['{', '}']).enumerate() {
        // Every other piece is the name of a parameter.
        if index % 2 == 1 {
            continue;
        }
        let piece = piece.replace('\u{1}', "{").replace('\u{2}', "}");
        match rest.find(&piece) {
            Some(place) => rest = &rest[place + piece.len()..],
            None => return false,
        }
    }
    true
}
