// guarantee: a fill is aligned to the width of its value
// message: sealed
use antecede::FillValue;

#[derive(Clone, Copy)]
struct Rgb([u8; 3]);

impl FillValue for Rgb {}
 
fn fill<T: FillValue>() {}

fn main() {
    fill::<Rgb>();
}
