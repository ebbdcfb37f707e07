//! Errors that programs run into by themselves.

mod common;

use antecede::driver::{ContextRef, DriverResult, ErrorKind, EventRef, StreamRef};
use antecede_sim::Sim;
use common::kernels::{ADD, CALL_DRIVER, CALLED_BY_KERNEL, MODULE, PANIC, PANIC_WITH_BOMB};
use common::{Module, Param, Rig};

fn fails<T: std::fmt::Debug>(result: DriverResult<T>, kind: ErrorKind) {
    assert_eq!(result.unwrap_err().kind(), kind);
}

#[test]
fn a_launch_takes_its_values_at_the_call() {
    let rig = Rig::seeded(0);
    let (stream, module) = (rig.stream(), rig.load(&MODULE));
    let (x, y) = (rig.alloc(&stream, 16).unwrap(), rig.alloc(&stream, 16).unwrap());
    rig.fill(&stream, x, 0, 16).unwrap();
    // The rig overwrites the parameters as soon as the call returns.
    rig.launch(&stream, &module, ADD, &[Param::U32(41), Param::Read(x, 16), Param::Write(y, 16)]).unwrap();
    assert_eq!(rig.download(&stream, y, 16), 41u32.to_ne_bytes().repeat(4));
}

#[test]
fn a_panicking_kernel_fails_its_context_for_good() {
    let sim = Sim::builder().devices(2).seed(77).build();
    let (rig, other) = (Rig::on(sim.clone(), 0), Rig::on(sim, 1));
    let (stream, event, module) = (rig.stream(), rig.event(), rig.load(&MODULE));
    let x = rig.pinned(4).unwrap();
    rig.launch(&stream, &module, PANIC, &[Param::Write(x, 4)]).unwrap();
    rig.record(&event, &stream).unwrap();
    let error = rig.sync(&stream).unwrap_err();
    assert_eq!((error.kind(), error.call), (ErrorKind::LaunchFailed, "cuStreamSynchronize"));
    assert!(error.message.contains("index out of range") && error.message.contains("seed 77"), "{error}");

    let submitted = rig.sim.live();
    fails(rig.fill(&stream, x, 1, 1), ErrorKind::LaunchFailed);
    fails(rig.alloc(&stream, 1), ErrorKind::LaunchFailed);
    fails(rig.record(&event, &stream), ErrorKind::LaunchFailed);
    fails(rig.query(&stream), ErrorKind::LaunchFailed);
    fails(rig.event_query(&event), ErrorKind::LaunchFailed);
    fails(rig.sync_all(), ErrorKind::LaunchFailed);
    fails(rig.free_pinned(x), ErrorKind::LaunchFailed);
    fails(rig.try_stream(), ErrorKind::LaunchFailed);
    assert_eq!(rig.sim.live(), submitted);
    rig.destroy_event(&event).unwrap();
    rig.destroy(&stream).unwrap();
    rig.close().unwrap();

    let elsewhere = other.stream();
    let y = other.pinned(1).unwrap();
    other.fill(&elsewhere, y, 1, 1).unwrap();
    other.sync(&elsewhere).unwrap();
}

#[test]
fn a_failure_shows_at_the_next_call_after_it_happened() {
    let rig = Rig::seeded(0);
    let (a, b, module) = (rig.stream(), rig.stream(), rig.load(&MODULE));
    let x = rig.pinned(4).unwrap();
    rig.launch(&a, &module, PANIC, &[Param::Write(x, 4)]).unwrap();
    // Late: until it runs, nothing is known of it.
    rig.fill(&b, x, 1, 1).unwrap();
    fails(rig.sync(&a), ErrorKind::LaunchFailed);
    fails(rig.fill(&b, x, 1, 1), ErrorKind::LaunchFailed);
}

#[test]
fn a_panic_whose_value_panics_is_caught_too() {
    let rig = Rig::seeded(0);
    let (stream, module) = (rig.stream(), rig.load(&MODULE));
    rig.launch(&stream, &module, PANIC_WITH_BOMB, &[]).unwrap();
    fails(rig.sync(&stream), ErrorKind::LaunchFailed);
}

#[test]
fn a_kernel_may_not_call_the_driver() {
    let rig = Rig::seeded(0);
    CALLED_BY_KERNEL.set((rig.sim.clone(), rig.context)).unwrap();
    let (stream, module) = (rig.stream(), rig.load(&MODULE));
    let x = rig.pinned(1).unwrap();
    rig.launch(&stream, &module, CALL_DRIVER, &[Param::Write(x, 1)]).unwrap();
    rig.sync(&stream).unwrap();
    assert_eq!(rig.bytes(x, 1), [1]);
    rig.sync_all().unwrap();
}

#[test]
fn impossible_launches_are_refused() {
    let rig = Rig::seeded(0);
    let (stream, module) = (rig.stream(), rig.load(&MODULE));
    let (x, y) = (rig.alloc(&stream, 16).unwrap(), rig.alloc(&stream, 16).unwrap());
    let add = &MODULE.kernels[ADD];
    let good = [Param::U32(1), Param::Read(x, 16), Param::Write(y, 16)];
    let pending = rig.sim.live().pending;

    let shapes = [
        ([0, 1, 1], [1, 1, 1]),
        ([1, 1, 1], [1, 0, 1]),
        ([1 << 31, 1, 1], [1, 1, 1]),
        ([1, 65_536, 1], [1, 1, 1]),
        ([1, 1, 65_536], [1, 1, 1]),
        ([1, 1, 1], [1025, 1, 1]),
        ([1, 1, 1], [32, 33, 1]),
        ([1, 1, 1], [1, 1, 65]),
        ([1, 1, 1], [u32::MAX, u32::MAX, u32::MAX]),
    ];
    for (grid, block) in shapes {
        fails(rig.launch_as(&stream, module.functions[ADD], add, grid, block, &good), ErrorKind::InvalidValue);
    }
    let arguments: [&[Param]; 7] = [
        &good[..2],
        &[Param::U32(1), Param::Read(x, 17), Param::Write(y, 16)],
        &[Param::U32(1), Param::Read(x, 14), Param::Write(y, 16)],
        &[Param::U32(1), Param::Write(x, 16), Param::Write(y, 16)],
        &[Param::U32(1), Param::Read(x.offset(4), 8), Param::Write(x, 8)],
        &[Param::U32(1), Param::Read(x, 16), Param::Write(y.offset(8), 12)],
        &[Param::U32(1), Param::Read(x, 16), Param::WriteElsewhere(x, y, 16)],
    ];
    for params in arguments {
        fails(rig.launch(&stream, &module, ADD, params), ErrorKind::InvalidValue);
    }
    // The function of another kernel, and none.
    let (other, bytes) = (module.functions[PANIC], [Param::Write(x, 16)]);
    fails(rig.launch_as(&stream, other, add, [1; 3], [1; 3], &good), ErrorKind::InvalidValue);
    let alike = &MODULE.kernels[CALL_DRIVER];
    fails(rig.launch_as(&stream, other, alike, [1; 3], [1; 3], &bytes), ErrorKind::InvalidValue);
    fails(rig.launch_as(&stream, 7, add, [1; 3], [1; 3], &good), ErrorKind::InvalidHandle);
    assert_eq!(rig.sim.live().pending, pending);

    rig.launch_as(&stream, module.functions[ADD], add, [i32::MAX as u32, 65_535, 65_535], [32, 32, 1], &good).unwrap();
    let empty = [Param::U32(1), Param::Read(x, 0), Param::Write(y, 0)];
    rig.launch(&stream, &module, ADD, &empty).unwrap();
    rig.sync_all().unwrap();
}

#[test]
fn functions_belong_to_their_context_and_end_with_their_module() {
    let sim = Sim::builder().devices(2).build();
    let (here, there) = (Rig::on(sim.clone(), 0), Rig::on(sim, 1));
    let module: Module = here.load(&MODULE);
    let (stream, elsewhere) = (here.stream(), there.stream());
    let x = here.pinned(4).unwrap();
    here.host_write(x, 0, 4);
    let add = [Param::U32(1), Param::Read(x, 0), Param::Write(x, 0)];
    fails(there.launch(&elsewhere, &module, ADD, &add), ErrorKind::InvalidHandle);
    here.fill(&stream, x, 3, 4).unwrap();
    here.launch(&stream, &module, ADD, &add).unwrap();
    here.unload(&module).unwrap();
    assert_eq!(here.bytes(x, 4), [3; 4], "unloading runs what was submitted");
    fails(here.launch(&stream, &module, ADD, &add), ErrorKind::InvalidHandle);
    fails(here.unload(&module), ErrorKind::InvalidHandle);
}

#[test]
fn handles_come_back_and_dead_ones_are_refused() {
    let rig = Rig::seeded(0);
    let (stream, event) = (rig.stream(), rig.event());
    rig.destroy(&stream).unwrap();
    rig.destroy_event(&event).unwrap();
    let (next_stream, next_event) = (rig.stream(), rig.event());
    assert_eq!((next_stream.handle, next_event.handle), (stream.handle, event.handle));
    fails(rig.sync(&stream), ErrorKind::InvalidHandle);
    fails(rig.destroy(&stream), ErrorKind::InvalidHandle);
    fails(rig.record(&event, &next_stream), ErrorKind::InvalidHandle);
    fails(rig.destroy_event(&event), ErrorKind::InvalidHandle);
    rig.record(&next_event, &next_stream).unwrap();
    fails(rig.sync(&StreamRef { handle: 1, ..next_stream }), ErrorKind::InvalidHandle);
    fails(rig.event_sync(&EventRef { handle: 1, ..next_event }), ErrorKind::InvalidHandle);
    let elsewhere = ContextRef { ordinal: 1, ..rig.context };
    fails(rig.sync(&StreamRef { context: elsewhere, ..next_stream }), ErrorKind::InvalidContext);
}

#[test]
fn a_context_is_counted_and_is_one() {
    let rig = Rig::seeded(0);
    let again = Rig::on(rig.sim.clone(), 0);
    assert_eq!(rig.context, again.context);
    let (stream, x) = (rig.stream(), rig.pinned(1).unwrap());
    rig.fill(&stream, x, 1, 1).unwrap();
    again.close().unwrap();
    assert_eq!(rig.sim.live().pending, 1);
    rig.close().unwrap();
    assert_eq!(rig.bytes(x, 1), [1], "the last close runs everything");
    fails(rig.sync(&stream), ErrorKind::InvalidContext);
    fails(rig.close(), ErrorKind::InvalidContext);
    assert_eq!(Rig::on(rig.sim.clone(), 0).context.id, rig.context.id);

    let stranger = Rig::seeded(0);
    fails(stranger.sync(&stream), ErrorKind::InvalidContext);
    let none = Sim::builder().devices(0).build();
    assert_eq!(antecede::driver::Driver::device_count(&none), Ok(0));
    fails(common::open(&none, 0), ErrorKind::NoDevice);
}
