// guarantee: a device brand is one device
use antecede::{DeviceBrand, Several};

struct Mine;

impl DeviceBrand for Mine {}

fn main() {
    let _ = (Mine, None::<Several<'_>>);
}
