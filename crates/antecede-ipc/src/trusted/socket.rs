//! `recvmsg`, and the descriptors and credentials that come with a message.
//!
//! rustix has a `recvmsg` without `unsafe`, but reads the sender's process id as a number that is not zero. The kernel
//! says zero for a sender whose process id has no meaning here (another pid namespace, or a message without
//! credentials), which any peer can bring about.

use super::control::Messages;
use rustix::io::Errno;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

/// Room for all that the kernel attaches to one message: 253 descriptors (`SCM_MAX_FD`), the sender's credentials, and
/// what a socket option that the peer has set on a shared socket adds.
const CONTROL: usize = 1280;
/// `SCM_PIDFD`: a descriptor of the sender's process, if `SO_PASSPIDFD` is set.
const SCM_PIDFD: i32 = 4;

/// A message.
#[derive(Debug)]
pub(crate) struct Received {
    /// Bytes of the message, also those that the buffer had no room for.
    pub(crate) length: usize,
    /// Whether the message had control data that could not be handed over: it is lost then.
    pub(crate) control_truncated: bool,
    /// Whether there was any control data. A message has at least credentials; the end of the connection has none.
    pub(crate) has_control: bool,
    /// The first descriptor.
    pub(crate) descriptor: Option<OwnedFd>,
    /// How many descriptors came. All but the first are closed.
    pub(crate) descriptors: usize,
    /// Who sent it, as the kernel says.
    pub(crate) sender: Option<Sender>,
}

/// `struct ucred`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sender {
    /// 0 if the process has no id in this process's pid namespace.
    pub(crate) pid: i32,
    pub(crate) uid: u32,
}

/// Receives one message, without blocking. Its descriptors are closed on `exec`.
///
/// # Errors
/// That of `recvmsg`.
pub(crate) fn receive(socket: BorrowedFd<'_>, bytes: &mut [u8]) -> Result<Received, Errno> {
    let mut control = [0_u8; CONTROL];
    let mut parts = [libc::iovec { iov_base: bytes.as_mut_ptr().cast(), iov_len: bytes.len() }];
    // SAFETY: `msghdr` is integers and pointers, for which zero is a value.
    let mut header: libc::msghdr = unsafe { std::mem::zeroed() };
    header.msg_iov = parts.as_mut_ptr();
    header.msg_iovlen = parts.len() as _;
    header.msg_control = control.as_mut_ptr().cast();
    header.msg_controllen = control.len() as _;
    let flags = libc::MSG_DONTWAIT | libc::MSG_CMSG_CLOEXEC | libc::MSG_TRUNC;
    // SAFETY: the header points to one `iovec`, that to `bytes`, and the control pointer to `control`, each with its
    // length; all are borrowed by this function alone until the call has returned. No name is asked for.
    let length = unsafe { libc::recvmsg(socket.as_raw_fd(), &raw mut header, flags) };
    let Ok(length) = usize::try_from(length) else {
        let error = io::Error::last_os_error();
        return Err(Errno::from_io_error(&error).unwrap_or(Errno::IO));
    };
    let mut received = Received {
        length,
        control_truncated: header.msg_flags & libc::MSG_CTRUNC != 0,
        has_control: header.msg_controllen != 0,
        descriptor: None,
        descriptors: 0,
        sender: None,
    };
    let filled = control.len().min(header.msg_controllen as _);
    for message in Messages::new(&control[..filled]) {
        received.take(message.level, message.kind, message.data);
    }
    Ok(received)
}

impl Received {
    /// `data` is that of a control message which the kernel has just written, and is taken once.
    fn take(&mut self, level: i32, kind: i32, data: &[u8]) {
        match (level, kind) {
            (libc::SOL_SOCKET, libc::SCM_RIGHTS) => {
                for number in integers(data).filter(|number| *number >= 0) {
                    // SAFETY: the kernel has opened this descriptor for this message alone, so it is open, and nothing
                    // else in this process knows it; each number of the control data is taken once.
                    let descriptor = unsafe { OwnedFd::from_raw_fd(number) };
                    self.descriptors += 1;
                    self.descriptor.get_or_insert(descriptor);
                }
            }
            (libc::SOL_SOCKET, SCM_PIDFD) => {
                for number in integers(data).filter(|number| *number >= 0) {
                    // SAFETY: as above. A number below zero says that the process is gone.
                    drop(unsafe { OwnedFd::from_raw_fd(number) });
                }
            }
            (libc::SOL_SOCKET, libc::SCM_CREDENTIALS) => {
                let mut fields = integers(data);
                if let (Some(pid), Some(uid)) = (fields.next(), fields.next()) {
                    self.sender = Some(Sender { pid, uid: uid.cast_unsigned() });
                }
            }
            _ => {}
        }
    }
}

fn integers(data: &[u8]) -> impl Iterator<Item = i32> {
    data.as_chunks().0.iter().map(|bytes| i32::from_ne_bytes(*bytes))
}
