//! Kernels on the simulator.

use antecede::{Batch, Buffer, Device, Loose, On, Pinned, Result, State, kernels, streams};
use antecede_sim::Sim;

streams! { Upload, Compute }
kernels! {
    /// Arithmetic.
    pub Math {
        /// y = a x + y
        unsafe fn saxpy(n: u32, a: f32, x: &[f32], y: &mut [f32])
        where [n as usize <= x.len(), n as usize <= y.len()]
        { for i in 0..n as usize { y[i] += a * x[i]; } }
    }
}

#[derive(Batch)]
struct Slot<St: State> {
    source: Buffer<f32, St, Pinned>,
    device: Buffer<f32, St>,
    #[batch(keep)]
    number: usize,
}

#[test]
fn saxpy_on_two_streams() -> Result<()> {
    Device::scope(Sim::new(), 0, |device| {
        let (upload, compute) = device.streams::<(Upload, Compute)>()?;
        let math = device.load::<Math>()?;
        let x = upload.upload(&[1.0f32, 2.0, 3.0])?;
        let mut y = compute.zeroed::<f32>(3)?;
        let x = compute.take(x)?;
        math.saxpy(compute, 3, 2.0, &x, &mut y)?;
        let error = math.saxpy(compute, 4, 2.0, &x, &mut y).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the launch of `Math::saxpy` breaks its contract: `n as usize <= x.len()` does not hold"
        );
        assert_eq!(compute.download(&y)?, [2.0, 4.0, 6.0]);
        Ok(())
    })
}

#[test]
fn a_struct_is_handed_over_as_one() -> Result<()> {
    Device::scope(Sim::new(), 0, |device| {
        let (upload, compute) = device.streams::<(Upload, Compute)>()?;
        let source = device.pinned_from(&[1.0f32; 4])?.on(upload);
        let mut slot = Slot { source, device: upload.alloc(4)?, number: 7 };
        upload.copy(&slot.source, &mut slot.device)?;
        let slot: Slot<On<Compute, _>> = compute.take(slot)?;
        let done = compute.record(slot)?;
        let slot = done.synchronize()?;
        assert_eq!((slot.number, slot.device.to_vec()?), (7, vec![1.0; 4]));
        let loose: Slot<Loose<_>> = Slot { source: slot.source.loose(), device: slot.device.loose(), number: 8 };
        let slot = upload.take(loose)?;
        assert_eq!((slot.number, upload.download(&slot.source)?), (8, vec![1.0; 4]));
        Ok(())
    })
}
