//! Finds the kernels of a PTX text, with the size of each parameter.
//!
//! The driver loads a function by name alone, and copies as many bytes for each parameter as the *PTX* says. A wrong
//! declaration would have it read past a value, or take a pointer for a number. So the two are compared before
//! anything is loaded. Only what the comparison needs is read: the heads of entries, outside any braces.

mod lexer;

use std::fmt;

use lexer::{Token, Tokens};

/// A kernel that a PTX text defines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Entry<'p> {
    /// The name after `.entry`.
    pub(crate) name: &'p str,
    /// Bytes of each parameter, in order.
    pub(crate) params: Vec<usize>,
}

/// Why a PTX text cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PtxError {
    /// The entry whose head is at fault; empty when that is its very name.
    entry: Box<str>,
    found: Box<str>,
    expected: &'static str,
}

impl fmt::Display for PtxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PtxError { entry, found, expected } = self;
        write!(f, "the head of `.entry {entry}` cannot be read: {found} where {expected} was expected")
    }
}

impl std::error::Error for PtxError {}

/// The entries that the text defines, in their order. A prototype without a body is none.
pub(crate) fn entries(ptx: &str) -> Result<Vec<Entry<'_>>, PtxError> {
    let mut head = Head { tokens: Tokens::new(ptx), entry: "" };
    let mut found = Vec::new();
    let mut depth = 0usize;
    while let Some(token) = head.tokens.next() {
        match token {
            Token::Mark('{') => depth += 1,
            Token::Mark('}') => depth = depth.saturating_sub(1),
            Token::Directive(".entry") if depth == 0 => {
                let entry = head.entry()?;
                if head.has_body()? {
                    depth = 1;
                    found.push(entry);
                }
            }
            _ => {}
        }
    }
    Ok(found)
}

/// Reads the head of one entry: `NAME ( .param .. , .param .. ) .maxntid .. {`.
struct Head<'p> {
    tokens: Tokens<'p>,
    entry: &'p str,
}

impl<'p> Head<'p> {
    /// Name and parameters, up to the closing bracket.
    fn entry(&mut self) -> Result<Entry<'p>, PtxError> {
        self.entry = "";
        self.entry = self.word("a name")?;
        let mut params = Vec::new();
        if self.accept(Token::Mark('(')) && !self.accept(Token::Mark(')')) {
            loop {
                let (bytes, end) = self.param()?;
                params.push(bytes);
                match end {
                    ',' => {}
                    _ => break,
                }
            }
        }
        Ok(Entry { name: self.entry, params })
    }

    /// Whether a body follows the directives after the parameters: `{`, and not `;`.
    fn has_body(&mut self) -> Result<bool, PtxError> {
        loop {
            match self.tokens.next() {
                Some(Token::Mark('{')) => return Ok(true),
                Some(Token::Mark(';')) => return Ok(false),
                Some(_) => {}
                None => return Err(self.error(None, "`{` or `;`")),
            }
        }
    }

    /// One parameter: its size in bytes, and the `,` or `)` after it.
    fn param(&mut self) -> Result<(usize, char), PtxError> {
        match self.tokens.next() {
            Some(Token::Directive(".param")) => {}
            other => return Err(self.error(other, "`.param`")),
        }
        let mut lanes = 1;
        let mut element = None;
        loop {
            match self.tokens.next() {
                Some(Token::Directive(".v2")) => lanes = 2,
                Some(Token::Directive(".v4")) => lanes = 4,
                // `.align` of the parameter, or of what a `.ptr` points to: neither changes the size.
                Some(Token::Directive(".align")) => drop(self.number()?),
                Some(Token::Directive(".ptr" | ".global" | ".shared" | ".local" | ".const")) => {}
                Some(token @ Token::Directive(name)) => match (element, type_bytes(name)) {
                    (None, Some(bytes)) => element = Some(bytes),
                    (None, None) => return Err(self.error(Some(token), "a type of known size")),
                    (Some(_), _) => return Err(self.error(Some(token), "the parameter's name")),
                },
                Some(Token::Word(_)) => break,
                other => return Err(self.error(other, "the parameter's name")),
            }
        }
        let Some(element) = element else { return Err(self.error(None, "the parameter's type")) };
        self.elements(element * lanes)
    }

    /// The array bounds after a parameter's name, if any, and the mark that ends the parameter.
    fn elements(&mut self, mut bytes: usize) -> Result<(usize, char), PtxError> {
        loop {
            match self.tokens.next() {
                Some(Token::Mark('[')) => {
                    let count = self.number()?;
                    bytes = match bytes.checked_mul(count) {
                        Some(bytes) => bytes,
                        None => return Err(self.error(None, "an array that fits in memory")),
                    };
                    match self.tokens.next() {
                        Some(Token::Mark(']')) => {}
                        other => return Err(self.error(other, "`]`")),
                    }
                }
                Some(Token::Mark(end @ (',' | ')'))) => return Ok((bytes, end)),
                other => return Err(self.error(other, "`,` or `)`")),
            }
        }
    }

    fn accept(&mut self, wanted: Token<'_>) -> bool {
        let mut ahead = self.tokens.clone();
        let found = ahead.next() == Some(wanted);
        if found {
            self.tokens = ahead;
        }
        found
    }

    fn word(&mut self, expected: &'static str) -> Result<&'p str, PtxError> {
        match self.tokens.next() {
            Some(Token::Word(word)) => Ok(word),
            other => Err(self.error(other, expected)),
        }
    }

    fn number(&mut self) -> Result<usize, PtxError> {
        let word = self.word("a number")?;
        literal(word).ok_or_else(|| self.error(Some(Token::Word(word)), "a number"))
    }

    fn error(&self, found: Option<Token<'_>>, expected: &'static str) -> PtxError {
        let found = match found {
            Some(Token::Directive(text) | Token::Word(text)) => format!("`{text}`"),
            Some(Token::Mark(mark)) => format!("`{mark}`"),
            None => "nothing".to_owned(),
        };
        PtxError { entry: self.entry.into(), found: found.into(), expected }
    }
}

/// Bytes of a fundamental type (PTX ISA, types). `.pred` and the opaque types cannot be passed as plain bytes.
fn type_bytes(name: &str) -> Option<usize> {
    Some(match name {
        ".u8" | ".s8" | ".b8" => 1,
        ".u16" | ".s16" | ".b16" | ".f16" | ".bf16" => 2,
        ".u32" | ".s32" | ".b32" | ".f32" | ".f16x2" | ".bf16x2" => 4,
        ".u64" | ".s64" | ".b64" | ".f64" => 8,
        ".b128" => 16,
        _ => return None,
    })
}

/// An integer literal: decimal, hexadecimal (`0x`), binary (`0b`) or octal (`0`), perhaps followed by `U`.
fn literal(word: &str) -> Option<usize> {
    let digits = word.strip_suffix('U').unwrap_or(word);
    let (digits, radix) = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => (&digits[2..], 16),
        [b'0', b'b' | b'B', ..] => (&digits[2..], 2),
        [b'0', _, ..] => (&digits[1..], 8),
        _ => (digits, 10),
    };
    usize::from_str_radix(digits, radix).ok()
}

#[cfg(test)]
mod tests;
