//! What rounds took, as a table.

use std::fmt;
use std::time::Duration;

use indicatif::BinaryBytes;

use super::IpcArgs;
use super::exporter::Timing;

/// Median, 99th percentile and minimum; zero of nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Distribution {
    pub(super) median: Duration,
    pub(super) p99: Duration,
    pub(super) min: Duration,
}

impl Distribution {
    pub(super) fn of(mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        // Nearest rank: the smallest that so many percent do not exceed.
        let percentile = |percent: usize| {
            let rank = (times.len() * percent).div_ceil(100).max(1);
            times.get(rank - 1).copied().unwrap_or_default()
        };
        Distribution { median: percentile(50), p99: percentile(99), min: percentile(0) }
    }
}

/// One line for each way.
#[derive(Debug)]
pub(super) struct Table {
    bytes: u64,
    importers: u32,
    pub(super) driver: &'static str,
    rows: Vec<Row>,
}

#[derive(Debug)]
struct Row {
    ready: &'static str,
    rounds: usize,
    total: Duration,
    whole: Distribution,
    /// Medians of the parts.
    hand_out: Duration,
    /// The importer's own work; of several, that of the slowest. `None` if they do not tell.
    theirs: Option<Duration>,
    /// The way there and back: what is left of the time that it was away.
    between: Duration,
    verify: Duration,
}

impl Table {
    pub(super) fn new(args: &IpcArgs) -> Self {
        let (bytes, importers) = (args.bytes.bytes() as u64, args.importers.get());
        Table { bytes, importers, driver: "", rows: Vec::new() }
    }

    /// The rounds of one way, and how long each took each importer that tells: from the first of these rounds on.
    pub(super) fn add<'a>(
        &mut self,
        ready: &'static str,
        timings: &[Timing],
        theirs: impl Iterator<Item = &'a [Duration]> + Clone,
    ) {
        let slowest = |round: usize| theirs.clone().filter_map(|times| times.get(round).copied()).max();
        let median = |part: &dyn Fn(usize, &Timing) -> Duration| {
            Distribution::of(timings.iter().enumerate().map(|(round, timing)| part(round, timing)).collect()).median
        };
        self.rows.push(Row {
            ready,
            rounds: timings.len(),
            total: timings.iter().map(Timing::whole).sum(),
            whole: Distribution::of(timings.iter().map(Timing::whole).collect()),
            hand_out: median(&|_, timing| timing.hand_out),
            theirs: slowest(0).map(|_| median(&|round, _| slowest(round).unwrap_or_default())),
            between: median(&|round, timing| timing.away.saturating_sub(slowest(round).unwrap_or_default())),
            verify: median(&|_, timing| timing.verify),
        });
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Table { bytes, importers, driver, rows } = self;
        let bytes = BinaryBytes(*bytes);
        let how = match importers {
            1 => "lent to 1 importer, which answers in it".to_owned(),
            several => format!("published to {several} importers, which read it"),
        };
        let rounds = rows.first().map_or(0, |row| row.rounds);
        writeln!(f, "{bytes}, {how}: {rounds} rounds each way, every word verified ({driver}). Microseconds:")?;
        writeln!(
            f,
            "{:<6} {:>9} | {:>9} {:>9} {:>9} | {:>9} {:>9} {:>9} {:>9}",
            "ready", "rounds/s", "median", "p99", "min", "hand out", "importer", "between", "verify"
        )?;
        rows.iter().try_for_each(|row| writeln!(f, "{row}"))
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let micros = |time: Duration| format!("{:.1}", time.as_secs_f64() * 1e6);
        let rate = match self.total.as_secs_f64() {
            0.0 => 0.0,
            seconds => self.rounds as f64 / seconds,
        };
        let Distribution { median, p99, min } = self.whole;
        let [median, p99, min] = [median, p99, min].map(micros);
        let [hand_out, between, verify] = [self.hand_out, self.between, self.verify].map(micros);
        let theirs = self.theirs.map_or("-".to_owned(), micros);
        let ready = self.ready;
        write!(
            f,
            "{ready:<6} {rate:>9.1} | {median:>9} {p99:>9} {min:>9} | {hand_out:>9} {theirs:>9} {between:>9} {verify:>9}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn micros(times: &[u64]) -> Vec<Duration> {
        times.iter().copied().map(Duration::from_micros).collect()
    }

    #[test]
    fn percentiles_are_those_of_the_nearest_rank() {
        let hundred: Vec<u64> = (1..=100).rev().collect();
        let [median, p99, min] = [50, 99, 1].map(Duration::from_micros);
        assert_eq!(Distribution::of(micros(&hundred)), Distribution { median, p99, min });
        let one = Duration::from_micros(7);
        assert_eq!(Distribution::of(micros(&[7])), Distribution { median: one, p99: one, min: one });
        assert_eq!(Distribution::of(Vec::new()), Distribution::default());
    }

    #[test]
    fn a_row_has_the_slowest_importer_and_what_is_left() {
        let mut table = Table { bytes: 1 << 20, importers: 2, driver: "sim", rows: Vec::new() };
        let timing = Timing {
            hand_out: Duration::from_micros(10),
            away: Duration::from_micros(50),
            verify: Duration::from_micros(40),
        };
        let (one, other) = (micros(&[20, 30]), micros(&[30, 25]));
        table.add("sync", &[timing, timing], [&one[..], &other[..]].into_iter());
        table.add("event", &[timing], std::iter::empty());
        let text = table.to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[0],
            "1.00 MiB, published to 2 importers, which read it: 2 rounds each way, every word verified (sim). Microseconds:"
        );
        let numbers = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let sync = ["sync", "10000.0", "|", "100.0", "100.0", "100.0", "|", "10.0", "30.0", "20.0", "40.0"];
        assert_eq!(numbers(lines[2]), sync);
        let event = ["event", "10000.0", "|", "100.0", "100.0", "100.0", "|", "10.0", "-", "50.0", "40.0"];
        assert_eq!(numbers(lines[3]), event);
        assert_eq!(lines[1].len(), lines[2].len(), "the columns stand below each other");
    }
}
