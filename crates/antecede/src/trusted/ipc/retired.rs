//! Pools and events of others that are not needed any more.

use super::import::ImportedPoolCore;
use crate::driver::{EventRef, PoolRef};
use crate::trusted::device::{DeviceCore, lock};
use crate::trusted::event::PooledEvent;
use std::sync::{Arc, Mutex};

/// What one device has opened, and is to destroy when it may.
#[derive(Default)]
pub(in crate::trusted) struct Retired {
    /// Pools of imports whose frees had not taken effect when nobody was left to look.
    ending: Mutex<Vec<(PooledEvent, Arc<ImportedPoolCore>)>>,
    /// Pools of which nothing is imported any more.
    pools: Mutex<Vec<PoolRef>>,
    events: Mutex<Vec<EventRef>>,
}

impl Retired {
    /// Destroys an event that was opened here: at once, or where driver calls can be made again. A host function makes none.
    pub(super) fn event(&self, device: &DeviceCore, event: EventRef) {
        lock(&self.events).push(event);
        self.destroy(device);
    }

    /// A pool is kept until the free of an import from it has taken effect: nobody else is left to look.
    pub(super) fn after(&self, freed: PooledEvent, pool: Arc<ImportedPoolCore>) {
        lock(&self.ending).push((freed, pool));
    }

    /// Destroys an imported pool whose imports have all ended: at once, or where driver calls can be made again.
    pub(super) fn pool(&self, device: &DeviceCore, pool: PoolRef) {
        lock(&self.pools).push(pool);
        self.destroy(device);
    }

    /// `cuEventDestroy` and `cuMemPoolDestroy`, of events and pools that no import uses any more; `cuEventQuery` for each free
    /// that was still to take effect.
    pub(super) fn destroy(&self, device: &DeviceCore) {
        if device.usable().is_err() {
            return;
        }
        let has_ended = |(freed, _): &mut (PooledEvent, _)| freed.has_passed().unwrap_or(false);
        let ended: Vec<_> = lock(&self.ending).extract_if(.., has_ended).collect();
        // Outside of the lock: a pool that is dropped is retired.
        drop(ended);
        let (events, pools) = (std::mem::take(&mut *lock(&self.events)), std::mem::take(&mut *lock(&self.pools)));
        for event in events {
            // SAFETY: (1) opened by `event_import`, destroyed once. A wait keeps its record (driver promise 2).
            let _ = unsafe { device.driver.event_destroy(&event) };
        }
        for pool in pools {
            // SAFETY: (1) opened by `pool_import`, destroyed once: its handle may be another's after an error too. Every import
            // from it has been freed, and the frees have taken effect: an import holds its pool until that is seen.
            if unsafe { device.driver.pool_destroy(&pool) }.is_err() {
                device.leak();
            }
        }
    }

    /// Destroys everything, at the end of a scope: the device is drained, so all frees have taken effect.
    pub(super) fn close(&self, device: &DeviceCore) {
        let ended = std::mem::take(&mut *lock(&self.ending));
        drop(ended);
        self.destroy(device);
    }
}
