// guarantee: a host twin's slices end with its run
// message: borrowed data escapes outside of function
use antecede::kernels;
use std::sync::Mutex;

static KEPT: Mutex<&[f32]> = Mutex::new(&[]);

kernels! {
    Math {
        unsafe fn keep(x: &[f32]) { *KEPT.lock().unwrap() = x; }
    }
}

fn main() {}
