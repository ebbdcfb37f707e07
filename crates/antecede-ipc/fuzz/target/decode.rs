use super::{Message, Target, is_what_was_sent, oracle};
use antecede_ipc::wire::Frame;

/// [`Frame::decode`].
pub(super) struct Decode;

impl Target for Decode {
    fn name(&self) -> &'static str {
        "decode"
    }

    fn throw(&mut self, message: &Message) -> Result<bool, String> {
        match (Frame::decode(&message.bytes), oracle::judge(&message.bytes)) {
            (Ok(frame), Some((kind, _))) if frame.kind() as u8 == kind => {
                is_what_was_sent(&frame, &message.bytes)?;
                Ok(true)
            }
            (Err(_), None) => Ok(false),
            (decoded, judged) => Err(format!("it decoded {decoded:?}, by the tables it is {judged:?}")),
        }
    }
}
