//! The typed library, seen through a trace: which calls it makes, and that they leave no race.

use antecede::{Device, Query, Result, streams};
use antecede_trace::{Call, NullDriver, Trace, judge};

streams! { Upload, Compute, Download }

fn traced(program: impl for<'id> FnOnce(&Trace, Device<antecede::Scoped<'id>>) -> Result<()>) -> Result<()> {
    let trace = Trace::new(NullDriver::new());
    Device::scope(trace.clone(), 0, |device| program(&trace, device))?;
    let report = judge(&trace.log());
    assert!(report.is_silent(), "{report}\n{}", trace.log());
    Ok(())
}

#[test]
fn a_hand_over_is_one_record_and_one_wait() -> Result<()> {
    traced(|trace, device| {
        let (upload, compute) = device.streams::<(Upload, Compute)>()?;
        let batch = (upload.zeroed::<u32>(8)?, upload.zeroed::<u32>(8)?);
        let mark = trace.mark();
        let (mut x, y) = compute.take(batch)?;
        let made = trace.counts_since(&mark);
        assert_eq!((made.of(Call::EventRecord), made.of(Call::EventWait)), (1, 1), "{made}");
        assert_eq!(made.of(Call::StreamSync) + made.of(Call::EventSync) + made.of(Call::ContextSync), 0, "{made}");
        let mark = trace.mark();
        compute.copy(&y, &mut x)?;
        assert_eq!(trace.counts_since(&mark).to_string(), "1 cuMemcpyAsync");
        Ok(())
    })
}

#[test]
fn a_pipeline_through_pinned_memory_has_no_race() -> Result<()> {
    traced(|trace, device| {
        let (upload, compute, download) = device.streams::<(Upload, Compute, Download)>()?;
        let mut source = device.pinned_from(&[1u32, 2, 3])?;
        for _ in 0..3 {
            source.as_mut_slice()[0] += 1;
            let ready = source.on(upload);
            let mut x = upload.alloc::<u32>(3)?;
            upload.copy(&ready, &mut x)?;
            source = upload.sync(ready)?;
            let mut x = compute.take(x)?;
            compute.fill(&mut x[..1], 7)?;
            let (x, mut target) = download.take((x, device.pinned::<u32>(3)?))?;
            download.copy(&x, &mut target)?;
            let mut record = download.record((x, target))?;
            let target = loop {
                match record.query()? {
                    Query::Finished((_, target)) => break target,
                    Query::InFlight(still) => record = still,
                }
            };
            assert_eq!(target.as_slice().len(), 3);
        }
        let counts = trace.counts();
        assert!(counts.of(Call::HostRead) >= 3 && counts.of(Call::HostWrite) >= 3, "{counts}");
        Ok(())
    })
}

/// The judge sees a race in the library's own calls once an edge is taken out of its log.
#[test]
fn without_the_wait_of_a_hand_over_there_is_a_race() -> Result<()> {
    let trace = Trace::new(NullDriver::new());
    Device::scope(trace.clone(), 0, |device| {
        let (upload, compute) = device.streams::<(Upload, Compute)>()?;
        let mut x = compute.take(upload.zeroed::<u32>(8)?)?;
        compute.fill(&mut x, 7)
    })?;
    let log = trace.log();
    judge(&log).assert_silent();
    let cut = log.entries().iter().filter(|entry| entry.call != Call::EventWait).cloned().collect();
    let report = judge(&cut);
    assert!(!report.is_silent(), "{log}");
    let said = report.to_string();
    assert!(said.contains("on stream `Upload`") && said.contains("on stream `Compute`"), "{said}");
    Ok(())
}
