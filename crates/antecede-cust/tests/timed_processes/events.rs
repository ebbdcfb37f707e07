//! Events of one process that another waits for, while the recording stream is held.

use std::time::Duration;

use antecede::driver::{Driver, EventData, EventRef, Pattern, StreamRef};

use crate::common::latch::Latch;
use crate::common::{Gpu, Pinned};
use crate::pair::Link;
use crate::shared::{BYTES, Parcel, Shared, done_within, mapped, opened, record, value_of, wait, within};

/// What the block holds before the held stream's work, and after it.
const OLD: u8 = 3;
const NEW: u8 = 4;
const SOON: Duration = Duration::from_secs(8);

between_processes!(a_wait_is_for_the_record_of_the_other_process, export_held, wait_and_see);
between_processes!(a_wait_outlives_the_opened_event, export_held, wait_and_destroy);
between_processes!(an_event_recorded_again_before_its_time, export_held_and_record_again, wait_and_look);
between_processes!(a_wait_after_the_exporters_event_has_ended, export_held_and_destroy, wait_and_look);
between_processes!(an_event_is_opened_twice, export_held, open_twice);

/// A block that will be new, and a stream that is held before that.
struct Held {
    gpu: Gpu,
    shared: Shared,
    stream: StreamRef,
    latch: Latch,
}

impl Held {
    /// Sends the block, and the event that is recorded behind the held work.
    fn send(link: &mut Link) -> Held {
        let gpu = Gpu::open();
        let (shared, stream) = (Shared::new(&gpu, OLD), gpu.non_blocking());
        let parcel = shared.parcel(&gpu);
        let latch = Latch::hold(&gpu, &stream);
        gpu.fill(&stream, shared.memory, Pattern::D8(NEW), BYTES);
        record(&gpu, &shared.event, &stream);
        parcel.send(link);
        Held { gpu, shared, stream, latch }
    }

    /// Lets the stream go when the other process has seen that it is held, and waits until that is done.
    fn release(self, link: &mut Link) {
        link.await_signal();
        assert!(!self.gpu.done(&self.stream), "still held");
        self.latch.release();
        self.gpu.sync(&self.stream);
        link.signal();
        link.await_signal();
    }
}

fn export_held(mut link: Link) {
    let held = Held::send(&mut link);
    link.await_signal();
    link.signal();
    held.release(&mut link);
}

fn export_held_and_record_again(mut link: Link) {
    let held = Held::send(&mut link);
    link.await_signal();
    let idle = held.gpu.non_blocking();
    record(&held.gpu, &held.shared.event, &idle);
    let (driver, event) = (held.gpu.driver, held.shared.event);
    // SAFETY: a live event, which has been recorded.
    let ended = within(SOON, move || unsafe { driver.event_sync(&event) });
    measured!("an event recorded again on an idle stream, its first record held: its wait ends after {ended:?}");
    link.signal();
    held.release(&mut link);
}

fn export_held_and_destroy(mut link: Link) {
    let held = Held::send(&mut link);
    link.await_signal();
    let (driver, event) = (held.gpu.driver, held.shared.event);
    // SAFETY: a live event; that it is still open in the other process is what is looked at.
    let ended = within(SOON, move || unsafe { driver.event_destroy(&event) });
    measured!("an exporter destroys its event while its record is held and waited for: {ended:?}");
    link.signal();
    held.release(&mut link);
}

/// An importer: it has read the old block without a wait, and waits on a stream of its own.
struct Waiting {
    gpu: Gpu,
    event: EventRef,
    data: EventData,
    stream: StreamRef,
    seen: Pinned,
}

impl Waiting {
    /// Submits the wait, does `then`, and submits a copy behind the wait. The exporter goes on after that.
    fn begin(link: &mut Link, then: impl FnOnce(&Gpu, &EventRef)) -> Waiting {
        let gpu = Gpu::open();
        let parcel = Parcel::receive(link);
        let (pointer, data) = (parcel.pointer, parcel.event);
        let memory = mapped(&gpu, &parcel.open_pool(&gpu), &pointer).expect("the block is mapped");
        let event = opened(&gpu, &data).expect("the event opens");
        let (stream, free, seen) = (gpu.non_blocking(), gpu.non_blocking(), gpu.pinned(BYTES));
        let stale = gpu.download(&free, memory, BYTES);
        assert_eq!(value_of(&stale), Some(OLD), "without a wait, the block is read as it is");
        // SAFETY: a live event, which has been recorded.
        assert_eq!(unsafe { gpu.driver.event_query(&event) }, Ok(false));
        wait(&gpu, &stream, &event);
        then(&gpu, &event);
        gpu.copy(&stream, seen.ptr, memory, BYTES);
        link.signal();
        link.await_signal();
        Waiting { gpu, event, data, stream, seen }
    }

    /// Whether the stream still waits; then has the exporter let its stream go. What the copy has seen, if it got there.
    fn end(&self, link: &mut Link) -> (bool, Option<u8>) {
        let waits = !self.gpu.done(&self.stream);
        link.signal();
        link.await_signal();
        let done = done_within(&self.gpu, &self.stream, SOON);
        measured!("the wait ended this long after the exporter has seen its stream complete: {done:?}");
        let seen = done.ok().flatten().and_then(|_| value_of(&self.seen.read()));
        link.signal();
        (waits, seen)
    }
}

fn wait_and_see(mut link: Link) {
    let waiting = Waiting::begin(&mut link, |_, _| ());
    assert_eq!(waiting.end(&mut link), (true, Some(NEW)));
    // SAFETY: a live event, used no more.
    unsafe {
        assert_eq!(waiting.gpu.driver.event_query(&waiting.event), Ok(true));
        waiting.gpu.driver.event_sync(&waiting.event).expect("is complete");
        waiting.gpu.driver.event_destroy(&waiting.event).expect("ends");
    }
}

fn wait_and_destroy(mut link: Link) {
    let destroy = |gpu: &Gpu, event: &EventRef| {
        let (driver, event) = (gpu.driver, *event);
        // SAFETY: a live event, used no more but for the wait that was submitted.
        let ended = within(SOON, move || unsafe { driver.event_destroy(&event) });
        measured!("an importer destroys an opened event right after its wait, the record held: {ended:?}");
        assert!(matches!(ended, Some((Ok(()), _))), "it returns while the record is held: {ended:?}");
    };
    let waiting = Waiting::begin(&mut link, destroy);
    assert_eq!(waiting.end(&mut link), (true, Some(NEW)));
}

/// The contract has the exporter keep its event until it is destroyed here, so nothing is asserted.
fn wait_and_look(mut link: Link) {
    let waiting = Waiting::begin(&mut link, |_, _| ());
    let (waits, seen) = waiting.end(&mut link);
    measured!("its importer's stream waits on: {waits}; what it then read: {seen:?} (old {OLD}, new {NEW})");
}

fn open_twice(mut link: Link) {
    let waiting = Waiting::begin(&mut link, |_, _| ());
    let again = opened(&waiting.gpu, &waiting.data);
    let same = again.as_ref().map(|again| again.handle == waiting.event.handle);
    measured!("an event is opened again in the same process, to the same handle: {same:?}");
    if let Ok(again) = again {
        let other = waiting.gpu.non_blocking();
        // SAFETY: live handles; the record is another process's.
        unsafe {
            let (queried, waited) =
                (waiting.gpu.driver.event_query(&again), waiting.gpu.driver.event_wait(&other, &again));
            measured!("by the second handle, the query says {queried:?}, the wait {waited:?}");
            measured!("a stream waits by it: {:?}", waiting.gpu.driver.stream_query(&other).map(|done| !done));
            measured!("the second handle is destroyed: {:?}", waiting.gpu.driver.event_destroy(&again));
            measured!("the query of the first then says {:?}", waiting.gpu.driver.event_query(&waiting.event));
        }
    }
    assert_eq!(waiting.end(&mut link), (true, Some(NEW)));
}
