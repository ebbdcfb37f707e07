//! The driver that does nothing.

use antecede::driver::{Driver, ErrorKind};
use antecede_trace::NullDriver;

use super::bench::Bench;

#[test]
fn handles_and_addresses_are_unique_and_aligned() {
    let bench = Bench::new(NullDriver::new());
    let (a, b) = (bench.stream("A"), bench.stream("B"));
    assert_ne!(a.handle, b.handle);
    assert_ne!(bench.event().handle, bench.event().handle);
    let (x, y) = (bench.alloc(&a, 300).unwrap(), bench.alloc(&a, 1).unwrap());
    assert!(y.0 >= x.0 + 300);
    assert_eq!((x.0 % 256, y.0 % 256), (0, 0));
    bench.free(&a, x).unwrap();
    assert!(bench.alloc(&a, 300).unwrap() > y, "addresses are not used again");
    assert_eq!(bench.alloc(&a, usize::MAX).unwrap_err().kind(), ErrorKind::OutOfMemory);
}

#[test]
fn pinned_memory_is_real_and_zeroed() {
    let bench = Bench::new(NullDriver::new());
    let pinned = bench.pinned_alloc(1000).unwrap();
    assert_eq!(pinned.0 % 256, 0);
    let pointer = std::ptr::with_exposed_provenance_mut::<u8>(pinned.0 as usize);
    // SAFETY: 1000 bytes of initialised host memory that nobody else uses.
    let bytes = unsafe { std::slice::from_raw_parts_mut(pointer, 1000) };
    assert!(bytes.iter().all(|&byte| byte == 0));
    bytes.fill(7);
    bench.pinned_free(pinned).unwrap();
    assert_eq!(bench.pinned_free(pinned).unwrap_err().kind(), ErrorKind::InvalidValue, "freed once");
    assert_eq!(bench.pinned_alloc(usize::MAX).unwrap_err().kind(), ErrorKind::OutOfMemory);
    assert_eq!(bench.pinned_alloc(0).unwrap_err().kind(), ErrorKind::InvalidValue);
}

#[test]
fn a_context_keeps_its_identity() {
    let driver = NullDriver::with_devices(2);
    // SAFETY: there are two devices.
    let open = |ordinal| unsafe { driver.context_open(ordinal) };
    assert_eq!(open(0), open(0));
    assert_ne!(open(0).unwrap().id, open(1).unwrap().id);
    assert_eq!(open(2).unwrap_err().kind(), ErrorKind::NoDevice);
    assert_eq!(driver.device_count(), Ok(2));
}
