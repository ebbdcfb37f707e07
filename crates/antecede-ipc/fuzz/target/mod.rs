//! What messages are thrown at.

mod decode;
mod exporter;
mod genuine;
mod import;
mod importer;
mod link;
mod open;
mod reclaim;

use super::{Message, Target, message, oracle};
use antecede::Device;
use antecede_ipc::link::Deadline;
use antecede_ipc::wire::Frame;
use antecede_sim::Sim;
use std::time::Duration;

/// All targets. What they do besides differs with the seed.
#[must_use]
pub(crate) fn targets(seed: u64) -> Vec<Box<dyn Target>> {
    let sim = Sim::new();
    let device = Device::primary(sim.clone()).expect("the process has no other device");
    vec![
        Box::new(decode::Decode),
        Box::new(link::Receive::new()),
        Box::new(importer::Importer),
        Box::new(exporter::Exporter::new()),
        Box::new(reclaim::Reclaim::new(device, seed)),
        Box::new(import::Import::new(device, sim, seed)),
    ]
}

/// For what should come at once; when it has passed, something hangs.
fn soon() -> Deadline {
    Deadline::after(Duration::from_secs(30))
}

/// `frame` is what `bytes` were taken for: exactly these bytes, but for the version of a refusal.
fn is_what_was_sent(frame: &Frame, bytes: &[u8]) -> Result<(), String> {
    let again = frame.encode().map_err(|error| format!("it accepted what it would not send: {error}"))?;
    match again[..4] == bytes[..4] && again[6..] == bytes[6..] {
        true => Ok(()),
        false => Err(format!("it took the message for {frame:?}, whose bytes are {again:02x?}")),
    }
}
