//! Driver calls that order streams and the host.

use crate::{Mutation, edit, mutation, test};

const ANY: &str = "crates/antecede/src/trusted/any_stream.rs";
const CORE: &str = "crates/antecede/src/trusted/stream_core.rs";
const DEVICE: &str = "crates/antecede/src/trusted/device.rs";
const EVENT: &str = "crates/antecede/src/trusted/event.rs";
const HANDOVER: &str = "crates/antecede/src/trusted/handover.rs";
const PEER: &str = "crates/antecede/src/trusted/peer.rs";
const RECORDED: &str = "crates/antecede/src/trusted/recorded.rs";
const STREAM: &str = "crates/antecede/src/trusted/stream.rs";

const BOTH: &str = "                self.record(&self.hand_over)?;\n                to.wait(&self.hand_over)\n";

pub(super) const TABLE: &[Mutation] = &[
    mutation(
        "a hand-over without the wait",
        &[edit(CORE, "        Ok(unsafe { driver.event_wait(&to.stream, &self.hand_over) }?)\n", "        Ok(())\n")],
        "a stream that starts before the other has finished",
        test("antecede-tests", "scenarios", "handover::on_sim::hand_over"),
    ),
    mutation(
        "a hand-over without the record",
        &[edit(CORE, "        unsafe { driver.event_record(&self.hand_over, &self.stream) }?;\n", "")],
        "a wait for an event of some earlier hand-over, or for none",
        test("antecede-tests", "scenarios", "handover::on_sim::hand_over"),
    ),
    mutation(
        "a hand-over to or from legacy without the wait",
        &[edit(CORE, BOTH, "                self.record(&self.hand_over)\n")],
        "the same where one of the two is legacy",
        test("antecede", "stream_kinds", "legacy_gives_a_non_blocking_stream_no_order"),
    ),
    mutation(
        "a hand-over to or from legacy without the record",
        &[edit(CORE, BOTH, "                to.wait(&self.hand_over)\n")],
        "the same",
        test("antecede", "stream_kinds", "legacy_gives_a_non_blocking_stream_no_order"),
    ),
    mutation(
        "an event that was not recorded",
        &[edit(EVENT, "        stream.record(&event.event)?;\n", "")],
        "a wait that waits for nothing",
        test("antecede-tests", "scenarios", "records::on_sim::record_early_and_wait_late"),
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
        test("antecede", "first_use", "data_goes_through_two_streams"),
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
        test("antecede-tests", "scenarios", "pinned::on_sim::a_ring_of_slots"),
    ),
    mutation(
        "a query that is always true",
        &[edit(EVENT, "        Ok(passed)\n", "        Ok(true)\n")],
        "the same without a wait",
        test("antecede-tests", "scenarios", "records::on_sim::query_until_finished"),
    ),
    mutation(
        "a wait for a record that does not wait",
        &[edit(RECORDED, "        stream.wait(self.event.pooled().event())\n", "        Ok(())\n")],
        "a stream that starts before the record",
        test("antecede-tests", "scenarios", "records::on_sim::record_early_and_wait_late"),
    ),
    mutation(
        "streams are told apart by their handles",
        &[
            edit(
                HANDOVER,
                "except.is_none_or(|except| except.id() != stream.id())",
                "except.is_none_or(|except| except.stream.handle != stream.stream.handle)",
            ),
            edit(
                HANDOVER,
                "let is = |known: &'static StreamCore| known.id() == stream.id();",
                "let is = |known: &'static StreamCore| known.stream.handle == stream.stream.handle;",
            ),
        ],
        "a hand-over between two streams of equal handles that is taken for none",
        test("antecede", "per_thread", "what_gets_to_another_thread_is_refused_there"),
    ),
    mutation(
        "of many sources eight are waited for",
        &[edit(HANDOVER, "            None => self.add_one_more(stream),\n", "            None => {}\n")],
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
            "        if let Some(core) = streams.get(&brand) {\n            return Ok(core.get());\n        }\n        let core = StreamCore",
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
    mutation(
        "a copy between devices of two drivers",
        &[edit(
            PEER,
            "        if here.driver().id() != there.driver().id() {\n",
            "        if here.driver().id() != there.driver().id() && source.len() == usize::MAX {\n",
        )],
        "one driver given the handles of another",
        test("antecede", "copies_across", "devices_of_two_drivers_have_nothing_to_do_with_each_other"),
    ),
    mutation(
        "devices that do not reach each other count as meshed",
        &[edit(
            "crates/antecede/src/trusted/scope.rs",
            "    if mesh(&cores)? {\n        group.set_meshed();\n    }\n",
            "    let _ = mesh(&cores)?;\n    group.set_meshed();\n",
        )],
        "a stream that works on memory which its device does not reach",
        test("antecede", "devices", "devices_that_do_not_reach_each_other_refuse"),
    ),
    mutation(
        "the process's device is that of any driver",
        &[edit(
            "crates/antecede/src/trusted/registry.rs",
            "if core.driver.id() == driver.id() && core.context.ordinal == ordinal => core",
            "if core.context.ordinal == ordinal => core",
        )],
        "one device under the name of another",
        test("antecede-tests", "attacks", "primary::another_driver_is_refused"),
    ),
];
