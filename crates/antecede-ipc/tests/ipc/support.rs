//! What the tests share.

use antecede::driver::{DeviceUuid, EventData, PointerData};
use antecede_ipc::link::Deadline;
use antecede_ipc::wire::{
    Access, ElementName, ExportId, Frame, Hello, How, Nonce, Offer, PeerId, PoolId, Ready, Receipt, Refusal, Welcome,
};
use std::time::Duration;

pub(crate) const DEVICE: DeviceUuid = DeviceUuid(*b"0123456789abcdef");
pub(crate) const OTHER_DEVICE: DeviceUuid = DeviceUuid(*b"the other device");

/// Long enough for a machine under load; a test that fails may take as long.
pub(crate) fn soon() -> Deadline {
    Deadline::after(Duration::from_secs(60))
}

/// Long enough to be waited for, short enough for a test.
pub(crate) fn shortly() -> Deadline {
    Deadline::after(Duration::from_millis(20))
}

pub(crate) fn offer() -> Offer {
    Offer {
        export: ExportId(0x0102_0304_0506_0708_090a_0b0c_0d0e_0f10),
        access: Access::ForWriting,
        element: ElementName::new("f32").expect("a name"),
        element_size: 4,
        alignment: 4,
        length: 1000,
        offset: 0,
        device: DEVICE,
        pool: PoolId(0x1112),
        pointer: PointerData([0xaa; 64]),
        event: Some(EventData([0xbb; 64])),
        pool_attached: false,
    }
}

/// One of each kind.
pub(crate) fn frames() -> [Frame; 6] {
    [
        Frame::Hello(Hello { device: DEVICE, peer: PeerId(0x2122), foreign: true }),
        Frame::Welcome(Welcome { device: DEVICE, nonce: Nonce(0x3132), foreign: false }),
        Frame::Ready(Ready { nonce: Nonce(0x3132) }),
        Frame::Refused(Refusal::Device { expected: DEVICE, found: OTHER_DEVICE }),
        Frame::Offer(offer()),
        Frame::Receipt(Receipt { export: ExportId(0x4142), how: How::Released }),
    ]
}
