//! Fork to readers on several streams, join, write.

use antecede::{Device, Result, kernels, streams};
use antecede_testkit::shared_device;
use antecede_trace::Call;

streams! { Main, R0, R1, R2, R3 }

kernels! {
    Scales {
        unsafe fn scale(a: f32, x: &[f32], y: &mut [f32]) where [x.len() == y.len()] {
            y.iter_mut().zip(x).for_each(|(y, x)| *y = a * x);
        }
        unsafe fn clear(x: &mut [f32]) {
            x.fill(0.0);
        }
    }
}

fn run(device: Device, n: usize) -> Result<Vec<Vec<f32>>> {
    let (main, r0, r1, r2, r3) = device.streams::<(Main, R0, R1, R2, R3)>()?;
    let kernels = device.load::<Scales>()?;
    let x = main.share(main.upload(&vec![1.0f32; n])?)?;
    let (mut y0, mut y1, mut y2, mut y3) = (r0.alloc(n)?, r1.alloc(n)?, r2.alloc(n)?, r3.alloc(n)?);
    kernels.scale(r0, 1.0, &r0.lease(&x)?, &mut y0)?;
    kernels.scale(r1, 2.0, &r1.lease(&x)?, &mut y1)?;
    kernels.scale(r2, 3.0, &r2.lease(&x)?, &mut y2)?;
    kernels.scale(r3, 4.0, &r3.lease(&x)?, &mut y3)?;
    let mut x = main.reunite(x)?;
    kernels.clear(main, &mut x)?;
    let all = main.take([y0.loose(), y1.loose(), y2.loose(), y3.loose()])?;
    all.iter().map(|y| main.download(y)).collect()
}

#[test]
fn readers_are_joined_before_the_write() {
    let shared = shared_device();
    let before = shared.mark();
    let found = run(shared.device(), 4).unwrap();
    assert_eq!(found, [[1.0; 4], [2.0; 4], [3.0; 4], [4.0; 4]]);
    let calls = shared.counts_since(&before);
    // One record for the share, one for each reader, one for each result; and the waits for them.
    assert_eq!((calls.of(Call::EventRecord), calls.of(Call::EventWait)), (9, 12));
}
