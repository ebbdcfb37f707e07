//! Driver calls and checks that free: in stream order, by a cache, by parts.

use crate::{Mutation, edit, mutation, test};

const BUFFER: &str = "crates/antecede/src/trusted/buffer.rs";
const CACHE: &str = "crates/antecede/src/trusted/cache.rs";
const MEMORY: &str = "crates/antecede/src/memory.rs";
const PARTS: &str = "crates/antecede/src/trusted/parts.rs";

const LAST_OF: &str = "the_allocation_is_freed_once_after_the_last_use_in_any_order";

pub(super) const TABLE: &[Mutation] = &[
    mutation(
        "a buffer is freed on another stream",
        &[edit(
            CACHE,
            "        home.usable()?;\n        home.not_captured()?;\n        // SAFETY: (1, 7) the stream lives as long as the device, and this is its thread. (4) the buffer owned the memory\n",
            "        let home = home.device.stream_of_its_own()?;\n        home.usable()?;\n        // SAFETY: (1, 7) the stream lives as long as the device, and this is its thread. (4) the buffer owned the memory\n",
        )],
        "memory that is somebody else's while a stream still uses it",
        test("antecede-tests", "cases", "drops::what_moved_to_another_stream_is_freed_there"),
    ),
    mutation(
        "a captured stream frees",
        &[edit(
            CACHE,
            "        home.usable()?;\n        home.not_captured()?;\n        // SAFETY: (1, 7) the stream lives as long as the device, and this is its thread. (4) the buffer owned the memory\n",
            "        home.usable()?;\n        // SAFETY: (1, 7) the stream lives as long as the device, and this is its thread. (4) the buffer owned the memory\n",
        )],
        "a free that never happens, or happens each time a graph runs",
        test("antecede", "per_thread", "what_is_dropped_in_a_capture_is_leaked_and_counted"),
    ),
    mutation(
        "a handed-over buffer remembers its old stream",
        &[edit(
            "crates/antecede/src/trusted/home.rs",
            "            (Some(home), Some(stream)) => Some(home.on(stream)),\n",
            "            (Some(home), Some(_)) => Some(home),\n",
        )],
        "a free beside the last use",
        test("antecede-tests", "cases", "drops::what_moved_to_another_stream_is_freed_there"),
    ),
    mutation(
        "a cached block counts as idle",
        &[edit(
            CACHE,
            "            Some(event) => event.has_passed().unwrap_or(false),\n",
            "            Some(event) => event.has_passed().is_ok(),\n",
        )],
        "pinned memory written by the host while a copy reads it",
        test("antecede", "memory_kinds", "a_cached_block_is_used_again_when_it_is_idle"),
    ),
    mutation(
        "a query that failed counts as passed",
        &[edit(CACHE, "event.has_passed().unwrap_or(false)", "event.has_passed().unwrap_or(true)")],
        "the same after an error",
        test("antecede-tests", "attacks", "cache::a_failed_query_is_no_permission"),
    ),
    mutation(
        "memory in flight goes into the cache without an event",
        &[edit(
            CACHE,
            "            true => self.home.as_home(PooledEvent::recorded).map(Some),\n",
            "            true => device.usable().map(|()| None),\n",
        )],
        "the same",
        test("antecede-tests", "attacks", "cache::memory_in_flight_is_not_reused"),
    ),
    mutation(
        "memory whose event failed goes into the cache",
        &[edit(
            CACHE,
            "        let Ok(idle_after) = idle_after else {\n            // Nothing tells when the work on it is over.\n            return device.leak();\n        };\n",
            "        let idle_after = idle_after.unwrap_or(None);\n",
        )],
        "the same after an error",
        test("antecede-tests", "attacks", "cache::a_failed_record_leaks_the_memory"),
    ),
    mutation(
        "one cache for all kinds of memory",
        &[edit(
            CACHE,
            "entry((space, size_class(self.bytes)))",
            "entry((if size_class(self.bytes) == 0 { space } else { Space::PinnedMemory }, size_class(self.bytes)))",
        )],
        "managed memory where pinned was asked for",
        test("antecede", "memory_kinds", "pinned_and_managed_blocks_are_kept_apart"),
    ),
    mutation(
        "pinned memory is freed in stream order",
        &[edit(
            MEMORY,
            "        Pinned: true, |freed| freed.into_cache(Space::PinnedMemory);\n",
            "        Pinned: true, |freed| freed.in_stream_order();\n",
        )],
        "a free by a call that is not the sibling of the allocation",
        test("antecede-tests", "scenarios", "pinned::on_sim::dropped_in_flight_and_allocated_again"),
    ),
    mutation(
        "a pool's host memory goes into the cache",
        &[edit(
            MEMORY,
            "        Pooled<Pinned>: true, |freed| freed.in_stream_order();\n",
            "        Pooled<Pinned>: true, |freed| freed.into_cache(Space::PinnedMemory);\n",
        )],
        "the same the other way",
        test("antecede", "pools", "host_memory_from_a_pool_is_freed_in_stream_order"),
    ),
    mutation(
        "managed memory where the host may not touch it",
        &[edit(
            "crates/antecede/src/trusted/managed.rs",
            "        if concurrent {\n",
            "        if concurrent || !concurrent {\n",
        )],
        "a host slice that faults as soon as the device works",
        test("antecede", "memory_kinds", "where_the_host_may_not_touch_it_there_is_none"),
    ),
    mutation(
        "a dropped part leaves no event",
        &[edit(PARTS, "                parent.note_end(part.home);\n", "")],
        "a whole freed beside the use of a part",
        test("antecede", "parts", LAST_OF),
    ),
    mutation(
        "the last part waits for no other",
        &[edit(PARTS, "                stream.wait(event.event())?;\n", "                let _ = event;\n")],
        "the same",
        test("antecede", "parts", LAST_OF),
    ),
    mutation(
        "one part less is counted",
        &[edit(PARTS, "Parent { bytes, parts: 2, ended", "Parent { bytes, parts: 1, ended")],
        "a whole freed with the first part",
        test("antecede", "parts", LAST_OF),
    ),
    mutation(
        "a whole counts as idle when its last part is",
        &[edit(PARTS, "in_flight: part.in_flight || waited, ..part", "in_flight: part.in_flight && waited, ..part")],
        "pinned memory used again while a stream works on what was a part",
        test("antecede", "parts", "the_last_part_may_be_with_the_host_while_others_were_in_flight"),
    ),
    mutation(
        "a part whose end is not known is forgotten",
        &[edit(PARTS, "            Ok(waited) if !parent.lost => {\n", "            Ok(waited) => {\n")],
        "a whole freed beside the use of a part, after an error",
        test("antecede", "parts", "a_part_whose_end_cannot_be_recorded_leaks_the_whole"),
    ),
    mutation(
        "neighbours of two allocations join",
        &[edit(
            PARTS,
            "        if parent_of(&mut parents, left).0 != parent_of(&mut parents, right).0 {\n",
            "        if parent_of(&mut parents, left).0 > parent_of(&mut parents, right).0 {\n",
        )],
        "one buffer over two allocations, one of which is never freed",
        test("antecede", "", "trusted::parts::tests::neighbours_of_two_parents_do_not_join"),
    ),
    mutation(
        "parts that are no neighbours join",
        &[edit(BUFFER, "if !(adjacent && parts && here", "if !((adjacent || !adjacent) && parts && here")],
        "a buffer that covers what another owns",
        test("antecede", "parts", "only_neighbours_of_one_parent_join"),
    ),
    mutation(
        "loose parts of two streams join",
        &[edit(
            BUFFER,
            "        if St::IN_FLIGHT && here.id() != there.id() {\n",
            "        if !St::IN_FLIGHT && here.id() != there.id() {\n",
        )],
        "a buffer half of which is on another stream than it remembers",
        test("antecede", "parts", "only_neighbours_of_one_parent_join"),
    ),
];
