//! Who still has to let go of what.

use crate::exporter::ImporterId;
use crate::link::SendError;
use crate::wire::ExportId;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// One importer's duty to let go of one export. Receipts are bound to it: to the export and to the connection.
#[derive(Debug)]
pub(crate) struct Debt {
    importer: ImporterId,
    settled: AtomicBool,
}

/// The debts of one connection, by the number that only its importer was told.
#[derive(Debug, Default)]
pub(crate) struct Debts(HashMap<ExportId, Arc<Debt>>);

impl Debt {
    pub(crate) fn importer(&self) -> ImporterId {
        self.importer
    }

    /// Whether its importer has let go, or never had the memory.
    pub(crate) fn is_settled(&self) -> bool {
        self.settled.load(Ordering::Acquire)
    }
}

impl Debts {
    /// An importer is about to be told of an export.
    pub(crate) fn incur(&mut self, importer: ImporterId, export: ExportId) -> Arc<Debt> {
        let debt = Arc::new(Debt { importer, settled: AtomicBool::new(false) });
        self.0.insert(export, debt.clone());
        debt
    }

    /// What became of the message. The debt is cancelled, and `false` returned, only if the importer was not told for certain.
    pub(crate) fn stands(&mut self, export: ExportId, sent: &Result<(), SendError>) -> bool {
        let not_told = sent.as_ref().is_err_and(|error| !error.may_have_left);
        if not_told {
            self.0.remove(&export);
        }
        !not_told
    }

    /// Its receipt came, over its own connection. `false` for one that is not owed: forged, or come twice.
    pub(crate) fn settle(&mut self, export: ExportId) -> bool {
        let Some(debt) = self.0.remove(&export) else { return false };
        debt.settled.store(true, Ordering::Release);
        true
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

#[cfg(test)]
mod tests {
    use super::{Debts, ExportId, ImporterId, SendError};
    use crate::link::LinkError;

    #[test]
    fn an_offer_that_may_have_left_is_owed() {
        let importer = ImporterId { exporter: 1, number: 0 };
        let failed = |may_have_left| Err(SendError { cause: LinkError::PeerGone, may_have_left });
        let mut debts = Debts::default();
        for (export, sent, owed) in [(1, Ok(()), true), (2, failed(true), true), (3, failed(false), false)] {
            let debt = debts.incur(importer, ExportId(export));
            assert_eq!(debts.stands(ExportId(export), &sent), owed);
            assert!(!debt.is_settled());
            assert_eq!(debts.settle(ExportId(export)), owed, "a receipt for it");
            assert_eq!(debt.is_settled(), owed);
        }
        assert_eq!(debts.len(), 0);
    }
}
