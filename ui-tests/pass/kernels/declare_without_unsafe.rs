// guarantee: who declares a kernel makes promises
use antecede::kernels;

kernels! {
    Math {
        unsafe fn double(x: &mut [f32]) { x.iter_mut().for_each(|x| *x *= 2.0); }
    }
}

fn main() {}
