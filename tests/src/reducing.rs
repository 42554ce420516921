//! Smaller shaders that still show something.

use std::ops::Range;

/// Words that open a block, each with the word that closes it.
const BLOCKS: &[(&str, &str)] = &[
    ("IF", "ENDIF"),
    ("UIF", "ENDIF"),
    ("BGNLOOP", "ENDLOOP"),
    ("SWITCH", "ENDSWITCH"),
    ("BGNSUB", "ENDSUB"),
];

/// Takes lines and blocks out of a shader, and the heads and ends of blocks around what is inside,
/// for as long as what is left still shows it.
pub fn reduced(text: &str, mut shows: impl FnMut(&str) -> bool) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut length = lines.len() / 2;
    while length > 0 {
        let mut has_shrunk = false;
        let mut first = lines.len();
        // From the end: what comes last hangs on what is before it.
        while first > 0 {
            first = first.saturating_sub(length);
            let end = (first + length).min(lines.len());
            let ways = [removed(&lines, first..end), unwrapped(&lines, first)];
            for fewer in ways.into_iter().flatten() {
                if shows(&joined(&fewer)) {
                    lines = fewer;
                    has_shrunk = true;
                    break;
                }
            }
        }
        length = if has_shrunk && length == 1 { 1 } else { length / 2 };
    }
    joined(&lines)
}

/// The lines without some, or without the whole block that begins with one line.
fn removed(lines: &[String], range: Range<usize>) -> Option<Vec<String>> {
    let block = (range.len() == 1).then(|| closing(lines, range.start)).flatten();
    let end = block.map_or(range.end, |end| end + 1);
    let (before, after) = (lines.get(..range.start)?, lines.get(end..)?);
    Some([before, after].concat())
}

/// The lines without the two around a block.
fn unwrapped(lines: &[String], first: usize) -> Option<Vec<String>> {
    let end = closing(lines, first)?;
    let mut fewer = lines.to_vec();
    fewer.remove(end);
    fewer.remove(first);
    Some(fewer)
}

/// The line that closes the block which a line opens.
fn closing(lines: &[String], first: usize) -> Option<usize> {
    let word = |line: &String| line.split_whitespace().next().unwrap_or_default().to_owned();
    let own = word(lines.get(first)?);
    let (_, end) = BLOCKS.iter().find(|(begin, _)| *begin == own)?;
    let mut depth = 0_usize;
    for (number, line) in lines.iter().enumerate().skip(first) {
        let word = word(line);
        depth += usize::from(BLOCKS.iter().any(|(begin, own)| *begin == word && own == end));
        depth -= usize::from(word == *end);
        if depth == 0 {
            return Some(number);
        }
    }
    None
}

/// The text of lines, with calls of the one subroutine that there may be by its place.
fn joined(lines: &[String]) -> String {
    let is_instruction = |line: &&String| {
        let declares = ["DCL", "IMM", "PROPERTY"].iter().any(|word| line.starts_with(word));
        !declares && line.contains(|it: char| it.is_ascii_uppercase())
    };
    // The first is the stage.
    let mut instructions = lines.iter().skip(1).filter(is_instruction);
    let subroutine = instructions.position(|line| line.trim() == "BGNSUB").unwrap_or_default();
    let text = |line: &String| match line.trim().starts_with("CAL ") {
        true => format!("CAL :{subroutine}\n"),
        false => format!("{line}\n"),
    };
    lines.iter().map(text).collect()
}
