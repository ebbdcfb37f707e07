// guarantee: another process's pool is opened on one device
// message: trait bounds were not satisfied
use antecede::{Device, Result, Several};
use std::os::fd::BorrowedFd;

fn program(devices: Vec<Device<Several<'_>>>, pool: BorrowedFd<'_>) -> Result<()> {
    devices[0].import_pool(pool).map(drop)
}

fn main() {}
