// guarantee: the legacy default stream is ordered after blocking streams alone
use antecede::{Buffer, Legacy, On, Stream, streams};

streams! { Compute: Blocking }

fn program(legacy: Stream<Legacy>, compute: Stream<Compute>, x: Buffer<f32, On<Compute>>) -> Buffer<f32, On<Legacy>> {
    legacy.after_blocking(compute, x)
}

fn main() {}
