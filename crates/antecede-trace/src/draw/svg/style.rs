//! Colours and sizes. The palette is Okabe and Ito's, which people with any colour vision can tell apart; and no meaning
//! rests on colour alone: bars have words, what is missing is dashed, what races is framed and numbered.

use super::super::bar::BarKind;

/// Pixels.
pub(super) mod px {
    /// From lane to lane.
    pub(in super::super) const LANE: f64 = 62.0;
    /// Height of a bar.
    pub(in super::super) const BAR: f64 = 36.0;
    /// Height of the bar of an allocation or a free.
    pub(in super::super) const SMALL_BAR: f64 = 20.0;
    /// Width of a logical unit.
    pub(in super::super) const UNIT: f64 = 14.5;
    /// Width of a whole measured timeline.
    pub(in super::super) const MEASURED: f64 = 960.0;
    /// The narrowest bar that can be seen.
    pub(in super::super) const NARROWEST: f64 = 2.0;
    /// Around everything.
    pub(in super::super) const MARGIN: f64 = 18.0;
    /// The narrowest picture: its texts need room.
    pub(in super::super) const LEAST_WIDTH: f64 = 780.0;
    /// Of the text in bars, of most other text, and of the title.
    pub(in super::super) const FONT: f64 = 12.0;
    pub(in super::super) const TEXT: f64 = 13.0;
    pub(in super::super) const TITLE: f64 = 16.0;
    /// From line to line.
    pub(in super::super) const LINE: f64 = 19.0;
    /// Of the dot that stands for a record.
    pub(in super::super) const DOT: f64 = 3.2;
}

/// Generic families alone: a picture needs no font of its own.
pub(super) const FONTS: &str = "system-ui, 'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif";
/// Opaque, so that the picture is legible on a dark page too.
pub(super) const PAPER: &str = "#ffffff";
pub(super) const STRIPE: &str = "#f3f5f7";
pub(super) const FRAME: &str = "#c8cdd2";
pub(super) const INK: &str = "#1b1f23";
pub(super) const FAINT: &str = "#57606a";
pub(super) const IMPLIED: &str = "#a8b0b8";
pub(super) const RACE: &str = "#d55e00";

/// The colour of a bar, and of the text in it.
pub(super) fn colours(kind: BarKind) -> (&'static str, &'static str) {
    match kind {
        BarKind::Kernel => ("#0072b2", "#ffffff"),
        BarKind::Copy => ("#8fcdf2", INK),
        BarKind::Fill => ("#5fc9a8", INK),
        BarKind::HostFn => ("#dba3c4", INK),
        BarKind::Alloc | BarKind::Free => ("#d4d8dc", INK),
        BarKind::HostAccess => ("#f0c05a", INK),
        BarKind::Record | BarKind::Wait => (FAINT, INK),
        BarKind::Sync => ("url(#hatch)", INK),
    }
}

/// A word's width, on the wide side: fonts differ from machine to machine.
pub(super) fn width_of(text: &str, font: f64) -> f64 {
    text.chars().count() as f64 * font * 0.6
}

/// As much of a text as fits into that width, or nothing.
pub(super) fn fitted(text: &str, font: f64, width: f64) -> Option<String> {
    if width_of(text, font) <= width {
        return Some(text.to_owned());
    }
    let room = (width / (font * 0.6)) as usize;
    (room >= 4).then(|| text.chars().take(room - 1).chain(['…']).collect())
}

/// A text in lines of at most that many pixels, broken at spaces.
pub(super) fn wrapped(text: &str, font: f64, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if width_of(line, font) + width_of(word, font) + font * 0.6 <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::{fitted, width_of, wrapped};

    #[test]
    fn texts_are_cut_and_wrapped_to_fit() {
        assert_eq!(fitted("chacha20", 10.0, 48.0).as_deref(), Some("chacha20"));
        assert_eq!(fitted("chacha20", 10.0, 47.0).as_deref(), Some("chacha…"));
        assert_eq!(fitted("chacha20", 10.0, 20.0), None);
        let lines = wrapped("an event recorded on one stream, and a wait on another", 10.0, 120.0);
        assert!(lines.iter().all(|line| width_of(line, 10.0) <= 120.0), "{lines:?}");
        assert_eq!(lines.join(" "), "an event recorded on one stream, and a wait on another");
    }
}
