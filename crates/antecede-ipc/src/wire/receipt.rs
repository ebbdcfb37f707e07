//! The frame `Receipt`.

use super::fields::{Reader, Writer};
use super::{ExportId, WireError};

/// The importer is done with an offer, for good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Receipt {
    /// Which offer.
    pub export: ExportId,
    /// What became of it.
    pub how: How,
}

/// What became of an offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum How {
    /// It was imported, and all work on it and its free have ended.
    Released = 1,
    /// It was never imported.
    Declined = 2,
}

impl Receipt {
    pub(super) fn write(&self, to: &mut Writer) {
        to.bytes(self.export.0.to_le_bytes());
        to.bytes([self.how as u8]);
        to.zeros(7);
    }

    pub(super) fn read(from: &mut Reader<'_>) -> Result<Self, WireError> {
        let (export, [how]) = (ExportId(from.u128()), from.bytes());
        from.zeros(7)?;
        let how = match how {
            1 => How::Released,
            2 => How::Declined,
            found => return Err(WireError::How { found }),
        };
        Ok(Self { export, how })
    }
}
