//! Macros: parameters, arguments, and the text they make together.
//!
//! Arguments are split as the assemblers split them: at commas, and at blanks
//! that no operator touches. Blanks between the tokens of one argument vanish.
//! Substitution is of text: what a body says after it is read anew.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use source::{TextRange, TextSize};

use super::directives::Switch;
use super::lines::{end_of_string, end_of_word, skip_blanks};
use super::sources::{NodeId, SourceId, Span};
use crate::dialect::Dialect;

/// Parameters by name: their indices.
pub(super) type ParameterNames = FxHashMap<Box<str>, usize>;

/// A macro.
#[derive(Debug, Clone)]
pub struct Macro {
    /// Its name as it was defined.
    pub name: Box<str>,
    /// The name in its definition.
    pub definition: Span,
    /// The expansion the definition stands in.
    pub node: NodeId,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// Its body: the lines between the directives.
    pub body: Span,
    /// The calls that were expanded.
    pub calls: u32,
    pub(super) indices: Arc<ParameterNames>,
}

/// A parameter of a macro.
#[derive(Debug, Clone)]
pub struct Parameter {
    /// Its name.
    pub name: Box<str>,
    /// The name in the definition.
    pub span: Span,
    /// Its value where a call gives nothing.
    pub default: Option<Argument>,
    /// Tells whether a call must give something.
    pub required: bool,
    /// Tells whether it takes the rest of the call as it stands.
    pub variadic: bool,
}

/// The text for a parameter.
#[derive(Debug, Clone)]
pub struct Argument {
    /// The text that is put in place of the parameter.
    pub text: Box<str>,
    /// The place where it was written.
    pub span: Span,
}

/// A text in which arguments are read, and where it stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Words<'a> {
    pub(super) text: &'a str,
    /// The place of the text's first byte.
    pub(super) source: SourceId,
    pub(super) base: usize,
    pub(super) dialect: Dialect,
    pub(super) alternate: Switch,
}

impl Words<'_> {
    pub(super) fn span(&self, from: usize, to: usize) -> Span {
        let offset = |at: usize| size(self.base + at);
        Span { source: self.source, range: TextRange::new(offset(from), offset(to.max(from))) }
    }
}

/// An offset; texts beyond 4 GiB are not read.
pub(super) fn size(offset: usize) -> TextSize {
    TextSize::new(u32::try_from(offset).unwrap_or(u32::MAX))
}

/// Mistakes in arguments or parameters.
#[derive(Debug)]
pub(super) struct Mismatch {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) message: String,
}

/// Evaluates `%expression` in the alternate mode: the value and where it ends.
pub(super) type Evaluate<'a> = &'a mut dyn FnMut(&str, usize) -> Option<(i64, usize)>;

/// One argument from `at` on: its text, its end, and where the next thing begins.
struct Read {
    text: String,
    end: usize,
    next: usize,
}

/// Reads the argument at `at`, which is not a blank.
fn read_argument(words: Words<'_>, at: usize, evaluate: Evaluate<'_>) -> Result<Read, Mismatch> {
    let (text, bytes) = (words.text, words.text.as_bytes());
    let alternate = words.alternate == Switch::On;
    let percent = (alternate && bytes.get(at) == Some(&b'%')).then_some(1).or_else(|| {
        let escaped = words.dialect == Dialect::Clrx && text[at..].starts_with("\\%");
        escaped.then_some(2)
    });
    if let Some(width) = percent {
        return match evaluate(text, at + width) {
            Some((value, end)) => Ok(Read { text: value.to_string(), end, next: end }),
            None => Err(Mismatch {
                from: at,
                to: text.len(),
                message: "the value after `%` is not known here".to_owned(),
            }),
        };
    }
    if alternate
        && bytes.get(at) == Some(&b'<')
        && let Some((inside, end)) = angle_string(text, at)
    {
        return Ok(Read { text: inside, end, next: end });
    }
    // Most arguments are a word or registers, without anything to be left out.
    let plain = bytes[at..].iter().take_while(|byte| is_plain(**byte)).count();
    if plain > 0 && matches!(bytes.get(at + plain), None | Some(b',')) {
        let end = at + plain;
        return Ok(Read { text: text[at..end].to_owned(), end, next: end });
    }
    let mut read = Read { text: String::new(), end: at, next: at };
    let mut depth = 0_u32;
    let mut position = at;
    while let Some(&byte) = bytes.get(position) {
        if byte.is_ascii_whitespace() {
            let next = skip_blanks(bytes, position);
            let operator = operator_length(&text[next..]);
            if depth > 0 {
                read.text.push(' ');
                position = next;
            } else if operator > 0 {
                // Blanks around an operator do not divide.
                read.text.push_str(&text[next..next + operator]);
                read.end = next + operator;
                position = skip_blanks(bytes, next + operator);
            } else {
                position = next;
                break;
            }
            continue;
        }
        if byte == b',' && depth == 0 {
            break;
        }
        if byte == b'"' {
            let end = end_of_string(bytes, position);
            let closed = end > position + 1 && bytes[end - 1] == b'"';
            read.text.push_str(&text[position + 1..if closed { end - 1 } else { end }]);
            (position, read.end) = (end, end);
            continue;
        }
        let operator = operator_length(&text[position..]);
        if operator > 0 {
            if operator == 1 && byte == b'=' {
                let message = "an argument cannot hold `=`".to_owned();
                return Err(Mismatch { from: position, to: position + 1, message });
            }
            read.text.push_str(&text[position..position + operator]);
            read.end = position + operator;
            position = read.end;
            if depth == 0 {
                position = skip_blanks(bytes, position);
            }
            continue;
        }
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let width = text[position..].chars().next().map_or(1, char::len_utf8);
        read.text.push_str(&text[position..position + width]);
        position += width;
        read.end = position;
    }
    if depth > 0 {
        let message = "a parenthesis is not closed".to_owned();
        return Err(Mismatch { from: at, to: read.end, message });
    }
    read.next = position;
    Ok(read)
}

/// Tells whether a byte stands in an argument for itself whatever is around it.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'[' | b']' | b':')
}

/// `<text>` with `!` before what is meant literally: the text and where it ends.
fn angle_string(text: &str, at: usize) -> Option<(String, usize)> {
    let mut inside = String::new();
    let mut letters = text[at + 1..].char_indices();
    while let Some((offset, letter)) = letters.next() {
        match letter {
            '>' => return Some((inside, at + 1 + offset + 1)),
            '!' => inside.push(letters.next()?.1),
            other => inside.push(other),
        }
    }
    None
}

/// The length of the operator at the start of a text, 0 for none. `%` is none:
/// the assemblers do not count it here.
fn operator_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    match (bytes.first(), bytes.get(1)) {
        (Some(b'='), Some(b'=')) | (Some(b'|'), Some(b'|')) | (Some(b'&'), Some(b'&')) => 2,
        (Some(b'!'), Some(b'=')) | (Some(b'<'), Some(b'=' | b'<' | b'>')) => 2,
        (Some(b'>'), Some(b'=' | b'>')) => 2,
        (
            Some(b'+' | b'-' | b'~' | b'/' | b'*' | b'=' | b'|' | b'^' | b'&' | b'!' | b'<' | b'>'),
            _,
        ) => 1,
        _ => 0,
    }
}

/// Reads what `.macro name` is followed by.
pub(super) fn parameters(words: Words<'_>, at: usize) -> Result<Vec<Parameter>, Mismatch> {
    let bytes = words.text.as_bytes();
    let mut parameters: Vec<Parameter> = Vec::new();
    let mut names = rustc_hash::FxHashSet::default();
    let mut at = skip_comma(bytes, at);
    while at < bytes.len() {
        let end = end_of_word(bytes, at);
        if end == at {
            let message = "the name of a parameter was expected".to_owned();
            return Err(Mismatch { from: at, to: bytes.len(), message });
        }
        let name = &words.text[at..end];
        if let Some(last) = parameters.last().filter(|last| last.variadic) {
            let message = format!("`{}` takes all that is left: nothing can follow", last.name);
            return Err(Mismatch { from: at, to: end, message });
        }
        if !names.insert(name) {
            let message = format!("two parameters are named `{name}`");
            return Err(Mismatch { from: at, to: end, message });
        }
        let mut parameter = Parameter {
            name: name.into(),
            span: words.span(at, end),
            default: None,
            required: false,
            variadic: false,
        };
        at = skip_blanks(bytes, end);
        while bytes.get(at) == Some(&b':') {
            let from = skip_blanks(bytes, at + 1);
            let end = end_of_word(bytes, from);
            match &words.text[from..end] {
                "req" => parameter.required = true,
                "vararg" => parameter.variadic = true,
                other => {
                    let message = format!("`{other}` is not a qualifier: `req` and `vararg` are");
                    return Err(Mismatch { from, to: end.max(from), message });
                }
            }
            at = skip_blanks(bytes, end);
        }
        if bytes.get(at) == Some(&b'=') {
            let from = skip_blanks(bytes, at + 1);
            let read = read_argument(words, from, &mut |_, _| None)?;
            parameter.default =
                Some(Argument { text: read.text.into(), span: words.span(from, read.end) });
            at = read.next;
        }
        parameters.push(parameter);
        at = skip_comma(bytes, at);
    }
    Ok(parameters)
}

/// The arguments of a call, one for each parameter; `None` where there is none.
pub(super) fn arguments(
    words: Words<'_>,
    macro_: &Macro,
    evaluate: Evaluate<'_>,
) -> Result<Vec<Option<Argument>>, Mismatch> {
    let bytes = words.text.as_bytes();
    let parameters = &macro_.parameters;
    let mut bound: Vec<Option<Argument>> = vec![None; parameters.len()];
    let mut named = false;
    let mut at = skip_blanks(bytes, 0);
    let mut position = 0;
    while at < bytes.len() {
        let mut index = position;
        let end = end_of_word(bytes, at);
        let equals = skip_blanks(bytes, end);
        let is_name =
            end > at && bytes.get(equals) == Some(&b'=') && bytes.get(equals + 1) != Some(&b'=');
        if is_name {
            let name = &words.text[at..end];
            let Some(found) = macro_.indices.get(name) else {
                let message = format!("macro `{}` has no parameter `{name}`", macro_.name);
                return Err(Mismatch { from: at, to: end, message });
            };
            named = true;
            index = *found;
            at = skip_blanks(bytes, equals + 1);
        } else if named {
            let message = "an argument without a name cannot follow one with a name".to_owned();
            return Err(Mismatch { from: at, to: bytes.len(), message });
        }
        let Some(parameter) = parameters.get(index) else {
            let message = match parameters.len() {
                0 => format!("macro `{}` takes no arguments", macro_.name),
                1 => format!("macro `{}` takes one argument", macro_.name),
                count => format!("macro `{}` takes {count} arguments", macro_.name),
            };
            return Err(Mismatch { from: at, to: bytes.len(), message });
        };
        let read = if parameter.variadic && index + 1 == parameters.len() {
            let rest = &words.text[at..];
            Read { text: rest.to_owned(), end: bytes.len(), next: bytes.len() }
        } else {
            read_argument(words, at, evaluate)?
        };
        if !read.text.is_empty() || read.end > at {
            bound[index] =
                Some(Argument { text: read.text.into(), span: words.span(at, read.end) });
        }
        position += 1;
        at = skip_comma(bytes, read.next);
    }
    for (argument, parameter) in bound.iter_mut().zip(parameters) {
        if argument.is_none() {
            if parameter.required {
                let message =
                    format!("macro `{}` needs a value for `{}`", macro_.name, parameter.name);
                return Err(Mismatch { from: 0, to: bytes.len(), message });
            }
            argument.clone_from(&parameter.default);
        }
    }
    Ok(bound)
}

/// The values of `.irp`: what stands between commas and blanks.
pub(super) fn values(words: Words<'_>, evaluate: Evaluate<'_>) -> Result<Vec<Argument>, Mismatch> {
    let bytes = words.text.as_bytes();
    let mut values = Vec::new();
    let mut at = skip_blanks(bytes, 0);
    while at < bytes.len() {
        let read = read_argument(words, at, evaluate)?;
        values.push(Argument { text: read.text.into(), span: words.span(at, read.end) });
        at = skip_comma(bytes, read.next);
    }
    Ok(values)
}

fn skip_comma(bytes: &[u8], at: usize) -> usize {
    let at = skip_blanks(bytes, at);
    if bytes.get(at) == Some(&b',') { skip_blanks(bytes, at + 1) } else { at }
}
