//! `record`, `wait` and the host's waits.

use crate::{FREE, costs};
use antecede::Query;
use antecede_testkit::on_sim;
use antecede_tests::{A, B, C};
use antecede_trace::Call;

#[test]
fn a_record_is_one_event_and_each_wait_one_call() {
    on_sim(|device, bench| {
        let (a, b, c) = device.streams::<(A, B, C)>()?;
        let batch = (a.zeroed::<u32>(1)?, vec![a.zeroed::<u8>(1)?, a.zeroed(1)?]);
        // The first record of a device creates the event, later ones use it again.
        let record = costs(bench, [(Call::EventCreate, 1), (Call::EventRecord, 1)], || Ok(a.record(batch)?))?;
        let (x, list) = costs(bench, FREE, || Ok(record.split()))?;
        let x = costs(bench, [(Call::EventWait, 1)], || Ok(b.wait(x)?))?;
        let mut list = costs(bench, FREE, || Ok(list.each()))?;
        let (p, q) = (list.next().expect("two"), list.next().expect("two"));
        let p = costs(bench, [(Call::EventWait, 1)], || Ok(c.wait(p)?))?;
        let q = costs(bench, FREE, || Ok(a.wait(q)?))?;
        drop(list);
        let record = costs(bench, [(Call::EventRecord, 1)], || Ok(b.record(x)?))?;
        let x = costs(bench, [(Call::EventSync, 1)], || Ok(record.synchronize()?))?;
        drop((x, p, q));
        Ok(())
    });
}

#[test]
fn a_query_is_one_call() {
    on_sim(|device, bench| {
        let a = device.stream::<A>()?;
        let mut record = a.record(a.zeroed::<u32>(1)?)?;
        loop {
            match costs(bench, [(Call::EventQuery, 1)], || Ok(record.query()?))? {
                Query::Finished(x) => break drop(x),
                Query::InFlight(still) => record = still,
            }
        }
        Ok(())
    });
}

#[test]
fn a_sync_is_one_call_for_any_batch() {
    on_sim(|device, bench| {
        let a = device.stream::<A>()?;
        let many = (0..20).map(|_| a.zeroed::<u32>(1)).collect::<antecede::Result<Vec<_>>>()?;
        let many = costs(bench, [(Call::StreamSync, 1)], || Ok(a.sync(many)?))?;
        costs(bench, [(Call::StreamSync, 1)], || Ok(a.sync(())?))?;
        drop(many);
        Ok(())
    });
}

#[test]
fn records_in_flight_take_an_event_each_and_give_it_back() {
    on_sim(|device, bench| {
        let (a, b) = device.streams::<(A, B)>()?;
        let (x, y) = (a.zeroed::<u32>(1)?, a.zeroed::<u32>(1)?);
        let created = [(Call::EventCreate, 2), (Call::EventRecord, 2)];
        let (x, y) = costs(bench, created, || Ok((a.record(x)?, a.record(y)?)))?;
        let (x, y) = (b.wait(x)?, b.wait(y)?);
        let records = costs(bench, [(Call::EventRecord, 2)], || Ok((b.record(x)?, b.record(y)?)))?;
        costs(bench, [(Call::Free, 2)], || {
            drop(records);
            Ok(())
        })
    });
}
