//! Throws messages at all that receives: some as a peer would send them, most changed.
//!
//! A [`Target`] receives messages and says what it took for valid; [`run`] makes the messages and counts. To add a
//! target, implement the trait and put it into [`TARGETS`].

mod message;
mod oracle;
mod target;

pub(crate) use message::{Generator, Message};
pub(crate) use target::TARGETS;

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Something that receives.
pub(crate) trait Target {
    /// What the summary calls it.
    fn name(&self) -> &'static str;

    /// Throws the message at it. `Ok` says whether it was taken for valid.
    ///
    /// # Errors
    /// The promise that is broken.
    fn throw(&mut self, message: &Message) -> Result<bool, String>;

    /// How many bytes one message may make it allocate.
    fn may_allocate(&self) -> usize {
        0
    }
}

/// What came of a run.
#[derive(Debug)]
pub(crate) struct Summary {
    seed: u64,
    counts: Vec<Count>,
}

#[derive(Debug, Default)]
struct Count {
    name: &'static str,
    thrown: u64,
    accepted: u64,
    most_allocated: usize,
}

/// Throws `frames` messages. `allocated` is how many bytes the process has ever allocated.
///
/// # Errors
/// The first promise that is broken, with all that is needed to see it again.
pub(crate) fn run(frames: u64, seed: u64, allocated: impl Fn() -> usize) -> Result<Summary, String> {
    let counts = TARGETS.iter().map(|target| throw_all(target(seed), frames, seed, &allocated));
    Ok(Summary { seed, counts: counts.collect::<Result<_, _>>()? })
}

/// Throws all messages at one target. One after the other: the threads of one target would allocate while another is watched.
fn throw_all(
    mut target: Box<dyn Target>,
    frames: u64,
    seed: u64,
    allocated: impl Fn() -> usize,
) -> Result<Count, String> {
    let mut count = Count { name: target.name(), ..Count::default() };
    let mut generator = Generator::new(seed);
    for number in 0..frames {
        let message = generator.message();
        let before = allocated();
        let thrown = catch_unwind(AssertUnwindSafe(|| target.throw(&message)));
        let bytes = allocated() - before;
        count.thrown += 1;
        count.most_allocated = count.most_allocated.max(bytes);
        let broken = match thrown {
            Ok(Ok(_)) if bytes > target.may_allocate() => {
                format!("it allocated {bytes} bytes, expected at most {}", target.may_allocate())
            }
            Ok(Ok(accepted)) => {
                count.accepted += u64::from(accepted);
                continue;
            }
            Ok(Err(broken)) => broken,
            Err(_panic) => "it panicked".to_owned(),
        };
        return Err(format!("{}: {broken}\nseed {seed}, message {number}: {message}", target.name()));
    }
    Ok(count)
}

impl Summary {
    /// Whether each target has both accepted and refused: else the messages are too good, or too bad, to tell anything.
    #[must_use]
    pub(crate) fn is_telling(&self) -> bool {
        self.counts.iter().all(|count| count.accepted > 0 && count.accepted < count.thrown)
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "seed {}", self.seed)?;
        writeln!(f, "{:<20} {:>10} {:>10} {:>10} {:>16}", "target", "thrown", "accepted", "refused", "most allocated")?;
        self.counts.iter().try_for_each(|Count { name, thrown, accepted, most_allocated }| {
            writeln!(f, "{name:<20} {thrown:>10} {accepted:>10} {:>10} {most_allocated:>14} B", thrown - accepted)
        })
    }
}
