//! What goes along with buffers is a user's: its drop may panic, wait, or come at a bad time.

mod common;

use antecede::{Device, Error, Kept, Result, devices, streams};
use antecede_sim::{Call as SimCall, Fault, Sim};
use antecede_trace::{Trace, judge};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::time::Duration;

streams! { Main, Reader }
devices! { Waited }

struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            panic!("a user's drop");
        }
    }
}

/// The join fails, so everything is leaked; the drop of what goes along must not free the buffers by its unwinding.
#[test]
fn a_panic_in_the_drop_of_a_kept_value_frees_nothing_that_is_read() {
    for seed in 0..20 {
        for call in [SimCall::EventRecord, SimCall::EventWait] {
            let sim = Sim::builder().seed(seed).build();
            let trace = Trace::new(sim.clone());
            Device::scope(trace.clone(), 0, |device| {
                let (main, reader) = device.streams::<(Main, Reader)>()?;
                let x = main.upload(&[1u32; 16])?;
                let mut y = reader.zeroed::<u32>(16)?;
                let shared = main.share((Kept(Bomb), vec![x]))?;
                reader.copy(&reader.lease(&shared)?.1[0], &mut y)?;
                sim.faults().inject(Fault::nth(1).of(call));
                let _ = catch_unwind(AssertUnwindSafe(|| drop(shared)));
                sim.faults().clear();
                let mut again = main.alloc::<u32>(16)?;
                main.fill(&mut again, 99)?;
                drop(main.sync(again)?);
                assert_eq!((reader.download(&y)?, device.leaked()), (vec![1; 16], 1));
                Ok(())
            })
            .unwrap();
            judge(&trace.log()).assert_silent();
        }
    }
}

struct SyncsOnDrop(Device<Waited>);

impl Drop for SyncsOnDrop {
    fn drop(&mut self) {
        let _ = self.0.sync(());
    }
}

/// The submission is reported as failed, but was queued; what the function holds waits for the device when it is dropped.
#[test]
fn a_captured_value_may_wait_for_the_device_when_it_is_dropped() {
    let sim = Sim::new();
    let (done, wait) = mpsc::channel();
    let faults = sim.clone();
    std::thread::spawn(move || {
        let device = Device::<Waited>::bind(sim, 0).unwrap();
        let main = device.stream::<Main>().unwrap();
        let x = device.pinned_from(&[1u32; 4]).unwrap().on(main);
        let held = SyncsOnDrop(device);
        faults.faults().inject(Fault::nth(1).of(SimCall::HostFn).after_submitting());
        let failed = main.host_fn(x, move |_| drop(held)).unwrap_err();
        faults.faults().clear();
        done.send(main.sync(failed.buffers).unwrap().as_slice().to_vec()).unwrap();
    });
    assert_eq!(wait.recv_timeout(Duration::from_secs(60)), Ok(vec![1; 4]), "it hangs");
}

/// Memory that is allocated in a capture belongs to the graph.
#[test]
fn nothing_is_allocated_from_a_pool_in_a_capture() -> Result<()> {
    let sim = Sim::new();
    Device::scope(sim.clone(), 0, |device| {
        let mine = device.per_thread()?;
        let pool = device.pool::<antecede::Vram>()?;
        sim.begin_capture(0, 2);
        let refused = mine.alloc_in::<u32, _>(pool, 4).unwrap_err();
        assert!(matches!(refused, Error::Capturing { .. }), "{refused}");
        sim.end_capture(0, 2);
        assert_eq!(mine.alloc_in::<u32, _>(pool, 4)?.len(), 4);
        Ok(())
    })
}
