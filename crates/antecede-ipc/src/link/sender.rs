//! Who may send.

use super::LinkError;
use crate::trusted::Sender;
use std::sync::OnceLock;

/// The process that the first message came from. All others must come from it too.
#[derive(Debug, Default)]
pub(super) struct FirstSender(OnceLock<u32>);

impl FirstSender {
    /// Checks who sent a message. The first one that is `user`'s settles which process the peer is.
    pub(super) fn check(&self, sender: Option<Sender>, user: u32) -> Result<(), LinkError> {
        let sender = sender.ok_or(LinkError::NoCredentials)?;
        // Of no user either, as far as the kernel says, if nobody had asked for credentials when it was sent.
        let found = match u32::try_from(sender.pid) {
            Ok(pid) if pid != 0 => pid,
            _ => return Err(LinkError::HiddenProcess),
        };
        if sender.uid != user {
            return Err(LinkError::OtherUser { expected: user, found: sender.uid });
        }
        match *self.0.get_or_init(|| found) {
            expected if expected == found => Ok(()),
            expected => Err(LinkError::OtherProcess { expected, found }),
        }
    }

    /// That process, once it is known.
    pub(super) fn process(&self) -> Option<u32> {
        self.0.get().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::{FirstSender, LinkError, Sender};

    const USER: u32 = 1000;

    #[test]
    fn the_first_message_of_this_user_settles_the_process() {
        let first = FirstSender::default();
        assert_eq!(first.process(), None);
        assert_eq!(first.check(Some(Sender { pid: 7, uid: USER }), USER), Ok(()));
        assert_eq!(first.check(Some(Sender { pid: 7, uid: USER }), USER), Ok(()));
        let other = first.check(Some(Sender { pid: 8, uid: USER }), USER);
        assert_eq!(other, Err(LinkError::OtherProcess { expected: 7, found: 8 }));
        assert_eq!(first.process(), Some(7));
    }

    #[test]
    fn a_message_that_is_refused_settles_nothing() {
        let first = FirstSender::default();
        assert_eq!(first.check(None, USER), Err(LinkError::NoCredentials));
        for pid in [0, -1] {
            assert_eq!(first.check(Some(Sender { pid, uid: USER }), USER), Err(LinkError::HiddenProcess));
        }
        // Not the superuser either.
        for uid in [0, 999, u32::MAX] {
            let refused = first.check(Some(Sender { pid: 7, uid }), USER);
            assert_eq!(refused, Err(LinkError::OtherUser { expected: USER, found: uid }));
        }
        assert_eq!(first.process(), None);
    }
}
