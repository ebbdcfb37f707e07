// guarantee: a part of a view lies inside it
use antecede::ViewRange;

type Everything = std::ops::RangeFull;

fn slice<R: ViewRange>() {}

fn main() {
    slice::<Everything>();
}
