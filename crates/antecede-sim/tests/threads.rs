//! Several host threads, and handles of one simulator.

mod common;

use std::process::Command;
use std::sync::Arc;
use std::thread;

use antecede::driver::Driver;
use antecede_sim::{Order, Sim};
use common::Rig;
use common::kernels::{HELD, HOLD, MODULE};

#[test]
fn threads_keep_their_own_order() {
    for order in [Order::Adversarial, Order::Random, Order::Eager] {
        let sim = Sim::builder().seed(5).mode(order).build();
        thread::scope(|scope| {
            for number in 0..4u8 {
                let sim = sim.clone();
                scope.spawn(move || {
                    let rig = Rig::on(sim, 0);
                    let (a, b) = (rig.stream(), rig.stream());
                    for round in 0..100 {
                        let byte = number * 50 + round % 50 + 1;
                        let x = rig.alloc(&a, 64).unwrap();
                        rig.fill(&a, x, byte, 64).unwrap();
                        rig.hand_over(&a, &b);
                        assert_eq!(rig.download(&b, x, 64), [byte; 64], "{order:?}");
                        rig.free(&b, x).unwrap();
                    }
                });
            }
        });
        assert_eq!(sim.live().allocations, 0);
    }
}

#[test]
fn a_running_kernel_keeps_no_other_thread_from_submitting() {
    let rig = Rig::seeded(0);
    let (busy, free, module) = (rig.stream(), rig.stream(), rig.load(&MODULE));
    let x = rig.pinned(1).unwrap();
    rig.launch(&busy, &module, HOLD, &[]).unwrap();
    thread::scope(|scope| {
        let waiter = scope.spawn(|| rig.sync(&busy));
        HELD.wait();
        // The kernel runs, and ends only after all of this.
        rig.fill(&free, x, 1, 1).unwrap();
        let event = rig.recorded(&free);
        rig.wait(&busy, &event).unwrap();
        rig.destroy_event(&event).unwrap();
        rig.destroy(&rig.stream()).unwrap();
        assert_eq!(rig.query(&busy), Ok(false));
        assert!(!format!("{:?}", rig.sim).is_empty());
        HELD.wait();
        waiter.join().unwrap().unwrap();
    });
    rig.sync_all().unwrap();
    assert_eq!(rig.bytes(x, 1), [1]);
}

#[test]
fn clones_are_one_driver_and_others_are_not() {
    let sim = Sim::new();
    let driver: Arc<dyn Driver> = sim.clone().into();
    assert_eq!((driver.id(), driver.name()), (sim.id(), "sim"));
    assert_ne!(Sim::new().id(), sim.id());
    assert_eq!(driver.device_count(), Ok(1));
    assert_eq!(sim.calls().total(), 1);
}

#[test]
fn the_environment_sets_the_seed() {
    const NAME: &str = "ANTECEDE_SIM_SEED";
    if std::env::var(NAME).as_deref() == Ok("0x2a") {
        assert_eq!(Sim::new().seed(), 42);
        assert_eq!(Sim::builder().seed(7).build().seed(), 7, "a seed that is set comes first");
        return;
    }
    let child = |seed: &str| {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "the_environment_sets_the_seed"]).env(NAME, seed).output().unwrap()
    };
    assert!(child("0x2a").status.success());
}
