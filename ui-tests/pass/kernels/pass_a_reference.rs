// guarantee: device memory is passed with its length
use antecede::kernels;

kernels! {
    Math {
        unsafe fn scale(a: f32, x: &mut [f32]) { x.iter_mut().for_each(|x| *x *= a); }
    }
}

fn main() {}
