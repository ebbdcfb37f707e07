// guarantee: a host twin is safe code unless it says otherwise
use antecede::kernels;

kernels! {
    Math {
        unsafe fn first(x: &[f32], y: &mut [f32]) where [x.len() >= 1, y.len() >= 1]
        { y[0] = x[0]; }
    }
}

fn main() {}
