//! Pools whose memory other processes can import, and those that were imported.

use std::fs::File;

use antecede::driver::{ContextRef, DevicePtr, DeviceUuid, DriverResult, ErrorKind, PointerData, PoolRef, Space};

use super::courier::unavailable;
use super::data::{decode, encode};
use super::file::{self, HEADER, Header, fresh_nonce};
use crate::Call;
use crate::error::{error, invalid_handle, invalid_value, out_of_memory};
use crate::memory::{Place, Refusal};
use crate::pools::{Pool, Reach};
use crate::state::State;
use crate::trusted::{Arena, Mapping};

const MARK: u64 = u64::from_le_bytes(*b"ante-ptr");
const FILE_MARK: u64 = u64::from_le_bytes(*b"ante-mem");

impl State {
    /// Fixed by the ordinal: the devices of all simulators are the same, in every process.
    pub(crate) fn device_uuid(&mut self, context: &ContextRef) -> DriverResult<DeviceUuid> {
        self.context(Call::DeviceUuid, context)?;
        let mut uuid = *b"antecede-sim\0\0\0\0";
        uuid[12..].copy_from_slice(&context.ordinal.to_be_bytes());
        Ok(DeviceUuid(uuid))
    }

    pub(crate) fn create_exportable_pool(&mut self, context: &ContextRef) -> DriverResult<u64> {
        let call = Call::ExportablePoolCreate;
        self.context(call, context)?;
        if self.exportable_bytes == 0 || !self.features.has_pools(Space::DeviceMemory) {
            return Err(error(call, ErrorKind::NotSupported, "no pools that other processes can import"));
        }
        let refused = |cause: std::io::Error| match cause.kind() {
            std::io::ErrorKind::Unsupported => error(call, ErrorKind::NotSupported, unavailable(&cause)),
            _ => error(call, ErrorKind::OutOfMemory, unavailable(&cause)),
        };
        let header = Header { mark: FILE_MARK, nonce: fresh_nonce().map_err(refused)?, number: context.ordinal.into() };
        let len = self.exportable_bytes.checked_add(HEADER as u64).ok_or_else(|| out_of_memory(call, usize::MAX))?;
        let file = file::create("antecede-sim-pool", &header, len).map_err(refused)?;
        let arena = Arena::shared(Mapping::new(&file).map_err(refused)?);
        let reach = Reach::Exportable { nonce: header.nonce, file };
        let handle = self.add_pool(Pool::new(context.ordinal, Space::DeviceMemory, reach));
        self.memory.add_home(handle, Place::Device(context.ordinal), arena, HEADER);
        Ok(handle)
    }

    #[cfg(unix)]
    pub(crate) fn export_pool(&mut self, pool: &PoolRef) -> DriverResult<std::os::fd::OwnedFd> {
        let call = Call::PoolExport;
        match &self.pool(call, pool)?.reach {
            Reach::Exportable { file, .. } => {
                let copy =
                    file.try_clone().map_err(|cause| error(call, ErrorKind::OutOfMemory, unavailable(&cause)))?;
                Ok(copy.into())
            }
            _ => Err(invalid_value(call, "the pool is not exportable")),
        }
    }

    /// Another simulator's pool, or this one's own, which is then mapped a second time.
    pub(crate) fn import_pool(&mut self, context: &ContextRef, file: &File) -> DriverResult<u64> {
        let call = Call::PoolImport;
        self.context(call, context)?;
        if cfg!(not(target_os = "linux")) {
            return Err(error(call, ErrorKind::NotSupported, "memory is shared between processes on Linux only"));
        }
        let header = file::header(file).map_err(|cause| invalid_handle(call, cause))?;
        if header.mark != FILE_MARK {
            return Err(invalid_handle(call, "the descriptor is of no pool"));
        }
        if header.number != u64::from(context.ordinal) {
            return Err(invalid_value(call, format!("the pool is of device {}", header.number)));
        }
        let mapping = Mapping::new(file).map_err(|cause| invalid_handle(call, unavailable(&cause)))?;
        let arena = self.memory.add_foreign(Arena::shared(mapping));
        let reach = Reach::Imported { nonce: header.nonce, arena };
        Ok(self.add_pool(Pool::new(context.ordinal, Space::DeviceMemory, reach)))
    }

    pub(crate) fn pool_of(&mut self, context: &ContextRef, ptr: DevicePtr) -> DriverResult<u64> {
        let call = Call::PoolOf;
        let pool = self.own_allocation(call, context, ptr)?.1;
        pool.ok_or_else(|| invalid_value(call, format!("what is allocated at {ptr:?} is of no pool")))
    }

    /// As many bytes as were asked for.
    pub(crate) fn allocation_bytes(&mut self, context: &ContextRef, ptr: DevicePtr) -> DriverResult<usize> {
        self.own_allocation(Call::AllocationBytes, context, ptr).map(|(bytes, _)| bytes)
    }

    pub(crate) fn export_pointer(&mut self, context: &ContextRef, ptr: DevicePtr) -> DriverResult<PointerData> {
        let call = Call::PointerExport;
        let (bytes, pool) = self.own_allocation(call, context, ptr)?;
        let nonce = match pool.and_then(|pool| self.reach(pool)) {
            Some(Reach::Exportable { nonce, .. }) => *nonce,
            _ => return Err(invalid_value(call, "the allocation is of no exportable pool")),
        };
        let offset = self.memory.offset(ptr).ok_or_else(|| invalid_value(call, "no memory of a pool"))?;
        Ok(PointerData(encode(MARK, nonce, [offset as u64, bytes as u64, 0, 0])))
    }

    pub(crate) fn import_pointer(&mut self, pool: &PoolRef, data: &PointerData) -> DriverResult<DevicePtr> {
        let call = Call::PointerImport;
        let &Reach::Imported { nonce, arena } = &self.pool(call, pool)?.reach else {
            return Err(invalid_value(call, "the pool was not imported"));
        };
        let (theirs, [offset, bytes, ..]) =
            decode(MARK, &data.0).ok_or_else(|| invalid_value(call, "the data are not of an allocation"))?;
        if theirs != nonce {
            return Err(invalid_value(call, "the allocation is of another pool"));
        }
        let place = Place::Device(pool.context.ordinal);
        let range = usize::try_from(offset).ok().zip(usize::try_from(bytes).ok());
        let range = range.filter(|&(offset, bytes)| offset >= HEADER && bytes > 0);
        let (offset, bytes) = range.ok_or_else(|| invalid_value(call, "the allocation lies in no pool"))?;
        self.memory.import(pool.handle, place, arena, offset, bytes).map_err(|refusal| match refusal {
            Refusal::Outside => invalid_value(call, "the allocation lies outside of the pool"),
            Refusal::InUse => invalid_value(call, "the allocation is imported already"),
        })
    }

    /// Length and pool of the device's allocation that starts at `ptr`.
    fn own_allocation(
        &mut self,
        call: Call,
        context: &ContextRef,
        ptr: DevicePtr,
    ) -> DriverResult<(usize, Option<u64>)> {
        self.context(call, context)?;
        let region = self.memory.allocation(ptr).filter(|region| region.place == Place::Device(context.ordinal));
        let region = region.ok_or_else(|| {
            invalid_value(call, format!("no memory of device {} is allocated at {ptr:?}", context.ordinal))
        })?;
        Ok((region.span.len(), region.pool))
    }
}
