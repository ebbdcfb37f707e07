//! The command `race`: one program of two streams, without the wait between them and with it.

use std::fmt;
use std::io::Write;
use std::sync::Arc;

use antecede::driver::Driver;
use antecede::{Device, DeviceBrand, streams};
use antecede_trace::{Log, Report, Trace, judge};

use crate::device::DeviceChoice;
use crate::error::{Error, FileName};
use crate::trusted::{Busy, read_without_waiting};

streams! {
    /// Writes.
    Producer,
    /// Reads.
    Consumer,
}

/// How many values are written and read.
const LEN: usize = 1024;
/// What they are before, and after.
const BEFORE: u32 = 0;
const AFTER: u32 = 7;
/// How long the producer is busy before it writes: some hundredths of a second on a GPU.
const CLOCKS: u64 = 100_000_000;

/// One run of the program.
#[derive(Debug)]
pub struct Run {
    /// What the consumer read.
    pub seen: Vec<u32>,
    /// What the judge says of the driver calls.
    pub report: Report,
    /// The driver calls.
    pub log: Log,
}

impl Run {
    /// Whether every value is the one that the producer wrote.
    pub fn is_right(&self) -> bool {
        self.seen.iter().all(|&value| value == AFTER)
    }
}

/// Whether the consumer waits for the producer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HandOver {
    /// `unsafe { consumer.take_unchecked(x) }`
    Unchecked,
    /// `consumer.take(x)?`
    Taken,
}

/// Runs the program: the producer is busy, then fills `x`; the consumer reads it.
///
/// # Errors
/// What the driver returns.
pub fn run_once(driver: Arc<dyn Driver>, hand_over: HandOver) -> antecede::Result<Run> {
    run_traced(&Trace::new(driver), hand_over)
}

/// The same through a trace that is there already.
pub(crate) fn run_traced(trace: &Trace, hand_over: HandOver) -> antecede::Result<Run> {
    let seen = Device::scope(trace.clone(), 0, |device| produce_and_consume(device, hand_over))?;
    let log = trace.log();
    Ok(Run { seen, report: judge(&log), log })
}

fn produce_and_consume<D: DeviceBrand>(device: Device<D>, hand_over: HandOver) -> antecede::Result<Vec<u32>> {
    let (producer, consumer) = device.streams::<(Producer, Consumer)>()?;
    let busy = device.load::<Busy>()?;
    let mut x = producer.upload(&[BEFORE; LEN])?;
    let mut done = producer.alloc(1)?;

    busy.burn(producer, CLOCKS, &mut done)?;
    producer.fill(&mut x, AFTER)?;
    match hand_over {
        HandOver::Unchecked => read_without_waiting(producer, consumer, x),
        HandOver::Taken => {
            let x = consumer.take(x)?;
            consumer.download(&x)
        }
    }
}

/// Runs the program both ways, and says what came of it.
///
/// # Errors
/// [`Error::Device`] and what opening the device returns; [`Error::Write`] if `out` cannot be written.
pub fn race(choice: DeviceChoice, out: &mut dyn Write) -> Result<(), Error> {
    let driver = choice.open_repeatable()?.driver;
    let wrong = run_once(driver.clone(), HandOver::Unchecked)?;
    let right = run_once(driver.clone(), HandOver::Taken)?;
    let lesson = Lesson { driver: driver.name(), wrong, right };
    write!(out, "{lesson}")
        .and_then(|()| out.flush())
        .map_err(|source| Error::Write { file: FileName::StandardOutput, source })
}

/// Both runs, as text.
#[derive(Debug)]
struct Lesson {
    driver: &'static str,
    wrong: Run,
    right: Run,
}

impl fmt::Display for Lesson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Lesson { driver, wrong, right } = self;
        writeln!(
            f,
            "On `{driver}`, stream `Producer` sets {LEN} values from {BEFORE} to {AFTER}; stream `Consumer` reads them.\n"
        )?;
        writeln!(f, "1. Without the wait, through the unsafe door:\n")?;
        writeln!(f, "       let x = unsafe {{ consumer.take_unchecked(x) }};\n")?;
        writeln!(f, "{wrong}")?;
        if wrong.is_right() {
            writeln!(
                f,
                "   The values were right by luck, this time. The judge looks at the order, not at the luck.\n"
            )?;
        }
        writeln!(f, "2. With the hand-over, one event record and one event wait:\n")?;
        writeln!(f, "       let x = consumer.take(x)?;\n")?;
        writeln!(f, "{right}")?;
        writeln!(
            f,
            "Without `unsafe` and without `take`, the program does not compile: \"this buffer is not ready on stream `Consumer`\"."
        )
    }
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start: Vec<_> = self.seen.iter().take(8).map(u32::to_string).collect();
        let wrong = self.seen.iter().filter(|&&value| value != AFTER).count();
        let verdict = if wrong == 0 { "right".to_owned() } else { format!("WRONG: {wrong} of {LEN} values") };
        writeln!(f, "   read:  {} .. {verdict}", start.join(" "))?;
        let report = self.report.to_string().replace('\n', "\n          ");
        writeln!(f, "   judge: {report}")
    }
}

#[cfg(test)]
mod tests {
    use antecede_sim::Sim;
    use antecede_trace::{Call, RaceKind};

    use super::{BEFORE, HandOver, LEN, run_once};
    use crate::device::simulator;

    #[test]
    fn without_the_wait_the_data_is_wrong_and_the_judge_says_why() {
        let run = run_once(simulator(), HandOver::Unchecked).expect("runs");
        assert_eq!(run.seen, [BEFORE; LEN]);
        let [race] = run.report.races() else { panic!("one race: {}", run.report) };
        assert_eq!((race.kind, race.first.call, race.second.call), (RaceKind::ReadAfterWrite, Call::Fill, Call::Copy));
        assert_eq!(race.bytes, LEN * size_of::<u32>());
    }

    #[test]
    fn the_judge_needs_no_wrong_data() {
        for seed in 0..20 {
            let run = run_once(Sim::builder().seed(seed).build().into(), HandOver::Unchecked).expect("runs");
            assert_eq!(run.report.races().len(), 1, "seed {seed}");
        }
    }

    #[test]
    fn with_the_hand_over_the_data_is_right_and_the_judge_silent() {
        for seed in 0..20 {
            let run = run_once(Sim::builder().seed(seed).build().into(), HandOver::Taken).expect("runs");
            assert!(run.is_right(), "seed {seed}");
            run.report.assert_silent();
        }
    }
}
