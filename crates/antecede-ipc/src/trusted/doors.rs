//! Doors to what the types of this crate do not reach: programs of others, and processes that are gone.

#[expect(unused_imports, reason = "named in documentation")]
use crate::Error;
use crate::exported::Exported;
use crate::exporter::{Exporter, ImporterId};
use crate::importer::Importer;
use crate::link::{Deadline, Foreign, Link, connect};
use crate::{Failed, Result};
use antecede::{Device, DeviceBrand};
use std::os::fd::OwnedFd;
use std::path::Path;

impl<D: DeviceBrand> Exporter<D> {
    /// [`accept`](Exporter::accept), also of a program that speaks the protocol and is not this crate: one in Python, say.
    ///
    /// # Errors
    /// As for [`accept`](Exporter::accept).
    ///
    /// # Safety
    /// The program, for each buffer that it is offered:
    /// 1. waits for the event, if there is one, on each stream that uses the memory, before it uses it;
    /// 2. writes it only if it was lent (read-write), and only between 1 and 3;
    /// 3. sends the receipt only when all its work on the memory is over, and so is its free: or it never mapped it;
    /// 4. lets no other process in.
    pub unsafe fn accept_foreign(&mut self) -> Result<ImporterId> {
        self.accept_as(Foreign::Allowed)
    }

    /// [`add`](Exporter::add), also of a program that speaks the protocol and is not this crate.
    ///
    /// # Errors
    /// As for [`add`](Exporter::add).
    ///
    /// # Safety
    /// As for [`accept_foreign`](Exporter::accept_foreign).
    pub unsafe fn add_foreign(&mut self, socket: OwnedFd) -> Result<ImporterId> {
        self.add_as(socket, Foreign::Allowed)
    }

    /// [`reclaim`](Exporter::reclaim), also from importers that are gone without a receipt, once the end of their processes
    /// has been seen. Waits for that, within the time limit.
    ///
    /// # Errors
    /// As for [`reclaim`](Exporter::reclaim); [`Error::StillRunning`] if a process has closed its connection and not ended.
    ///
    /// # Safety
    /// Of each importer that is gone:
    /// 1. The process that ended was the only one that used the memory, or could: it had given neither its mapping nor a
    ///    descriptor of the driver's to another process (a child that it forked has them).
    /// 2. The driver ends a process's work on the device, and its mappings, before the process's end can be seen. No
    ///    document of CUDA promises so; in measurements it held.
    pub unsafe fn reclaim_after_exit<E: Exported>(&mut self, exported: E) -> Result<E::Back, Failed<E>> {
        match self.collect_or_see_end(&exported) {
            // SAFETY: (1) every debt is settled, or its importer's process has ended, with 1 and 2.
            Ok(()) => Ok(unsafe { exported.into_out().forsaken() }),
            Err(error) => Err(Failed { error, kept: exported }),
        }
    }
}

impl<D: DeviceBrand> Importer<D> {
    /// [`connect`](Importer::connect), also to a program that speaks the protocol and is not this crate: one in Python, say.
    ///
    /// # Errors
    /// As for [`connect`](Importer::connect).
    ///
    /// # Safety
    /// The program, for each buffer that it offers:
    /// 1. tells the truth of it: the pool, the allocation, its length, and elements whose every byte pattern is a value;
    /// 2. has nothing in flight on it, or sends an interprocess event that it recorded after all of it, and records again or
    ///    destroys only after the receipt;
    /// 3. does not write, free or reuse it before the receipt, and does not read it either if it offers it read-write;
    /// 4. offers it read-write to one process alone.
    pub unsafe fn connect_foreign(device: Device<D>, path: impl AsRef<Path>) -> Result<Self> {
        let deadline = Deadline::after(crate::TIME_LIMIT);
        Importer::greet(device, connect(path.as_ref(), deadline)?, Foreign::Allowed, deadline)
    }

    /// [`over`](Importer::over), also of a program that speaks the protocol and is not this crate.
    ///
    /// # Errors
    /// As for [`over`](Importer::over).
    ///
    /// # Safety
    /// As for [`connect_foreign`](Importer::connect_foreign).
    pub unsafe fn over_foreign(device: Device<D>, socket: OwnedFd) -> Result<Self> {
        Importer::greet(device, Link::from_fd(socket)?, Foreign::Allowed, Deadline::after(crate::TIME_LIMIT))
    }
}
