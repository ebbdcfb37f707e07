//! What the courier does, again and again.

use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::Arc;

use rustix::event::{PollFd, PollFlags, poll};

use super::linux::{read_all, write};
use super::{Bell, Link, QUESTION};
use crate::processes::exports::Signal;
use crate::trusted::Shared;

/// An importer of this simulator's events.
#[derive(Debug)]
struct Guest {
    stream: UnixStream,
    /// The start of a question whose end has not come yet.
    received: Vec<u8>,
    /// Asked for and not answered.
    questions: Vec<Signal>,
}

impl Guest {
    /// `false`: it is gone.
    fn listen(&mut self) -> bool {
        let here = read_all(&self.stream, |bytes| self.received.extend_from_slice(bytes)).is_ok();
        let whole = self.received.len() / QUESTION * QUESTION;
        let numbers = |question: &[u8]| {
            let number = |bytes: &[u8]| bytes.first_chunk().map(|bytes| u64::from_le_bytes(*bytes));
            Some((number(question)?, number(&question[8..])?))
        };
        for question in self.received.drain(..whole).collect::<Vec<_>>().chunks_exact(QUESTION) {
            let signal = numbers(question).and_then(|(slot, number)| {
                let slot = u32::try_from(slot).ok()?;
                Some(Signal { slot, number })
            });
            self.questions.extend(signal);
        }
        here
    }

    /// Answers the questions that `is_open` does not hold of any more. An answer that does not go out finds others
    /// underway, which are read later than this.
    fn answer(&mut self, is_open: impl Fn(Signal) -> bool) {
        let asked = self.questions.len();
        self.questions.retain(|&signal| is_open(signal));
        if self.questions.len() < asked {
            write(&self.stream, &[1]);
        }
    }
}

/// Goes on until the simulator ends.
pub(super) fn run(shared: &Shared, bell: &Bell, listener: UnixListener) {
    let mut guests: Vec<Guest> = Vec::new();
    // Whether connections are accepted; not while the process has no more descriptors.
    let mut welcome = true;
    while let Some(links) = shared.links() {
        wait(bell, welcome.then_some(&listener), &guests, &links);
        bell.hush();
        welcome = accept(&listener, &mut guests);
        let mut news = false;
        for link in &links {
            if read_all(&link.stream, |_| news = true).is_err() {
                link.lose();
                news = true;
            }
        }
        guests.retain_mut(Guest::listen);
        let wanted: Vec<Signal> = guests.iter().flat_map(|guest| guest.questions.iter().copied()).collect();
        let open = shared.serve(&wanted, news);
        guests.iter_mut().for_each(|guest| guest.answer(|signal| open.contains(&signal)));
        links.iter().for_each(|link| link.flush(|bytes| write(&link.stream, bytes)));
    }
}

/// Waits for the bell, a connection, or what somebody says; for room as well, where something is left to be said.
fn wait(bell: &Bell, listener: Option<&UnixListener>, guests: &[Guest], links: &[Arc<Link>]) {
    let mut watched = vec![PollFd::new(bell.descriptor(), PollFlags::IN)];
    watched.extend(listener.map(|listener| PollFd::new(listener, PollFlags::IN)));
    watched.extend(guests.iter().map(|guest| PollFd::new(&guest.stream, PollFlags::IN)));
    watched.extend(links.iter().map(|link| {
        let room = if link.has_unsent() { PollFlags::OUT } else { PollFlags::empty() };
        PollFd::new(&link.stream, PollFlags::IN | room)
    }));
    // An interruption is as good a reason to look around.
    let _ready = poll(&mut watched, None);
}

/// Takes all who wait. `false`: the process cannot take more for now.
fn accept(listener: &UnixListener, guests: &mut Vec<Guest>) -> bool {
    loop {
        match listener.accept() {
            Ok((stream, _)) => {
                if stream.set_nonblocking(true).is_ok() {
                    guests.push(Guest { stream, received: Vec::new(), questions: Vec::new() });
                }
            }
            Err(cause) if cause.kind() == std::io::ErrorKind::WouldBlock => return true,
            Err(cause) if cause.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => return false,
        }
    }
}
