//! Driver calls and checks of the core crate: hand-overs, kinds of streams, threads, adoption, readers.

use crate::{Mutation, edit, mutation, test};

const ANY: &str = "crates/antecede/src/trusted/any_stream.rs";
const CORE: &str = "crates/antecede/src/trusted/stream_core.rs";
const DEVICE: &str = "crates/antecede/src/trusted/device.rs";
const EVENT: &str = "crates/antecede/src/trusted/event.rs";
const HANDOVER: &str = "crates/antecede/src/trusted/handover.rs";
const PEER: &str = "crates/antecede/src/trusted/peer.rs";
const RECORDED: &str = "crates/antecede/src/trusted/recorded.rs";
const SHARED: &str = "crates/antecede/src/trusted/shared.rs";
const STREAM: &str = "crates/antecede/src/trusted/stream.rs";

const BOTH: &str = "                self.record(&self.hand_over)?;\n                to.wait(&self.hand_over)\n";
const FIRST_USE: (&str, &str) = ("first_use", "data_goes_through_two_streams");

pub(super) const TABLE: &[Mutation] = &[
    mutation(
        "a hand-over without the wait",
        &[edit(CORE, BOTH, "                self.record(&self.hand_over)\n")],
        "a stream that starts before the other has finished",
        test("antecede", FIRST_USE.0, FIRST_USE.1),
    ),
    mutation(
        "a hand-over without the record",
        &[edit(CORE, BOTH, "                to.wait(&self.hand_over)\n")],
        "a wait for an event of some earlier hand-over, or for none",
        test("antecede", FIRST_USE.0, FIRST_USE.1),
    ),
    mutation(
        "an event that was not recorded",
        &[edit(EVENT, "        stream.record(&event.event)?;\n", "")],
        "a wait that waits for nothing",
        test("antecede", "readers", "with_no_reader_the_join_waits_for_the_share"),
    ),
    mutation(
        "from legacy to a blocking stream without the record",
        &[edit(
            CORE,
            "                to.not_captured()?;\n                self.record(&self.hand_over)\n",
            "                to.not_captured()\n",
        )],
        "two blocking streams that legacy does not order, with nothing on legacy between them",
        test("antecede", "stream_kinds", "from_blocking_to_legacy_to_blocking"),
    ),
    mutation(
        "from a non-blocking stream to legacy without an event",
        &[edit(
            CORE,
            "(kind, StreamKind::LegacyStream) if kind.is_blocking() && self.same_context(to)",
            "(_, StreamKind::LegacyStream) if self.same_context(to)",
        )],
        "legacy starting before a stream that it does not wait for",
        test("antecede", "stream_kinds", "legacy_gives_a_non_blocking_stream_no_order"),
    ),
    mutation(
        "from legacy to a non-blocking stream without the wait",
        &[edit(
            CORE,
            "(StreamKind::LegacyStream, kind) if kind.is_blocking() && self.same_context(to)",
            "(StreamKind::LegacyStream, _) if self.same_context(to)",
        )],
        "a stream that does not wait for legacy",
        test("antecede", "stream_kinds", "legacy_gives_a_non_blocking_stream_no_order"),
    ),
    mutation(
        "legacy orders blocking streams of other contexts",
        &[edit(
            CORE,
            "        self.stream.context.id == other.stream.context.id\n",
            "        let _ = other;\n        true\n",
        )],
        "a copy between devices that waits for nothing",
        test("antecede", "copies_across", "copies_between_streams_of_every_kind"),
    ),
    mutation(
        "legacy has another identity in each scope",
        &[edit(
            CORE,
            "StreamKind::LegacyStream => (device.context.legacy, None),",
            "StreamKind::LegacyStream => (StreamId::fresh(), None),",
        )],
        "one stream taken for two",
        test("antecede", "stream_kinds", "one_legacy_stream_of_two_scopes"),
    ),
    mutation(
        "a blocking brand makes a non-blocking stream",
        &[edit(
            "crates/antecede/src/brand.rs",
            "        const KIND: StreamKind = StreamKind::BlockingStream;",
            "        const KIND: StreamKind = StreamKind::NonBlockingStream;",
        )],
        "types that count on an order which the driver does not give",
        test("antecede", "stream_kinds", "legacy_and_blocking_streams_order_each_other_by_themselves"),
    ),
    mutation(
        "a blocking stream is synced without the record",
        &[edit(
            CORE,
            "        if self.stream.kind.is_blocking() {\n            self.record(&self.hand_over)?;\n        }\n",
            "",
        )],
        "the host reading what legacy is still writing",
        test("antecede", "stream_kinds", "a_blocking_stream_is_synced_with_what_legacy_did_before"),
    ),
    mutation(
        "a sync that does not wait",
        &[edit(CORE, "        Ok(unsafe { self.driver().stream_sync(&self.stream) }?)\n", "        Ok(())\n")],
        "the host reading what a stream is writing",
        test("antecede", FIRST_USE.0, FIRST_USE.1),
    ),
    mutation(
        "a device's sync that does not wait",
        &[edit(DEVICE, "        Ok(unsafe { self.driver.context_sync(&self.context) }?)\n", "        Ok(())\n")],
        "the same for all streams of a device",
        test("antecede", "per_thread", "the_device_syncs_what_is_on_another_threads_stream"),
    ),
    mutation(
        "a record's sync that does not wait",
        &[edit(EVENT, "        Ok(unsafe { self.device.driver.event_sync(&self.event) }?)\n", "        Ok(())\n")],
        "the same for an event",
        test("antecede-tests", "scenarios", "records::on_sim::synchronize"),
    ),
    mutation(
        "a query that is always true",
        &[edit(EVENT, "        Ok(passed)\n", "        Ok(true)\n")],
        "the same without a wait",
        test("antecede-tests", "scenarios", "records::on_sim::query_until_finished"),
    ),
    mutation(
        "a wait for a record that does not wait",
        &[edit(RECORDED, "        stream.wait(self.event.event())\n", "        Ok(())\n")],
        "a stream that starts before the record",
        test("antecede-tests", "scenarios", "records::on_sim::record_early_and_wait_late"),
    ),
    mutation(
        "streams are told apart by their handles",
        &[edit(
            HANDOVER,
            "self.except.is_some_and(|except| except.id() == stream.id())",
            "self.except.is_some_and(|except| except.stream.handle == stream.stream.handle)",
        )],
        "a hand-over between two streams of equal handles that is taken for none",
        test("antecede-tests", "attacks", "identity::equal_handles_on_two_devices_are_two_streams"),
    ),
    mutation(
        "of many sources eight are waited for",
        &[edit(HANDOVER, "            None => self.more.push(stream),\n", "            None => {}\n")],
        "a batch of many streams handed over in part",
        test("antecede-tests", "counts", "handover::ten_other_streams"),
    ),
    mutation(
        "a synced buffer of any device is handed over",
        &[edit(
            HANDOVER,
            "            self.unreached = Some(stream.device);\n",
            "            self.unreached = None;\n",
        )],
        "a stream that works on memory which its device does not reach",
        test("antecede", "devices", "devices_that_do_not_reach_each_other_refuse"),
    ),
    mutation(
        "every device reaches every other",
        &[edit(
            DEVICE,
            "        if self.is(other) || mesh() { Ok(()) } else { Err(self.reached_from(other)) }\n",
            "        let _ = mesh();\n        Ok(())\n",
        )],
        "the same for a buffer in flight",
        test("antecede", "devices", "devices_that_do_not_reach_each_other_refuse"),
    ),
    mutation(
        "a device's sync takes any device's buffers",
        &[edit(
            HANDOVER,
            "self.iter().find(|stream| !stream.device.is(device))",
            "self.iter().find(|stream| false && !stream.device.is(device))",
        )],
        "a buffer called complete after a wait for another device",
        test("antecede", "devices", "a_device_is_synced_with_its_own_buffers"),
    ),
    mutation(
        "`claim` claims from any stream",
        &[edit(
            STREAM,
            "            Some(other) => Err(Error::StreamMismatch { expected: self.name(), found: other.name() }),\n            None => sources.reached(),",
            "            Some(_) => Ok(()),\n            None => sources.reached(),",
        )],
        "a buffer of another stream used without an event",
        test("antecede", "first_use", "a_buffer_on_another_stream_is_not_claimed"),
    ),
    mutation(
        "`AnyStream::sync` takes buffers of any stream",
        &[edit(
            ANY,
            "            Some(other) => Err(Error::StreamMismatch { expected: self.name(), found: other.name() }),\n            None => self.core.sync_with_legacy(),",
            "            Some(_) | None => self.core.sync_with_legacy(),",
        )],
        "a buffer called complete after a wait for another stream",
        test("antecede", "run_time_brands", "a_sync_is_of_one_stream"),
    ),
    mutation(
        "a thread's own stream is used on any thread",
        &[edit(
            CORE,
            "            Some(owner) => self.on_the_thread_of(owner.thread),",
            "            Some(owner) if false => self.on_the_thread_of(owner.thread),\n            Some(_) => Ok(()),",
        )],
        "work on the stream that the handle means on that thread",
        test("antecede", "per_thread", "what_gets_to_another_thread_is_refused_there"),
    ),
    mutation(
        "one per-thread stream for all threads",
        &[edit(
            CORE,
            "        let here = kind != StreamKind::PerThreadStream || self.owner.map(|owner| owner.thread) == thread;\n",
            "        let here = thread.is_some();\n",
        )],
        "another thread's stream under the name of this one's",
        test("antecede", "per_thread", "each_thread_has_a_stream_of_its_own"),
    ),
    mutation(
        "what is complete stays on another thread's stream",
        &[edit(
            CORE,
            "            Some(owner) if this_thread().is_some_and(|this| this != owner.thread) => owner.elsewhere,\n",
            "            Some(owner) if false => owner.elsewhere,\n",
        )],
        "memory that is never freed, or on a stream of another thread",
        test("antecede", "per_thread", "what_is_complete_belongs_to_no_thread"),
    ),
    mutation(
        "work on a stream that is being captured",
        &[edit(
            CORE,
            "        if self.owner.is_none() && self.adopted.is_none() {\n            return Ok(());\n        }\n",
            "        if self.owner.is_none() || self.adopted.is_none() {\n            return Ok(());\n        }\n",
        )],
        "writes that never happen, and records that order nothing",
        test("antecede", "per_thread", "a_captured_stream_orders_nothing"),
    ),
    mutation(
        "an adopted stream that is being captured",
        &[edit(
            CORE,
            "        if self.owner.is_none() && self.adopted.is_none() {\n",
            "        if self.owner.is_none() {\n",
        )],
        "the same",
        test("antecede", "adoption", "an_adopted_stream_that_is_captured_orders_nothing"),
    ),
    mutation(
        "an adoption ends without an event",
        &[edit(
            CORE,
            "        let ordered = self.record(&self.hand_over).and_then(|()| heir.wait(&self.hand_over));\n",
            "        let ordered: Result<()> = Ok(());\n",
        )],
        "what was on the adopted stream used before it is over",
        test("antecede", "adoption", "the_end_of_an_adoption_is_one_event"),
    ),
    mutation(
        "an adoption that failed to end poisons nothing",
        &[edit(CORE, "        ordered.inspect_err(|_| self.device.poison())\n", "        ordered\n")],
        "the same after an error",
        test("antecede", "adoption", "a_failure_at_the_end_poisons_the_device"),
    ),
    mutation(
        "what outlives an adoption stays on the adopted stream",
        &[edit(CORE, "        *place = Some(heir);\n", "        *place = None;\n")],
        "work on a stream that its owner has destroyed",
        test("antecede", "adoption", "what_outlives_an_adoption_is_freed_in_order"),
    ),
    mutation(
        "built-in streams are adopted",
        &[edit(CORE, "        refuse_built_in(handle)?;\n", "        let _ = refuse_built_in;\n")],
        "a per-thread stream that any thread uses",
        test("antecede", "adoption", "streams_that_cannot_be_adopted"),
    ),
    mutation(
        "an adopted stream is destroyed with the scope",
        &[edit(CORE, "            if self.adopted.is_none()\n                && matches!", "            if matches!")],
        "a stream destroyed under its owner",
        test("antecede", "adoption", "a_foreign_stream_is_never_destroyed"),
    ),
    mutation(
        "a lease without the wait",
        &[edit(
            SHARED,
            "                    stream.wait(written.event())?;\n",
            "                    let _ = written;\n",
        )],
        "a read before the last write",
        test("antecede", "readers", "each_reader_waits_once_and_is_joined_once"),
    ),
    mutation(
        "a reader counts before its wait has succeeded",
        &[
            edit(
                SHARED,
                "                stream.device.reaches(self.home.device)?;\n                if let",
                "                readers.0.push(Reader { stream, leases: 1, released: None });\n                stream.device.reaches(self.home.device)?;\n                if let",
            ),
            edit(
                SHARED,
                "                }\n                readers.0.push(Reader { stream, leases: 1, released: None });\n",
                "                }\n",
            ),
        ],
        "a later lease of that stream that does not wait either",
        test("antecede", "readers", "a_failed_lease_is_no_reader"),
    ),
    mutation(
        "a join passes over readers",
        &[edit(SHARED, "                None => reader.stream.hand_over(to)?,\n", "                None => {}\n")],
        "a write beside a reader",
        test("antecede", "readers", "leases_forgotten_or_lost_to_a_panic_are_joined"),
    ),
    mutation(
        "a join without readers skips the share's event",
        &[edit(
            SHARED,
            "            Some(written) if readers.0.is_empty() && self.home.id() != to.id() => to.wait(written.event()),\n",
            "            Some(written) if readers.0.is_empty() && self.home.id() == to.id() => to.wait(written.event()),\n",
        )],
        "a write beside the last one",
        test("antecede", "readers", "with_no_reader_the_join_waits_for_the_share"),
    ),
    mutation(
        "a later lease leaves the early release there",
        &[edit(SHARED, "                reader.released = None;\n", "")],
        "a join that waits for the first reads and not for the later",
        test("antecede", "readers", "a_lease_after_an_early_release_is_joined"),
    ),
    mutation(
        "an early release counts with another lease alive",
        &[edit(SHARED, "        if reader.leases == 1 {\n", "        if reader.leases >= 1 {\n")],
        "the same",
        test("antecede", "readers", "an_early_release_makes_the_join_precise_once_no_lease_is_left"),
    ),
    mutation(
        "a dropped share is freed without a join",
        &[edit(
            SHARED,
            "        let joined = self.home.as_home(|home| self.join(home));\n",
            "        let joined: Result<()> = Ok(());\n",
        )],
        "a free beside a reader",
        test("antecede", "readers", "a_dropped_share_is_freed_after_every_reader"),
    ),
    mutation(
        "a dropped share is freed after a join that failed",
        &[edit(
            SHARED,
            "            Err(_) => ManuallyDrop::new(parts).count_leaks(unsafe { Fact::where_it_is() }),\n",
            "            Err(_) => drop(parts.retype::<Loose<D>>(unsafe { Fact::ready_on(self.home) })),\n",
        )],
        "the same after an error",
        test("antecede", "readers", "failing_calls_lose_nothing"),
    ),
    mutation(
        "a copy between devices is not ordered there",
        &[edit(PEER, "        there.order_before(here)?;\n", "")],
        "a copy of what is still being written",
        test("antecede", "copies_across", "a_copy_is_ordered_there_and_back"),
    ),
    mutation(
        "a copy between devices is not ordered back",
        &[edit(
            PEER,
            "        if let Err(error) = here.order_before(there) {\n",
            "        if let Err(error) = here.usable() {\n",
        )],
        "a source written while it is copied",
        test("antecede", "copies_across", "a_copy_is_ordered_there_and_back"),
    ),
    mutation(
        "a module is launched on any device",
        &[edit(
            "crates/antecede/src/trusted/module.rs",
            "        if !core.device.is(stream.device) {\n",
            "        if false && !core.device.is(stream.device) {\n",
        )],
        "a function's handle in a context that it is not of",
        test("antecede", "devices", "a_module_stays_on_its_device"),
    ),
    mutation(
        "a brand is opened anew each time",
        &[edit(
            "crates/antecede/src/trusted/registry.rs",
            "        if let Some(core) = streams.get(&TypeId::of::<S>()) {\n            return Ok(core.get());\n        }\n        let core = StreamCore",
            "        let core = StreamCore",
        )],
        "two streams of one name",
        test("antecede-tests", "counts", "memory::a_stream_is_created_once"),
    ),
    mutation(
        "a brand's device is bound at any ordinal",
        &[edit(
            "crates/antecede/src/trusted/registry.rs",
            "if core.driver.id() == driver.id() && core.context.ordinal == ordinal => core",
            "if core.driver.id() == driver.id() => core",
        )],
        "one device under the name of another",
        test("antecede", "devices", "a_brand_is_one_device_for_the_life_of_the_process"),
    ),
];
