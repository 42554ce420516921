//! Files of tokens: raw little-endian words, or words in hexadecimal.

use std::fmt::Write as _;

use super::{Detection, Diagnostic, decode, detect};

/// The largest file of tokens that is read, in bytes. Four million words are
/// far beyond any shader, and each takes a dozen times its size while it is
/// explained.
pub const MAX_BYTES: usize = 16 << 20;

/// The ending of the names of files of raw words.
pub const FILE_EXTENSION: &str = "tgsib";

/// A file of raw words as text.
#[derive(Debug, Clone)]
pub struct Opened {
    /// Canonical text; what could not be read is a comment in it.
    pub text: String,
    /// The era it was read as, and why.
    pub detection: Detection,
    /// Diagnostics in order of the words.
    pub diagnostics: Vec<Diagnostic>,
}

/// The reason for which a file holds no tokens.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// More bytes than are read.
    #[error("larger than {MAX_BYTES} bytes")]
    TooLarge,
    /// A number of bytes that are not whole words.
    #[error("{0} bytes are not a whole number of words of four bytes")]
    NoWholeWords(usize),
    /// A line of a text in hexadecimal, from 1, and the beginning of the wrong word.
    #[error("line {0}: `{1}` is not a word in hexadecimal")]
    NoWord(usize, String),
    /// Words that are not tokens, with the first that is wrong and its problem.
    #[error("no token stream: word {0}: {1}")]
    NoTokens(usize, String),
    /// Words that hold no shader, though none is wrong.
    #[error("no token stream")]
    NoShader,
}

/// The words of a file of raw little-endian words.
///
/// # Errors
/// Where the file does not hold whole words, or is too large.
pub fn from_raw(bytes: &[u8]) -> Result<Vec<u32>, FileError> {
    if bytes.len() > MAX_BYTES {
        return Err(FileError::TooLarge);
    }
    let (words, rest) = bytes.as_chunks::<4>();
    if !rest.is_empty() {
        return Err(FileError::NoWholeWords(bytes.len()));
    }
    Ok(words.iter().map(|word| u32::from_le_bytes(*word)).collect())
}

/// Words as raw little-endian bytes.
pub fn to_raw(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// The words of a text in hexadecimal: parted by white space or commas, each
/// perhaps with `0x` before it. What follows a `#` on a line, or stands in the
/// brackets and quotes of JSON, does not count.
///
/// # Errors
/// Where something else stands there; the message names the line.
pub fn from_hexadecimal(text: &str) -> Result<Vec<u32>, FileError> {
    let mut words = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default();
        let is_gap =
            |letter: char| letter.is_whitespace() || matches!(letter, ',' | '"' | '[' | ']');
        for word in line.split(is_gap).filter(|word| !word.is_empty()) {
            let digits = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X"));
            let digits = digits.unwrap_or(word);
            let plain = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
            match u32::from_str_radix(digits, 16) {
                Ok(value) if plain => words.push(value),
                _ => {
                    let shown: String = word.chars().take(20).collect();
                    return Err(FileError::NoWord(number + 1, shown));
                }
            }
        }
    }
    Ok(words)
}

/// Words in hexadecimal, one a line.
pub fn to_hexadecimal(words: &[u32]) -> String {
    let mut text = String::with_capacity(words.len() * 9);
    for word in words {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{word:08x}");
    }
    text
}

/// The canonical text of a file of raw words, as an editor shows it. The era
/// is detected.
///
/// # Errors
/// Where the file holds no token stream, with the reason.
pub fn open(bytes: &[u8]) -> Result<Opened, FileError> {
    let words = from_raw(bytes)?;
    let detection = detect(&words);
    let decoded = decode(&words, detection.layout);
    if decoded.shader.is_some() {
        let (text, diagnostics) = (decoded.text, decoded.diagnostics);
        return Ok(Opened { text, detection, diagnostics });
    }
    let first = decoded.diagnostics.first();
    Err(first.map_or(FileError::NoShader, |found| {
        FileError::NoTokens(found.word, found.message.clone())
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_in_every_spelling() {
        let text = "00001d02 # header\n0x1, \"0xFFFFFFFF\"]\n\n";
        assert_eq!(from_hexadecimal(text), Ok(vec![0x1d02, 1, u32::MAX]));
        assert_eq!(
            from_hexadecimal("0\nMOV").map_err(|error| error.to_string()),
            Err("line 2: `MOV` is not a word in hexadecimal".to_owned())
        );
        assert!(from_hexadecimal("123456789").is_err());
        assert!(from_hexadecimal("+1").is_err());
        let words = [1, 0xdead_beef];
        assert_eq!(from_hexadecimal(&to_hexadecimal(&words)).as_deref(), Ok(&words[..]));
        assert_eq!(from_raw(&to_raw(&words)).as_deref(), Ok(&words[..]));
        assert!(from_raw(&[1, 2, 3]).is_err());
    }

    #[test]
    fn a_file_opens_as_text() {
        let words = [0x0000_0102, 0, 0x0007_5002];
        let opened = open(&to_raw(&words)).unwrap();
        assert_eq!(opened.text, "VERT\n  0: END\n");
        assert_eq!(opened.diagnostics, []);
        let error = open(&to_raw(&[0x0000_0102, 15, 0x0007_5002])).unwrap_err().to_string();
        assert!(
            error.starts_with("no token stream: word 1: 15 is the number of no stage"),
            "{error}"
        );
        assert!(open(b"").is_err());
    }
}
