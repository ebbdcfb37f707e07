//! Bytes that two processes see.

use antecede::driver::PoolAttribute;
use antecede_sim::Sim;

use super::common::Param;
use super::common::Rig;
use super::common::kernels::{ADD, MODULE};
use super::peer::in_two_processes;
use super::{Export, Import, LEN};

#[test]
fn bytes_are_seen_there_and_back() {
    in_two_processes(
        "memory::bytes_are_seen_there_and_back",
        |peer| {
            let import = Import::take(peer, 0);
            assert_eq!(import.read(), [1; LEN]);
            assert_eq!(import.rig.allocation_bytes(import.x), Ok(LEN));
            import.rig.fill(&import.stream, import.x, 2, LEN / 2).unwrap();
            import.end();
            peer.tell(1);
        },
        |started| {
            let export = Export::seeded(0);
            export.give(&started.peer);
            started.peer.hear();
            let expected = [[2; LEN / 2], [1; LEN / 2]].concat();
            assert_eq!(export.rig.download(&export.stream, export.x, LEN), expected);
        },
    );
}

#[test]
fn devices_are_the_same_in_every_process() {
    in_two_processes(
        "memory::devices_are_the_same_in_every_process",
        |peer| {
            let sim = Sim::builder().devices(2).build();
            (0..2).for_each(|ordinal| peer.send(&Rig::on(sim.clone(), ordinal).uuid().unwrap().0));
        },
        |started| {
            let sim = Sim::builder().devices(3).build();
            let uuids = [0, 1].map(|ordinal| Rig::on(sim.clone(), ordinal).uuid().unwrap().0);
            assert_eq!([started.peer.receive(), started.peer.receive()], uuids);
            assert_ne!(uuids[0], uuids[1]);
        },
    );
}

#[test]
fn an_imported_block_outlives_its_exporter() {
    in_two_processes(
        "memory::an_imported_block_outlives_its_exporter",
        |peer| {
            let export = Export::seeded(0);
            export.give(peer);
            peer.hear();
        },
        |started| {
            let import = Import::take(&started.peer, 0);
            started.peer.tell(1);
            assert!(started.ended().success());
            assert_eq!(import.read(), [1; LEN]);
            import.rig.fill(&import.stream, import.x, 9, LEN).unwrap();
            assert_eq!(import.read(), [9; LEN]);
            import.end();
        },
    );
}

#[test]
fn memory_freed_too_early_shows_as_freed() {
    let (export, poison) = (Export::seeded(0), Sim::builder().seed(0).build().poison());
    let import = export.import(1);
    export.rig.free(&export.stream, export.x).unwrap();
    export.rig.sync(&export.stream).unwrap();
    // The page that holds it was given back to the host or not; in neither case is it what was there.
    assert_ne!(import.read(), [1; LEN]);
    assert!(import.read().iter().all(|&byte| byte == poison.freed || byte == poison.fresh || byte == 0));
    export.rig.destroy_pool(&export.pool).unwrap();
    assert_eq!(import.read().len(), LEN, "the mapping is the importer's own");
    import.end();
}

#[test]
fn an_importers_free_ends_its_use_alone() {
    let export = Export::seeded(0);
    let import = export.import(1);
    let live = import.rig.sim.live();
    assert_eq!((live.imported_allocations, live.imported_bytes, live.imported_pools), (1, LEN as u64, 1));
    assert_eq!((live.allocations, live.bytes, live.pools), (0, 0, 0));
    import.end();
    let live = import.rig.sim.live();
    assert_eq!((live.imported_allocations, live.imported_bytes, live.imported_pools), (0, 0, 0));
    assert_eq!(export.rig.download(&export.stream, export.x, LEN), [1; LEN]);
    assert_eq!(export.rig.sim.live().allocations, 1);
    // It can be imported again.
    export.import(2).end();
}

#[test]
fn kernels_work_on_imported_memory() {
    let export = Export::seeded(3);
    let import = export.import(4);
    let module = import.rig.load(&MODULE);
    let y = import.rig.alloc(&import.stream, 40).unwrap();
    let params = [Param::U32(5), Param::Read(import.x, 40), Param::Write(y, 40)];
    import.rig.launch(&import.stream, &module, ADD, &params).unwrap();
    let expected = [0x0101_0101_u32 + 5; 10];
    let expected: Vec<u8> = expected.iter().flat_map(|value| value.to_ne_bytes()).collect();
    assert_eq!(import.rig.download(&import.stream, y, 40), expected);
}

#[test]
fn fresh_memory_of_a_pool_is_filled_in_stream_order() {
    let rig = Rig::seeded(0);
    let (stream, pool) = (rig.stream(), rig.exportable_pool().unwrap());
    let x = rig.alloc_in(&stream, &pool, LEN).unwrap();
    assert_eq!(rig.bytes(x, LEN), [0; LEN], "pages that nothing has touched");
    assert_eq!(rig.download(&stream, x, LEN), [rig.sim.poison().fresh; LEN]);
    rig.set(&pool, PoolAttribute::ReleaseThreshold, u64::MAX).unwrap();
    rig.free(&stream, x).unwrap();
    rig.sync(&stream).unwrap();
    assert_eq!(rig.bytes(x, LEN), [rig.sim.poison().freed; LEN]);
    assert_eq!(rig.alloc_in(&stream, &pool, LEN), Ok(x), "what was freed is used again");
}

#[test]
fn what_a_pool_lets_go_of_goes_back_to_the_host() {
    const LARGE: usize = 8 << 20;
    let rig = Rig::seeded(0);
    let (stream, pool) = (rig.stream(), rig.exportable_pool().unwrap());
    let file = std::fs::File::from(rig.export_pool(&pool).unwrap());
    let held = || std::os::unix::fs::MetadataExt::blocks(&file.metadata().unwrap()) * 512;
    assert!(held() < 1 << 20, "the room of a pool is not taken from the host");
    let x = rig.alloc_in(&stream, &pool, LARGE).unwrap();
    rig.fill(&stream, x, 1, LARGE).unwrap();
    rig.sync(&stream).unwrap();
    assert!(held() >= LARGE as u64);
    rig.free(&stream, x).unwrap();
    rig.sync(&stream).unwrap();
    assert!(held() < 1 << 20);
    // No other pool takes memory that others can see.
    let other = rig.pool(antecede::driver::Space::DeviceMemory).unwrap();
    assert_ne!(rig.alloc_in(&stream, &other, LARGE), Ok(x));
    assert_eq!(rig.alloc_in(&stream, &pool, LARGE), Ok(x));
}

#[test]
fn a_missing_wait_is_no_fault_of_the_host() {
    // Reads that nothing orders before the end of the memory's pool find it mapped. In a process of its own, as a fault
    // would take the other tests along.
    in_two_processes(
        "memory::a_missing_wait_is_no_fault_of_the_host",
        |_| {
            for seed in 0..20 {
                let export = Export::seeded(seed);
                let import = export.import(seed);
                let late = [(&import.rig, import.x), (&export.rig, export.x)].map(|(rig, x)| {
                    let (stream, y) = (rig.stream(), rig.pinned(LEN).unwrap());
                    rig.copy(&stream, y, x, LEN).unwrap();
                    (rig, stream)
                });
                import.end();
                export.rig.free(&export.stream, export.x).unwrap();
                export.rig.sync(&export.stream).unwrap();
                export.rig.destroy_pool(&export.pool).unwrap();
                late.into_iter().for_each(|(rig, stream)| rig.sync(&stream).unwrap());
            }
        },
        |_| {},
    );
}
