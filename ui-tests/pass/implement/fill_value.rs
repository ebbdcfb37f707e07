// guarantee: a fill is aligned to the width of its value
use antecede::FillValue;

type Rgb = u32;
 
fn fill<T: FillValue>() {}

fn main() {
    fill::<Rgb>();
}
