//! The section of the page on evidence.

use crate::report::tables;
use crate::tally::Tally;

/// The section's heading. It ends where the next one of its level begins.
const HEADING: &str = "## Enumeration";

/// What was run, when and with what.
#[derive(Clone, Debug)]
pub struct Run {
    /// The command.
    pub command: String,
    /// The date.
    pub date: String,
    /// rustc's version.
    pub rustc: String,
    /// How long it took.
    pub seconds: u64,
    /// How many files were compiled at once.
    pub jobs: usize,
}

/// The section, with its heading.
pub fn section(run: &Run, tally: &Tally, examples: &str) -> String {
    let Run { command, date, rustc, seconds, jobs } = run;
    let all = tally.all();
    let total = all.total();
    let each = 10_000.0 * *seconds as f64 / total.max(1) as f64;
    let holes = match all.accepted_racy {
        0 => "No program that rustc accepts has a race.".to_owned(),
        holes => format!("**{holes} programs that rustc accepts have a race.**"),
    };
    let [method, after] = TEXT;
    let tables = tables(tally);
    let jobs = if *jobs == 1 { "one job".to_owned() } else { format!("{jobs} jobs") };
    format!(
        "{HEADING}\n\n{method}\n### What was found\n\n```text\n{command}\n```\n\n{date}, {rustc}: {total} programs in {seconds} s with \
         {jobs}, {each:.0} s for 10,000. {holes}\n\n{tables}{after}\n### Refused without a race, reason by reason\n\n{REASONS}\n{examples}"
    )
}

/// A page with its section replaced, or added at its end.
pub fn replace(page: &str, section: &str) -> String {
    let page = if page.is_empty() { "# Evidence\n" } else { page };
    let mut kept = (String::new(), String::new());
    let (mut inside, mut after) = (false, false);
    for line in page.lines() {
        if line.starts_with("## ") {
            after |= inside;
            inside = line == HEADING;
        }
        let side = if after { &mut kept.1 } else { &mut kept.0 };
        if !inside {
            side.push_str(line);
            side.push('\n');
        }
    }
    let (before, after) = (kept.0.trim_end(), kept.1.trim_end());
    let after = if after.is_empty() { String::new() } else { format!("\n{after}\n") };
    format!("{before}\n\n{}\n{after}", section.trim_end())
}

const TEXT: [&str; 2] = [
    "\
`antecede-enumerate` writes *every* program of a small language, up to a length, as a function in safe code, as a user
would write it. rustc says which it accepts. Independently of the types, each program is judged: the driver calls are
worked out that it would make if the compiler let it through, and two deciders, which must agree on each program, look for
accesses that nothing orders: the judge of `antecede-trace`, which keeps clocks, and a graph of calls, which has none and
shares no code with it.

The buffers are `x` and `y` in device memory, allocated and filled on a stream each, and `p` in pinned memory. The streams
are `a`, `b`, `c` (non-blocking), `j`, `k` (blocking) and the legacy default stream. The operations are all that get
buffers from one stream to another, and the accesses: fills, launches, copies, downloads, host reads and writes, drops. A
hand-over is written `let mut x = b.take(x)?;`. At the end of a function everything is dropped; the frees are judged too.

- *Once*: programs that differ in the names of streams of one kind, or of `x` and `y`, are one program. A program of two
  languages is counted in the first.
- *Left out*: operations on a name before it is bound, and on a buffer after its drop. They are no faults of order.
- *Left in*: uses of what was moved: a buffer that is in a record, an event that was waited for. In C++ these are the stale
  events. They mean what they would mean if a move left the value behind, and memory is freed once, by its latest owner.
- *Not in the language*: several devices, host functions, managed memory and pools, run-time brands, `claim`, the
  per-thread stream, failing calls, and processes. Random programs cover all of these but the last.

Can the experiment be trusted?

- Each file holds nine functions whose verdict is known, spread among the others. rustc may stop before it checks moves and
  borrows where a type is wrong, in whatever function: so what is refused is left out and the rest compiled again, until
  nothing is refused but the canaries of moves and borrows. An error that is in no function ends the run.
- Each accepted program is compiled to machine code and run on a driver that logs its calls. The log must be, call for
  call, what the program was judged by, and the judge must be silent on it.
- The experiment sees what it looks for: with `--unchecked`, `take` is written as the unsafe `take_unchecked`. Of the programs of
  `--length 2`, 391 are then accepted and racing, and reported. The tests of the crate run this too, and all programs of
  `--length 2`: `cargo test -p antecede-enumerate`.
",
    "\
*Same work* is the same accesses, on the same streams, in the same order of submission, of buffers allocated on the same
streams. *No dearer* is: no more event records and waits, no more waits of the host, and no two accesses ordered that were
not ordered before. What is compared with are all accepted programs of the run, and a few plain ways to write the work, made for
this and compiled as well: so *dearer* may be cheaper in a way that was not tried.

The shares say how the types err. Few programs without a race are accepted *as written*, because most have a needless or a
wrong word in them that does no harm: a sync of a stream that the buffer is not on, `on` for a buffer that is there already,
a buffer used where its type does not put it and nothing is in flight. The longer the programs, the more of them have one.
The work of nearly all is accepted once it is written as the types ask, for the same calls. The rest is what the types cost:

- *A wait of the host that they do not see*: `download` and `to_vec` wait for all of their stream, and the buffer is still
  `On` that stream. To go on elsewhere costs an event, or a `sync`, which would be the second wait.
- *Legacy*: an operation on the legacy default stream is before all that a blocking stream is given later. A hand-over from
  legacy to a blocking stream costs one event record even then: an allocation alone makes no such order.
- *The host as a reader*: the host cannot read pinned memory while a stream reads it too.
- *An event covers more than its batch*: a wait for `x` from stream `a` is one for all of `a` so far, another buffer's work
  too. The types credit the batch alone. Two that go the same way go in one `take`; but a share credits what is shared alone.
",
];

const REASONS: &str = "\
By number of programs, each with an example and the nearest accepted program that does the same: one or two operations
added, exchanged or left out, found by trying all, and compiled.
";

#[cfg(test)]
mod tests {
    use super::replace;

    #[test]
    fn a_section_is_replaced_and_the_rest_is_kept() {
        let page = "# Evidence\n\nText.\n\n## Enumeration\n\nOld.\n\n### Part\n\nOld.\n\n## More\n\nKept.\n";
        let new = "## Enumeration\n\nNew.\n";
        let expected = "# Evidence\n\nText.\n\n## Enumeration\n\nNew.\n\n## More\n\nKept.\n";
        assert_eq!(replace(page, new), expected);
        assert_eq!(replace(expected, new), expected);
        assert_eq!(replace("", new), "# Evidence\n\n## Enumeration\n\nNew.\n");
        assert_eq!(replace("# E\n\n## More\n\nKept.\n", new), "# E\n\n## More\n\nKept.\n\n## Enumeration\n\nNew.\n");
    }
}
