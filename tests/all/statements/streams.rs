//! Statements about the binary form: words become text, and text these words again.

use tgsi::tokens::{self, Decoded, Layout};

use super::table;

fn layout(name: &str) -> Result<Layout, String> {
    Layout::from_name(name).ok_or_else(|| format!("`{name}` is not a layout"))
}

/// Reads words in a layout. A cell that begins with `+` is the body of a fragment shader's
/// stream of 2007 and 2008, whose first words are made.
fn read(cell: &str, given: &str) -> Result<(Vec<u32>, Decoded), String> {
    let (head, body) = match cell.strip_prefix("+ ") {
        Some(body) => (true, body),
        None => (false, cell),
    };
    let mut words = Vec::new();
    for word in body.split_whitespace() {
        words.push(u32::from_str_radix(word, 16).map_err(|_| format!("`{word}` is not a word"))?);
    }
    if head {
        let size = u32::try_from(words.len()).expect("a short stream");
        words.splice(0..0, [0x0101, size << 8 | 2, 0]);
    }
    let decoded = tokens::decode(&words, layout(given)?);
    Ok((words, decoded))
}

/// The lines of a text without numbers and runs of blanks; a fragment shader's header is left
/// out.
fn lines(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| *line != "FRAG" && !line.is_empty());
    let plain = |line: &str| {
        let line = line.trim_start();
        let (number, rest) = line.split_once(": ").unwrap_or(("", line));
        let counted = !number.is_empty() && number.bytes().all(|it| it.is_ascii_digit());
        let words: Vec<&str> = (if counted { rest } else { line }).split_whitespace().collect();
        words.join(" ")
    };
    lines.map(plain).collect()
}

fn compare(found: &Decoded, expected: &str) -> Result<(), String> {
    let lines = lines(&found.text);
    if lines == expected.split(" / ").collect::<Vec<_>>() {
        return Ok(());
    }
    Err(format!("found {}\n{:?}", lines.join(" / "), found.diagnostics))
}

/// Words become the text, with no complaint, and the text becomes these words.
pub(super) fn round_trip(cell: &str, given: &str, expected: &str) -> Result<(), String> {
    let (words, decoded) = read(cell, given)?;
    compare(&decoded, expected)?;
    if decoded.has_errors() || decoded.has_losses() {
        return Err(format!("{:?}", decoded.diagnostics));
    }
    let again = parsed(&decoded.text)?;
    let again = tokens::encode(&again, layout(given)?).map_err(|why| why.message)?;
    if again == words {
        return Ok(());
    }
    let hexadecimal = |words: &[u32]| {
        words.iter().map(|word| format!("{word:08x}")).collect::<Vec<_>>().join(" ")
    };
    Err(format!("words {} became {}", hexadecimal(&words), hexadecimal(&again)))
}

/// The outcome of changing one bit of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Changed {
    /// The text is another one, and becomes the changed words.
    Told,
    /// A diagnostic tells of it.
    Complained,
    /// The text becomes other words that mean the same.
    Respelled,
}

/// Changes every bit of a stream's body, each alone: what is read without a complaint has a text
/// that comes back to the same words, or to others with the same text.
pub(super) fn change_bits(cell: &str, given: &str) -> Result<Vec<(u32, Changed)>, String> {
    let (words, decoded) = read(cell, given)?;
    let layout = layout(given)?;
    let mut outcomes = Vec::new();
    for place in 3..words.len() {
        for bit in 0..u32::BITS {
            let mut changed = words.clone();
            changed[place] ^= 1 << bit;
            let other = tokens::decode(&changed, layout);
            let outcome = if !other.diagnostics.is_empty() {
                Changed::Complained
            } else {
                let again = tokens::encode(&parsed(&other.text)?, layout);
                let again =
                    again.map_err(|why| format!("word {place}, bit {bit}: {}", why.message))?;
                let is_told = again == changed && other.text != decoded.text;
                let is_same = tokens::decode(&again, layout).text == other.text;
                match (is_told, is_same) {
                    (true, _) => Changed::Told,
                    (_, true) => Changed::Respelled,
                    _ => return Err(format!("word {place}, bit {bit}: lost in {}", other.text)),
                }
            };
            outcomes.push((bit, outcome));
        }
    }
    Ok(outcomes)
}

/// Words become the text, in which a comment stands for what no text has; or, after
/// `says: `, a complaint has the words.
pub(super) fn decode(cell: &str, given: &str, expected: &str) -> Result<(), String> {
    let (_, decoded) = read(cell, given)?;
    let Some(said) = expected.strip_prefix("says: ") else { return compare(&decoded, expected) };
    let mut messages = decoded.diagnostics.iter().map(|it| &it.message);
    if messages.any(|message| message.contains(said)) {
        return Ok(());
    }
    Err(format!("found {:?}\n{}", decoded.diagnostics, decoded.text))
}

fn parsed(text: &str) -> Result<tgsi::ast::Shader, String> {
    let parse = tgsi::parser::parse(text, &source::no_checkpoint);
    parse.shader.ok_or_else(|| format!("no shader in {text}"))
}

/// A program becomes words in a layout, which contain those of the cell in a row; or, after
/// `says: `, it is refused with the words.
pub(super) fn encode(cell: &str, given: &str, expected: &str) -> Result<(), String> {
    let shader = parsed(&table::program(cell))?;
    let encoded = tokens::encode(&shader, layout(given)?);
    match (encoded, expected.strip_prefix("says: ")) {
        (Err(why), Some(said)) if why.message.contains(said) => Ok(()),
        (Ok(words), None) => {
            let words: Vec<String> = words.iter().map(|word| format!("{word:08x}")).collect();
            let words = words.join(" ");
            if words.contains(expected) { Ok(()) } else { Err(format!("found {words}")) }
        }
        (found, _) => Err(format!("found {found:x?}")),
    }
}
