// guarantee: no shorter scope stands for a longer one
// message: lifetime may not live long enough
use antecede::{Device, Scoped};

fn program<'short, 'long: 'short>(device: Device<Scoped<'long>>) -> Device<Scoped<'short>> {
    device
}

fn main() {}
