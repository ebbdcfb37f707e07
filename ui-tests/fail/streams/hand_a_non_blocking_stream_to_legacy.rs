// guarantee: a hand-over without an event is for streams that the driver orders
// message: the legacy default stream gives no order to stream `Upload`, which is non-blocking
use antecede::{Buffer, Legacy, On, Stream, streams};

streams! { Upload }

fn program(legacy: Stream<Legacy>, upload: Stream<Upload>, x: Buffer<f32, On<Upload>>) -> Buffer<f32, On<Legacy>> {
    legacy.after_blocking(upload, x)
}

fn main() {}
