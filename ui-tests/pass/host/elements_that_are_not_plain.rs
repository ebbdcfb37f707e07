// guarantee: every bit pattern that memory can hold is a value of its elements: host memory
use antecede::{Buffer, Device, Pinned, Result, Synced};

type Flag = u8;

fn program(device: Device) -> Result<Buffer<Flag, Synced, Pinned>> {
    device.pinned(8)
}

fn main() {}
