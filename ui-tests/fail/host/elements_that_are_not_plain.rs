// guarantee: every bit pattern that memory can hold is a value of its elements: host memory
// message: the trait bound `bool: bytemuck::pod::Pod` is not satisfied
use antecede::{Buffer, Device, Pinned, Result, Synced};

type Flag = bool;

fn program(device: Device) -> Result<Buffer<Flag, Synced, Pinned>> {
    device.pinned(8)
}

fn main() {}
