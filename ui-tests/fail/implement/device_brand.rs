// guarantee: a brand that stands for several devices is not the brand of one
// message: only traits defined in the current crate can be implemented for types defined outside of the crate
use antecede::{DeviceBrand, Several};

impl DeviceBrand for Several<'_> {}

fn main() {}
