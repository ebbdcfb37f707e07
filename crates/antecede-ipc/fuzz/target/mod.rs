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
use std::sync::LazyLock;
use std::time::Duration;

/// Makes all targets, for a seed. Those with threads of their own come last.
pub(crate) const TARGETS: &[fn(u64) -> Box<dyn Target>] = &[
    |_| Box::new(decode::Decode),
    |_| Box::new(link::Receive::new()),
    |_| Box::new(importer::Importer),
    |_| Box::new(exporter::Exporter::new()),
    |seed| Box::new(reclaim::Reclaim::new(device().0, seed)),
    |seed| {
        let (device, sim) = device();
        Box::new(import::Import::new(device, sim, seed))
    },
];

/// The process's device, and its simulator.
fn device() -> (Device, Sim) {
    static SIM: LazyLock<Sim> = LazyLock::new(Sim::new);
    (Device::primary(SIM.clone()).expect("the process has no other device"), SIM.clone())
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
