// guarantee: who declares a kernel makes promises
// message: unsafe
use antecede::kernels;

kernels! {
    Math {
        fn double(x: &mut [f32]) { x.iter_mut().for_each(|x| *x *= 2.0); }
    }
}

fn main() {}
