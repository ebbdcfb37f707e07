// guarantee: of the macros, only `kernels!` contains unsafe code; none of them minds shadowed names
// message: allow(unsafe_code) incompatible with previous forbid
#![forbid(unsafe_code)]
#![allow(non_camel_case_types)]

mod core {}
mod std {}
mod antecede_sim {}
struct Option;
struct Some;
struct Result;
struct Vec;
struct str;
struct i128;
trait State {}
trait Debug {}
trait StreamBrand {}

antecede::streams! { Upload, pub Compute: Blocking }

#[derive(antecede::Batch)]
struct Slot<St: antecede::State> {
    x: antecede::Buffer<f32, St>,
    #[batch(keep)]
    n: usize,
}

antecede::kernels! { Math { unsafe fn double(x: &mut [f32]) { x.iter_mut().for_each(|x| *x *= 2.0); } } }

fn main() {}
