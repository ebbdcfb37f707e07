//! Files through the library, on a device that fails.

mod common;

use std::fs;

use antecede::Device;
use antecede_demo::{Cipher, Error, Input, Output, Ring, encipher};
use antecede_sim::{Call, Fault, Sim};
use common::{Folder, KEY, NONCE, by_crate, sample};
use indicatif::ProgressBar;

/// Enciphers the folder's `in` to its `out`.
fn run(sim: Sim, folder: &Folder) -> Result<(), Error> {
    let cipher = Cipher::new(&KEY.parse().expect("a key"), &NONCE.parse().expect("a nonce"), 0);
    let input = Input::open(&folder.path("in"))?;
    let output = Output::create(&folder.path("out"), &input)?;
    assert_eq!(folder.names().len(), 3, "an unfinished file");
    let ring = Ring { slots: 3, chunk: "4k".parse().expect("a size") };
    let progress = ProgressBar::hidden();
    let summary = Device::scope(sim, 0, |device| Ok(encipher(device, &cipher, ring, &input, output, &progress)))??;
    assert_eq!((progress.position(), summary.bytes), (input.known_len().unwrap_or(0), progress.position()));
    Ok(())
}

#[test]
fn a_device_that_fails_leaves_the_old_file_alone() {
    let plain = sample(100_000);
    let folder = Folder::new(&plain);
    fs::write(folder.path("out"), "old").expect("written");
    for call in [
        Call::StreamCreate,
        Call::ModuleLoad,
        Call::PinnedAlloc,
        Call::Alloc,
        Call::Copy,
        Call::Launch,
        Call::EventSync,
    ] {
        let sim = Sim::new();
        sim.faults().inject(Fault::nth(1).of(call));
        let error = run(sim, &folder).expect_err("fails");
        let message = error.to_string();
        assert!(message.starts_with("the device failed: ") && message.contains(call.name()), "{message}");
        assert_eq!(error.exit_code(), 1);
        assert_eq!(folder.names(), ["in", "out"], "after a failed {call}");
        assert_eq!(folder.read("out"), b"old");
    }
    run(Sim::new(), &folder).expect("runs");
    assert!(folder.read("out") == by_crate(0, &plain));
    assert_eq!(folder.names(), ["in", "out"]);
}
