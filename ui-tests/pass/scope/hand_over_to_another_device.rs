// guarantee: every way from stream to stream stays on the device, for each member of a batch
use antecede::{AnyStream, Buffer, Error, Loose, Shared, Stream, devices, streams};

streams! { Compute }
devices! { Left, Right }

type There = Left;
type Own = Buffer<f32, Loose<Left>>;
type Other = Buffer<f32, Loose<There>>;

fn tuple(stream: Stream<Compute, Left>, x: Own, y: Other) -> Result<(), Error> { Ok(drop(stream.take((x, y))?)) }
fn vector(stream: Stream<Compute, Left>, x: Vec<Other>) -> Result<(), Error> { Ok(drop(stream.take(x)?)) }
fn claim(stream: Stream<Compute, Left>, x: Other) -> Result<(), Error> { Ok(drop(stream.claim(x)?)) }
fn take(stream: AnyStream<Left>, x: Other) -> Result<(), Error> { Ok(drop(stream.take(x)?)) }
fn sync(stream: AnyStream<Left>, x: Other) -> Result<(), Error> { Ok(drop(stream.sync(x)?)) }
fn reunite(stream: Stream<Compute, Left>, x: Shared<Other, Left>) -> Result<(), Error> { Ok(drop(stream.reunite(x)?)) }

fn main() {
    let _: Option<Right> = None;
}
