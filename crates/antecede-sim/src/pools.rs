//! Pools of stream-ordered memory, and what each holds.

use std::collections::BTreeMap;
use std::fs::File;

use antecede::driver::{
    ContextRef, DevicePtr, DriverResult, ErrorKind, Pattern, PoolAttribute, PoolRef, Space, StreamRef,
};

use crate::Call;
use crate::error::{error, invalid_handle, invalid_value, out_of_memory};
use crate::memory::{Place, Request, Source};
use crate::processes::Nonce;
use crate::state::{Handles, State};
use crate::trusted::Work;

/// Who uses a pool.
#[derive(Debug)]
pub(crate) enum Reach {
    /// A device's default pool: it has no handle outside.
    Default,
    /// This simulator alone.
    Private,
    /// Others may import from it. All its memory is one arena, its home.
    Exportable { nonce: Nonce, file: File },
    /// It is another simulator's, mapped as that arena.
    Imported { nonce: Nonce, arena: usize },
}

#[derive(Debug)]
pub(crate) struct Pool {
    ordinal: u32,
    space: Space,
    pub(crate) reach: Reach,
    threshold: u64,
    follow_events: bool,
    opportunistic: bool,
    /// Kept, and without effect: this driver never orders streams by itself.
    internal: bool,
    reserved_high: u64,
    used_high: u64,
}

impl Pool {
    /// With CUDA's initial attributes.
    pub(crate) fn new(ordinal: u32, space: Space, reach: Reach) -> Self {
        let (follow_events, opportunistic, internal) = (true, true, true);
        let (threshold, reserved_high, used_high) = (0, 0, 0);
        Pool { ordinal, space, reach, threshold, follow_events, opportunistic, internal, reserved_high, used_high }
    }

    fn is_imported(&self) -> bool {
        matches!(self.reach, Reach::Imported { .. })
    }

    fn place(&self) -> Place {
        match self.space {
            Space::DeviceMemory => Place::Device(self.ordinal),
            Space::PinnedMemory => Place::Pinned,
            Space::ManagedMemory => Place::Managed,
        }
    }
}

/// The pools that are not destroyed.
#[derive(Debug)]
pub(crate) struct Pools {
    pools: BTreeMap<u64, Pool>,
    defaults: Vec<u64>,
    handles: Handles,
}

impl Default for Pools {
    fn default() -> Self {
        Pools { pools: BTreeMap::new(), defaults: Vec::new(), handles: Handles::from(0xd000) }
    }
}

impl Pools {
    /// How many the library has created and not destroyed.
    pub(crate) fn created(&self) -> usize {
        self.pools.len() - self.defaults.len() - self.imported()
    }

    /// How many it has imported and not destroyed.
    pub(crate) fn imported(&self) -> usize {
        self.pools.values().filter(|pool| pool.is_imported()).count()
    }

    pub(crate) fn is_default(&self, handle: u64) -> bool {
        self.pools.get(&handle).is_some_and(|pool| matches!(pool.reach, Reach::Default))
    }
}

impl State {
    pub(crate) fn add_default_pool(&mut self, ordinal: u32) {
        let handle = self.pools.handles.issue();
        self.pools.pools.insert(handle, Pool::new(ordinal, Space::DeviceMemory, Reach::Default));
        self.pools.defaults.push(handle);
    }

    pub(crate) fn create_pool(&mut self, context: &ContextRef, space: Space) -> DriverResult<u64> {
        let call = Call::PoolCreate;
        self.context(call, context)?;
        if !self.features.has_pools(space) {
            return Err(error(call, ErrorKind::NotSupported, format!("no pools of {space:?} memory")));
        }
        Ok(self.add_pool(Pool::new(context.ordinal, space, Reach::Private)))
    }

    pub(crate) fn add_pool(&mut self, pool: Pool) -> u64 {
        let handle = self.pools.handles.issue();
        self.pools.pools.insert(handle, pool);
        handle
    }

    pub(crate) fn reach(&self, pool: u64) -> Option<&Reach> {
        self.pools.pools.get(&pool).map(|pool| &pool.reach)
    }

    pub(crate) fn destroy_pool(&mut self, pool: &PoolRef) -> DriverResult {
        let call = Call::PoolDestroy;
        self.pool(call, pool)?;
        let (used, free) = self.memory.held(pool.handle);
        if used > 0 {
            return Err(invalid_value(call, format!("{used} bytes of the pool are allocated")));
        }
        if self.memory.awaits_free(pool.handle, &self.queues) {
            return Err(invalid_value(call, "a free of the pool's memory has not taken effect"));
        }
        self.memory.release(pool.handle, free, &self.queues);
        match self.pools.pools.remove(&pool.handle).map(|pool| pool.reach) {
            Some(Reach::Exportable { .. }) => self.memory.retire_home(pool.handle, &self.queues),
            Some(Reach::Imported { arena, .. }) => self.memory.retire(arena, &self.queues),
            _ => {}
        }
        self.pools.handles.give_back(pool.handle);
        Ok(())
    }

    pub(crate) fn trim_pool(&mut self, pool: &PoolRef, keep: usize) -> DriverResult {
        self.own_pool(Call::PoolTrim, pool)?;
        self.trim(pool.handle, keep as u64);
        Ok(())
    }

    pub(crate) fn pool_attribute(&mut self, pool: &PoolRef, attribute: PoolAttribute) -> DriverResult<u64> {
        let call = Call::PoolAttribute;
        let (used, free) = self.memory.held(pool.handle);
        let pool = self.pool(call, pool)?;
        Ok(match attribute {
            PoolAttribute::ReleaseThreshold => pool.threshold,
            PoolAttribute::ReuseFollowEvents => pool.follow_events.into(),
            PoolAttribute::ReuseOpportunistic => pool.opportunistic.into(),
            PoolAttribute::ReuseInternalDependencies => pool.internal.into(),
            PoolAttribute::ReservedBytes => used + free,
            PoolAttribute::ReservedHigh => pool.reserved_high,
            PoolAttribute::UsedBytes => used,
            PoolAttribute::UsedHigh => pool.used_high,
            other => return Err(error(call, ErrorKind::NotSupported, format!("{other:?}"))),
        })
    }

    pub(crate) fn set_pool(&mut self, pool: &PoolRef, attribute: PoolAttribute, value: u64) -> DriverResult {
        let call = Call::PoolSet;
        let pool = self.own_pool(call, pool)?;
        if attribute == PoolAttribute::ReleaseThreshold {
            pool.threshold = value;
            return Ok(());
        }
        let flag = match attribute {
            PoolAttribute::ReuseFollowEvents => &mut pool.follow_events,
            PoolAttribute::ReuseOpportunistic => &mut pool.opportunistic,
            PoolAttribute::ReuseInternalDependencies => &mut pool.internal,
            other => return Err(invalid_value(call, format!("{other:?} cannot be set"))),
        };
        *flag = match value {
            0 => false,
            1 => true,
            other => return Err(invalid_value(call, format!("{attribute:?} is 0 or 1, not {other}"))),
        };
        Ok(())
    }

    /// Allocates from the default pool of the stream's device.
    pub(crate) fn allocate(&mut self, stream: &StreamRef, bytes: usize) -> DriverResult<DevicePtr> {
        self.context(Call::Alloc, &stream.context)?;
        let pool = self.pools.defaults.get(stream.context.ordinal as usize).copied();
        let pool = pool.ok_or_else(|| out_of_memory(Call::Alloc, bytes))?;
        self.allocate_from(Call::Alloc, stream, pool, bytes)
    }

    pub(crate) fn allocate_in(&mut self, stream: &StreamRef, pool: &PoolRef, bytes: usize) -> DriverResult<DevicePtr> {
        let call = Call::PoolAlloc;
        self.own_pool(call, pool)?;
        if pool.context.id != stream.context.id {
            return Err(invalid_value(call, "stream and pool are of different contexts"));
        }
        self.allocate_from(call, stream, pool.handle, bytes)
    }

    /// What pools of the device hold above their thresholds goes back to the system, at each sync.
    pub(crate) fn release_unused(&mut self, context: &ContextRef) {
        let here = self.pools.pools.iter().filter(|(_, pool)| pool.ordinal == context.ordinal);
        let thresholds: Vec<_> = here.map(|(&handle, pool)| (handle, pool.threshold)).collect();
        thresholds.into_iter().for_each(|(handle, threshold)| self.trim(handle, threshold));
        self.memory.reap(&self.queues);
    }

    fn allocate_from(&mut self, call: Call, stream: &StreamRef, handle: u64, bytes: usize) -> DriverResult<DevicePtr> {
        let queue = self.usable(call, stream)?;
        let captured = self.queues.capture(queue).is_some();
        let Some(pool) = self.pools.pools.get(&handle) else { return Err(invalid_handle(call, "no such pool")) };
        let Pool { follow_events, opportunistic, .. } = *pool;
        let (place, at_home) = (pool.place(), matches!(pool.reach, Reach::Exportable { .. }));
        let len = self.fits(call, place, bytes)?;
        let source = Source { pool: handle, at_home, stream: queue, follow_events, opportunistic, captured };
        let after = self.queues.before_allocation(queue);
        let request = Request { place, source: Some(source), bytes };
        let span = self.memory.allocate(&request, &self.queues).ok_or_else(|| out_of_memory(call, bytes))?;
        self.count_used(place, |used| used.saturating_add(len));
        self.queues.submit_allocation(queue, after, Work::fill(span, Pattern::D8(self.poison.fresh)));
        let (used, free) = self.memory.held(handle);
        if let Some(pool) = self.pools.pools.get_mut(&handle) {
            pool.used_high = pool.used_high.max(used);
            pool.reserved_high = pool.reserved_high.max(used + free);
        }
        Ok(span.ptr())
    }

    fn trim(&mut self, handle: u64, keep: u64) {
        let (used, free) = self.memory.held(handle);
        let excess = (used + free).saturating_sub(keep).min(free);
        if excess > 0 {
            self.memory.release(handle, excess, &self.queues);
        }
    }

    /// Checks that the pool was created here, in the context it names, and is not destroyed.
    pub(crate) fn pool(&mut self, call: Call, pool: &PoolRef) -> DriverResult<&mut Pool> {
        self.context(call, &pool.context)?;
        let is_default = self.pools.is_default(pool.handle);
        let entry = self.pools.pools.get_mut(&pool.handle).filter(|_| !is_default);
        entry
            .filter(|entry| (entry.ordinal, entry.space) == (pool.context.ordinal, pool.space))
            .ok_or_else(|| invalid_handle(call, format!("no pool with handle {:#x} of that space", pool.handle)))
    }

    /// The same, for what cannot be done with another simulator's pool.
    fn own_pool(&mut self, call: Call, pool: &PoolRef) -> DriverResult<&mut Pool> {
        let entry = self.pool(call, pool)?;
        if entry.is_imported() { Err(invalid_value(call, "the pool was imported")) } else { Ok(entry) }
    }
}
