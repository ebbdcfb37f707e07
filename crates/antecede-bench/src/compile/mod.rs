//! One program in three forms, to compile: through this library, as raw driver calls, and through a plain wrapper that
//! knows nothing of order.
//!
//! The program has 16 streams, and [`STEPS`] functions that each take three buffers over from a stream to the next five
//! times, and launch kernels on them in between: 1,000 launches and 200 hand-overs in all. Nothing runs it.

mod antecede;
mod raii;
mod raw;

use std::fmt::Write;

/// Streams.
pub const STREAMS: usize = 16;
/// Functions.
pub const STEPS: usize = 40;
/// Hand-overs in each function.
pub const HAND_OVERS: usize = 5;
/// Launches after each hand-over.
pub const LAUNCHES: usize = 5;

/// A form of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Through this library.
    Antecede,
    /// Driver calls of `cust::sys`.
    Raw,
    /// Through a wrapper that frees what it made, and checks codes.
    Raii,
}

impl Form {
    /// All.
    pub const ALL: [Form; 3] = [Form::Antecede, Form::Raw, Form::Raii];

    /// The package's name.
    pub const fn package(self) -> &'static str {
        match self {
            Form::Antecede => "form-antecede",
            Form::Raw => "form-raw",
            Form::Raii => "form-raii",
        }
    }

    /// The dependencies of the package, where the repository is at `root`.
    pub fn dependencies(self, root: &str) -> String {
        match self {
            Form::Antecede => {
                let path = |name| format!("{name} = {{ path = \"{root}/crates/{name}\" }}\n");
                path("antecede") + &path("antecede-cust")
            }
            Form::Raw => "cust = \"=0.3.2\"\n".to_owned(),
            Form::Raii => "plain = { path = \"../plain\" }\n".to_owned(),
        }
    }

    /// The program's text. `change` is a number in it: another one makes it a changed program.
    pub fn program(self, change: u32) -> String {
        match self {
            Form::Antecede => antecede::program(change),
            Form::Raw => raw::program(change),
            Form::Raii => raii::program(change),
        }
    }
}

/// The wrapper that the third form uses: a crate of its own, as such wrappers are.
pub use raii::WRAPPER;

/// The lines of one function: calls `hand_over` with the stream to go to, and `launch` with the kernel, the stream and a
/// number to scale by.
fn step(
    text: &mut String,
    step: usize,
    change: u32,
    mut hand_over: impl FnMut(&mut String, usize, usize),
    mut launch: impl FnMut(&mut String, usize, usize, String),
) {
    for place in 0..HAND_OVERS {
        let from = (step * HAND_OVERS + place) % STREAMS;
        let to = (from + 1) % STREAMS;
        hand_over(text, from, to);
        for number in 0..LAUNCHES {
            let factor = if step == 7 && place == 0 && number == 0 { change as usize } else { number + 1 };
            launch(text, number % 4, to, format!("{factor}.0"));
        }
    }
}

fn first_and_last(step: usize) -> (usize, usize) {
    (step * HAND_OVERS % STREAMS, (step + 1) * HAND_OVERS % STREAMS)
}

fn line(text: &mut String, line: &str) {
    let _ = writeln!(text, "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forms_have_as_many_launches_and_hand_overs() {
        let times = |text: &str, word: &str| text.matches(word).count();
        let text = Form::Antecede.program(1);
        assert_eq!((times(&text, "math."), times(&text, ".take(")), (1000, 200));
        let text = Form::Raw.program(1);
        assert_eq!((times(&text, "cuLaunchKernel("), times(&text, "cuStreamWaitEvent(")), (1000, 200));
        let text = Form::Raii.program(1);
        assert_eq!((times(&text, ".launch("), times(&text, ".wait_for(")), (1000, 200));
    }

    #[test]
    fn a_change_is_one_line() {
        for form in Form::ALL {
            let (one, other) = (form.program(1), form.program(2));
            assert_eq!(one.lines().zip(other.lines()).filter(|(one, other)| one != other).count(), 1, "{form:?}");
        }
    }
}
