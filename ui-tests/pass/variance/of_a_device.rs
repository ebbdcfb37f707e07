// guarantee: no shorter scope stands for a longer one
use antecede::{Device, Scoped};

fn program<'short, 'long: 'short>(device: Device<Scoped<'long>>, _: &'short ()) -> Device<Scoped<'long>> {
    device
}

fn main() {}
