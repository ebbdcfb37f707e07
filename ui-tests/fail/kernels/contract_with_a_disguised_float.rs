// guarantee: a contract is evaluated exactly, whatever a type is called
// message: `f32` is not an integer
use antecede::kernels;

type Scale = f32;

kernels! {
    Math {
        unsafe fn scale(a: Scale, n: u32, x: &mut [f32])
        where [a <= 1, n as usize <= x.len()]
        { x[..n as usize].iter_mut().for_each(|x| *x *= a); }
    }
}

fn main() {}
