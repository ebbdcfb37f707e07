//! What the error of a `sendmsg` proves.

use rustix::io::Errno;

/// Whether the peer may receive the message though `sendmsg` on a connected `SOCK_SEQPACKET` socket failed like this.
///
/// Such a message is queued whole or not at all. `false` is for the errors that the kernel gives before it queues: what
/// it was given is wrong, there is no room, or the other end is closed. All others are `true`, whatever is known of the
/// kernel of today: who takes a message for unsent that was sent frees memory which the peer uses.
#[must_use]
pub fn may_have_left(errno: Errno) -> bool {
    // `WOULDBLOCK` is `AGAIN`. Looked up before or while the message is built, of which queueing is the last step.
    const NOT_QUEUED: [Errno; 17] = [
        Errno::AGAIN,
        Errno::INTR,
        // The arguments.
        Errno::BADF,
        Errno::NOTSOCK,
        Errno::INVAL,
        Errno::MSGSIZE,
        Errno::OPNOTSUPP,
        // No connection, any more or at all.
        Errno::PIPE,
        Errno::CONNRESET,
        Errno::CONNREFUSED,
        Errno::NOTCONN,
        Errno::DESTADDRREQ,
        // No memory for the message, too many descriptors in flight, not allowed to claim such credentials.
        Errno::NOMEM,
        Errno::NOBUFS,
        Errno::TOOMANYREFS,
        Errno::PERM,
        Errno::ACCESS,
    ];
    !NOT_QUEUED.contains(&errno)
}
