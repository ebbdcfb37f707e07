// guarantee: a fill is aligned to the width of its value
// message: sealed
// errors: 2
use antecede::{FillValue, driver::Pattern};

#[derive(Clone, Copy)]
struct Rgb([u8; 3]);

impl FillValue for Rgb {
    fn pattern(self) -> Pattern {
        Pattern::D32(0)
    }
}
 
fn fill<T: FillValue>() {}

fn main() {
    fill::<Rgb>();
}
