//! The documentation of a kernel's method, after the user's own.

use super::arithmetic::Int;
use super::check::Kernel;
use super::launch::{DEFAULT_BLOCK, Launch};
use super::types::ParamKind;

/// What the method does, in Markdown, one line for each `#[doc]`.
pub(super) fn lines(kernel: &Kernel) -> Vec<String> {
    let mut lines = Vec::new();
    if kernel.method.iter().any(|attr| attr.path().is_ident("doc")) {
        lines.push(String::new());
    }
    lines.push(format!(
        "Launches `{}` on `stream`, {} (`cuLaunchKernel`).",
        kernel.entry.value(),
        size(&kernel.launch)
    ));
    lines.extend(accesses(kernel));
    lines.extend([String::new(), "# Errors".to_owned(), String::new()]);
    if !kernel.contract.is_empty() {
        lines.push("Nothing is submitted unless all of this holds, in integers that do not wrap:".to_owned());
        lines.push(String::new());
        lines.extend(kernel.contract.iter().map(|clause| format!("- `{clause}`")));
        lines.push(String::new());
    }
    lines.push(
        "Nothing is submitted if the launch is larger than a device can take. With no threads there is nothing"
            .to_owned(),
    );
    lines.push("to do: nothing is submitted, and it is no error. Else an error is the driver's.".to_owned());
    lines
}

fn size(launch: &Launch) -> String {
    match launch {
        Launch::Longest => format!("a thread for each element of its longest slice, in blocks of {DEFAULT_BLOCK}"),
        Launch::Threads { threads, block, shared } => {
            format!("`{threads}` threads in blocks of `{block}`{}", bytes(shared.as_ref()))
        }
        Launch::Grid { grid, block, shared } => {
            format!("a grid of {} blocks of {} threads{}", dimensions(grid), dimensions(block), bytes(shared.as_ref()))
        }
    }
}

fn dimensions(sizes: &[Int]) -> String {
    let sizes: Vec<_> = sizes.iter().map(|size| format!("`{size}`")).collect();
    sizes.join(" by ")
}

fn bytes(shared: Option<&Int>) -> String {
    shared.map_or(String::new(), |bytes| format!(", with `{bytes}` bytes of shared memory each"))
}

fn accesses(kernel: &Kernel) -> Option<String> {
    let of = |wanted: bool| {
        let names = kernel.params.iter().filter_map(|param| match param.kind {
            ParamKind::Slice { write, .. } if write == wanted => Some(format!("`{}`", param.name)),
            _ => None,
        });
        names.collect::<Vec<_>>().join(", ")
    };
    match (of(false), of(true)) {
        (reads, writes) if reads.is_empty() && writes.is_empty() => None,
        (reads, writes) if writes.is_empty() => Some(format!("Reads {reads}.")),
        (reads, writes) if reads.is_empty() => Some(format!("Writes {writes}.")),
        (reads, writes) => Some(format!("Reads {reads}; writes {writes}.")),
    }
}
