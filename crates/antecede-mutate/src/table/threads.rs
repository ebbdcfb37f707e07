//! A thread's own stream, captures, adoption, readers.

use crate::{Mutation, edit, mutation, test};

const CORE: &str = "crates/antecede/src/trusted/stream_core.rs";
const SHARED: &str = "crates/antecede/src/trusted/shared.rs";

pub(super) const TABLE: &[Mutation] = &[
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
        "a captured stream allocates from a pool",
        &[edit(
            "crates/antecede/src/trusted/pool.rs",
            "        stream.usable()?;\n        stream.not_captured()?;\n        debug_assert!",
            "        stream.usable()?;\n        debug_assert!",
        )],
        "memory that is a graph's",
        test("antecede", "user_drops", "nothing_is_allocated_from_a_pool_in_a_capture"),
    ),
    mutation(
        "a captured stream calls host functions",
        &[edit(
            "crates/antecede/src/trusted/host_fn.rs",
            "    stream.usable()?;\n    stream.not_captured()?;\n",
            "    stream.usable()?;\n",
        )],
        "a function that runs each time a graph does, with slices of buffers that are gone",
        test("antecede", "host_functions", "a_captured_stream_is_refused"),
    ),
];
