use super::message::MAX_DESCRIPTORS;
use super::open::OpenDescriptors;
use super::{Message, Target, is_what_was_sent, oracle, soon};
use antecede_ipc::link::{Link, LinkError, pair};
use antecede_ipc::wire::{Frame, Nonce, Ready};
use std::fs::File;
use std::os::fd::AsFd;

/// [`Link::receive`] at one end of a connection that lasts for the whole run.
pub(super) struct Receive {
    here: Link,
    there: Link,
    descriptor: File,
    thrown: u64,
    open: OpenDescriptors,
}

impl Receive {
    pub(super) fn new() -> Self {
        let (here, there) = pair().expect("a pair");
        let descriptor = File::open("/dev/null").expect("a device");
        Self { here, there, descriptor, thrown: 0, open: OpenDescriptors::default() }
    }

    /// That a message which was refused has not harmed the next one.
    fn next_is_whole(&self) -> Result<(), String> {
        let ready = Frame::Ready(Ready { nonce: Nonce(self.thrown.into()) });
        self.there.send(&ready, None, soon()).map_err(|error| error.to_string())?;
        match self.here.receive(soon()) {
            Ok((frame, None)) if frame == ready => Ok(()),
            other => Err(format!("after it a valid frame was received as {other:?}")),
        }
    }
}

impl Target for Receive {
    fn name(&self) -> &'static str {
        "receive"
    }

    fn throw(&mut self, message: &Message) -> Result<bool, String> {
        let descriptors = [self.descriptor.as_fd(); MAX_DESCRIPTORS];
        let sent = self.there.send_bytes(&message.bytes, &descriptors[..message.descriptors], soon());
        sent.map_err(|error| error.to_string())?;
        let judged = oracle::judge(&message.bytes);
        let accepted = match (self.here.receive(soon()), judged) {
            (Ok((frame, descriptor)), Some((_, expected))) if expected == message.descriptors => {
                is_what_was_sent(&frame, &message.bytes)?;
                if descriptor.is_some() != (expected == 1) {
                    return Err("the descriptor was lost, or made up".to_owned());
                }
                true
            }
            (Err(LinkError::Malformed(_) | LinkError::Oversize { .. }), None) => false,
            (Err(LinkError::Descriptors { found, .. }), Some((_, expected)))
                if expected != found && found == message.descriptors =>
            {
                false
            }
            (received, _) => return Err(format!("it received {received:?}, by the tables it is {judged:?}")),
        };
        self.thrown += 1;
        if !accepted {
            self.next_is_whole()?;
        }
        self.open.check(self.thrown)?;
        Ok(accepted)
    }

    /// To count the descriptors: a directory's handle.
    fn may_allocate(&self) -> usize {
        if self.thrown.is_multiple_of(OpenDescriptors::COUNTED) { 64 << 10 } else { 0 }
    }
}
