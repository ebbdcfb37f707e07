// guarantee: no implementation of ours makes a buffer ready for another process
use antecede::{Buffer, Exportable, On, streams};

streams! { Mine }

type InFlight = Buffer<f32, On<Mine>, Exportable>;

fn main() { let _: Option<InFlight> = None; }
