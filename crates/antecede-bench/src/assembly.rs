//! The compiler's assembly of the library and of the operations, and what can be reached in it.
//!
//! From a function's first instruction, jumps and calls are followed. Landing pads are left out by that: no jump leads
//! there. So is what stands in a section for unlikely code (`#[cold]` functions). A call through a pointer, which is what a
//! call of the driver is, ends the path.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Assembly of several crates, by function.
#[derive(Debug, Default)]
pub struct Program {
    functions: BTreeMap<String, Function>,
}

#[derive(Debug, Default)]
struct Function {
    unlikely: bool,
    lines: Vec<String>,
}

/// What is reached from a function.
#[derive(Debug, Default)]
pub struct Reached {
    /// Instructions, each with the path of the function that it is in.
    pub instructions: BTreeSet<(String, String)>,
    /// Paths of the functions that are reached, or would be if they were in the program; the unlikely ones left out.
    pub functions: BTreeSet<String>,
    /// Places in a table of methods that are called.
    pub methods: BTreeSet<String>,
}

/// Compiles the library and this crate's operations to assembly, in a target directory of its own.
///
/// # Errors
/// In words, if cargo fails.
pub fn compile() -> Result<Program, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let target = root.join("target/assembly");
    let output = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--release", "--lib", "--package", "antecede-bench"])
        .current_dir(&root)
        .env("CARGO_TARGET_DIR", &target)
        .env("CARGO_PROFILE_RELEASE_DEBUG", "false")
        .env("CARGO_ENCODED_RUSTFLAGS", "--emit\u{1f}asm\u{1f}-Ccodegen-units=1")
        .output()
        .map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let mut program = Program::default();
    for name in ["antecede", "antecede_bench"] {
        let file = newest(&target.join("release/deps"), name)?;
        program.add(&std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?);
    }
    Ok(program)
}

/// The newest `name-<hash>.s`: an older one is of an earlier compiler.
fn newest(folder: &Path, name: &str) -> Result<PathBuf, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let files = entries.flatten().map(|entry| entry.path()).filter(|path| {
        let stem = path.file_stem().and_then(|stem| stem.to_str()).and_then(|stem| stem.strip_prefix(name));
        path.extension().is_some_and(|extension| extension == "s") && stem.is_some_and(|hash| hash.starts_with('-'))
    });
    let newest = files.max_by_key(|path| path.metadata().and_then(|metadata| metadata.modified()).ok());
    newest.ok_or_else(|| format!("no assembly of `{name}` in {}", folder.display()))
}

impl Program {
    /// Adds the functions of one file, in the syntax that `rustc` writes for x86-64 Linux.
    pub fn add(&mut self, text: &str) {
        let mut unlikely = false;
        let mut current: Option<String> = None;
        for line in text.lines() {
            if let Some(section) = line.trim_start().strip_prefix(".section") {
                unlikely = section.contains(".text.unlikely.");
            } else if line.trim_start().starts_with(".text") {
                unlikely = false;
            }
            let label = line.strip_suffix(':').filter(|label| !label.starts_with(char::is_whitespace));
            match label.map(|label| label.trim_matches('"')) {
                Some(label) if label.starts_with(".Lfunc_end") => current = None,
                Some(label) if !label.starts_with('.') => {
                    self.functions.insert(label.to_owned(), Function { unlikely, lines: Vec::new() });
                    current = Some(label.to_owned());
                }
                _ => {}
            }
            let directive = line.trim_start().starts_with('.') && label.is_none();
            // Further names of one function have no lines of their own.
            if let Some(function) = current.as_ref().and_then(|name| self.functions.get_mut(name))
                && !directive
                && !(label.is_some() && function.lines.is_empty())
            {
                function.lines.push(line.trim().to_owned());
            }
        }
    }

    /// What is reached from the functions whose path, without a hash, ends so.
    ///
    /// # Errors
    /// In words, if there is none.
    pub fn reached(&self, path: &str) -> Result<Reached, String> {
        self.reached_but(path, &[])
    }

    /// The same, without looking into functions whose path ends with one of `but`.
    ///
    /// # Errors
    /// In words, if there is none.
    pub fn reached_but(&self, path: &str, but: &[&str]) -> Result<Reached, String> {
        let mut open: Vec<&str> = self.named(path)?;
        let mut seen: BTreeSet<&str> = open.iter().copied().collect();
        let mut reached = Reached::default();
        while let Some(name) = open.pop() {
            let path = demangled(name);
            reached.functions.insert(path.clone());
            let Some(function) = self.functions.get(name) else { continue };
            if but.iter().any(|but| path.ends_with(but)) {
                continue;
            }
            for line in function.straight_lines() {
                reached.instructions.insert((path.clone(), line.to_owned()));
                reached.methods.extend(method(line));
                for other in symbols(line) {
                    let unlikely = self.functions.get(other).is_some_and(|function| function.unlikely);
                    if !unlikely && seen.insert(other) {
                        open.push(other);
                    }
                }
            }
        }
        Ok(reached)
    }

    /// The instructions of the functions whose path ends so, for reading: with paths for symbols.
    ///
    /// # Errors
    /// In words, if there is none.
    pub fn listing(&self, path: &str) -> Result<String, String> {
        let mut text = String::new();
        for name in self.named(path)? {
            let Some(function) = self.functions.get(name) else { continue };
            text += &format!("{}:\n", demangled(name));
            for line in function.straight_lines() {
                let line = symbols(line).fold(line.to_owned(), |line, symbol| line.replace(symbol, &demangled(symbol)));
                let indent = if line.ends_with(':') { "" } else { "    " };
                text += &format!("{indent}{}\n", line.replace('"', "").replace('\t', " "));
            }
        }
        Ok(text)
    }

    fn named(&self, path: &str) -> Result<Vec<&str>, String> {
        let is = |name: &&str| {
            demangled(name).strip_suffix(path).is_some_and(|before| before.is_empty() || before.ends_with("::"))
        };
        let named: Vec<&str> = self.functions.keys().map(String::as_str).filter(is).collect();
        if named.is_empty() { Err(format!("no function `{path}`")) } else { Ok(named) }
    }
}

impl Function {
    /// The lines that are reached from the first one by going on and by jumping within the function.
    fn straight_lines(&self) -> Vec<&str> {
        let places: BTreeMap<&str, usize> =
            self.lines.iter().enumerate().filter_map(|(at, line)| Some((line.strip_suffix(':')?, at))).collect();
        let jumps = self.lines.iter().any(|line| line.starts_with("jmpq\t*%"));
        let mut reached = vec![false; self.lines.len()];
        // A jump through a table may lead to any place that begins a block.
        let mut open: Vec<usize> = if jumps { places.values().copied().collect() } else { Vec::new() };
        open.push(0);
        while let Some(start) = open.pop() {
            for (line, reached) in self.lines.iter().zip(&mut reached).skip(start) {
                if std::mem::replace(reached, true) {
                    break;
                }
                let operation = line.split_whitespace().next().unwrap_or("");
                if operation.starts_with('j') {
                    open.extend(line.split_whitespace().nth(1).and_then(|target| places.get(target)));
                }
                if operation.starts_with("jmp") || operation.starts_with("ret") || operation == "ud2" {
                    break;
                }
            }
        }
        self.lines.iter().zip(reached).filter(|(_, reached)| *reached).map(|(line, _)| line.as_str()).collect()
    }
}

/// The place in a table of methods that an instruction calls: `callq *136(%rax)`.
fn method(line: &str) -> Option<String> {
    let target = line.strip_prefix("callq\t*").or_else(|| line.strip_prefix("jmpq\t*"))?;
    (target.contains('(') && !target.contains("%rip")).then(|| target.to_owned())
}

/// The functions that an instruction names: those that it calls, and those whose address it takes.
fn symbols(line: &str) -> impl Iterator<Item = &str> {
    let operands = line.split_whitespace().skip(1);
    let words = operands.flat_map(|operands| operands.split(['*', '(', ')', ',', '"', '+', '-', '@']));
    words.filter(|word| ["_", "mem", "malloc", "pthread"].iter().any(|start| word.starts_with(start)))
}

/// The path of a symbol, without its hash; the symbol itself if it is of another kind.
pub fn demangled(symbol: &str) -> String {
    let Some(mut rest) = symbol.strip_prefix("_ZN") else { return symbol.to_owned() };
    let mut parts = Vec::new();
    while let Some(end) = rest.find(|c: char| !c.is_ascii_digit()).filter(|end| *end > 0) {
        let length: usize = rest[..end].parse().unwrap_or(0);
        let Some(part) = rest.get(end..end + length) else { break };
        parts.push(part);
        rest = &rest[end + length..];
    }
    let is_hash = |part: &&str| part.len() == 17 && part.starts_with('h');
    parts.pop_if(|part| is_hash(&&**part));
    let plain = parts.join("::");
    [
        ("$LT$", "<"),
        ("$GT$", ">"),
        ("$u20$", " "),
        ("$u5b$", "["),
        ("$u5d$", "]"),
        ("$u3b$", ";"),
        ("$C$", ", "),
        ("..", "::"),
        ("$RF$", "&"),
    ]
    .iter()
    .fold(plain, |path, (coded, text)| path.replace(coded, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
\t.section\t.text._ZN1a3one17h0123456789abcdefE,\"ax\",@progbits
_ZN1a3one17h0123456789abcdefE:
\t.cfi_startproc
\ttestb\t%al, %al
\tjne\t.LBB0_2
\tcallq\t*_ZN1a3two17h0123456789abcdefE@GOTPCREL(%rip)
\tcallq\t*136(%rax)
\tretq
.LBB0_2:
\tcallq\t_ZN1a6seldom17h0123456789abcdefE
\tretq
.LBB0_3:
\tlock\t\tincq\t(%rax)
\tjmp\t_Unwind_Resume@PLT
.Lfunc_end0:
\t.section\t\".text._ZN1a3two17h0123456789abcdefE\",\"ax\",@progbits
_ZN1a3two17h0123456789abcdefE:
\tjmpq\t*_RNvCs0_7___rustc12___rust_alloc@GOTPCREL(%rip)
.Lfunc_end1:
\t.section\t.text.unlikely._ZN1a6seldom17h0123456789abcdefE,\"ax\",@progbits
_ZN1a6seldom17h0123456789abcdefE:
\tlock\t\tdecq\t(%rax)
\tretq
.Lfunc_end2:
";

    #[test]
    fn calls_and_jumps_are_followed_and_landing_pads_and_unlikely_code_are_not() {
        let mut program = Program::default();
        program.add(TEXT);
        let reached = program.reached("one").expect("it is there");
        let functions: Vec<&str> = reached.functions.iter().map(String::as_str).collect();
        assert_eq!(functions, ["_RNvCs0_7___rustc12___rust_alloc", "a::one", "a::two"]);
        assert_eq!(reached.methods.iter().map(String::as_str).collect::<Vec<_>>(), ["136(%rax)"]);
        assert!(!reached.instructions.iter().any(|(_, line)| line.starts_with("lock")));
        let seldom = program.reached("seldom").expect("it is there");
        assert!(seldom.instructions.iter().any(|(_, line)| line.starts_with("lock")));
        assert!(program.reached("three").is_err());
    }
}
