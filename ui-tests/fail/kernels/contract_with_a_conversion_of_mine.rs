// guarantee: a contract is told the number that the kernel sees
// message: `Lie` is not an integer
use antecede::kernels;

#[derive(Clone, Copy)]
#[repr(transparent)]
struct Lie(u32);

impl From<Lie> for i128 {
    fn from(_: Lie) -> i128 {
        0
    }
}

const N: Lie = Lie(7);

kernels! { Math { unsafe fn f(x: &mut [f32]) where [N <= x.len()] { x.fill(0.0); } } }

fn main() {}
