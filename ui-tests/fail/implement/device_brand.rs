// guarantee: a device brand is one device
// message: only traits defined in the current crate can be implemented for types defined outside of the crate
use antecede::{DeviceBrand, Several};

struct Mine;

impl DeviceBrand for Several<'_> {}

fn main() {
    let _ = Mine;
}
