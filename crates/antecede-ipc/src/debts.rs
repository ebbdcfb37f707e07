//! Who still has to let go of what.

use crate::exporter::ImporterId;
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

    /// It was not told, for certain.
    pub(crate) fn cancel(&mut self, export: ExportId) {
        self.0.remove(&export);
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
