// guarantee: device memory is passed with its length
use antecede::kernels;

kernels! {
    Math {
        unsafe fn double(n: u32, x: &mut [f32]) { let _ = (n, x); }
    }
}

fn main() {}
