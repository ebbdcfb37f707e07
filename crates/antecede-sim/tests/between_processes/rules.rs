//! What is allowed of what is shared, what is counted, and what is left.

use antecede::driver::{DriverResult, ErrorKind, PoolAttribute, Space};
use antecede_sim::{Call, Fault, Sim};

use super::common::Rig;
use super::peer::in_two_processes;
use super::{Export, LEN, fails};

#[test]
fn an_imported_pool_gives_no_memory_of_its_own() {
    let export = Export::seeded(0);
    let import = export.import(0);
    let (rig, pool) = (&import.rig, &import.pool);
    fails(rig.alloc_in(&import.stream, pool, 8), ErrorKind::InvalidValue);
    fails(rig.trim(pool, 0), ErrorKind::InvalidValue);
    fails(rig.set(pool, PoolAttribute::ReleaseThreshold, 0), ErrorKind::InvalidValue);
    fails(rig.export_pool(pool), ErrorKind::InvalidValue);
    fails(rig.export(import.x), ErrorKind::InvalidValue);
    assert!(rig.ask(pool, PoolAttribute::UsedBytes).unwrap() >= LEN as u64);
    fails(rig.destroy_pool(pool), ErrorKind::InvalidValue);
    rig.free(&import.stream, import.x).unwrap();
    fails(rig.free(&import.stream, import.x), ErrorKind::InvalidValue);
    fails(rig.destroy_pool(pool), ErrorKind::InvalidValue);
    rig.sync(&import.stream).unwrap();
    rig.destroy_pool(pool).unwrap();
    fails(rig.fill(&import.stream, import.x, 1, 1), ErrorKind::InvalidValue);
}

#[test]
fn only_pools_that_are_exportable_are_exported() {
    let rig = Rig::seeded(0);
    let (stream, pool) = (rig.stream(), rig.pool(Space::DeviceMemory).unwrap());
    fails(rig.export_pool(&pool), ErrorKind::InvalidValue);
    let (x, y, z) = (rig.alloc_in(&stream, &pool, 8).unwrap(), rig.alloc(&stream, 8).unwrap(), rig.pinned(8).unwrap());
    for own in [x, y, z] {
        fails(rig.export(own), ErrorKind::InvalidValue);
    }
    assert_eq!(rig.pool_of(x), Ok(pool.handle));
    assert!(rig.pool_of(y).is_ok());
    assert_eq!((rig.allocation_bytes(x), rig.allocation_bytes(y)), (Ok(8), Ok(8)));
    fails(rig.pool_of(z), ErrorKind::InvalidValue);
    fails(rig.allocation_bytes(x.offset(1)), ErrorKind::InvalidValue);
    let export = Export::seeded(0);
    fails(rig.import(&pool, &export.rig.export(export.x).unwrap()), ErrorKind::InvalidValue);
}

#[test]
fn a_pool_belongs_to_its_device() {
    let sim = Sim::builder().devices(2).build();
    let (first, second) = (Rig::on(sim.clone(), 0), Rig::on(sim, 1));
    let pool = first.export_pool(&first.exportable_pool().unwrap()).unwrap();
    fails(second.import_pool(&pool), ErrorKind::InvalidValue);
    let imported = first.import_pool(&pool).unwrap();
    first.destroy_pool(&imported).unwrap();
}

#[test]
fn the_room_of_a_pool_ends() {
    let rig = Rig::of(Sim::builder().exportable(4096));
    let (stream, pool) = (rig.stream(), rig.exportable_pool().unwrap());
    let x = rig.alloc_in(&stream, &pool, 3000).unwrap();
    fails(rig.alloc_in(&stream, &pool, 2000), ErrorKind::OutOfMemory);
    let y = rig.alloc_in(&stream, &pool, 1000).unwrap();
    for x in [x, y] {
        rig.free(&stream, x).unwrap();
    }
    rig.sync(&stream).unwrap();
    rig.alloc_in(&stream, &pool, 4096).unwrap();
    fails(Rig::of(Sim::builder().exportable(0)).exportable_pool(), ErrorKind::NotSupported);
}

#[test]
fn what_creates_fails_before_it_creates() {
    let export = Export::seeded(0);
    let import = export.import(0);
    let (theirs, rig) = (&export.rig, &import.rig);
    let pool = theirs.export_pool(&export.pool).unwrap();
    let (data, event) = (theirs.export(export.x).unwrap(), theirs.export_event(&export.event).unwrap());
    rig.free(&import.stream, import.x).unwrap();
    let injected = |result: DriverResult<()>, call: Call| {
        let error = result.unwrap_err();
        assert_eq!((error.kind(), error.call), (ErrorKind::Injected, call.name()));
    };
    let all = |rig: &Rig, call: Call| match call {
        Call::DeviceUuid => rig.uuid().map(drop),
        Call::ExportablePoolCreate => rig.exportable_pool().map(drop),
        Call::PoolExport => theirs.export_pool(&export.pool).map(drop),
        Call::PoolImport => rig.import_pool(&pool).map(drop),
        Call::PoolOf => theirs.pool_of(export.x).map(drop),
        Call::AllocationBytes => theirs.allocation_bytes(export.x).map(drop),
        Call::PointerExport => theirs.export(export.x).map(drop),
        Call::PointerImport => rig.import(&import.pool, &data).map(drop),
        Call::InterprocessEventCreate => rig.interprocess_event().map(drop),
        Call::EventExport => theirs.export_event(&export.event).map(drop),
        Call::EventImport => rig.import_event(&event).map(drop),
        other => panic!("{other} is not about other processes"),
    };
    let first = Call::ALL.iter().position(|&call| call == Call::DeviceUuid).unwrap();
    for &call in &Call::ALL[first..] {
        let live = (theirs.sim.live(), rig.sim.live());
        let before = theirs.sim.calls().of(call) + rig.sim.calls().of(call);
        for sim in [&theirs.sim, &rig.sim] {
            sim.faults().inject(Fault::every().of(call).after_submitting());
        }
        injected(all(rig, call), call);
        [&theirs.sim, &rig.sim].into_iter().for_each(|sim| sim.faults().clear());
        assert_eq!((theirs.sim.live(), rig.sim.live()), live, "{call}");
        all(rig, call).unwrap();
        assert_eq!(theirs.sim.calls().of(call) + rig.sim.calls().of(call), before + 2);
    }
    assert_eq!(Call::ALL[first..].len(), 11);
}

fn descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").unwrap().count()
}

fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").unwrap().count()
}

fn mappings() -> usize {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    maps.lines().filter(|line| line.contains("memfd:antecede-sim")).count()
}

#[test]
fn nothing_is_left_after_many_rounds() {
    in_two_processes(
        "rules::nothing_is_left_after_many_rounds",
        |_| {
            let at_first = (descriptors(), mappings(), threads());
            let (theirs, rig) = (Rig::seeded(0), Rig::seeded(1));
            let (a, b) = (theirs.stream(), rig.stream());
            let round = || {
                let (pool, event) = (theirs.exportable_pool().unwrap(), theirs.interprocess_event().unwrap());
                let x = theirs.alloc_in(&a, &pool, LEN).unwrap();
                theirs.fill(&a, x, 5, LEN).unwrap();
                theirs.record(&event, &a).unwrap();
                let there = rig.import_pool(theirs.export_pool(&pool).unwrap()).unwrap();
                let y = rig.import(&there, &theirs.export(x).unwrap()).unwrap();
                let opened = rig.import_event(&theirs.export_event(&event).unwrap()).unwrap();
                rig.wait(&b, &opened).unwrap();
                assert_eq!(rig.download(&b, y, LEN), [5; LEN]);
                rig.destroy_event(&opened).unwrap();
                rig.free(&b, y).unwrap();
                rig.sync(&b).unwrap();
                rig.destroy_pool(&there).unwrap();
                theirs.free(&a, x).unwrap();
                theirs.destroy_event(&event).unwrap();
                theirs.sync(&a).unwrap();
                theirs.destroy_pool(&pool).unwrap();
            };
            round();
            let after_one = (descriptors(), mappings(), threads(), theirs.sim.live(), rig.sim.live().events);
            (0..1000).for_each(|_| round());
            assert_eq!((descriptors(), mappings(), threads(), theirs.sim.live(), rig.sim.live().events), after_one);
            assert!(after_one.1 > 0, "the board is seen");
            drop((theirs, rig));
            assert_eq!((descriptors(), mappings(), threads()), at_first);
        },
        |_| {},
    );
}

#[test]
fn a_simulator_without_shared_events_has_no_threads() {
    in_two_processes(
        "rules::a_simulator_without_shared_events_has_no_threads",
        |_| {
            let before = (threads(), descriptors());
            let rig = Rig::seeded(0);
            rig.sync(&rig.stream()).unwrap();
            assert_eq!((threads(), descriptors()), before);
            rig.interprocess_event().unwrap();
            assert_eq!(threads(), before.0 + 2);
            drop(rig);
            assert_eq!((threads(), descriptors()), before);
        },
        |_| {},
    );
}

#[test]
fn descriptors_are_not_inherited() {
    let export = Export::seeded(0);
    let pool = export.rig.export_pool(&export.pool).unwrap();
    let flags = rustix::io::fcntl_getfd(&pool).unwrap();
    assert!(flags.contains(rustix::io::FdFlags::CLOEXEC));
}
