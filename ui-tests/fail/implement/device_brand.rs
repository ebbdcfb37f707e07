// guarantee: a device brand is one device
// message: sealed
use antecede::DeviceBrand;

enum Mine {}

impl DeviceBrand for Mine {}

fn open<D: DeviceBrand>() {}

fn main() {
    open::<Mine>();
}
