//! Who still has to let go of what.

use crate::exporter::ImporterId;
use crate::wire::{ExportId, PoolId};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// One importer's duty to let go of one export. Receipts are bound to it: to the export and to the connection.
#[derive(Debug)]
pub(crate) struct Debt {
    importer: ImporterId,
    settled: AtomicBool,
}

/// The debts of one connection, by the number that only its importer was told; and the pools that the exports are from.
#[derive(Debug, Default)]
pub(crate) struct Debts(HashMap<ExportId, (Arc<Debt>, PoolId)>);

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
    pub(crate) fn incur(&mut self, importer: ImporterId, export: ExportId, pool: PoolId) -> Arc<Debt> {
        let debt = Arc::new(Debt { importer, settled: AtomicBool::new(false) });
        self.0.insert(export, (debt.clone(), pool));
        debt
    }

    /// The message was not sent, or may have been. Whether the debt is cancelled: only if it was not told for certain.
    pub(crate) fn cancel(&mut self, export: ExportId, may_have_left: bool) -> bool {
        if !may_have_left {
            self.0.remove(&export);
        }
        !may_have_left
    }

    /// Its receipt came, over its own connection. Returns the pool; `None` for one that is not owed: forged, or come twice.
    pub(crate) fn settle(&mut self, export: ExportId) -> Option<PoolId> {
        let (debt, pool) = self.0.remove(&export)?;
        debt.settled.store(true, Ordering::Release);
        Some(pool)
    }

    /// Those that nobody waits for.
    pub(crate) fn forget_those_of_dropped_exports(&mut self) {
        self.0.retain(|_, (debt, _)| Arc::strong_count(debt) > 1);
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

#[cfg(test)]
mod tests {
    use super::{Debts, ExportId, ImporterId, PoolId};

    #[test]
    fn an_offer_that_may_have_left_is_owed() {
        let (importer, pool) = (ImporterId { exporter: 1, number: 0 }, PoolId(7));
        let mut debts = Debts::default();
        for (export, may_have_left) in [(1, true), (2, false)] {
            let debt = debts.incur(importer, ExportId(export), pool);
            assert_eq!(debts.cancel(ExportId(export), may_have_left), !may_have_left);
            assert!(!debt.is_settled());
            assert_eq!(debts.settle(ExportId(export)).is_some(), may_have_left, "a receipt for it");
            assert_eq!(debt.is_settled(), may_have_left);
        }
        assert_eq!(debts.len(), 0);
    }
}
