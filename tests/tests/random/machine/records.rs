//! Records, and waits of the host.

use super::{Machine, Shelved};
use crate::lanes::{Lane, on};
use crate::memory::{Held, Mem, loose};
use crate::model::Node;
use antecede::{Query, Result, Synced};

impl<D> Machine<D> {
    pub(super) fn record(&mut self, slots: &[usize], lane: usize) -> Result<()> {
        let slots = self.on_lane(slots, lane);
        let batch = self.batch(&slots);
        let record = on!(self.lanes[lane], |s| match s.claim(batch) {
            Ok(batch) => s.record(batch).map_err(antecede::Error::from),
            Err(failed) => Err(failed.into()),
        })?;
        let node = self.graph.submit(lane, Vec::new());
        self.records.push(Shelved { record, node, lane, slots });
        Ok(())
    }

    fn shelved(&mut self, record: usize) -> Option<Shelved<D>> {
        (record < self.records.len()).then(|| self.records.remove(record))
    }

    pub(super) fn wait(&mut self, record: usize, lane: usize) -> Result<()> {
        let Some(Shelved { record, node, lane: source, slots }) = self.shelved(record) else { return Ok(()) };
        let batch =
            on!(self.lanes[lane], |s| s.wait(record).map(|batch| batch.into_iter().map(loose).collect::<Vec<_>>()))?;
        self.unbatch(&slots, batch.into_iter().map(Held::Loose));
        if source != lane {
            self.graph.wait(lane, node);
        }
        slots.iter().for_each(|&slot| self.known(slot).home = lane);
        Ok(())
    }

    pub(super) fn synchronize(&mut self, record: usize) -> Result<()> {
        let Some(Shelved { record, node, slots, .. }) = self.shelved(record) else { return Ok(()) };
        let batch = record.synchronize()?;
        self.seen(node, &slots, batch);
        Ok(())
    }

    pub(super) fn query(&mut self, record: usize) -> Result<()> {
        let Some(Shelved { record, node, lane, slots }) = self.shelved(record) else { return Ok(()) };
        match record.query()? {
            Query::Finished(batch) => {
                self.reach("finished by a query");
                self.seen(node, &slots, batch);
            }
            Query::InFlight(record) => self.records.push(Shelved { record, node, lane, slots }),
        }
        Ok(())
    }

    fn seen(&mut self, node: Node, slots: &[usize], batch: Vec<Mem<Synced<D>>>) {
        self.unbatch(slots, batch.into_iter().map(Held::Synced));
        self.graph.seen(node);
    }

    pub(super) fn drop_record(&mut self, record: usize) -> Result<()> {
        match self.records.get(record) {
            // See `lives_on`.
            Some(shelved) if shelved.slots.iter().any(|&slot| self.lives_on(slot)) => return self.wait(record, 0),
            _ => {}
        }
        let Some(Shelved { record, slots, .. }) = self.shelved(record) else { return Ok(()) };
        drop(record);
        slots.into_iter().for_each(|slot| self.freed(slot, true));
        Ok(())
    }

    pub(super) fn sync(&mut self, slots: &[usize], lane: usize) -> Result<()> {
        let slots = self.on_lane(slots, lane);
        let batch = self.batch(&slots);
        let batch = match self.lanes[lane] {
            Lane::Any(any) => any.sync(batch)?,
            lane => on!(lane, |s| match s.claim(batch) {
                Ok(batch) => s.sync(batch).map_err(antecede::Error::from),
                Err(failed) => Err(failed.into()),
            })?,
        };
        self.unbatch(&slots, batch.into_iter().map(Held::Synced));
        self.graph.sync(lane);
        Ok(())
    }

    /// Of all its streams at once.
    pub(super) fn sync_device(&mut self, slots: &[usize], device: usize) -> Result<()> {
        let mut slots = slots.to_vec();
        slots.retain(|&slot| {
            let here = self.source(slot).is_some_and(|source| self.device_of(source) == device);
            matches!(self.slots[slot], Held::Loose(_)) && here
        });
        let batch = self.batch(&slots);
        let batch = self.devices[device].sync(batch)?;
        self.unbatch(&slots, batch.into_iter().map(Held::Synced));
        self.graph.sync_device(device);
        Ok(())
    }
}
