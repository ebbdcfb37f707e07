// guarantee: the legacy default stream is ordered after blocking streams alone
// message: the legacy default stream gives no order to stream `Compute`, which is non-blocking
use antecede::{Buffer, Legacy, On, Stream, streams};

streams! { Compute }

fn program(legacy: Stream<Legacy>, compute: Stream<Compute>, x: Buffer<f32, On<Compute>>) -> Buffer<f32, On<Legacy>> {
    legacy.after_blocking(compute, x)
}

fn main() {}
