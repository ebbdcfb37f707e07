//! The library as a newcomer meets it: two streams on the simulator, without kernels.

use antecede::{Device, Failed, Query, Result, streams};
use antecede_sim::Sim;

streams! { Upload, Compute, Download }

#[test]
fn data_goes_through_two_streams() -> Result<()> {
    let sim = Sim::new();
    Device::scope(sim.clone(), 0, |device| {
        let (upload, compute) = device.streams::<(Upload, Compute)>()?;
        let x = upload.upload(&[1u32, 2, 3])?;
        let x = compute.take(x)?;
        let mut y = compute.zeroed::<u32>(3)?;
        compute.copy(&x, &mut y)?;
        compute.fill(&mut y[1..2], 9)?;
        let y = compute.sync(y)?;
        assert_eq!(y.to_vec()?, [1, 9, 3]);
        Ok(())
    })?;
    let live = sim.live();
    assert_eq!((live.contexts, live.streams, live.events, live.allocations, live.pinned_allocations), (0, 0, 0, 0, 0));
    Ok(())
}

#[test]
fn pinned_memory_overlaps_and_comes_back() -> Result<()> {
    Device::scope(Sim::new(), 0, |device| {
        let (upload, download) = device.streams::<(Upload, Download)>()?;
        let source = device.pinned_from(&[1.0f32, 2.0])?.on(upload);
        let mut middle = upload.alloc(2)?;
        upload.copy(&source, &mut middle)?;
        let (middle, mut target) = download.take((middle, device.pinned::<f32>(2)?))?;
        download.copy(&middle, &mut target)?;
        let mut record = download.record((middle, target))?;
        let (_, target) = loop {
            match record.query()? {
                Query::Finished(buffers) => break buffers,
                Query::InFlight(still) => record = still,
            }
        };
        assert_eq!(target.as_slice(), [1.0, 2.0]);
        Ok(())
    })
}

#[test]
fn a_buffer_on_another_stream_is_not_claimed() -> Result<()> {
    Device::scope(Sim::new(), 0, |device| {
        let (upload, compute) = device.streams::<(Upload, Compute)>()?;
        let x = upload.alloc::<u8>(4)?.loose();
        let Failed { error, buffers } = compute.claim(x).unwrap_err();
        assert_eq!(error.to_string(), "the buffer is on stream `Upload`, not on stream `Compute`");
        assert_eq!(upload.claim(buffers)?.len(), 4);
        Ok(())
    })
}
