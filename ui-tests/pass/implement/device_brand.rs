// guarantee: a device brand is one device
use antecede::{DeviceBrand, Primary};

type Mine = Primary;

fn open<D: DeviceBrand>() {}

fn main() {
    open::<Mine>();
}
