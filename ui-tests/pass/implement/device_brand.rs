// guarantee: a brand that stands for several devices is not the brand of one
use antecede::DeviceBrand;

enum Mine {}

impl DeviceBrand for Mine {}

fn main() {}
