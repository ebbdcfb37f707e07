//! Device memory of the pools of the driver that does nothing, and what other processes know it by.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use antecede::driver::{DevicePtr, DriverResult, ErrorKind, EventData, PointerData};

use super::null::{ALIGN, error, out_of_memory};

/// Where the addresses begin: beyond those of device memory that is of no pool.
pub(super) const FIRST_POOL_ADDRESS: u64 = 1 << 61;

/// Live blocks of pools, and imported ones. The addresses are counted up and never used again.
#[derive(Debug)]
pub(super) struct PoolMemory(Mutex<State>);

#[derive(Debug)]
struct State {
    next_address: u64,
    blocks: HashMap<DevicePtr, PoolBlock>,
}

/// A block of a pool. There is no memory behind it.
#[derive(Clone, Copy, Debug)]
pub(super) struct PoolBlock {
    /// The pool's handle.
    pub(super) pool: u64,
    pub(super) bytes: usize,
}

impl Default for PoolMemory {
    fn default() -> Self {
        PoolMemory(Mutex::new(State { next_address: FIRST_POOL_ADDRESS, blocks: HashMap::new() }))
    }
}

impl PoolMemory {
    pub(super) fn alloc(&self, call: &'static str, pool: u64, bytes: usize) -> DriverResult<DevicePtr> {
        let mut state = self.lock();
        let address = state.next_address;
        let padded = (bytes as u64).checked_next_multiple_of(ALIGN);
        let next = padded.and_then(|bytes| address.checked_add(bytes)).ok_or_else(|| out_of_memory(call))?;
        state.next_address = next;
        state.blocks.insert(DevicePtr(address), PoolBlock { pool, bytes });
        Ok(DevicePtr(address))
    }

    pub(super) fn free(&self, ptr: DevicePtr) {
        self.lock().blocks.remove(&ptr);
    }

    pub(super) fn block(&self, ptr: DevicePtr) -> Option<PoolBlock> {
        self.lock().blocks.get(&ptr).copied()
    }

    pub(super) fn export(&self, ptr: DevicePtr) -> DriverResult<PointerData> {
        const CALL: &str = "cuMemPoolExportPointer";
        let block = self.block(ptr).ok_or_else(|| error(CALL, ErrorKind::InvalidValue, 1, "no block of a pool"))?;
        Ok(PointerData(sealed(POINTER, block.bytes as u64)))
    }

    pub(super) fn import(&self, pool: u64, data: &PointerData) -> DriverResult<DevicePtr> {
        const CALL: &str = "cuMemPoolImportPointer";
        let bytes = unsealed(POINTER, &data.0).and_then(|bytes| usize::try_from(bytes).ok());
        let bytes = bytes.ok_or_else(|| error(CALL, ErrorKind::InvalidValue, 1, "not exported by such a driver"))?;
        self.alloc(CALL, pool, bytes)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What another process opens an event by.
pub(super) fn export_event(handle: u64) -> EventData {
    EventData(sealed(EVENT, handle))
}

/// An error where the data was not exported by a driver like this.
pub(super) fn require_event(data: &EventData) -> DriverResult {
    let number = unsealed(EVENT, &data.0);
    number
        .map(drop)
        .ok_or_else(|| error("cuIpcOpenEventHandle", ErrorKind::InvalidValue, 1, "not exported as an event"))
}

/// How exported data begins.
const POINTER: [u8; 8] = *b"pointer ";
const EVENT: [u8; 8] = *b"event   ";

/// What it is, a number, and zeroes.
fn sealed(kind: [u8; 8], number: u64) -> [u8; 64] {
    let words = [u64::from_le_bytes(kind), number, 0, 0, 0, 0, 0, 0].map(u64::to_le_bytes);
    std::array::from_fn(|place| words[place / 8][place % 8])
}

fn unsealed(kind: [u8; 8], data: &[u8; 64]) -> Option<u64> {
    let number = data[8..16].try_into().map(u64::from_le_bytes).ok()?;
    (*data == sealed(kind, number)).then_some(number)
}
