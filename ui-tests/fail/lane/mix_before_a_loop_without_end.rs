// guarantee: a brand of `lane!` is that of one stream, also where its end is not reached
// message: temporary value dropped while borrowed
use antecede::{AnyStream, lane};

fn program(streams: &[AnyStream]) -> ! {
    lane!(a = streams[0]);
    lane!(b = streams[1]);
    let mut x = a.zeroed::<f32>(8).unwrap();
    b.fill(&mut x, 1.0).unwrap();
    loop {}
}

fn main() {}
