//! Answers that the exporter does not take, from Python at the other end.

mod common;

use std::os::fd::OwnedFd;

use antecede::{Device, DeviceBrand, Exportable, streams};
use antecede_ipc::wire::{ExportId, Kind, WireError};
use antecede_ipc::{Error, Exporter, LinkError};
use antecede_sim::Sim;
use common::python::Python;

streams! { Here }

/// A script that denies what it is, which nothing prevents: it could as well write into this process's memory.
#[test]
#[cfg_attr(not(python3), ignore = "there is no python3")]
fn the_exporter_takes_no_wrong_answer() {
    let code = r#"
class Liar(wire.Importer):
    def send(self, data, descriptor=None):
        if data[6] == wire.HELLO:
            data = data[:48] + bytes(8)
        super().send(data, descriptor)
importer = Liar(sock, b"antecede-sim" + bytes(4))
offer, descriptor = importer.next()
importer.send(frame(wire.RECEIPT, bytes(16), wire.RELEASED))
importer.send(frame(wire.READY, bytes(16)))
importer.send(b"nonsense")
importer.decline(offer)
importer.decline(offer)
offer, descriptor = importer.next()
"#;
    let (python, socket) = Python::start(code);
    let pid = python.0.id();
    let run = Device::scope(Sim::new(), 0, |device| {
        refuse_each(device, socket, pid);
        Ok(device.leaked())
    });
    assert_eq!(run, Ok(1), "what the process had when it ended");
    python.finish();
}

fn refuse_each<D: DeviceBrand>(device: Device<D>, socket: OwnedFd, pid: u32) {
    let here = device.stream::<Here>().expect("a stream");
    let mut exporter = Exporter::new(device).expect("an exporter");
    let python = exporter.add(socket).expect("it denies what it is");
    let mut x = here.alloc_in(device.pool::<Exportable>().expect("a pool"), 16).expect("memory");
    here.fill(&mut x, 7_u32).expect("filled");

    let lent = exporter.lend(here.sync(x).expect("synced"), python).expect("lent");
    let failed = exporter.reclaim(lent).unwrap_err();
    assert!(matches!(failed.error, Error::UnknownReceipt { export: ExportId(0), pid: of, .. } if of == pid));
    let failed = exporter.reclaim(failed.kept).unwrap_err();
    assert!(matches!(
        failed.error,
        Error::Unexpected { expected: Kind::Receipt, found: Kind::Ready, pid: of, .. } if of == pid
    ));
    let failed = exporter.reclaim(failed.kept).unwrap_err();
    assert!(matches!(failed.error, Error::Link(LinkError::Malformed(WireError::Short { found: 8 }))));
    let x = exporter.reclaim(failed.kept).expect("declined");
    assert_eq!(x.to_vec().expect("read"), [7; 16]);

    // The second receipt for the first offer is none for the second one.
    let lent = exporter.lend(x, python).expect("lent");
    let failed = exporter.reclaim(lent).unwrap_err();
    assert!(matches!(failed.error, Error::UnknownReceipt { .. }));
    let failed = exporter.reclaim(failed.kept).unwrap_err();
    assert!(matches!(failed.error, Error::ImporterGone { pid: of, owed: 1, .. } if of == pid));
}
