// guarantee: the readers of a shared buffer are joined by a stream of its device
use antecede::{Buffer, Loose, Result, Shared, Stream, devices, streams};

streams! { Home }
devices! { Left, Right }

type Here = Stream<Home, Left>;

fn program(home: Here, x: Shared<Buffer<f32, Loose<Left>>, Left>) -> Result<()> {
    home.reunite(x).map(drop).map_err(Into::into)
}

fn main() {
    let _: Option<Right> = None;
}
