//! Peers that are not this library.

use std::os::fd::OwnedFd;

use antecede::{Device, DeviceBrand};
use antecede_ipc::{Exporter, Importer, ImporterId, Result};

/// Makes an importer of a script that was named on the command line.
///
/// Safe to call from the command `ipc` alone, whose help asks for the promise.
///
/// # Errors
/// As for [`Exporter::add`].
pub(crate) fn add_script<D: DeviceBrand>(exporter: &mut Exporter<D>, socket: OwnedFd) -> Result<ImporterId> {
    // SAFETY: (1 to 4) whoever names a script on the command line promises that it keeps the rules of an importer at the
    // head of `antecede_wire.py`, which are these. Of `import_with_cuda_core.py`: (1) its one stream waits for the event
    // before the memory is mapped. (2) It writes if the access is read-write, between the mapping and the free. (3) The
    // free is queued on that stream behind all copies, which is synchronised, and then the receipt is sent; it declines
    // what it has not mapped. (4) It starts no process, and exports nothing.
    unsafe { exporter.add_foreign(socket) }
}

/// Imports from a script that was named on the command line.
///
/// Safe to call from the command `ipc` alone, whose help asks for the promise.
///
/// # Errors
/// As for [`Importer::over`].
pub(crate) fn import_from_script<D: DeviceBrand>(device: Device<D>, socket: OwnedFd) -> Result<Importer<D>> {
    // SAFETY: (1 to 4) whoever names a script on the command line promises that it keeps the rules of an exporter at the
    // head of `antecede_wire.py`, which are these. Of `export_with_cuda_core.py`: (1) it offers one allocation as a whole,
    // with its pool, as 32-bit words. (2) Its one stream is synchronised before the offer, or the event is recorded on it
    // after the copy that fills the memory; events are recorded again, or dropped, after the receipt. (3) It touches the
    // memory after the receipt alone. (4) It has one importer.
    unsafe { Importer::over_foreign(device, socket) }
}
