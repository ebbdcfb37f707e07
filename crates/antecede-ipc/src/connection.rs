//! An exporter's connection to one importer.

use crate::debts::Debts;
use crate::exporter::ImporterId;
use crate::link::{Accepted, Deadline, Link, LinkError, Peer};
use crate::trusted::Out;
use crate::wire::{Frame, Kind, Offer, PoolId};
use crate::{Error, Result};
use std::collections::HashSet;
use std::os::fd::{AsFd, OwnedFd};

/// A connected importer.
pub(crate) struct Connection {
    id: ImporterId,
    link: Link,
    peer: Peer,
    debts: Debts,
    /// The pools whose descriptors it has.
    pools: HashSet<PoolId>,
    gone: bool,
}

impl Connection {
    pub(crate) fn new(id: ImporterId, accepted: Accepted) -> Self {
        let Accepted { link, peer, .. } = accepted;
        Connection { id, link, peer, debts: Debts::default(), pools: HashSet::new(), gone: false }
    }

    pub(crate) fn id(&self) -> ImporterId {
        self.id
    }

    pub(crate) fn pid(&self) -> u32 {
        self.peer.pid()
    }

    pub(crate) fn link(&self) -> &Link {
        &self.link
    }

    pub(crate) fn peer(&self) -> &Peer {
        &self.peer
    }

    pub(crate) fn knows(&self, pool: PoolId) -> bool {
        self.pools.contains(&pool)
    }

    /// Whether the end of the connection has been read.
    pub(crate) fn is_gone(&self) -> bool {
        self.gone
    }

    /// The error of that.
    pub(crate) fn gone(&self) -> Error {
        Error::ImporterGone { importer: self.id, pid: self.pid(), owed: self.debts.len() }
    }

    /// Offers what is out. Its debt is noted first, and taken back only if for certain nothing was sent.
    pub(crate) fn offer<B, A, D>(
        &mut self,
        offer: &Offer,
        descriptor: Option<&OwnedFd>,
        out: &mut Out<B, A, D>,
        deadline: Deadline,
    ) -> Result<()> {
        out.owe(self.debts.incur(self.id, offer.export));
        let sent = self.link.send(&Frame::Offer(*offer), descriptor.map(AsFd::as_fd), deadline);
        if !self.debts.stands(offer.export, &sent) {
            out.cancel_latest();
        }
        sent.map_err(|error| self.note(error.cause))?;
        self.pools.insert(offer.pool);
        Ok(())
    }

    /// Reads one frame, which is there or at its deadline.
    pub(crate) fn read_receipt(&mut self, deadline: Deadline) -> Result<()> {
        let (frame, _no_descriptor) = match self.link.receive(deadline) {
            Ok(received) => received,
            Err(error) => return Err(self.note(error)),
        };
        match frame {
            Frame::Receipt(receipt) if self.debts.settle(receipt.export) => Ok(()),
            Frame::Receipt(receipt) => Err(Error::UnknownReceipt { export: receipt.export, pid: self.pid() }),
            other => Err(Error::Unexpected { expected: Kind::Receipt, found: other.kind(), pid: self.pid() }),
        }
    }

    fn note(&mut self, error: LinkError) -> Error {
        match error {
            LinkError::PeerGone => {
                self.gone = true;
                self.gone()
            }
            other => other.into(),
        }
    }
}
