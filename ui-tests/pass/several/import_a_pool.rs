// guarantee: another process's pool is opened on one device
use antecede::{Device, Result};
use std::os::fd::BorrowedFd;

fn program(devices: Vec<Device>, pool: BorrowedFd<'_>) -> Result<()> {
    devices[0].import_pool(pool).map(drop)
}

fn main() {}
