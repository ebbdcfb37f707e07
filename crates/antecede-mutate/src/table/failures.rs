//! The ends of scopes, failed waits, host functions, doors, sizes.

use crate::{Mutation, edit, mutation, test};

const BUFFER: &str = "crates/antecede/src/trusted/buffer.rs";
const COPIES: &str = "crates/antecede/src/trusted/copies.rs";
const DEVICE: &str = "crates/antecede/src/trusted/device.rs";
const HOST_FN: &str = "crates/antecede/src/trusted/host_fn.rs";
const RAW: &str = "crates/antecede/src/trusted/raw.rs";
const SCOPE: &str = "crates/antecede/src/trusted/scope.rs";

pub(super) const TABLE: &[Mutation] = &[
    mutation(
        "a scope ends without a sync",
        &[edit(SCOPE, "        core.sync()?;\n", "")],
        "streams and memory destroyed under work in flight",
        test("antecede-tests", "attacks", "scope_end::forgotten_values_are_drained_before_the_streams_go"),
    ),
    mutation(
        "a scope ends after a sync that failed",
        &[edit(SCOPE, "        core.sync()?;\n", "        let _ = core.sync();\n")],
        "the same after an error",
        test("antecede-tests", "attacks", "scope_end::a_failed_last_wait_destroys_nothing"),
    ),
    mutation(
        "a poisoned device is closed",
        &[edit(SCOPE, "        core.usable()?;\n        // Every stream", "        // Every stream")],
        "memory freed of which nobody knows when its work is over",
        test("antecede-tests", "attacks", "scope_end::a_poisoned_device_is_left_as_it_is"),
    ),
    mutation(
        "a scope that unwinds is not closed",
        &[edit(
            SCOPE,
            "        let _ = unsafe { close(std::mem::take(&mut self.devices)) };\n",
            "        std::mem::take(&mut self.devices).into_iter().for_each(std::mem::forget);\n",
        )],
        "work that goes on after the scope, with what its locals have freed",
        test("antecede-tests", "attacks", "scope_end::a_panic_in_a_scope_drains_and_closes_it"),
    ),
    mutation(
        "a poisoned device goes on",
        &[edit(
            DEVICE,
            "        if self.is_poisoned() { Err(Error::Poisoned { ordinal: self.context.ordinal }) } else { Ok(()) }\n",
            "        Ok(())\n",
        )],
        "a write of a buffer that a copy is still reading",
        test("antecede-tests", "attacks", "blocking_copies::a_failed_to_vec_stops_everything_that_could_write"),
    ),
    mutation(
        "poison is not shared",
        &[edit(
            SCOPE,
            "DeviceCore::open(driver.clone(), ordinal, group.clone())?",
            "DeviceCore::open(driver.clone(), ordinal, Arc::default())?",
        )],
        "another device freeing memory that one works on",
        test("antecede", "devices", "poison_is_shared"),
    ),
    mutation(
        "a wait that failed does not poison",
        &[edit(COPIES, "        stream.device.poison();\n", "")],
        "the same as for a poisoned device that goes on",
        test("antecede-tests", "attacks", "blocking_copies::a_failed_to_vec_stops_everything_that_could_write"),
    ),
    mutation(
        "a copy returns before it is over",
        &[edit(COPIES, "    if let Err(error) = stream.drain() {\n", "    if let Err(error) = stream.usable() {\n")],
        "the next copy's bytes in the staging memory of this one",
        test("antecede", "first_use", "data_goes_through_two_streams"),
    ),
    mutation(
        "a copy that reported a failure is not waited for",
        &[edit(
            COPIES,
            "    if let Err(error) = stream.drain() {\n",
            "    if copied.is_err() {\n        staging.finish();\n        return Ok(copied?);\n    }\n    if let Err(error) = stream.drain() {\n",
        )],
        "the same after an error",
        test("antecede-tests", "attacks", "blocking_copies::a_copy_that_reports_a_failure_is_waited_for"),
    ),
    mutation(
        "a host function stays queued after an error",
        &[edit(HOST_FN, "    if submitted.is_err() {\n", "    if submitted.is_err() && submitted.is_ok() {\n")],
        "a function that runs on buffers which have come back",
        test(
            "antecede",
            "host_functions",
            "a_failed_submission_gives_the_buffers_back_and_the_function_is_not_called_twice",
        ),
    ),
    mutation(
        "a host function calls the driver",
        &[edit(HOST_FN, "    if is_inside() { Err(Error::InHostFunction) } else { Ok(()) }\n", "    Ok(())\n")],
        "a call that CUDA does not allow there, and that waits for itself",
        test("antecede", "inside_host_functions", "every_call_is_refused"),
    ),
    mutation(
        "a buffer is dropped in a host function like anywhere",
        &[edit(
            BUFFER,
            "    if host_fn::is_inside() {\n        return stream.device.leak();\n    }\n    let stream = if in_flight",
            "    let stream = if in_flight",
        )],
        "a lock waited for that is held by who waits for the function",
        test("antecede", "inside_host_functions", "what_is_dropped_inside_is_leaked_and_counted"),
    ),
    mutation(
        "a panic of a host function unwinds",
        &[edit(
            HOST_FN,
            "        let outcome = catch_unwind(AssertUnwindSafe(|| f(unsafe { P::slices(lent) })));\n",
            "        let outcome = Ok::<_, Box<dyn Any + Send>>(f(unsafe { P::slices(lent) }));\n",
        )],
        "an unwinding through the driver",
        test("antecede", "host_functions", "a_panic_is_reported_once_by_the_next_wait_and_the_buffers_come_back"),
    ),
    mutation(
        "a part is given away",
        &[edit(RAW, "        if self.is_part() {\n", "        if self.is_part() && self.len() == 0 {\n")],
        "a free of what the other parts own",
        test("antecede", "raw_doors", "a_part_is_not_given_away"),
    ),
    mutation(
        "a buffer that was given away is dropped",
        &[edit(RAW, "        std::mem::forget(self);\n", "        drop(self);\n")],
        "memory freed twice",
        test("antecede", "raw_doors", "a_buffer_given_away_and_taken_back_makes_no_call_and_is_freed_once"),
    ),
    mutation(
        "sizes wrap",
        &[edit(
            BUFFER,
            "    len.checked_mul(size_of::<T>()).filter",
            "    Some(len.wrapping_mul(size_of::<T>())).filter",
        )],
        "a buffer of more elements than its memory has",
        test("antecede-tests", "attacks", "sizes::sizes_that_overflow_ask_for_nothing"),
    ),
    mutation(
        "a view's range may end outside",
        &[edit(
            "crates/antecede/src/trusted/view.rs",
            "(start <= end && end <= $len).then_some(start..end)",
            "(start <= end || end <= $len).then_some(start..end)",
        )],
        "an access beyond the buffer",
        test("antecede-tests", "scenarios", "views::on_sim::ranges_that_do_not_lie_inside"),
    ),
    mutation(
        "a view is split outside",
        &[
            edit(
                "crates/antecede/src/trusted/view.rs",
                "        assert!(mid <= len, \"cannot split {len} elements at {mid}\");\n",
                "",
            ),
            edit(
                "crates/antecede/src/trusted/view.rs",
                "View::at_mut(self.element(mid), len - mid)",
                "View::at_mut(self.element(mid), len.saturating_sub(mid))",
            ),
        ],
        "the same",
        test("antecede-tests", "scenarios", "views::on_sim::ranges_that_do_not_lie_inside"),
    ),
    mutation(
        "lengths may differ",
        &[edit(
            "crates/antecede/src/trusted/stream.rs",
            "    if expected == found { Ok(()) } else",
            "    if expected == found || expected != found { Ok(()) } else",
        )],
        "a copy beyond the shorter buffer",
        test("antecede-tests", "counts", "nothing::refused_operations_submit_nothing"),
    ),
];
