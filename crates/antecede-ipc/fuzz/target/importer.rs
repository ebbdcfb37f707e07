use super::message::{DEVICE, MAX_DESCRIPTORS};
use super::{Message, Target, oracle, soon};
use antecede_ipc::link::{Foreign, HandshakeError, LinkError, as_importer, pair};
use antecede_ipc::wire::{Frame, Nonce, Ready};
use std::fs::File;
use std::os::fd::AsFd;

/// [`as_importer`]: the message takes the place of the `Welcome`.
pub(super) struct Importer;

impl Target for Importer {
    fn name(&self) -> &'static str {
        "as_importer"
    }

    fn throw(&mut self, message: &Message) -> Result<bool, String> {
        let (here, there) = pair().map_err(|error| error.to_string())?;
        let null = File::open("/dev/null").map_err(|error| error.to_string())?;
        let descriptors = [null.as_fd(); MAX_DESCRIPTORS];
        let sent = there.send_bytes(&message.bytes, &descriptors[..message.descriptors], soon());
        sent.map_err(|error| error.to_string())?;
        let judged = oracle::judge(&message.bytes);
        let expected = judged == Some((2, message.descriptors)) && is_ours(&message.bytes);
        let outcome = as_importer(here, DEVICE, Foreign::Refused, soon());
        if let Err(HandshakeError::Link(error @ (LinkError::TimedOut { .. } | LinkError::PeerGone))) = &outcome {
            return Err(format!("the message is there, and the error is: {error}"));
        }
        let Ok((Frame::Hello(hello), None)) = there.receive(soon()) else {
            return Err("it did not say `Hello`".to_owned());
        };
        let answer = there.receive(soon());
        match &outcome {
            Ok(accepted) if expected => {
                let nonce = Nonce(u128::from_le_bytes(message.bytes[32..48].try_into().expect("16 bytes")));
                let ready = Frame::Ready(Ready { nonce });
                let same = accepted.nonce == nonce && accepted.importer == hello.peer;
                match matches!(&answer, Ok((frame, None)) if *frame == ready) && same {
                    true => Ok(true),
                    false => Err(format!("it answered {answer:?}, expected {ready:?}")),
                }
            }
            Err(_) if !expected => match answer {
                Ok((Frame::Refused(_), None)) | Err(LinkError::PeerGone) => Ok(false),
                other => Err(format!("it refused, and then said {other:?}")),
            },
            _ => Err(format!("it came to {outcome:?}, by the tables it is {judged:?}")),
        }
    }

    /// The path of the device, as a C string, at most.
    fn may_allocate(&self) -> usize {
        512
    }
}

/// A `Welcome` or a `Hello` of this device, of this library.
pub(super) fn is_ours(bytes: &[u8]) -> bool {
    bytes[16..32] == DEVICE.0 && bytes[48] == 0
}
