// guarantee: a brand of `lane!` is that of one stream, also where its end is not reached
use antecede::{AnyStream, lane};

fn program(streams: &[AnyStream]) -> ! {
    lane!(a = streams[0]);
    lane!(b = streams[1]);
    let mut x = a.zeroed::<f32>(8).unwrap();
    a.fill(&mut x, 1.0).unwrap();
    loop {}
}

fn main() {}
