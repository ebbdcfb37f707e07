// guarantee: a hand-over without an event is for streams that the driver orders
use antecede::{Buffer, Legacy, On, Stream, streams};

streams! { Upload: Blocking }

fn program(legacy: Stream<Legacy>, upload: Stream<Upload>, x: Buffer<f32, On<Upload>>) -> Buffer<f32, On<Legacy>> {
    legacy.after_blocking(upload, x)
}

fn main() {}
