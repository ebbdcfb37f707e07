//! Runs the systems by turns, and makes a table of what they took.

use std::fmt::Write;

use serde_json::{Value, json};

use super::{Row, System};

/// Microseconds for one operation, of many runs.
#[derive(Clone, Copy, Debug)]
pub struct Spread {
    /// Half of the runs took no longer.
    pub median: f64,
    /// A quarter of them took no longer.
    pub lower: f64,
    /// Three quarters.
    pub upper: f64,
}

/// The table: for each row, what each system took, or that it has no such operation.
#[derive(Debug)]
pub struct Table {
    /// The systems' names. The first is compared with, the second is this library.
    systems: Vec<&'static str>,
    rows: Vec<(Row, Vec<Option<Spread>>)>,
}

/// Measures all rows: each system in turn, `repeats` times, after two rounds that are not counted.
///
/// # Errors
/// In words: which system failed, at what.
pub fn measure(systems: &mut [Box<dyn System>], repeats: usize) -> Result<Table, String> {
    let mut rows = Vec::new();
    for row in Row::ALL {
        let mut taken = vec![Vec::with_capacity(repeats); systems.len()];
        for repeat in 0..repeats + 2 {
            // Who begins changes, so that none is always after the same one.
            for turn in 0..systems.len() {
                let at = (turn + repeat) % systems.len();
                let system = &mut systems[at];
                let took =
                    system.run(row, row.times()).map_err(|error| format!("{}, {row}: {error}", system.name()))?;
                if let (Some(took), 2..) = (took, repeat) {
                    taken[at].push(took.as_secs_f64() * 1e6 / row.times() as f64);
                }
            }
        }
        rows.push((row, taken.into_iter().map(spread).collect()));
    }
    Ok(Table { systems: systems.iter().map(|system| system.name()).collect(), rows })
}

fn spread(mut taken: Vec<f64>) -> Option<Spread> {
    taken.sort_by(f64::total_cmp);
    let at = |part: usize| taken.get(taken.len() * part / 4).copied();
    Some(Spread { lower: at(1)?, median: at(2)?, upper: at(3)? })
}

impl Table {
    /// For reading: the median and the quartiles in microseconds, the ratio to the first system, and whether the second,
    /// this library, is within its target and before all systems but the first.
    pub fn text(&self) -> String {
        let mut text = format!("{:<26}", "microseconds");
        self.systems.iter().for_each(|name| _ = write!(text, " {name:^28}"));
        for (row, spreads) in &self.rows {
            let _ = write!(text, "\n{:<26}", row.to_string());
            let base = spreads[0].map(|spread| spread.median);
            for spread in spreads {
                let cell = match (spread, base) {
                    (Some(Spread { median, lower, upper }), Some(base)) => {
                        format!("{median:.3} ({lower:.3}-{upper:.3}) {:.3}x", median / base)
                    }
                    _ => "-".to_owned(),
                };
                let _ = write!(text, " {cell:^28}");
            }
            let _ = write!(text, " {}", self.verdict(*row, spreads));
        }
        text
    }

    fn verdict(&self, row: Row, spreads: &[Option<Spread>]) -> String {
        let median = |at: usize| spreads.get(at).copied().flatten().map(|spread| spread.median);
        let (Some(raw), Some(ours)) = (median(0), median(1)) else { return String::new() };
        let target = row.target().map_or(String::new(), |target| {
            let met = if ours / raw <= target { "met" } else { "MISSED" };
            format!("target {target}: {met}; ")
        });
        let others = (2..spreads.len()).filter_map(median);
        let fastest =
            if others.into_iter().all(|other| ours < other) { "before all others" } else { "NOT the fastest" };
        target + fastest
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let rows: Vec<Value> = self.rows.iter().map(|(row, spreads)| self.row(*row, spreads)).collect();
        json!({ "unit": "microseconds", "rows": rows })
    }

    fn row(&self, row: Row, spreads: &[Option<Spread>]) -> Value {
        let base = spreads[0].map(|spread| spread.median);
        let each = self.systems.iter().zip(spreads).map(|(name, spread)| {
            let value = spread.map(|Spread { median, lower, upper }| {
                json!({ "median": median, "lower": lower, "upper": upper, "ratio": base.map(|base| median / base) })
            });
            ((*name).to_owned(), value.unwrap_or(Value::Null))
        });
        json!({ "row": row.to_string(), "target": row.target(), "systems": Value::Object(each.collect()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    struct Fixed(&'static str, u64);

    impl System for Fixed {
        fn name(&self) -> &'static str {
            self.0
        }

        fn run(&mut self, row: Row, times: u64) -> Result<Option<Duration>, String> {
            Ok((row != Row::Fork).then(|| Duration::from_nanos(self.1 * times)))
        }
    }

    #[test]
    fn ratios_and_targets_are_of_the_medians() {
        let mut systems: Vec<Box<dyn System>> =
            vec![Box::new(Fixed("raw", 1000)), Box::new(Fixed("ours", 1015)), Box::new(Fixed("other", 2000))];
        let table = measure(&mut systems, 4).expect("none fails");
        let json = table.json();
        let ratio = json["rows"][0]["systems"]["ours"]["ratio"].as_f64().expect("a number");
        assert!((ratio - 1.015).abs() < 1e-9, "{ratio}");
        assert!(json["rows"][17]["systems"]["ours"].is_null(), "no such operation");
        let text = table.text();
        assert!(text.contains("target 1.01: MISSED; before all others"), "{text}");
        assert!(text.contains("target 1.02: met; before all others"), "{text}");
    }
}
