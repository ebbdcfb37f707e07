//! The frames of the handshake: `Hello`, `Welcome`, `Ready`.

use super::fields::{Reader, Writer};
use super::{Kind, Nonce, PeerId, WireError};
use antecede::driver::DeviceUuid;

const FOREIGN: u8 = 1;

/// The importer names itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hello {
    /// The importer's device.
    pub device: DeviceUuid,
    /// The importer's own random number.
    pub peer: PeerId,
    /// Whether the sender is another program than this library.
    pub foreign: bool,
}

/// The exporter names itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Welcome {
    /// The exporter's device.
    pub device: DeviceUuid,
    /// What the importer is to repeat.
    pub nonce: Nonce,
    /// Whether the sender is another program than this library.
    pub foreign: bool,
}

/// The importer has received the `Welcome`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ready {
    /// That of the `Welcome`.
    pub nonce: Nonce,
}

impl Hello {
    pub(super) fn write(&self, to: &mut Writer) {
        write(to, self.device, self.peer.0, self.foreign);
    }

    pub(super) fn read(from: &mut Reader<'_>) -> Result<Self, WireError> {
        let (device, peer, foreign) = read(from, Kind::Hello)?;
        Ok(Self { device, peer: PeerId(peer), foreign })
    }
}

impl Welcome {
    pub(super) fn write(&self, to: &mut Writer) {
        write(to, self.device, self.nonce.0, self.foreign);
    }

    pub(super) fn read(from: &mut Reader<'_>) -> Result<Self, WireError> {
        let (device, nonce, foreign) = read(from, Kind::Welcome)?;
        Ok(Self { device, nonce: Nonce(nonce), foreign })
    }
}

impl Ready {
    pub(super) fn write(&self, to: &mut Writer) {
        to.bytes(self.nonce.0.to_le_bytes());
    }

    pub(super) fn read(from: &mut Reader<'_>) -> Self {
        Self { nonce: Nonce(from.u128()) }
    }
}

fn write(to: &mut Writer, device: DeviceUuid, number: u128, foreign: bool) {
    to.bytes(device.0);
    to.bytes(number.to_le_bytes());
    to.bytes([if foreign { FOREIGN } else { 0 }]);
    to.zeros(7);
}

fn read(from: &mut Reader<'_>, kind: Kind) -> Result<(DeviceUuid, u128, bool), WireError> {
    let (device, number, [flags]) = (DeviceUuid(from.bytes()), from.u128(), from.bytes());
    if flags & !FOREIGN != 0 {
        return Err(WireError::Flags { kind, expected: FOREIGN, found: flags });
    }
    from.zeros(7)?;
    Ok((device, number, flags == FOREIGN))
}
