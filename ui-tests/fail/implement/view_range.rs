// guarantee: a part of a view lies inside it
// message: sealed
use antecede::ViewRange;
use std::ops::Range;

struct Everything;

impl ViewRange for Everything {
    fn within(self, _: usize) -> Option<Range<usize>> {
        Some(0..usize::MAX)
    }
}

fn slice<R: ViewRange>() {}

fn main() {
    slice::<Everything>();
}
