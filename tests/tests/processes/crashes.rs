//! Either side is killed at each step of the protocol, many times, with one importer and with three. The other side gets a
//! typed error within its time limit; nothing hangs; what was out is taken back or counted as leaked; no descriptor is left.

use crate::{LEN, descriptors};
use antecede::{Device, DeviceBrand, Exportable, Pool, ReadOnly, ReadWrite};
use antecede_ipc::{Error, Exporter, HandshakeError, Importer, LinkError};
use antecede_testkit::{Actor, House, Running, Theatre, mount_theatre};
use antecede_tests::{A, B, reclaim_after_exit};
use std::os::fd::OwnedFd;
use std::process::Stdio;
use std::time::{Duration, Instant};

mount_theatre! { 1;
    importer_dies_at_once,
    importer_dies_after_the_handshake,
    importer_dies_with_an_offer_in_hand,
    importer_dies_with_an_import,
    importer_dies_at_work,
    importer_dies_with_its_work_done,
    importer_dies_with_its_free_queued,
    importer_dies_after_the_receipt,
    exporter_dies_at_once,
    exporter_dies_after_the_handshake,
    exporter_dies_with_an_offer_sent,
    exporter_dies_as_importers_work,
    exporter_dies_with_a_receipt_on_its_way,
}

/// How often each is done, with one importer and with three: `ANTECEDE_CRASHES`, or 30.
fn times() -> usize {
    std::env::var("ANTECEDE_CRASHES").ok().and_then(|times| times.parse().ok()).unwrap_or(30)
}

/// For all deaths of one test.
const PATIENCE: Duration = Duration::from_secs(500);

/// Long enough for a busy machine, and short of the patience of the test.
const LIMIT: Duration = Duration::from_secs(50);

/// Where a process dies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Start,
    Greeted,
    Offered,
    Imported,
    Working,
    Worked,
    FreeQueued,
    Told,
    Never,
}

impl Step {
    const ALL: [Step; 9] = [
        Step::Start,
        Step::Greeted,
        Step::Offered,
        Step::Imported,
        Step::Working,
        Step::Worked,
        Step::FreeQueued,
        Step::Told,
        Step::Never,
    ];

    fn named(name: &str) -> Step {
        Step::ALL.into_iter().find(|step| format!("{step:?}") == name).expect("a step")
    }

    /// Dies here if this is the step.
    fn reached(self, die: Step) {
        if self == die {
            let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
            unreachable!("this process was killed");
        }
    }
}

fn importer_dies_at_once(theatre: &Theatre) {
    kill_an_importer(theatre, Step::Start);
}
fn importer_dies_after_the_handshake(theatre: &Theatre) {
    kill_an_importer(theatre, Step::Greeted);
}
fn importer_dies_with_an_offer_in_hand(theatre: &Theatre) {
    kill_an_importer(theatre, Step::Offered);
}
fn importer_dies_with_an_import(theatre: &Theatre) {
    kill_an_importer(theatre, Step::Imported);
}
fn importer_dies_at_work(theatre: &Theatre) {
    kill_an_importer(theatre, Step::Working);
}
fn importer_dies_with_its_work_done(theatre: &Theatre) {
    kill_an_importer(theatre, Step::Worked);
}
fn importer_dies_with_its_free_queued(theatre: &Theatre) {
    kill_an_importer(theatre, Step::FreeQueued);
}
fn importer_dies_after_the_receipt(theatre: &Theatre) {
    kill_an_importer(theatre, Step::Told);
}
fn exporter_dies_at_once(theatre: &Theatre) {
    kill_the_exporter(theatre, Step::Start);
}
fn exporter_dies_after_the_handshake(theatre: &Theatre) {
    kill_the_exporter(theatre, Step::Greeted);
}
fn exporter_dies_with_an_offer_sent(theatre: &Theatre) {
    kill_the_exporter(theatre, Step::Offered);
}
fn exporter_dies_as_importers_work(theatre: &Theatre) {
    kill_the_exporter(theatre, Step::Working);
}
fn exporter_dies_with_a_receipt_on_its_way(theatre: &Theatre) {
    kill_the_exporter(theatre, Step::Told);
}

/// The first of the importers dies.
fn kill_an_importer(theatre: &Theatre, step: Step) {
    theatre.play_alone(PATIENCE, KILL_AN_IMPORTER[step as usize], &[("importer", dying_importer)]);
}

macro_rules! directors {
    ($name:ident: $of:path; $($step:ident)+) => {
        /// A director for each step, as a part has no arguments.
        const $name: [Actor; Step::ALL.len()] = [$(|theatre, _| $of(theatre, Step::$step)),+];
    };
}

directors! { KILL_AN_IMPORTER: importers_die; Start Greeted Offered Imported Working Worked FreeQueued Told Never }
directors! { KILL_THE_EXPORTER: exporters_die; Start Greeted Offered Imported Working Worked FreeQueued Told Never }

fn importers_die(theatre: &Theatre, step: Step) {
    {
        let deaths = (0..times()).flat_map(|round| [(round, 1), (round, 3)]);
        Device::scope(theatre.driver(), 0, |device| {
            let pool = device.pool::<Exportable>()?;
            // What the first use of a device, and of others' memory, opens stays open.
            let mut leaks = a_death(theatre, device, pool, 3, step, true);
            let before = descriptors();
            for (round, count) in deaths {
                leaks += a_death(theatre, device, pool, count, step, round % 2 == 1);
                assert_eq!(device.leaked(), leaks, "what is not taken back is counted");
                // The simulator's own thread sees the end of another process a little later.
                wait_for(|| descriptors() == before);
            }
            Ok(())
        })
        .expect("the device works to the end");
    }
}

/// Returns how many buffers are leaked.
fn a_death<D: DeviceBrand>(
    theatre: &Theatre,
    device: Device<D>,
    pool: Pool<Exportable, D>,
    count: usize,
    step: Step,
    see_the_end: bool,
) -> usize {
    let a = device.stream::<A>().expect("a stream");
    let mut exporter = Exporter::new(device).expect("an exporter");
    exporter.set_time_limit(LIMIT);
    let (mut victim, mut others) = (None, Vec::new());
    let mut running: Vec<Running> = Vec::new();
    for number in 0..count {
        let (here, there) = antecede_ipc::pair().expect("a socket pair");
        let dies = if number == 0 { step } else { Step::Never };
        running.push(theatre.start("importer", format!("{dies:?}"), there));
        match exporter.add(here) {
            Ok(id) if number == 0 => victim = Some(id),
            Ok(id) => others.push(id),
            Err(error) => assert!(number == 0 && step == Step::Start && is_gone(&error), "{error}"),
        }
    }
    let mut x = a.alloc_in(pool, LEN).expect("memory");
    a.fill(&mut x, 7_u32).expect("a fill");
    let mut published = exporter.publish(a.record(x).expect("a record")).expect("a published buffer");
    for &other in &others {
        exporter.offer(&mut published, other).expect("the others live");
    }
    if let Some(victim) = victim {
        match exporter.offer(&mut published, victim) {
            Ok(()) | Err(Error::ImporterGone { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
    let leaked = match exporter.reclaim(published) {
        Ok(x) => {
            assert!(matches!(step, Step::Told | Step::Start | Step::Greeted), "it died without its receipt");
            assert_eq!(a.download(&a.claim(x).expect("on its stream")).expect("a download"), [7; LEN]);
            0
        }
        Err(failed) => {
            assert!(matches!(failed.error, Error::ImporterGone { owed: 1, .. }), "{}", failed.error);
            assert!(!matches!(step, Step::Told | Step::Start), "it had let go, or was never told");
            if see_the_end {
                let x = reclaim_after_exit(&mut exporter, failed.kept).expect("it has ended");
                assert_eq!(a.download(&a.claim(x).expect("on its stream")).expect("a download"), [7; LEN]);
            }
            usize::from(!see_the_end)
        }
    };
    // The others go on.
    for other in others {
        let mut y = a.alloc_in(pool, LEN).expect("memory");
        a.fill(&mut y, 7_u32).expect("a fill");
        let lent = exporter.lend(a.record(y).expect("a record"), other).expect("it lives");
        drop(exporter.reclaim(lent).expect("it lets go"));
    }
    drop(exporter);
    running.remove(0).finish_killed();
    running.into_iter().for_each(|running| drop(running.finish()));
    leaked
}

fn is_gone(error: &Error) -> bool {
    matches!(error, Error::Link(LinkError::PeerGone) | Error::Handshake(HandshakeError::Link(LinkError::PeerGone)))
}

fn dying_importer(theatre: &Theatre, socket: OwnedFd) {
    let die = Step::named(theatre.words());
    Step::Start.reached(die);
    Device::scope(theatre.driver(), 0, |device| {
        let b = device.stream::<B>()?;
        let mut importer = Importer::over(device, socket).expect("the exporter greets");
        importer.set_time_limit(LIMIT);
        Step::Greeted.reached(die);
        let offer = importer.next_offer().expect("an offer");
        Step::Offered.reached(die);
        let x = offer.import::<u32, ReadOnly, _>(b).expect("an import");
        Step::Imported.reached(die);
        let mut own = b.alloc(LEN)?;
        b.copy(&x, &mut own)?;
        Step::Working.reached(die);
        let x = b.sync(x)?;
        Step::Worked.reached(die);
        if die == Step::FreeQueued {
            drop(x);
            Step::FreeQueued.reached(die);
            return Ok(());
        }
        importer.release(x).expect("the exporter is told");
        Step::Told.reached(die);
        assert_eq!(b.download(&own)?, [7; LEN]);
        if let Ok(offer) = importer.next_offer() {
            let y = offer.import::<u32, ReadWrite, _>(b).expect("an import");
            importer.release(b.sync(y)?).expect("the exporter is told");
        }
        Ok(())
    })
    .expect("the device works to the end");
}

/// The exporter dies: its importers, each in a process of its own, get a typed error and let go.
fn kill_the_exporter(theatre: &Theatre, step: Step) {
    let parts: &[(&str, Actor)] = &[("exporter", dying_exporter), ("survivor", survivor)];
    theatre.play_alone(PATIENCE, KILL_THE_EXPORTER[step as usize], parts);
}

fn exporters_die(theatre: &Theatre, step: Step) {
    {
        let before = descriptors();
        for (_, count) in (0..times()).flat_map(|round| [(round, 1), (round, 3)]) {
            let dir = tempfile::tempdir().expect("a directory");
            let path = dir.path().join("exporter");
            let exporter = theatre.start("exporter", format!("{step:?} {count} {}", path.display()), Stdio::null());
            wait_for(|| path.exists());
            let importers: Vec<_> =
                (0..count).map(|_| theatre.start("survivor", path.display(), Stdio::null())).collect();
            exporter.finish_killed();
            importers.into_iter().for_each(|importer| drop(importer.finish()));
        }
        assert_eq!(descriptors(), before, "descriptors are left open");
    }
}

fn dying_exporter(theatre: &Theatre, _: OwnedFd) {
    let mut words = theatre.words().splitn(3, ' ');
    let mut word = || words.next().expect("three words").to_owned();
    let (die, count, path) = (Step::named(&word()), word().parse::<usize>().expect("a number"), word());
    Device::scope(theatre.driver(), 0, |device| {
        let a = device.stream::<A>()?;
        let pool = device.pool::<Exportable>()?;
        let mut exporter = Exporter::listen(device, path).expect("it listens");
        exporter.set_time_limit(LIMIT);
        Step::Start.reached(die);
        let importers: Vec<_> = (0..count).map(|_| exporter.accept().expect("an importer")).collect();
        Step::Greeted.reached(die);
        let mut x = a.alloc_in(pool, LEN)?;
        a.fill(&mut x, 7_u32)?;
        let mut published = exporter.publish(a.record(x)?).expect("a published buffer");
        for &importer in &importers {
            exporter.offer(&mut published, importer).expect("it lives");
        }
        Step::Offered.reached(die);
        // The importers say by a connection each that they have begun.
        for _ in 0..count {
            exporter.accept().expect("an importer at work");
        }
        Step::Working.reached(die);
        let published = exporter.reclaim(published);
        Step::Told.reached(die);
        drop(published);
        Ok(())
    })
    .expect("the device works to the end");
}

fn survivor(theatre: &Theatre, _: OwnedFd) {
    let before = descriptors();
    let driver = theatre.driver();
    Device::scope(driver.clone(), 0, |device| {
        let b = device.stream::<B>()?;
        let mut own = b.zeroed(LEN)?;
        let mut importer = match Importer::connect_within(device, theatre.words(), Duration::from_millis(200)) {
            Ok(importer) => importer,
            Err(error) => {
                assert!(is_gone(&error) || nobody_listens(&error), "{error}");
                return Ok(());
            }
        };
        importer.set_time_limit(LIMIT);
        // It may die before the offer; or with it under way, and take the event or the memory's data along; or before what it
        // has recorded is over, which a stream would wait for in vain.
        let offer = match importer.next_offer() {
            Ok(offer) => offer,
            Err(error) => {
                assert!(is_gone(&error) || matches!(error, Error::Device(_)), "{error}");
                return Ok(());
            }
        };
        if let Err(error) = offer.wait_until_ready() {
            assert!(is_gone(&error) || matches!(error, Error::Device(_)), "{error}");
            return Ok(());
        }
        let x = match offer.import::<u32, ReadOnly, _>(b) {
            Ok(x) => x,
            Err(failed) => {
                assert!(matches!(failed.error, Error::Device(_)), "{}", failed.error);
                return Ok(());
            }
        };
        b.copy(&x, &mut own)?;
        let _at_work = Importer::connect(device, theatre.words());
        // Its work goes on whatever becomes of the exporter.
        assert_eq!(b.download(&own)?, [7; LEN]);
        if let Err(failed) = importer.release(b.sync(x)?) {
            assert!(is_gone(&failed.error), "{}", failed.error);
        }
        let end = importer.next_offer().expect_err("the exporter is gone");
        assert!(is_gone(&end), "{end}");
        assert_eq!(device.leaked(), 0);
        Ok(())
    })
    .expect("the device works to the end");
    drop(driver);
    if theatre.house() == House::Sim {
        assert_eq!(descriptors(), before, "descriptors are left open");
    }
}

/// Waits until something is so.
#[track_caller]
fn wait_for(is_so: impl Fn() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < LIMIT, "it does not come about; open are {:?}", descriptors());
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn nobody_listens(error: &Error) -> bool {
    match error {
        Error::Link(error) | Error::Handshake(HandshakeError::Link(error)) => {
            matches!(error, LinkError::NoListener { .. } | LinkError::TimedOut { .. })
        }
        _ => false,
    }
}
