//! An exporter's connection to one importer.

use crate::debts::Debts;
use crate::exporter::ImporterId;
use crate::link::{Accepted, Awaited, Deadline, Link, LinkError, Peer, SendError, ended, readable};
use crate::trusted::Out;
use crate::wire::{Frame, How, Kind, Offer, PoolId};
use crate::{Error, Result};
use std::collections::HashSet;
use std::os::fd::{AsFd, OwnedFd};

/// An importer that is connected, or was.
pub(crate) struct Connection {
    id: ImporterId,
    pid: u32,
    debts: Debts,
    /// `None` once the end of the connection has been read.
    open: Option<Box<Open>>,
    /// Its process: as long as it may be asked whether that has ended.
    peer: Option<Peer>,
    /// What was wrong with a frame that was read while something else was asked for. Told to who asks for receipts.
    unheard: Option<Error>,
}

struct Open {
    link: Link,
    /// The pools whose descriptors it has.
    pools: HashSet<PoolId>,
}

impl Connection {
    pub(crate) fn new(id: ImporterId, accepted: Accepted) -> Self {
        let Accepted { link, peer, .. } = accepted;
        let open = Some(Box::new(Open { link, pools: HashSet::new() }));
        Connection { id, pid: peer.pid(), debts: Debts::default(), open, peer: Some(peer), unheard: None }
    }

    pub(crate) fn id(&self) -> ImporterId {
        self.id
    }

    pub(crate) fn pid(&self) -> u32 {
        self.pid
    }

    /// `None` once the end of the connection has been read.
    pub(crate) fn link(&self) -> Option<&Link> {
        self.open.as_deref().map(|open| &open.link)
    }

    /// `None` once it is gone and owes nothing.
    pub(crate) fn peer(&self) -> Option<&Peer> {
        self.peer.as_ref()
    }

    pub(crate) fn knows(&self, pool: PoolId) -> bool {
        self.open.as_ref().is_some_and(|open| open.pools.contains(&pool))
    }

    /// The error of a connection whose end has been read.
    pub(crate) fn gone(&self) -> Error {
        Error::ImporterGone { importer: self.id, pid: self.pid, owed: self.debts.len() }
    }

    /// Offers what is out. Its debt is noted first, and taken back only if for certain nothing was sent.
    pub(crate) fn offer<B, A, D>(
        &mut self,
        offer: &Offer,
        descriptor: Option<&OwnedFd>,
        out: &mut Out<B, A, D>,
        deadline: Deadline,
    ) -> Result<()> {
        out.owe(self.debts.incur(self.id, offer.export, offer.pool));
        match self.send(&Frame::Offer(*offer), descriptor, deadline) {
            Ok(()) => {
                if let Some(open) = &mut self.open {
                    open.pools.insert(offer.pool);
                }
                Ok(())
            }
            Err(NotSent { cause, may_have_left }) => {
                if self.debts.cancel(offer.export, may_have_left) {
                    out.cancel_latest();
                }
                // Counted anew, without what was not sent.
                Err(if matches!(cause, Error::ImporterGone { .. }) { self.gone() } else { cause })
            }
        }
    }

    /// Sends a frame. Receipts that are there are read before, and while there is no room for it: an importer that has much
    /// to tell reads nothing before it is heard.
    fn send(&mut self, frame: &Frame, descriptor: Option<&OwnedFd>, deadline: Deadline) -> Result<(), NotSent> {
        loop {
            self.read_receipts_that_are_there()?;
            let link = self.link().ok_or_else(|| self.gone())?;
            match link.send(frame, descriptor.map(AsFd::as_fd), Deadline::now()) {
                Err(SendError { cause: LinkError::TimedOut { awaited: Awaited::Room }, may_have_left: false })
                    if !deadline.has_passed() =>
                {
                    link.wait_for_room_or_message(deadline).map_err(Error::from)?;
                }
                Err(SendError { cause: LinkError::PeerGone, may_have_left }) => {
                    // What it has let go of before counts.
                    self.read_to_its_end();
                    return Err(NotSent { cause: self.note(LinkError::PeerGone), may_have_left });
                }
                Err(SendError { cause, may_have_left }) => {
                    return Err(NotSent { cause: self.note(cause), may_have_left });
                }
                Ok(()) => return Ok(()),
            }
        }
    }

    /// Up to the first that is wrong, which is kept for who asks for receipts.
    fn read_receipts_that_are_there(&mut self) -> Result<()> {
        while self.unheard.is_none()
            && let Some(link) = self.link()
            && readable(&[link], Deadline::now())?.is_some()
        {
            match self.read_receipt(Deadline::now()) {
                Err(error) if self.open.is_some() => self.unheard = Some(error),
                read => read?,
            }
        }
        Ok(())
    }

    /// What was wrong with a frame that was read earlier: once.
    pub(crate) fn unheard(&mut self) -> Option<Error> {
        self.unheard.take()
    }

    /// Reads one frame, which is there or at its deadline.
    pub(crate) fn read_receipt(&mut self, deadline: Deadline) -> Result<()> {
        let Some(open) = &mut self.open else { return Err(self.gone()) };
        let (frame, _no_descriptor) = match open.link.receive(deadline) {
            Ok(received) => received,
            Err(error) => return Err(self.note(error)),
        };
        let Frame::Receipt(receipt) = frame else {
            return Err(Error::Unexpected { expected: Kind::Receipt, found: frame.kind(), pid: self.pid });
        };
        let Some(pool) = self.debts.settle(receipt.export) else {
            return Err(Error::UnknownReceipt { export: receipt.export, pid: self.pid });
        };
        if receipt.how == How::Declined {
            // Perhaps because it could not open the pool: it gets the descriptor again.
            open.pools.remove(&pool);
        }
        Ok(())
    }

    /// The other end is closed. What it has said before counts; what is not understood of it is nobody's to hear any more.
    fn read_to_its_end(&mut self) {
        while self.open.is_some() {
            let heard = self.read_receipt(Deadline::now());
            if let Err(Error::Link(LinkError::TimedOut { .. } | LinkError::Forked { .. } | LinkError::Os { .. })) =
                heard
            {
                return;
            }
        }
    }

    /// Lets go of what is kept for a connection that has ended, as soon as nobody asks for it.
    fn forget_what_nobody_asks_for(&mut self) {
        if self.open.is_none() {
            self.debts.forget_those_of_dropped_exports();
            if self.debts.len() == 0 {
                self.peer = None;
            }
        }
    }

    fn note(&mut self, error: LinkError) -> Error {
        match error {
            LinkError::PeerGone => {
                self.open = None;
                self.gone()
            }
            other => other.into(),
        }
    }
}

/// Closes what is open for importers that have ended: else an exporter that lives long would run out of descriptors.
pub(crate) fn let_go_of_those_that_have_ended(importers: &mut [Connection]) -> Result<()> {
    let links = importers.iter().enumerate().filter_map(|(place, importer)| Some((place, importer.link()?)));
    let (places, links): (Vec<_>, Vec<_>) = links.unzip();
    let ended: Vec<_> = ended(&links)?.into_iter().map(|ended| places[ended]).collect();
    ended.into_iter().for_each(|place| importers[place].read_to_its_end());
    importers.iter_mut().for_each(Connection::forget_what_nobody_asks_for);
    Ok(())
}

/// A frame that was not sent, or perhaps was.
struct NotSent {
    cause: Error,
    may_have_left: bool,
}

/// From before it was given to the kernel.
impl From<Error> for NotSent {
    fn from(cause: Error) -> Self {
        NotSent { cause, may_have_left: false }
    }
}
