//! Where steps lie in time.

use super::bar::BarKind;
use super::step::Step;
use crate::{Span, Times};

/// Units between the end of what is waited for and the end of the wait: room for an arrow.
const HAND_OVER: f64 = 1.5;
/// Units of a record.
const RECORD: f64 = 0.5;
/// Units of an allocation or a free: they move no bytes.
const SMALL: f64 = 2.6;

/// Start and end of each step by happens-before alone: as early as what it waits for allows.
pub(super) fn logical(steps: &[Step]) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::with_capacity(steps.len());
    for step in steps {
        let start = latest(&step.after, &spans);
        let end =
            if step.kind.waits() { start.max(latest(&step.until, &spans)) + HAND_OVER } else { start + width(step) };
        spans.push(Span { start, end });
    }
    spans
}

/// Start and end of each step as measured, from the first start on. What was not measured has no width, and follows what
/// it waits for.
pub(super) fn measured(steps: &[Step], times: &Times) -> Vec<Span> {
    let is_time = |span: &Span| span.start.is_finite() && span.end.is_finite();
    let spans = steps.iter().map(|step| times.of(step.seq).filter(is_time));
    let origin = spans.clone().flatten().map(|span| span.start).reduce(f64::min).unwrap_or(0.0);
    let mut placed: Vec<Span> = Vec::with_capacity(steps.len());
    for (step, span) in steps.iter().zip(spans) {
        placed.push(match span {
            Some(span) => Span { start: span.start - origin, end: span.end.max(span.start) - origin },
            None => {
                let at = latest(&step.after, &placed).max(latest(&step.until, &placed));
                Span { start: at, end: at }
            }
        });
    }
    placed
}

/// When the last of these steps ends; 0 if there are none.
fn latest(steps: &[usize], spans: &[Span]) -> f64 {
    steps.iter().map(|&step| spans[step].end).fold(0.0, f64::max)
}

/// Units of an operation: a word's width, and the logarithm of its bytes.
fn width(step: &Step) -> f64 {
    match step.kind {
        BarKind::Record => RECORD,
        BarKind::Alloc | BarKind::Free => SMALL,
        _ => 2.6 + (step.bytes.max(1) as f64).log2() / 10.0,
    }
}
