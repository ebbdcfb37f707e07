//! Functions that are generic over streams and devices.

use antecede::{Buffer, Device, DeviceBrand, On, Result, Stream, StreamBrand, View, kernels, streams};
use antecede_testkit::{on_sim, shared_device};

streams! { A, B }

kernels! {
    Products {
        unsafe fn dot(x: &[f32], y: &[f32], out: &mut [f32]) where [x.len() == y.len(), 1 <= out.len()] {
            out[0] = x.iter().zip(y).map(|(a, b)| a * b).sum();
        }
    }
}

/// On the caller's stream, whatever it is. It allocates there, and submits there.
fn dot<S, D>(
    kernels: Products<D>,
    stream: Stream<S, D>,
    x: &View<f32, On<S, D>>,
    y: &View<f32, On<S, D>>,
) -> Result<Buffer<f32, On<S, D>>> {
    let mut out = stream.alloc(1)?;
    kernels.dot(stream, x, y, &mut out)?;
    Ok(out)
}

/// Between any two streams of one device.
fn cross<S, T, D>(to: Stream<T, D>, x: Buffer<f32, On<S, D>>) -> Result<Buffer<f32, On<T, D>>> {
    Ok(to.take(x)?)
}

/// For any two brands.
fn norm<S: StreamBrand, T: StreamBrand, D: DeviceBrand>(device: Device<D>, values: &[f32]) -> Result<f32> {
    let (from, to) = device.streams::<(S, T)>()?;
    let x = cross(to, from.upload(values)?)?;
    let product = dot(device.load::<Products>()?, to, &x, &x)?;
    Ok(to.download(&product)?[0])
}

#[test]
fn on_a_device_of_ones_own_and_on_the_processs() {
    on_sim(|device, _| {
        assert_eq!(norm::<A, B, _>(device, &[1.0, 2.0, 3.0])?, 14.0);
        // The same brand twice is one stream.
        assert_eq!(norm::<A, A, _>(device, &[1.0, 2.0])?, 5.0);
        Ok(())
    });
    assert_eq!(norm::<B, A, _>(shared_device().device(), &[3.0, 4.0]).unwrap(), 25.0);
}
