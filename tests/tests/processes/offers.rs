//! What was offered is not what was asked for: typed errors that name both, and the connection goes on.

use crate::{Exporting, LEN, importer};
use antecede::{ReadOnly, ReadWrite};
use antecede_ipc::{Access, Error, Exporter, Failed, Importer, Kept, pair};
use antecede_testkit::{Theatre, mount_theatre};
use antecede_tests::{A, B};
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

mount_theatre! { 3;
    wrong_element_and_wrong_access,
    an_offer_that_is_dropped_is_declined,
    waits_end_at_their_time_limit,
    an_importer_of_another_exporter_is_unknown,
    an_empty_buffer_is_not_exported,
}

fn wrong_element_and_wrong_access(theatre: &Theatre) {
    let director = |theatre: &Theatre| {
        theatre.on_device(0, |device| {
            let mut show = Exporting::to(theatre, device, "importer", 1);
            let mut x = show.a.alloc_in(show.pool, LEN).unwrap();
            show.a.fill(&mut x, 7_u32).unwrap();
            let lent = show.exporter.lend(show.a.record(x).unwrap(), show.first()).unwrap();
            let x = show.a.claim(show.exporter.reclaim(lent).unwrap()).unwrap();
            let mut published = show.exporter.publish(show.a.record(x).unwrap()).unwrap();
            show.exporter.offer(&mut published, show.first()).unwrap();
            drop(show.exporter.reclaim(published).unwrap());
            show.finish();
        });
    };
    let choosy = |theatre: &Theatre, socket: OwnedFd| {
        theatre.on_device(0, |device| {
            let b = device.stream::<B>().unwrap();
            let mut importer = importer(device, socket);
            let offer = importer.next_offer().unwrap();
            assert_eq!((offer.len(), offer.access(), offer.has_event()), (LEN as u64, Access::ForWriting, true));
            assert_eq!(offer.element().to_string(), "`u32` of 4 bytes aligned to 4");
            let failed = offer.import::<f32, ReadWrite, _>(b).unwrap_err();
            assert_eq!(
                failed.error.to_string(),
                "the exporter has offered elements of type `u32` of 4 bytes aligned to 4, expected `f32` of 4 bytes aligned to 4"
            );
            let failed = failed.kept.import::<u32, ReadOnly, _>(b).unwrap_err();
            assert_eq!(
                failed.error.to_string(),
                "the exporter has offered the buffer for writing, expected for reading only: import it as `ReadWrite`, or let \
                 the exporter `publish` it"
            );
            let x = failed.kept.import::<u32, ReadWrite, _>(b).unwrap();
            importer.release(b.sync(x).unwrap()).unwrap();
            let failed = importer.next_offer().unwrap().import::<u32, ReadWrite, _>(b).unwrap_err();
            assert!(matches!(failed.error, Error::WrongAccess { found: Access::ForReading, .. }), "{}", failed.error);
        });
    };
    theatre.play(director, &[("importer", choosy)]);
}

fn an_offer_that_is_dropped_is_declined(theatre: &Theatre) {
    let director = |theatre: &Theatre| {
        theatre.on_device(0, |device| {
            let mut show = Exporting::to(theatre, device, "importer", 1);
            for _ in 0..3 {
                let mut x = show.a.alloc_in(show.pool, LEN).unwrap();
                show.a.fill(&mut x, 7_u32).unwrap();
                let lent = show.exporter.lend(show.a.record(x).unwrap(), show.first()).unwrap();
                let mut x = show.a.claim(show.exporter.reclaim(lent).unwrap()).unwrap();
                // Nobody has waited for the fill: this one is still ordered after it.
                show.a.fill(&mut x, 8).unwrap();
                assert_eq!(show.a.download(&x).unwrap(), [8; LEN]);
            }
            show.finish();
        });
    };
    let refuser = |theatre: &Theatre, socket: OwnedFd| {
        theatre.on_device(0, |device| {
            let mut importer = importer(device, socket);
            drop(importer.next_offer().unwrap());
            importer.next_offer().unwrap().decline().unwrap();
            let b = device.stream::<B>().unwrap();
            importer.import::<u64, ReadWrite, _>(b).unwrap_err();
        });
    };
    theatre.play(director, &[("importer", refuser)]);
}

fn waits_end_at_their_time_limit(theatre: &Theatre) {
    const LIMIT: Duration = Duration::from_millis(80);
    let director = |theatre: &Theatre| {
        theatre.on_device(1, |device| {
            let mut show = Exporting::to(theatre, device, "importer", 1);
            show.exporter.set_time_limit(LIMIT);
            let error = show.exporter.accept().unwrap_err();
            assert!(matches!(error, Error::NotListening), "{error}");
            let mut x = show.a.alloc_in(show.pool, LEN).unwrap();
            show.a.fill(&mut x, 7_u32).unwrap();
            let lent = show.exporter.lend(show.a.record(x).unwrap(), show.first()).unwrap();
            let begin = Instant::now();
            let failed = show.exporter.reclaim(lent).unwrap_err();
            assert!(matches!(failed.error, Error::NoReceipt { .. }), "{}", failed.error);
            assert!(begin.elapsed() >= LIMIT);
            // Nobody connects.
            let dir = tempfile::tempdir().unwrap();
            let mut listening = Exporter::listen(device, dir.path().join("exporter")).unwrap();
            listening.set_time_limit(LIMIT);
            assert!(matches!(listening.accept().unwrap_err(), Error::Link(_)));
            drop(failed);
            show.finish();
        });
    };
    let holder = |theatre: &Theatre, socket: OwnedFd| {
        theatre.on_device(0, |device| {
            let mut importer = importer(device, socket);
            let b = device.stream::<B>().unwrap();
            let x = importer.import::<u32, ReadWrite, _>(b).unwrap();
            importer.set_time_limit(LIMIT);
            let begin = Instant::now();
            let end = importer.next_offer().unwrap_err();
            assert!(matches!(end, Error::Link(_)), "{end}");
            assert!(begin.elapsed() >= LIMIT);
            importer.set_time_limit(Duration::from_secs(20));
            let end = importer.next_offer().unwrap_err();
            assert!(matches!(end, Error::Link(antecede_ipc::LinkError::PeerGone)), "{end}");
            drop(x);
        });
    };
    theatre.play(director, &[("importer", holder)]);
}

fn an_importer_of_another_exporter_is_unknown(theatre: &Theatre) {
    let director = |theatre: &Theatre| {
        theatre.on_device(0, |device| {
            let mut show = Exporting::to(theatre, device, "importer", 1);
            // It has an importer of the same number.
            let mut other = Exporting::to(theatre, device, "importer", 1);
            let mut x = show.a.alloc_in(show.pool, LEN).unwrap();
            show.a.fill(&mut x, 7_u32).unwrap();
            let Failed { error, kept } = other.exporter.lend(show.a.sync(x).unwrap(), show.first()).unwrap_err();
            assert!(matches!(error, Error::UnknownImporter), "{error}");
            let Kept::Given(x) = kept else { panic!("nothing left this process") };
            let lent = show.exporter.lend(x, show.first()).unwrap();
            let Failed { error, kept: lent } = other.exporter.reclaim(lent).unwrap_err();
            assert!(matches!(error, Error::OtherExporter), "{error}");
            let x = show.exporter.reclaim(lent).unwrap();
            let lent = other.exporter.lend(x, other.first()).unwrap();
            drop(other.exporter.reclaim(lent).unwrap());
            show.finish();
            other.finish();
        });
    };
    let refuser = |theatre: &Theatre, socket: OwnedFd| {
        theatre.on_device(0, |device| {
            importer(device, socket).next_offer().unwrap().decline().unwrap();
        });
    };
    theatre.play(director, &[("importer", refuser)]);
}

fn an_empty_buffer_is_not_exported(theatre: &Theatre) {
    let director = |theatre: &Theatre| {
        theatre.on_device(0, |device| {
            let mut exporter = Exporter::new(device).unwrap();
            let a = device.stream::<A>().unwrap();
            let x = a.alloc_in::<u32, antecede::Exportable>(device.pool().unwrap(), 0).unwrap();
            let failed = exporter.publish(a.record(x).unwrap()).unwrap_err();
            assert!(matches!(failed.error, Error::Device(antecede::Error::NoMemory)), "{}", failed.error);
            drop(a.wait(failed.kept).unwrap());
        });
    };
    theatre.play(director, &[]);
    // A socket that is none is an error as well.
    let (here, _there) = pair().unwrap();
    let not_a_socket = OwnedFd::from(std::fs::File::open("/dev/null").unwrap());
    theatre.on_device(0, |device| {
        let failed = Importer::over(device, not_a_socket).unwrap_err();
        assert!(failed.to_string().contains("it is no socket"), "{failed}");
    });
    drop(here);
}
