//! The README and the book: every page is a doctest, is in the table of contents, and shows errors as rustc prints them.
//!
//! A refused program stands on its page as a block ```` ```rust,compile_fail ````, and what rustc says of it in the
//! block after it. `TRYBUILD=overwrite cargo test -p antecede --test book` writes those texts anew.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A refused program on a page.
struct Refused {
    page: PathBuf,
    program: String,
    /// Where on the page the error's text is.
    text: Range<usize>,
}

/// A block of a page: what stands after its opening fence, and where its lines are.
struct Block {
    info: String,
    lines: Range<usize>,
}

/// As programs are called in the error texts.
const PROGRAM: &str = "--> src/main.rs";
/// As the files of the library are called in the error texts, and as they are compiled.
const LIBRARIES: [(&str, &str); 2] =
    [("--> antecede/src/", "--> src/"), ("--> antecede-ipc/src/", "--> $WORKSPACE/crates/antecede-ipc/src/")];

#[test]
fn refused_programs_print_the_text_that_the_book_shows() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("book");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let refused: Vec<Refused> = pages().into_iter().flat_map(refused_on).collect();
    assert!(!refused.is_empty());
    let mut cases = Vec::new();
    for (number, case) in refused.iter().enumerate() {
        let page = case.page.file_stem().unwrap().to_str().unwrap();
        let program = folder.join(format!("{page}-{number}.rs"));
        let text = read(&case.page)[case.text.clone()].replace(PROGRAM, &format!("--> {}", program.display()));
        fs::write(&program, &case.program).unwrap();
        let text = LIBRARIES.iter().fold(text, |text, (shown, compiled)| text.replace(shown, compiled));
        fs::write(program.with_extension("stderr"), text).unwrap();
        cases.push(program);
    }
    trybuild::TestCases::new().compile_fail(folder.join("*.rs"));
    // They differ only if they were to be overwritten. Backwards: a text of another length moves what stands after it.
    for (case, program) in refused.iter().zip(&cases).rev() {
        let text = read(&program.with_extension("stderr"));
        let text = LIBRARIES.iter().fold(text, |text, (shown, compiled)| text.replace(compiled, shown));
        let text = text.replace(&format!("--> {}", program.display()), PROGRAM);
        let mut page = read(&case.page);
        if page[case.text.clone()] != text {
            page.replace_range(case.text.clone(), &text);
            fs::write(&case.page, page).unwrap();
        }
    }
}

#[test]
fn every_page_is_a_doctest_and_in_the_table_of_contents() {
    let crate_root = read(&root().join("crates/antecede/src/lib.rs"));
    let contents = read(&root().join("docs/src/SUMMARY.md"));
    for page in pages() {
        let path = page.strip_prefix(root()).unwrap().to_str().unwrap();
        assert!(
            crate_root.contains(&format!("include_str!(\"../../../{path}\")")),
            "{path} is no doctest of the crate"
        );
        if let Some(name) = path.strip_prefix("docs/src/") {
            assert!(contents.contains(&format!("({name})")), "{name} is not in SUMMARY.md");
        }
    }
}

#[test]
fn links_lead_somewhere() {
    for page in pages().into_iter().chain([root().join("docs/src/SUMMARY.md")]) {
        let markdown = read(&page);
        for link in markdown.split("](").skip(1).map(|rest| rest.split(')').next().unwrap()) {
            let (path, anchor) = link.split_once('#').map_or((link, None), |(path, anchor)| (path, Some(anchor)));
            if path.starts_with("https://") {
                continue;
            }
            let target = if path.is_empty() { page.clone() } else { page.with_file_name(path) };
            assert!(target.exists(), "{}: there is no {path}", page.display());
            if let Some(anchor) = anchor {
                let found = read(&target).lines().filter(|line| line.starts_with('#')).any(|line| slug(line) == anchor);
                assert!(found, "{}: {path} has no heading {anchor}", page.display());
            }
        }
    }
}

/// The anchor of a heading.
fn slug(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
    text.chars().filter(|c| c.is_alphanumeric() || *c == '-' || *c == '_').collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_path_buf()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The README and the pages of the book.
fn pages() -> Vec<PathBuf> {
    let book = fs::read_dir(root().join("docs/src")).unwrap().map(|entry| entry.unwrap().path());
    let mut pages: Vec<_> = book.filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect();
    pages.retain(|path| !path.ends_with("SUMMARY.md"));
    pages.push(root().join("README.md"));
    pages.sort();
    pages
}

/// The refused programs of a page, in order.
fn refused_on(page: PathBuf) -> Vec<Refused> {
    let markdown = read(&page);
    let blocks = blocks(&markdown);
    let programs = blocks.iter().enumerate().filter(|(_, block)| block.info.starts_with("rust,compile_fail"));
    let refused = programs.map(|(number, block)| {
        let text = blocks.get(number + 1).filter(|next| next.info == "text");
        let text = text.unwrap_or_else(|| panic!("{}: no error text after a refused program", page.display()));
        let lines = markdown[block.lines.clone()].lines().map(|line| line.strip_prefix("# ").unwrap_or(line));
        let program = lines.map(|line| format!("{line}\n")).collect();
        Refused { page: page.clone(), program, text: text.lines.clone() }
    });
    refused.collect()
}

/// The fenced blocks of a page, in order.
fn blocks(markdown: &str) -> Vec<Block> {
    let (mut blocks, mut open, mut start) = (Vec::new(), None, 0);
    for line in markdown.split_inclusive('\n') {
        let end = start + line.len();
        if let Some(info) = line.trim_end().strip_prefix("```") {
            match open.take() {
                None => open = Some(Block { info: info.to_owned(), lines: end..end }),
                Some(Block { info, lines }) => blocks.push(Block { info, lines: lines.start..start }),
            }
        }
        start = end;
    }
    blocks
}
