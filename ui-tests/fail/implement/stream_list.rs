// guarantee: streams come from their device
// message: sealed
use antecede::{Device, Primary, Result, StreamList, streams};

streams! { Upload, Compute }

struct Pair;

impl StreamList<Primary> for Pair {
    type Streams = ();
    fn open(_: Device<Primary>) -> Result<()> {
        Ok(())
    }
}

fn program(device: Device<Primary>) -> Result<()> {
    device.streams::<Pair>().map(drop)
}

fn main() {}
