// guarantee: a brand of `lane!` is that of one stream, also between two polls
use antecede::{AnyStream, Result, lane};
use std::future::ready;

async fn program(streams: &[AnyStream]) -> Result<()> {
    lane!(a = streams[0]);
    let mut x = a.zeroed::<f32>(8)?;
    ready(()).await;
    lane!(b = streams[1]);
    ready(()).await;
    a.fill(&mut x, 1.0)
}

fn main() {}
