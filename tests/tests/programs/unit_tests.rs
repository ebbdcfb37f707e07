//! Tests as users write them: of code that names no device, and of code that is generic over it.

use antecede::{Buffer, Device, On, Result, Stream, kernels, streams};
use antecede_sim::{Call, Fault};
use antecede_testkit::{Fixture, in_own_process, on_sim, shared_device};
use antecede_trace::Call as Traced;

streams! { Upload, Compute }

kernels! {
    Words {
        unsafe fn increment(x: &mut [u32]) {
            x.iter_mut().for_each(|x| *x += 1);
        }
    }
}

/// The code under test, as most would write it.
fn stage(
    device: Device,
    upload: Stream<Upload>,
    compute: Stream<Compute>,
    host: &[u32],
) -> Result<Buffer<u32, On<Compute>>> {
    let mut x = compute.take(upload.upload(host)?)?;
    device.load::<Words>()?.increment(compute, &mut x)?;
    Ok(x)
}

/// The same for any device.
fn stage_on<D>(
    words: Words<D>,
    upload: Stream<Upload, D>,
    compute: Stream<Compute, D>,
    host: &[u32],
) -> Result<Buffer<u32, On<Compute, D>>> {
    let mut x = compute.take(upload.upload(host)?)?;
    words.increment(compute, &mut x)?;
    Ok(x)
}

#[test]
fn ordinary_code_on_the_shared_device() {
    let shared = shared_device();
    let (upload, compute) = shared.device().streams::<(Upload, Compute)>().unwrap();
    let before = shared.mark();
    let x = stage(shared.device(), upload, compute, &[1, 2]).unwrap();
    let calls = shared.counts_since(&before);
    assert_eq!((calls.of(Traced::EventRecord), calls.of(Traced::EventWait)), (1, 1));
    assert_eq!(compute.download(&x).unwrap(), [2, 3]);
}

#[test]
fn ordinary_code_with_a_failure() {
    let shared = shared_device();
    let (upload, compute) = shared.device().streams::<(Upload, Compute)>().unwrap();
    shared.sim().faults().inject(Fault::nth(1).of(Call::EventWait).on_this_thread());
    assert!(stage(shared.device(), upload, compute, &[1, 2]).is_err());
    assert_eq!(compute.download(&stage(shared.device(), upload, compute, &[1]).unwrap()).unwrap(), [2]);
}

#[test]
fn ordinary_code_that_loses_the_device() {
    in_own_process!({
        let shared = shared_device();
        let (upload, compute) = shared.device().streams::<(Upload, Compute)>().unwrap();
        shared.sim().faults().inject(Fault::nth(1).of(Call::StreamSync));
        assert!(stage(shared.device(), upload, compute, &[1, 2]).is_err());
        assert!(shared.device().is_poisoned());
    });
}

#[test]
fn generic_code_on_a_fresh_device() {
    on_sim(|device, bench| {
        let (upload, compute) = device.streams::<(Upload, Compute)>()?;
        let words = device.load::<Words>()?;
        let (x, calls) = bench.counts(|| stage_on(words, upload, compute, &[1, 2]));
        assert_eq!((calls.of(Traced::EventRecord), calls.of(Traced::EventWait)), (1, 1));
        assert_eq!(compute.download(&x?)?, [2, 3]);
        Ok(())
    });
}

#[test]
fn generic_code_with_a_failure() {
    Fixture::new().seeds(0..2).run(|device, bench| {
        let (upload, compute) = device.streams::<(Upload, Compute)>()?;
        bench.sim().faults().inject(Fault::nth(1).of(Call::EventWait));
        let failed = compute.take(upload.alloc::<u32>(2)?).expect_err("the wait fails");
        assert_eq!(upload.sync(failed.buffers)?.len(), 2);
        Ok(())
    });
}
