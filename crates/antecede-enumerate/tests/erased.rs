//! What programs would do without their types, refused ones too: the calls, written out by hand.

use antecede_enumerate::Program;
use antecede_enumerate::erase::{IllFormed, Takes, erase};
use antecede_enumerate::program::{Op, Stream, Var};
use antecede_enumerate::ran::expected;
use antecede_enumerate::verdict::verdict;

use Stream::{A, B, C, J, K, Legacy};
use Var::{P, X, X0, X1, Y};

fn on(x: Stream, ops: &[Op]) -> Program {
    Program { x: Some(x), y: None, ops: ops.to_vec() }
}

/// The calls after the allocation and the first fill of `x`, and whether they race.
#[track_caller]
fn does(program: &Program, calls: &str, races: bool) {
    let all = expected(&erase(program, Takes::Made).expect("it is a program").calls);
    let first = program.x.map(|stream| format!("alloc({stream})+x fill({stream})+x ")).unwrap_or_default();
    assert_eq!(all.strip_prefix(&first), Some(calls), "{program:?}");
    assert_eq!(verdict(program, Takes::Made).map(|found| found.races), Ok(races), "{program:?}");
}

#[test]
fn a_hand_over_that_is_missing_races() {
    does(&on(A, &[Op::Write(B, X)]), "fill(B)+x free(A)+x", true);
    does(&on(A, &[Op::Take(B, X), Op::Write(B, X)]), "record(A) wait(B,1) fill(B)+x free(B)+x", false);
    // Freed on the stream that it was handed to, while another reads.
    does(
        &on(A, &[Op::Read(A, X), Op::Take(B, X), Op::Read(A, X)]),
        "launch(A)-x record(A) wait(B,1) launch(A)-x free(B)+x",
        true,
    );
}

#[test]
fn an_event_is_as_old_as_its_record() {
    let stale = [Op::Record(A, X), Op::Write(A, X), Op::Wait(B, X)];
    does(&on(A, &stale), "record(A) fill(A)+x wait(B,1) free(B)+x", true);
    let twice = [Op::Record(A, X), Op::Wait(B, X), Op::Wait(C, X)];
    does(&on(A, &twice), "record(A) wait(B,1) wait(C,1) free(C)+x", false);
}

#[test]
fn the_host_must_wait_for_the_right_stream() {
    let wrong = [Op::Take(B, P), Op::Mix(B, X, P), Op::Sync(A, P), Op::HostRead(P)];
    let calls = "copy(B)-x+p sync(A) host()-p free(A)+x";
    let program = on(A, &wrong);
    let all = expected(&erase(&program, Takes::Made).expect("it is a program").calls);
    assert_eq!(all, format!("alloc(A)+x fill(A)+x host()+p {calls}"));
    assert_eq!(verdict(&program, Takes::Made).map(|found| found.races), Ok(true));
}

#[test]
fn legacy_orders_by_its_operations_alone() {
    // Allocated and filled: the fill is such an operation.
    does(&on(Legacy, &[Op::Write(J, X), Op::Write(Legacy, X)]), "fill(J)+x fill(Legacy)+x free(Legacy)+x", false);
    // From one blocking stream to another with nothing on legacy in between.
    let free = [Op::AfterBlocking(J, X), Op::Write(K, X)];
    does(&on(J, &free), "fill(K)+x free(Legacy)+x", true);
    let taken = [Op::AfterBlocking(J, X), Op::Take(K, X), Op::Write(K, X)];
    does(&on(J, &taken), "record(Legacy) fill(K)+x free(K)+x", false);
    // It gives a non-blocking stream none.
    does(&on(A, &[Op::AfterBlocking(A, X)]), "free(Legacy)+x", true);
}

#[test]
fn readers_are_joined_and_leases_that_outlive_the_join_race() {
    let joined = [Op::Share(A, X), Op::Lease(B, X), Op::Reunite(A, X), Op::Write(A, X)];
    does(&on(A, &joined), "record(A) wait(B,1) launch(B)-x record(B) wait(A,2) fill(A)+x free(A)+x", false);
    let dropped = [Op::Share(A, X), Op::Lease(B, X)];
    does(&on(A, &dropped), "record(A) wait(B,1) launch(B)-x record(B) wait(A,2) free(A)+x", false);
    let kept = [Op::Share(A, X), Op::Hold(B, X), Op::Reunite(A, X), Op::Write(A, X), Op::Look(B, X)];
    does(&on(A, &kept), "record(A) wait(B,1) record(B) wait(A,2) fill(A)+x launch(B)-x free(A)+x", true);
    let released = [Op::Share(A, X), Op::Hold(B, X), Op::Release(X), Op::Lease(C, X), Op::Reunite(C, X)];
    does(&on(A, &released), "record(A) wait(B,1) record(B) wait(C,1) launch(C)-x wait(C,2) free(C)+x", false);
}

#[test]
fn parts_are_freed_together_after_the_last() {
    let apart = [Op::Split(), Op::Take(B, X0), Op::Write(B, X0), Op::Write(A, X1)];
    does(&on(A, &apart), "record(A) wait(B,1) fill(B)+x0 fill(A)+x1 record(B) wait(A,2) free(A)+x", false);
    let joined_too_early = [Op::Split(), Op::Take(B, X1), Op::Write(B, X1), Op::Unsplit()];
    does(&on(A, &joined_too_early), "record(A) wait(B,1) fill(B)+x1 free(A)+x", true);
}

#[test]
fn a_batch_is_one_event_for_each_stream() {
    let program = Program { x: Some(A), y: Some(B), ops: vec![Op::TakeBoth(B), Op::Mix(B, X, Y)] };
    let calls = expected(&erase(&program, Takes::Made).expect("it is a program").calls);
    assert_eq!(
        calls,
        "alloc(A)+x fill(A)+x alloc(B)+y fill(B)+y record(A) wait(B,1) launch(B)-x+y free(B)+y free(B)+x"
    );
}

#[test]
fn what_is_no_program_is_left_out() {
    let left_out = |ops: &[Op]| erase(&on(A, ops), Takes::Made).expect_err("it is no program");
    assert_eq!(left_out(&[Op::Wait(B, X)]), IllFormed::Unbound);
    assert_eq!(left_out(&[Op::Write(A, X0)]), IllFormed::Unbound);
    assert_eq!(left_out(&[Op::Drop(X), Op::Write(A, X)]), IllFormed::Dropped);
    assert_eq!(left_out(&[Op::Split(), Op::Drop(X0), Op::Unsplit()]), IllFormed::Dropped);
    assert_eq!(left_out(&[Op::Record(A, X), Op::Drop(X)]), IllFormed::Dropped);
    let moved = erase(&on(A, &[Op::Record(A, X), Op::Write(A, X)]), Takes::Made).expect("it is a program");
    assert!(moved.uses_moved);
}
