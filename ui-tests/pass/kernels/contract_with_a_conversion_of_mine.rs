// guarantee: a contract is told the number that the kernel sees
use antecede::kernels;

type Lie = u32;

const N: Lie = 7;

kernels! { Math { unsafe fn f(x: &mut [f32]) where [N <= x.len()] { x.fill(0.0); } } }

fn main() {}
