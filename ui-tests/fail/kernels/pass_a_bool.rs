// guarantee: every bit pattern that a kernel can write is a value
// message: a kernel could write a bit pattern that is no `bool`
use antecede::kernels;

kernels! {
    Math {
        unsafe fn mark(x: &mut [bool]) { x.fill(true); }
    }
}

fn main() {}
