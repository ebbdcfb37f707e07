//! A process that imports what it has exported itself, and one that is sent something else. Neither is promised anything.

use std::fs::File;
use std::os::fd::AsFd;

use antecede::driver::{Driver, EventData, PointerData};

use crate::common::Gpu;
use crate::pair::{self, Link};
use crate::shared::{BYTES, Shared, exported, mapped, opened, opened_pool, value_of};

/// Runs one process, which may crash: its findings are what counts, and one of them must be there.
fn look(test: &str, exporter: fn(Link), finding: &str) {
    let Some([process, _]) = pair::run(test, exporter, idle) else { return };
    measured!("the process ended: {:?}", process.status);
    process.assert_found(finding);
}

/// The other process, which has no part.
fn idle(mut link: Link) {
    link.await_end();
}

#[test]
#[ignore = "needs a GPU"]
fn a_process_imports_its_own() {
    look(concat!(module_path!(), "::a_process_imports_its_own"), import_own, "its own event");
}

fn import_own(_: Link) {
    let gpu = Gpu::open();
    let (shared, stream) = (Shared::new(&gpu, 8), gpu.non_blocking());
    let imported = opened(&gpu, &exported(&gpu, &shared.event));
    measured!("a process opens its own event: {imported:?}");
    // SAFETY: live handles.
    unsafe {
        let descriptor = gpu.driver.pool_export(&shared.pool).expect("a descriptor");
        let data = gpu.driver.pointer_export(&gpu.context, shared.memory).expect("its data");
        let pools = [(); 2].map(|()| opened_pool(&gpu, descriptor.as_fd()));
        let handles = pools.each_ref().map(|pool| pool.as_ref().map(|pool| pool.handle));
        measured!("a process opens its own pool {:#x}, twice: {handles:x?}", shared.pool.handle);
        let [Ok(pool), second] = pools else { return };
        let alias = mapped(&gpu, &pool, &data);
        measured!("a process maps its own block {:?}: {alias:?}", shared.memory);
        if let Ok(alias) = alias {
            measured!("it holds what it should: {}", value_of(&gpu.download(&stream, alias, BYTES)) == Some(8));
            let freed = gpu.driver.free_async(&stream, alias);
            measured!("its free: {freed:?}, {:?}", gpu.driver.stream_sync(&stream));
            measured!(
                "the block is still there: {}",
                value_of(&gpu.download(&stream, shared.memory, BYTES)) == Some(8)
            );
        }
        measured!("the imported pool is destroyed: {:?}", gpu.driver.pool_destroy(&pool));
        if let Ok(second) = second {
            measured!("and its second import: {:?}", gpu.driver.pool_destroy(&second));
        }
        measured!(
            "the block is there after that: {}",
            value_of(&gpu.download(&stream, shared.memory, BYTES)) == Some(8)
        );
    }
    measured!("after its own event and pool, the process goes on");
}

/// A peer that sends the wrong thing should be an error, not the end of the process.
#[test]
#[ignore = "needs a GPU"]
fn a_process_imports_what_nobody_exported() {
    look(concat!(module_path!(), "::a_process_imports_what_nobody_exported"), import_nothing, "no pool's");
}

fn import_nothing(_: Link) {
    let gpu = Gpu::open();
    let null = File::open("/dev/null").expect("a file");
    measured!("a descriptor that is no pool's: {:?}", opened_pool(&gpu, null.as_fd()));
    let shared = Shared::new(&gpu, 9);
    for byte in [0, 0xff] {
        measured!("64 bytes of {byte:#x} that are no event's: {:?}", opened(&gpu, &EventData([byte; 64])));
    }
    // SAFETY: a live pool.
    let descriptor = unsafe { gpu.driver.pool_export(&shared.pool) }.expect("a descriptor");
    if let Ok(pool) = opened_pool(&gpu, descriptor.as_fd()) {
        for byte in [0, 0xff] {
            measured!("64 bytes of {byte:#x} that are no block's: {:?}", mapped(&gpu, &pool, &PointerData([byte; 64])));
        }
    }
}
