//! What a run says of itself, on standard error.

use std::fmt;
use std::time::Duration;

use indicatif::{BinaryBytes, ProgressBar, ProgressStyle};

use crate::pipeline::Ring;

/// A bar on a terminal; nothing where standard error is none.
pub(crate) fn bar(len: Option<u64>) -> ProgressBar {
    const KNOWN: &str =
        "{binary_bytes:>11} of {binary_total_bytes} {wide_bar} {binary_bytes_per_sec:>13}, {eta:>3} left";
    const UNKNOWN: &str = "{spinner} {binary_bytes:>11} {binary_bytes_per_sec:>13}";
    let (bar, template) = match len {
        Some(len) => (ProgressBar::new(len), KNOWN),
        None => (ProgressBar::new_spinner(), UNKNOWN),
    };
    // A template that cannot be read would leave the default style.
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// The same for rounds.
pub(crate) fn rounds_bar(rounds: u64) -> ProgressBar {
    let bar = ProgressBar::new(rounds);
    match ProgressStyle::with_template("{human_pos:>11} of {human_len} rounds {wide_bar} {per_sec:>13}, {eta:>3} left")
    {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// A run that came to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Summary {
    /// Bytes enciphered.
    pub bytes: u64,
    /// Time from the first read to the last write.
    pub elapsed: Duration,
    /// The driver's name.
    pub driver: &'static str,
    /// The ring.
    pub ring: Ring,
}

impl Summary {
    /// Throughput.
    pub fn bytes_per_second(&self) -> f64 {
        match self.elapsed.as_secs_f64() {
            0.0 => 0.0,
            seconds => self.bytes as f64 / seconds,
        }
    }
}

/// `enciphered 300.00 MiB in 1.92 s, 156.25 MiB/s (sim, 4 slots of 4.00 MiB)`
impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary { bytes, elapsed, driver, ring } = self;
        let (bytes, rate) = (BinaryBytes(*bytes), BinaryBytes(self.bytes_per_second() as u64));
        let (seconds, slots, chunk) = (elapsed.as_secs_f64(), ring.slots, BinaryBytes(ring.chunk.bytes() as u64));
        write!(f, "enciphered {bytes} in {seconds:.2} s, {rate}/s ({driver}, {slots} slots of {chunk})")
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Summary;
    use crate::pipeline::Ring;

    #[test]
    fn the_summary_is_one_line_with_units() {
        let elapsed = Duration::from_millis(1920);
        let summary = Summary { bytes: 300 << 20, elapsed, driver: "sim", ring: Ring::default() };
        let line = "enciphered 300.00 MiB in 1.92 s, 156.25 MiB/s (sim, 4 slots of 4.00 MiB)";
        assert_eq!(summary.to_string(), line);
        let nothing = Summary { bytes: 0, elapsed: Duration::ZERO, ..summary };
        assert_eq!(nothing.to_string(), "enciphered 0 B in 0.00 s, 0 B/s (sim, 4 slots of 4.00 MiB)");
    }
}
