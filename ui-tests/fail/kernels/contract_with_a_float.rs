// guarantee: a contract is evaluated exactly
// message: integer
use antecede::kernels;

kernels! {
    Math {
        unsafe fn scale(a: f32, n: u32, x: &mut [f32])
        where [a <= 1.0, n as usize <= x.len()]
        { x[..n as usize].iter_mut().for_each(|x| *x *= a); }
    }
}

fn main() {}
