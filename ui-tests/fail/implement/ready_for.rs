// guarantee: no implementation of ours makes a buffer ready for another process
// message: sealed
// errors: 2
use antecede::ipc::ReadyFor;
use antecede::{Buffer, Exportable, On, ReadWrite, streams};

streams! { Mine }

type InFlight = Buffer<f32, On<Mine>, Exportable>;

impl ReadyFor<ReadWrite, Mine> for InFlight {}

fn main() { let _: Option<InFlight> = None; }
