//! A parcel and its debts.

use crate::debts::Debt;
use crate::element::Element;
use antecede::ipc::Parcel;
use antecede::{Primary, ReadOnly};
use std::sync::Arc;

/// A buffer that is out, and who has it.
#[allow(missing_debug_implementations, reason = "it never leaves this crate")]
pub struct Out<B, A, D = Primary> {
    parcel: Parcel<B, A, D>,
    /// Of everyone who was, or may have been, told of the memory.
    debts: Vec<Arc<Debt>>,
    element: Element,
    /// Whose importers they are.
    exporter: u64,
}

impl<B, A, D> Out<B, A, D> {
    pub(crate) fn new(parcel: Parcel<B, A, D>, element: Element, exporter: u64) -> Self {
        Out { parcel, debts: Vec::new(), element, exporter }
    }

    pub(crate) fn element(&self) -> &Element {
        &self.element
    }

    pub(crate) fn exporter(&self) -> u64 {
        self.exporter
    }

    pub(crate) fn debts(&self) -> &[Arc<Debt>] {
        &self.debts
    }

    /// What another process is told. Given to whoever notes the debt first.
    pub(crate) fn parcel(&self) -> &Parcel<B, A, D> {
        &self.parcel
    }

    /// Notes who is about to be told of the memory. Whoever has let go is remembered no longer.
    pub(crate) fn owe(&mut self, debt: Arc<Debt>) {
        self.debts.retain(|debt| !debt.is_settled());
        self.debts.push(debt);
    }

    /// The latest debt was not incurred, for certain.
    pub(crate) fn cancel_latest(&mut self) {
        self.debts.pop();
    }

    /// The buffer, if every debt is settled.
    pub(crate) fn settled(self) -> Result<B, Self> {
        if !self.debts.iter().all(|debt| debt.is_settled()) {
            return Err(self);
        }
        // SAFETY: (1) everyone who was told has a debt (`owe` comes before the message), and each is settled: its importer
        // has said, over its own connection, that its free has taken effect or that it never mapped the memory. (2) it has
        // waited for the event before that, or never will.
        Ok(unsafe { self.parcel.unpack() })
    }

    /// The buffer, whoever still has it.
    ///
    /// # Safety
    /// 1. Whoever has a debt that is not settled is gone, and so is every process that it had let in; the driver has ended
    ///    their work and their mappings.
    pub(crate) unsafe fn forsaken(self) -> B {
        // SAFETY: (1, 2) by 1, and for the others as in `settled`.
        unsafe { self.parcel.unpack() }
    }
}

impl<B, D> Out<B, ReadOnly, D> {
    pub(crate) fn contents(&self) -> &B {
        &self.parcel
    }
}
