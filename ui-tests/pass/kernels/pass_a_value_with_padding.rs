// guarantee: every bit pattern that a kernel can write is a value
use antecede::kernels;

type Padded = [u32; 2];

kernels! {
    Math {
        unsafe fn first(x: &mut [Padded]) { let _ = x; }
    }
}

fn main() {}
