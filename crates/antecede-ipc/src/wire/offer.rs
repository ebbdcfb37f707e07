//! The frame `Offer`.

use super::fields::{Reader, Writer};
use super::{ElementName, ExportId, Kind, PoolId, WireError};
use antecede::driver::{DeviceUuid, EventData, PointerData};

const EVENT: u8 = 1;
const POOL: u8 = 2;

/// A buffer that the importer may import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offer {
    /// What the receipt will name.
    pub export: ExportId,
    /// What the importer may do with it.
    pub access: Access,
    /// The name of the element type.
    pub element: ElementName,
    /// Bytes of an element: a multiple of the alignment, and not 0.
    pub element_size: u32,
    /// The alignment of an element in bytes.
    pub alignment: u32,
    /// Elements, at least one.
    pub length: u64,
    /// Bytes from the beginning of the allocation: 0.
    pub offset: u64,
    /// Where the buffer lies.
    pub device: DeviceUuid,
    /// The pool that it is from.
    pub pool: PoolId,
    /// What the driver imports the allocation by.
    pub pointer: PointerData,
    /// The event that the importer waits for, if the exporter has not synchronised.
    pub event: Option<EventData>,
    /// Whether the descriptor of the pool comes with it: the first time that the pool is named on a connection.
    pub pool_attached: bool,
}

/// What an importer may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Access {
    /// Read, as other importers and the exporter may.
    ForReading = 1,
    /// Read and write, alone.
    ForWriting = 2,
}

impl Offer {
    /// Bytes of all elements.
    ///
    /// # Errors
    /// If there is no such buffer: a size or a length of zero, an alignment that is none, more than 2^63 - 1 bytes.
    pub fn bytes(&self) -> Result<u64, WireError> {
        let (size, alignment, length) = (self.element_size, self.alignment, self.length);
        if size == 0 || !alignment.is_power_of_two() || !size.is_multiple_of(alignment) {
            return Err(WireError::Element { size, alignment });
        }
        let bytes = u64::from(size).checked_mul(length).filter(|bytes| (1..=i64::MAX as u64).contains(bytes));
        bytes.ok_or(WireError::Elements { size, length })
    }

    pub(super) fn write(&self, to: &mut Writer) -> Result<(), WireError> {
        self.check()?;
        let (name, name_length) = self.element.padded();
        let flags = if self.event.is_some() { EVENT } else { 0 } | if self.pool_attached { POOL } else { 0 };
        to.bytes(self.export.0.to_le_bytes());
        to.bytes([self.access as u8, flags, name_length, 0]);
        to.bytes(self.element_size.to_le_bytes());
        to.bytes(self.alignment.to_le_bytes());
        to.zeros(4);
        to.bytes(self.length.to_le_bytes());
        to.bytes(self.offset.to_le_bytes());
        to.bytes(self.device.0);
        to.bytes(self.pool.0.to_le_bytes());
        to.bytes(self.pointer.0);
        to.bytes(self.event.map_or([0; 64], |event| event.0));
        to.bytes(*name);
        Ok(())
    }

    pub(super) fn read(from: &mut Reader<'_>) -> Result<Self, WireError> {
        let export = ExportId(from.u128());
        let [access, flags, name_length] = from.bytes();
        from.zeros(1)?;
        let (element_size, alignment) = (from.u32(), from.u32());
        from.zeros(4)?;
        let (length, offset) = (from.u64(), from.u64());
        let (device, pool) = (DeviceUuid(from.bytes()), PoolId(from.u128()));
        let pointer = PointerData(from.bytes());
        if flags & !(EVENT | POOL) != 0 {
            return Err(WireError::Flags { kind: Kind::Offer, expected: EVENT | POOL, found: flags });
        }
        let event = match flags & EVENT != 0 {
            true => Some(EventData(from.bytes())),
            false => from.zeros(64).map(|()| None)?,
        };
        let offer = Self {
            export,
            access: Access::from_number(access)?,
            element: name(from, name_length)?,
            element_size,
            alignment,
            length,
            offset,
            device,
            pool,
            pointer,
            event,
            pool_attached: flags & POOL != 0,
        };
        offer.check().map(|()| offer)
    }

    fn check(&self) -> Result<(), WireError> {
        self.bytes()?;
        match self.offset {
            0 => Ok(()),
            found => Err(WireError::Offset { found }),
        }
    }
}

impl Access {
    fn from_number(number: u8) -> Result<Self, WireError> {
        match number {
            1 => Ok(Self::ForReading),
            2 => Ok(Self::ForWriting),
            found => Err(WireError::Access { found }),
        }
    }
}

/// The field of the name, of which only `length` bytes may be other than zero.
fn name(from: &mut Reader<'_>, length: u8) -> Result<ElementName, WireError> {
    let mut behind = from.clone();
    let field: [u8; super::MAX_NAME] = from.bytes();
    let length = usize::from(length);
    let name = field.get(..length).ok_or(WireError::NameLength { found: length })?;
    behind.skip(length);
    behind.zeros(field.len() - length)?;
    ElementName::from_bytes(name)
}
