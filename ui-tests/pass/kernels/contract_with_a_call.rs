// guarantee: a contract runs nobody's code
use antecede::kernels;

kernels! {
    Math {
        unsafe fn double(n: u32, x: &mut [f32])
        where [n as usize <= x.len()]
        { let _ = (n, x); }
    }
}

fn main() {}
