use antecede::driver::{EventData, PointerData};
use antecede::ipc::Parcel;
use antecede::{Device, Exportable, ReadOnly};
use antecede_ipc::wire::PoolId;
use antecede_sim::Sim;
use std::os::fd::OwnedFd;
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};

/// Memory that is there: of a simulator on a thread of its own, and what others are told of it.
pub(super) struct Genuine {
    pub(super) pool: PoolId,
    pub(super) descriptor: OwnedFd,
    pub(super) pointers: Vec<PointerData>,
    /// Recorded after all work on the memory.
    pub(super) event: EventData,
    end: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Genuine {
    /// Elements of each buffer.
    pub(super) const LEN: usize = 16;
    const BUFFERS: usize = 4;

    pub(super) fn new() -> Self {
        antecede::streams! { Writer }
        let (tell, told) = channel();
        let (end, ended) = channel();
        let thread = thread::spawn(move || {
            let closed = Device::scope(Sim::new(), 0, |device| {
                let stream = device.stream::<Writer>()?;
                let pool = device.pool::<Exportable>()?;
                let mut parcels = Vec::new();
                for _ in 0..Self::BUFFERS {
                    let mut x = stream.alloc_in(pool, Self::LEN)?;
                    stream.fill(&mut x, 7_u32)?;
                    parcels.push(Parcel::<_, ReadOnly, _>::pack(stream.record(x)?)?);
                }
                let event = *parcels.last().and_then(Parcel::ready).expect("of a record");
                let pointers = parcels.iter().map(|parcel| *parcel.pointer()).collect::<Vec<_>>();
                tell.send((PoolId(pool.identity()), pool.descriptor()?, pointers, event)).expect("somebody listens");
                // Until everybody has looked.
                let _ = ended.recv();
                Ok(())
            });
            closed.expect("the memory is there");
        });
        let (pool, descriptor, pointers, event) = told.recv().expect("it is told");
        Genuine { pool, descriptor, pointers, event, end: Some((end, thread)) }
    }
}

impl Drop for Genuine {
    fn drop(&mut self) {
        if let Some((end, thread)) = self.end.take() {
            drop(end);
            let _ = thread.join();
        }
    }
}
