//! What comes from elsewhere is checked before it is believed.

use std::fs::File;
use std::os::fd::{AsRawFd, OwnedFd};

use antecede::driver::{ErrorKind, EventData, PointerData};
use proptest::prelude::*;
use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};

use super::common::Rig;
use super::peer::in_two_processes;
use super::{Export, fails};

fn memory(len: u64, seals: SealFlags) -> OwnedFd {
    let file = File::from(memfd_create("test", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING).unwrap());
    file.set_len(len).unwrap();
    fcntl_add_seals(&file, seals).unwrap();
    file.into()
}

#[test]
fn descriptors_of_something_else_are_refused() {
    let rig = Rig::seeded(0);
    let (reader, writer) = std::io::pipe().unwrap();
    let fixed = SealFlags::SHRINK | SealFlags::GROW;
    let regular = File::open(std::env::current_exe().unwrap()).unwrap();
    let others: [OwnedFd; 8] = [
        reader.into(),
        writer.into(),
        File::options().read(true).write(true).open("/dev/null").unwrap().into(),
        regular.into(),
        memory(1 << 20, SealFlags::empty()),
        memory(0, fixed),
        memory(16, fixed),
        memory(1 << 20, fixed),
    ];
    for other in &others {
        fails(rig.import_pool(other), ErrorKind::InvalidHandle);
    }
    assert_eq!(rig.sim.live().imported_pools, 0);
}

#[test]
fn pools_that_are_damaged_are_refused() {
    let export = Export::seeded(0);
    let pool = export.rig.export_pool(&export.pool).unwrap();
    let path = format!("/proc/self/fd/{}", pool.as_raw_fd());
    fails(export.rig.import_pool(File::open(&path).unwrap()), ErrorKind::InvalidHandle);
    let mut header = [0; 4096];
    std::os::unix::fs::FileExt::read_exact_at(&File::from(pool.try_clone().unwrap()), &mut header, 0).unwrap();
    let copied = File::from(memory(0, SealFlags::empty()));
    std::os::unix::fs::FileExt::write_all_at(&copied, &header, 0).unwrap();
    fails(export.rig.import_pool(&copied), ErrorKind::InvalidHandle);
    // A file that is a pool by all marks, and shorter: the allocation lies outside.
    fcntl_add_seals(&copied, SealFlags::SHRINK | SealFlags::GROW).unwrap();
    let short = export.rig.import_pool(&copied).unwrap();
    fails(export.rig.import(&short, &export.rig.export(export.x).unwrap()), ErrorKind::InvalidValue);
}

#[test]
fn data_of_another_pool_or_event_are_refused() {
    let (export, other) = (Export::seeded(0), Export::seeded(1));
    let import = export.import(2);
    let rig = &import.rig;
    fails(rig.import(&import.pool, &other.rig.export(other.x).unwrap()), ErrorKind::InvalidValue);
    fails(rig.import(&import.pool, &export.rig.export(export.x).unwrap()), ErrorKind::InvalidValue);
    let event = export.rig.export_event(&export.event).unwrap();
    fails(rig.import(&import.pool, &PointerData(event.0)), ErrorKind::InvalidValue);
    fails(rig.import_event(&EventData(export.rig.export(export.x).unwrap().0)), ErrorKind::InvalidValue);
    assert_eq!(rig.sim.live().imported_allocations, 1);
}

#[test]
fn any_bytes_are_refused() {
    // In a process of its own, as a crash would take the other tests along.
    in_two_processes(
        "garbage::any_bytes_are_refused",
        |_| {
            let export = Export::seeded(0);
            let import = export.import(1);
            let pointer = export.rig.export(export.x).unwrap().0;
            let event = export.rig.export_event(&export.event).unwrap().0;
            let changed = |bytes: [u8; 64], place: usize, by: u8| {
                let mut bytes = bytes;
                bytes[place] ^= by;
                bytes
            };
            proptest!(|(words in prop::array::uniform8(any::<u64>()), place in 0..64usize, by in 1..=255u8)| {
                let mut random = [0; 64];
                random.chunks_exact_mut(8).zip(words).for_each(|(to, word)| to.copy_from_slice(&word.to_le_bytes()));
                for data in [random, changed(pointer, place, by), changed(event, place, by)] {
                    prop_assert!(import.rig.import(&import.pool, &PointerData(data)).is_err());
                    prop_assert!(import.rig.import_event(&EventData(data)).is_err());
                }
            });
            assert_eq!(import.rig.sim.live().imported_allocations, 1);
            assert_eq!(import.rig.sim.live().events, 1);
        },
        |_| {},
    );
}
