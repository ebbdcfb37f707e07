//! Shared buffers and their readers.

use super::{Call, Event, Machine, Owner, Queue, index};
use crate::program::Var;

/// A shared buffer without its type.
#[derive(Clone, Debug)]
pub(super) struct Sharing {
    written: Event,
    pub(super) home: Queue,
    readers: Vec<Reader>,
    /// The stream of the lease that is kept.
    pub(super) held: Option<Queue>,
}

#[derive(Clone, Copy, Debug)]
struct Reader {
    queue: Queue,
    leases: usize,
    released: Option<Event>,
}

impl Sharing {
    /// A lease of that stream is dropped.
    pub(super) fn ended(&mut self, queue: Queue) {
        if let Some(reader) = self.reader(queue) {
            reader.leases -= 1;
        }
    }

    fn reader(&mut self, queue: Queue) -> Option<&mut Reader> {
        self.readers.iter_mut().find(|reader| reader.queue == queue)
    }
}

impl Machine {
    pub(super) fn sharing(&mut self, var: Var) -> &mut Sharing {
        self.shared[index(var)].as_mut().expect("the name is bound")
    }

    pub(super) fn share(&mut self, queue: Queue, var: Var) {
        let written = self.record(queue);
        self.shared[index(var)] = Some(Sharing { written, home: queue, readers: Vec::new(), held: None });
        self.owned_by(var, Owner::Shared);
    }

    /// The first lease of a stream waits for the last write.
    pub(super) fn lease(&mut self, queue: Queue, var: Var) {
        let sharing = self.sharing(var);
        if let Some(reader) = sharing.reader(queue) {
            reader.leases += 1;
            reader.released = None;
            return;
        }
        sharing.readers.push(Reader { queue, leases: 1, released: None });
        if sharing.home != queue {
            let written = sharing.written;
            self.calls.push(Call::Wait(queue, written));
        }
    }

    /// Ends the lease that is kept. That of its stream which ends last is noted with an event.
    pub(super) fn release(&mut self, var: Var) {
        let Some(held) = self.sharing(var).held.take() else { return };
        let is_last = self.sharing(var).reader(held).is_some_and(|reader| reader.leases == 1);
        let event = is_last.then(|| self.record(held));
        if let Some(reader) = self.sharing(var).reader(held) {
            reader.released = event.or(reader.released);
            reader.leases -= 1;
        }
    }

    /// Orders the last write and every reader before what is submitted to a stream from now on.
    pub(super) fn join(&mut self, var: Var, to: Queue) {
        let Sharing { written, home, readers, .. } = self.sharing(var).clone();
        for reader in readers.iter().filter(|reader| reader.queue != to) {
            match reader.released {
                Some(end) => self.calls.push(Call::Wait(to, end)),
                None => self.hand_over(reader.queue, to),
            }
        }
        if readers.is_empty() && home != to {
            self.calls.push(Call::Wait(to, written));
        }
    }
}
