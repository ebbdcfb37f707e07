//! A program as a user would write it.

use crate::program::{Op, Program, Stream, Var};
use std::fmt::Write;

/// How hand-overs are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Doors {
    /// Through the checked API.
    #[default]
    Checked,
    /// `take` as `take_unchecked`: the hand-over is believed, and not made. What the experiment must notice.
    TakeUnchecked,
}

/// What a file begins with: the streams and kernels that programs use.
pub const PRELUDE: &str = "\
#![allow(warnings)]
use antecede::{Device, Legacy, Result, Stream, kernels, streams};
streams! { A, B, C, J: Blocking, K: Blocking }
kernels! {
    Math {
        unsafe fn look(x: &[u32]) { let _ = x; }
        unsafe fn mix(x: &[u32], y: &mut [u32]) where [x.len() <= y.len()] { y.copy_from_slice(x); }
    }
}
";

/// Elements of a whole buffer.
pub const LEN: usize = 16;

/// One function of that name, with a line for each operation.
pub fn function(name: &str, program: &Program, doors: Doors) -> String {
    let streams: String = program.streams().into_iter().map(|stream| format!(", {}", parameter(stream))).collect();
    let mut text = format!("fn {name}(device: Device, math: &Math{streams}) -> Result<()> {{\n");
    for line in lines(program, doors) {
        // Writing to a string does not fail.
        let _ = writeln!(text, "    {line}");
    }
    text.push_str("    Ok(())\n}\n");
    text
}

/// A call of the function of that name.
pub fn call(name: &str, program: &Program) -> String {
    let streams: String = program.streams().into_iter().map(|stream| format!(", {}", lower(stream))).collect();
    format!("{name}(device, math{streams})")
}

/// The lines of a program's body.
pub fn lines(program: &Program, doors: Doors) -> Vec<String> {
    let allocate = |name: &str, start: Option<Stream>| {
        start.map(|stream| format!("let mut {name} = {}.zeroed::<u32>({LEN})?;", lower(stream)))
    };
    let pinned = || format!("let mut p = device.pinned_from(&[0u32; {LEN}])?;");
    let mut lines: Vec<String> = allocate("x", program.x).into_iter().chain(allocate("y", program.y)).collect();
    lines.extend(program.has_pinned().then(pinned));
    lines.extend(program.ops.iter().map(|&op| line(op, doors)));
    lines
}

/// One operation.
pub fn line(op: Op, doors: Doors) -> String {
    if doors == Doors::TakeUnchecked {
        match op {
            Op::Take(s, v) => {
                return format!("let mut {v} = unsafe {{ {}.take_unchecked({v}) }};", lower(s), v = v.name());
            }
            Op::TakeBoth(s) => {
                return format!("let (mut x, mut y) = unsafe {{ {}.take_unchecked((x, y)) }};", lower(s));
            }
            Op::TakeWithPinned(s) => {
                return format!("let (mut x, mut p) = unsafe {{ {}.take_unchecked((x, p)) }};", lower(s));
            }
            _ => {}
        }
    }
    let name = Var::name;
    match op {
        Op::Write(s, v) => format!("{}.fill(&mut {}, 1)?;", lower(s), name(v)),
        Op::Read(s, v) => format!("math.look({}, &{})?;", lower(s), name(v)),
        Op::Mix(s, from, to) if is_pinned(from) || is_pinned(to) => {
            format!("{}.copy(&{}, &mut {})?;", lower(s), name(from), name(to))
        }
        Op::Mix(s, from, to) => format!("math.mix({}, &{}, &mut {})?;", lower(s), name(from), name(to)),
        Op::Download(s, v) => format!("let _ = {}.download(&{})?;", lower(s), name(v)),
        Op::HostRead(v) if is_pinned(v) => format!("let _ = {}.as_slice()[0];", name(v)),
        Op::HostRead(v) => format!("let _ = {}.to_vec()?;", name(v)),
        Op::HostWrite(v) => format!("{}.as_mut_slice()[0] = 1;", name(v)),
        Op::Take(s, v) => rebind(v, &format!("{}.take({})?", lower(s), name(v))),
        Op::TakeBoth(s) => format!("let (mut x, mut y) = {}.take((x, y))?;", lower(s)),
        Op::TakeWithPinned(s) => format!("let (mut x, mut p) = {}.take((x, p))?;", lower(s)),
        Op::SyncWithPinned(s) => format!("let (mut x, mut p) = {}.sync((x, p))?;", lower(s)),
        Op::On(s, v) => rebind(v, &format!("{}.on({})", name(v), lower(s))),
        Op::Loose(v) => rebind(v, &format!("{}.loose()", name(v))),
        Op::AfterBlocking(s, v) => rebind(v, &format!("legacy.after_blocking({}, {})", lower(s), name(v))),
        Op::Sync(s, v) => rebind(v, &format!("{}.sync({})?", lower(s), name(v))),
        Op::SyncDevice(v) => rebind(v, &format!("device.sync({})?", name(v))),
        Op::SyncBoth(s) => format!("let (mut x, mut y) = {}.sync((x, y))?;", lower(s)),
        Op::SyncDeviceBoth() => "let (mut x, mut y) = device.sync((x, y))?;".to_owned(),
        Op::Record(s, v) => format!("let r{v} = {}.record({v})?;", lower(s), v = name(v)),
        Op::RecordBoth(s) => format!("let rxy = {}.record((x, y))?;", lower(s)),
        Op::Wait(s, v) => rebind(v, &format!("{}.wait(r{})?", lower(s), name(v))),
        Op::WaitBoth(s) => format!("let (mut x, mut y) = {}.wait(rxy)?;", lower(s)),
        Op::Finish(v) => rebind(v, &format!("r{}.synchronize()?", name(v))),
        Op::DropRecord(v) => format!("drop(r{});", name(v)),
        Op::Share(s, v) => format!("let s{v} = {}.share({v})?;", lower(s), v = name(v)),
        Op::Lease(s, v) => format!("math.look({s}, &{s}.lease(&s{})?)?;", name(v), s = lower(s)),
        Op::LeaseMix(s, from, to) => {
            format!("math.mix({s}, &{s}.lease(&s{})?, &mut {})?;", name(from), name(to), s = lower(s))
        }
        Op::Hold(s, v) => format!("let l{v} = {}.lease(&s{v})?;", lower(s), v = name(v)),
        Op::Look(s, v) => format!("math.look({}, &l{})?;", lower(s), name(v)),
        Op::Release(v) => format!("l{}.release()?;", name(v)),
        Op::Reunite(s, v) => rebind(v, &format!("{}.reunite(s{})?", lower(s), name(v))),
        Op::DropShared(v) => format!("drop(s{});", name(v)),
        Op::Split() => format!("let (mut x0, mut x1) = x.into_parts_at({});", LEN / 2),
        Op::Unsplit() => "let mut x = x0.unsplit(x1)?;".to_owned(),
        Op::Drop(v) => format!("drop({});", name(v)),
    }
}

fn rebind(var: Var, value: &str) -> String {
    format!("let mut {} = {value};", var.name())
}

fn is_pinned(var: Var) -> bool {
    var == Var::P
}

fn parameter(stream: Stream) -> String {
    format!("{}: Stream<{stream}>", lower(stream))
}

fn lower(stream: Stream) -> &'static str {
    match stream {
        Stream::A => "a",
        Stream::B => "b",
        Stream::C => "c",
        Stream::J => "j",
        Stream::K => "k",
        Stream::Legacy => "legacy",
    }
}
