use super::importer::is_ours;
use super::message::{DEVICE, MAX_DESCRIPTORS};
use super::{Message, Target, oracle, soon};
use antecede_ipc::link::{Accepted, Foreign, HandshakeError, Link, LinkError, as_exporter, pair};
use antecede_ipc::wire::{Frame, Hello, PeerId, Ready};
use std::fs::File;
use std::os::fd::AsFd;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

/// [`as_exporter`] on a thread of its own: the message takes the place of the `Hello` or of the `Ready`, by turns.
pub(super) struct Exporter {
    links: Sender<Link>,
    outcomes: Receiver<Result<Accepted, HandshakeError>>,
    descriptor: File,
    thrown: u64,
}

impl Exporter {
    pub(super) fn new() -> Self {
        let (links, received) = channel();
        let (done, outcomes) = channel();
        thread::spawn(move || {
            for link in received {
                if done.send(as_exporter(link, DEVICE, Foreign::Refused, soon())).is_err() {
                    break;
                }
            }
        });
        let descriptor = File::open("/dev/null").expect("a device");
        Self { links, outcomes, descriptor, thrown: 0 }
    }

    /// Throws the message, and goes on as a peer would. Whether it should be accepted.
    fn converse(&self, there: &Link, message: &Message) -> Result<bool, String> {
        if self.thrown.is_multiple_of(2) {
            self.send(there, message)?;
            let judged = oracle::judge(&message.bytes);
            let expected = judged == Some((1, message.descriptors)) && is_ours(&message.bytes);
            match (there.receive(soon()), expected) {
                (Ok((Frame::Welcome(welcome), None)), true) => {
                    say(there, Frame::Ready(Ready { nonce: welcome.nonce }))?;
                    Ok(true)
                }
                (Ok((Frame::Refused(_), None)) | Err(LinkError::PeerGone), false) => Ok(false),
                (heard, _) => Err(format!("it answered {heard:?}, by the tables it is {judged:?}")),
            }
        } else {
            say(there, Frame::Hello(Hello { device: DEVICE, peer: PeerId(self.thrown.into()), foreign: false }))?;
            let Ok((Frame::Welcome(welcome), None)) = there.receive(soon()) else {
                return Err("it did not answer a valid `Hello`".to_owned());
            };
            let nonce = welcome.nonce.0.to_le_bytes();
            let mut message = message.clone();
            // Else none of the messages would be the right one.
            if self.thrown % 4 == 1 && message.bytes.len() >= 32 && message.bytes[6] == 3 {
                message.bytes[16..32].copy_from_slice(&nonce);
            }
            self.send(there, &message)?;
            let judged = oracle::judge(&message.bytes);
            Ok(judged == Some((3, message.descriptors)) && message.bytes[16..32] == nonce)
        }
    }

    fn send(&self, there: &Link, message: &Message) -> Result<(), String> {
        let descriptors = [self.descriptor.as_fd(); MAX_DESCRIPTORS];
        let sent = there.send_bytes(&message.bytes, &descriptors[..message.descriptors], soon());
        sent.map_err(|error| error.to_string())
    }
}

impl Target for Exporter {
    fn name(&self) -> &'static str {
        "as_exporter"
    }

    fn throw(&mut self, message: &Message) -> Result<bool, String> {
        self.thrown += 1;
        let (here, there) = pair().map_err(|error| error.to_string())?;
        self.links.send(here).map_err(|error| error.to_string())?;
        let expected = self.converse(&there, message)?;
        match self.outcomes.recv().map_err(|_| "it panicked".to_owned())? {
            Ok(_) if expected => Ok(true),
            Err(HandshakeError::Link(error @ (LinkError::TimedOut { .. } | LinkError::PeerGone))) => {
                Err(format!("the message is there, and the error is: {error}"))
            }
            Err(_) if !expected => Ok(false),
            outcome => Err(format!("it came to {outcome:?}, expected it to be accepted: {expected}")),
        }
    }

    /// The channels' blocks, and a copy of the message.
    fn may_allocate(&self) -> usize {
        16 << 10
    }
}

fn say(there: &Link, frame: Frame) -> Result<(), String> {
    there.send(&frame, None, soon()).map_err(|error| error.to_string())
}
