// guarantee: what `kernels!` expands to minds no shadowed names, and a mistake in it is the user's own
mod core {}
mod std {}
struct Option;
struct Some;
struct None;
struct Ok;
struct Err;
struct Result;
trait TryFrom {}
trait Clone {}
trait Copy {}

antecede::kernels! {
    Math {
        unsafe fn scale(self_: u32, stream: u32, geometry: u32, accesses: &[f32], y: &mut [f32])
        where [stream as usize <= accesses.len(), self_ + geometry >= 1, 2 * (stream as i64) - 1 != 7]
        { y[0] = accesses[stream as usize]; }
    }
}

fn main() {}
