//! `tungsten disasm`: machine code to GCN text.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use gcn::Target;
use gcn::assembler::Dialect;
use gcn::convert;
use gcn::object::{self, Code, CodeLine, Contents, Listing, ListingLine};
use gcn::program::{Options, assemble};
use gcn::service::View;
use source::digits::{self, Decimal};
use source::{TextRange, TextSize};
use thiserror::Error;

use super::asm::DIALECTS;
use super::files::{Heads, each_file, failed_at};
use super::output::Output;
use super::{Status, Stop, complain, one_of, read_target};
use crate::decoded_files::{self, DecodeError, Wish};
use crate::files::{Access, read_named};
use crate::triton;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Code objects, bundles of them, programs that hold such, or bare machine code; `-` is
    /// standard input
    #[arg(value_name = "FILE", default_value = "-")]
    files: Vec<PathBuf>,
    /// The chip it is for; an ELF file names its own, and of a bundle the entry for this chip
    /// is read
    #[arg(long, value_name = "TARGET")]
    target: Option<String>,
    /// The entry of a bundle, by its number in `--list`; the first with code by default
    #[arg(long, value_name = "NUMBER")]
    entry: Option<usize>,
    /// List the entries of bundles and what they are: number, bytes, name and kind between tabs
    #[arg(long, conflicts_with_all = ["entry", "emit"])]
    list: bool,
    /// The file has hexadecimal digits, not bytes
    #[arg(long)]
    hex: bool,
    /// The form of the output; an ELF file as a listing, bare code in lines by default
    #[arg(long, value_enum, value_name = "FORM")]
    emit: Option<DisasmFormat>,
    /// The dialect of the text
    #[arg(long, value_parser = one_of(DIALECTS), value_name = "DIALECT", default_value = "llvm")]
    dialect: Dialect,
}

/// The form in which code is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum DisasmFormat {
    /// A line for each instruction: offset, words and text between tabs
    Lines,
    /// A text that assembles again, with labels
    Listing,
}

pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Stop> {
    let wanted = read_target(arguments.target.as_deref())?;
    each_file(&arguments.files, Heads::Comments, output, |path, output| {
        print(path, arguments, wanted, output)
    })
}

fn print(
    path: &Path,
    arguments: &Arguments,
    wanted: Option<Target>,
    output: &mut Output,
) -> Result<Status, Stop> {
    let name = path.display();
    let stop = |why: &dyn std::fmt::Display| failed_at(path, why);
    let mut bytes = read_named(path, object::MAX_FILE).map_err(|why| stop(&why))?;
    if arguments.hex {
        bytes =
            from_hex(&bytes).ok_or_else(|| stop(&"not an even number of hexadecimal digits"))?;
    }
    let contents = object::contents(&bytes).map_err(|error| stop(&error))?;
    for fault in &contents.faults {
        complain(format_args!("{name}: {fault}"));
    }
    if arguments.list {
        list(&contents, output)?;
        return Ok(if contents.faults.is_empty() { Status::Good } else { Status::Bad });
    }
    let wish = Wish { targets: wanted.into_iter().collect(), entry: arguments.entry };
    let code = decoded_files::chosen(&contents, &wish).map_err(|error| match error {
        DecodeError::Object(object::Error::NoTarget) => {
            stop(&"which chip is it for? Name it with --target")
        }
        error => stop(&error),
    })?;
    if wanted.is_none() {
        complain(format_args!("{name}: for {}", code.target()));
    }
    let usual = if code.is_bare() { DisasmFormat::Lines } else { DisasmFormat::Listing };
    let beside = match arguments.emit.unwrap_or(usual) {
        DisasmFormat::Listing => {
            let notes = triton::launch_of(path, &Access::Anywhere);
            let listing = code.with_notes(notes).listing();
            match in_dialect(&listing, arguments.dialect) {
                Ok(text) => output.document(&text)?,
                Err(reason) => {
                    complain(format_args!("{name}: {reason}"));
                    return Ok(Status::Bad);
                }
            }
            Beside::of_listing(&listing)
        }
        DisasmFormat::Lines => write_lines(&code, arguments.dialect, output)?,
    };
    for what in &beside.said {
        complain(format_args!("{name}: {what}"));
    }
    Ok(beside.status)
}

/// The things beside instructions in a file.
struct Beside {
    /// A phrase for each of them.
    said: Vec<String>,
    /// Good where every byte is an instruction or known data.
    status: Status,
}

impl Beside {
    const NOTHING: Beside = Beside { said: Vec::new(), status: Status::Good };

    fn of_listing(listing: &Listing) -> Beside {
        let mut beside = Beside::NOTHING;
        if !listing.is_all_code() {
            beside.status = Status::Bad;
        }
        for (_, line) in listing.lines() {
            match line {
                ListingLine::Rest { bytes, .. } => beside.rest(bytes),
                ListingLine::Data { offset, bytes, what } => beside.data(*offset, bytes, what),
                _ => {}
            }
        }
        beside
    }

    fn data(&mut self, offset: usize, bytes: &[u8], what: &str) {
        self.said.push(format!("{} bytes at {offset:#x} are {what}", bytes.len()));
    }

    fn rest(&mut self, bytes: &[u8]) {
        self.said.push(format!("{} bytes after the last whole word", bytes.len()));
        self.status = Status::Bad;
    }
}

/// Prints a line for each entry of a file.
fn list(contents: &Contents<'_>, output: &mut Output) -> io::Result<()> {
    for (index, entry) in contents.entries().iter().enumerate() {
        let (size, name) = (entry.range.len(), &entry.name);
        output.line(&format!("{}\t{size}\t{name}\t{}", index + 1, entry.kind))?;
    }
    Ok(())
}

/// A line that another dialect cannot say.
#[derive(Debug, Error)]
#[error("CLRX's dialect has no certain form of `{line}`: {reason}")]
struct NoForm {
    line: String,
    reason: String,
}

/// The listing in a dialect.
fn in_dialect(listing: &Listing, dialect: Dialect) -> Result<String, NoForm> {
    let text = listing.text();
    if dialect == Dialect::Llvm {
        return Ok(text);
    }
    let options = Options { target: Some(listing.target), ..Options::default() };
    let program = assemble(&text, &options, &|_| None, &source::no_checkpoint);
    let whole = TextRange::up_to(TextSize::of(&*text));
    let conversion = convert::convert(View::root(&program), whole);
    match conversion.refused.first() {
        None => Ok(conversion.applied(&text)),
        Some(refusal) => {
            let line = text[refusal.range].to_owned();
            Err(NoForm { line, reason: refusal.reason.to_string() })
        }
    }
}

/// An instruction in a dialect. What CLRX cannot write is data there, with LLVM's text
/// as a comment.
fn line_in_dialect<'a>(
    words: &[u32],
    text: &'a str,
    target: Target,
    dialect: Dialect,
) -> Cow<'a, str> {
    if dialect == Dialect::Llvm {
        return text.into();
    }
    let converted = convert::words(words, target, dialect);
    converted.map_or_else(|_| format!("{} # {text}", int_data(words)).into(), Cow::Owned)
}

/// Words as a directive of CLRX.
fn int_data(words: &[u32]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("{word:#010x}")).collect();
    format!(".int {}", words.join(", "))
}

/// Bytes of lines that are written at once.
const CHUNK: usize = 1 << 16;

/// Writes offset, words in the order of memory and text of each instruction while they are read.
fn write_lines(code: &Code<'_>, dialect: Dialect, output: &mut Output) -> io::Result<Beside> {
    let mut beside = Beside::NOTHING;
    // Nothing of it is a text of the file.
    let mut text: Vec<u8> = Vec::with_capacity(CHUNK + 256);
    let write = |text: &mut Vec<u8>, offset: usize, words: &[u32], own: &str| {
        text.extend_from_slice(Decimal::of(offset as u64).as_bytes());
        text.push(b'\t');
        for word in words {
            text.extend_from_slice(digits::of_bytes(word.to_le_bytes()).as_flattened());
        }
        text.push(b'\t');
        text.extend_from_slice(own.as_bytes());
        text.push(b'\n');
    };
    let mut lines = code.lines();
    while let Some(line) = lines.next_line() {
        match line {
            CodeLine::Instruction { offset, words, text: own } => {
                let own = line_in_dialect(words, own, code.target(), dialect);
                write(&mut text, offset, words, &own);
            }
            CodeLine::Word { offset, word } => {
                write(&mut text, offset, &[word], &format!(".long {word:#010x}"));
                beside.status = Status::Bad;
            }
            CodeLine::Data { offset, bytes, what } => beside.data(offset, bytes, what),
            CodeLine::Rest(bytes) => beside.rest(bytes),
        }
        if text.len() >= CHUNK {
            output.bytes(&text)?;
            text.clear();
        }
    }
    output.bytes(&text)?;
    Ok(beside)
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
