//! `tungsten disasm`: machine code to GCN text.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use gcn::instruction::{InstructionSet, decode};

use super::output::Output;
use super::{Status, complain, read_targets};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The file with machine code; `-` is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
    /// The chip it is for
    #[arg(long, value_name = "TARGET")]
    target: String,
    /// The file has hexadecimal digits, not bytes
    #[arg(long)]
    hex: bool,
}

pub(super) fn run(arguments: &Arguments, output: &mut Output) -> io::Result<Status> {
    let Some(targets) = read_targets(std::slice::from_ref(&arguments.target)) else {
        return Ok(Status::Failed);
    };
    let Some(target) = targets.first() else { return Ok(Status::Failed) };
    let name = arguments.file.display();
    let bytes = match read(&arguments.file) {
        Ok(bytes) => bytes,
        Err(error) => {
            complain(format_args!("{name}: {error}"));
            return Ok(Status::Failed);
        }
    };
    let bytes = if arguments.hex {
        let Some(bytes) = from_hex(&bytes) else {
            complain(format_args!("{name}: not an even number of hexadecimal digits"));
            return Ok(Status::Failed);
        };
        bytes
    } else {
        bytes
    };
    let (whole, rest) = bytes.as_chunks::<4>();
    let words: Vec<u32> = whole.iter().map(|word| u32::from_le_bytes(*word)).collect();
    let set = InstructionSet::of(*target);
    let mut status = Status::Good;
    let mut at = 0;
    while at < words.len() {
        let (count, text) = match decode(&words[at..], set) {
            Ok(decoded) => (decoded.words, decoded.text),
            // A word that is no instruction goes as data.
            Err(_) => {
                status = Status::Bad;
                (1, format!(".long {:#010x}", words[at]))
            }
        };
        let end = (at + count).min(words.len());
        let hex: String = bytes[at * 4..end * 4].iter().map(|byte| format!("{byte:02x}")).collect();
        output.line(&format!("{}\t{hex}\t{text}", at * 4))?;
        at = end;
    }
    if !rest.is_empty() {
        complain(format_args!("{name}: {} bytes after the last whole word", rest.len()));
        status = Status::Bad;
    }
    Ok(status)
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    if path != Path::new("-") {
        return std::fs::read(path);
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Digits in pairs; blanks, commas, brackets and `0x` between them do not count.
fn from_hex(text: &[u8]) -> Option<Vec<u8>> {
    let text = String::from_utf8_lossy(text).replace("0x", " ");
    let mut digits = Vec::new();
    for character in text.chars() {
        match character.to_digit(16) {
            Some(digit) => digits.push(digit as u8),
            None if character.is_whitespace() || matches!(character, ',' | '[' | ']') => {}
            None => return None,
        }
    }
    let (pairs, rest) = digits.as_chunks::<2>();
    rest.is_empty().then(|| pairs.iter().map(|[high, low]| high << 4 | low).collect())
}
