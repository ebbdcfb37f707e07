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

    /// It was not told, for certain.
    pub(crate) fn cancel(&mut self, export: ExportId) {
        self.0.remove(&export);
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
