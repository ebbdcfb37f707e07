// guarantee: every bit pattern that a kernel can write is a value
// message: the trait `bytemuck::pod::Pod` is not implemented for `Padded`
// errors: 2
use antecede::kernels;

#[repr(C)]
#[derive(Clone, Copy)]
struct Padded(u8, u32);

kernels! {
    Math {
        unsafe fn first(x: &mut [Padded]) { let _ = x; }
    }
}

fn main() {}
