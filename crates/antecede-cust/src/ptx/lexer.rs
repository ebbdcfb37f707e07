//! PTX text as a sequence of words and marks.

/// One lexical element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'p> {
    /// A word that starts with a dot: `.entry`, `.param`, `.u64`.
    Directive(&'p str),
    /// Any other word or number: `saxpy`, `%r1`, `0x10`.
    Word(&'p str),
    /// One character of punctuation.
    Mark(char),
}

/// The tokens of a PTX text, without comments, strings and preprocessor lines.
#[derive(Clone, Debug)]
pub(super) struct Tokens<'p> {
    rest: &'p str,
}

impl<'p> Tokens<'p> {
    pub(super) fn new(ptx: &'p str) -> Self {
        Tokens { rest: ptx }
    }

    /// Drops white space, comments, strings (in which braces mean nothing) and lines of the preprocessor. What is left
    /// open to the end of the text takes the rest with it.
    fn skip_silent(&mut self) {
        loop {
            let text = self.rest.trim_start();
            self.rest = if text.starts_with("//") || text.starts_with('#') {
                after(text, "\n")
            } else if let Some(comment) = text.strip_prefix("/*") {
                after(comment, "*/")
            } else if let Some(string) = text.strip_prefix('"') {
                after_string(string)
            } else {
                self.rest = text;
                return;
            };
        }
    }
}

impl<'p> Iterator for Tokens<'p> {
    type Item = Token<'p>;

    fn next(&mut self) -> Option<Token<'p>> {
        self.skip_silent();
        let first = self.rest.chars().next()?;
        let directive = first == '.';
        // A word ends at the next dot: `.global.u32` is two directives.
        let tail = &self.rest[first.len_utf8()..];
        let tail_len = tail.find(|c| !follows(c)).unwrap_or(tail.len());
        let word = directive && tail_len > 0 || follows(first) || first == '%';
        let len = first.len_utf8() + if word { tail_len } else { 0 };
        let (token, rest) = self.rest.split_at(len);
        self.rest = rest;
        Some(match (word, directive) {
            (true, true) => Token::Directive(token),
            (true, false) => Token::Word(token),
            (false, _) => Token::Mark(first),
        })
    }
}

/// The characters that words are made of (PTX ISA, identifiers).
fn follows(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$'
}

fn after<'t>(text: &'t str, end: &str) -> &'t str {
    text.split_once(end).map_or("", |(_, rest)| rest)
}

fn after_string(text: &str) -> &str {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return &text[at + 1..],
            _ => {}
        }
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::Token::{Directive, Mark, Word};
    use super::*;

    fn tokens(ptx: &str) -> Vec<Token<'_>> {
        Tokens::new(ptx).collect()
    }

    #[test]
    fn words_directives_and_marks() {
        assert_eq!(
            tokens(".reg.b32 %r<9>; $L_1:"),
            [
                Directive(".reg"),
                Directive(".b32"),
                Word("%r"),
                Mark('<'),
                Word("9"),
                Mark('>'),
                Mark(';'),
                Word("$L_1"),
                Mark(':'),
            ]
        );
    }

    #[test]
    fn comments_strings_and_preprocessor_lines_are_silent() {
        let ptx = "// {\n/* .entry\n x */ a \"}\\\"{\" b\n#line 3 {\n c";
        assert_eq!(tokens(ptx), [Word("a"), Word("b"), Word("c")]);
    }

    #[test]
    fn what_is_left_open_ends_the_text() {
        assert_eq!(tokens("a /* b"), [Word("a")]);
        assert_eq!(tokens("a \"b\\"), [Word("a")]);
        assert_eq!(tokens("a // b"), [Word("a")]);
    }

    #[test]
    fn text_outside_ascii_is_marks() {
        assert_eq!(tokens("é.x"), [Mark('é'), Directive(".x")]);
        assert_eq!(tokens(". é"), [Mark('.'), Mark('é')]);
    }
}
