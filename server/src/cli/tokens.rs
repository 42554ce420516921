//! `tungsten tokens`: TGSI text to binary tokens, and back.

use std::io;
use std::path::{Path, PathBuf};

use source::TextRange;
use tgsi::tokens::{self, Decoded, Detection, Diagnostic, Layout};
use thiserror::Error;

use super::check;
use super::files::{Heads, LineColumnRange, SourceFile, each_file, failed_at};
use super::output::{Output, Style};
use super::{Status, Stop, complain, failed};
use crate::decoded_files::{self, Decoder};
use crate::files::{Access, Refusal, read_named};

#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("direction").required(true)))]
pub(super) struct Arguments {
    /// Make tokens of text
    #[arg(long, group = "direction")]
    encode: bool,
    /// Make text of tokens. What text has no form for becomes a comment, and the exit
    /// status is 3
    #[arg(long, group = "direction")]
    decode: bool,
    /// The files; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The era of the token format: 2007, 2008, 2009, 2012, 2016 or 2022.
    /// Tokens are written as in 2016 unless this says otherwise; those that
    /// are read show by themselves which era they are from, where they do
    #[arg(long, value_name = "YEAR", value_parser = layout)]
    layout: Option<Layout>,
    /// Show every word with its fields and the text it stands for
    #[arg(long)]
    annotate: bool,
    /// Tokens are little-endian bytes, as in `.tgsib` files, instead of words
    /// in hexadecimal
    #[arg(long)]
    raw: bool,
    /// The shader to encode where the file holds several, from 1
    #[arg(long, value_name = "NUMBER", conflicts_with = "decode")]
    shader: Option<usize>,
}

/// The name of no era.
#[derive(Debug, Error)]
#[error("the eras are {}", Layout::ALL.map(Layout::name).join(", "))]
struct UnknownEra;

fn layout(name: &str) -> Result<Layout, UnknownEra> {
    Layout::from_name(name).ok_or(UnknownEra)
}

pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Stop> {
    let bytes = arguments.encode && arguments.raw && !arguments.annotate;
    if bytes && arguments.files.len() > 1 {
        return Err(failed("`--raw` takes one file: nothing would tell their bytes apart"));
    }
    let one = if arguments.encode { encode } else { decode };
    each_file(&arguments.files, Heads::Comments, output, |path, output| {
        one(path, arguments, output)
    })
}

fn encode(path: &Path, arguments: &Arguments, output: &mut Output) -> Result<Status, Stop> {
    let file = SourceFile::read(path)?;
    let name = &file.name;
    let shaders = tgsi::regions::split(&file.text).shaders;
    let number = match (shaders.len(), arguments.shader) {
        (1, None) => 1,
        (count, Some(number)) if (1..=count).contains(&number) => number,
        (0, _) => return Err(failed(format_args!("{name}: it holds no shader"))),
        (count, _) => {
            let message = format!("{name}: it holds {count} shaders; choose one by --shader");
            return Err(failed(message));
        }
    };
    let region = &shaders[number - 1];
    let Some(shader) = file.shader(region)? else { return Ok(Status::Bad) };
    let layout = arguments.layout.unwrap_or_default();
    match tokens::encode(&shader, layout) {
        Ok(words) if arguments.annotate => annotate(&tokens::decode(&words, layout), output)?,
        Ok(words) if arguments.raw => output.bytes(&tokens::to_raw(&words))?,
        Ok(words) => output.text(&tokens::to_hexadecimal(&words))?,
        Err(error) => {
            complain_at(&file, region.map().to_file(error.range), &error.message);
            return Ok(Status::Bad);
        }
    }
    Ok(Status::Good)
}

fn complain_at(file: &SourceFile, range: TextRange, message: &str) {
    let LineColumnRange { line, column, .. } = file.place(range);
    complain(format_args!("{}:{line}:{column}: {message}", file.name));
}

fn decode(path: &Path, arguments: &Arguments, output: &mut Output) -> Result<Status, Stop> {
    let words = read_words(path, arguments.raw).map_err(|why| failed_at(path, why))?;
    let layout = arguments.layout.unwrap_or_else(|| {
        let found = tokens::detect(&words);
        complain_of_era(path, &found);
        found.layout
    });
    let decoded = tokens::decode(&words, layout);
    complain_of_words(path, &decoded.diagnostics);
    if arguments.annotate {
        annotate(&decoded, output)?;
    } else {
        output.document(&decoded.text)?;
    }
    Ok(if decoded.has_errors() {
        Status::Bad
    } else if decoded.has_losses() {
        Status::Incomplete
    } else {
        Status::Good
    })
}

fn complain_of_era(path: &Path, found: &Detection) {
    let Detection { layout, reason } = found;
    complain(format_args!("{}: read in the layout of {layout}: {reason}", path.display()));
}

fn complain_of_words(path: &Path, diagnostics: &[Diagnostic]) {
    let name = path.display();
    for found in diagnostics {
        let severity = check::severity(found.severity);
        complain(format_args!("{name}: word {}: {severity}: {}", found.word, found.message));
    }
}

/// The text that a file of tokens stands for, with a word on standard error:
/// lines and columns are its, and the file has none. Complains where there is no such text.
pub(super) fn text_of_file(path: &Path, access: &Access) -> Result<String, Stop> {
    let opened = decoded_files::tokens(path, access).map_err(|why| failed_at(path, why))?;
    complain_of_era(path, &opened.detection);
    complain_of_words(path, &opened.diagnostics);
    let name = path.display();
    complain(format_args!("{name}: lines are those of `tungsten tokens --decode {name}`"));
    Ok(opened.text)
}

/// The reason why a file has no words.
#[derive(Debug, Error)]
enum WordsError {
    #[error(transparent)]
    Unread(#[from] Refusal),
    #[error(transparent)]
    Malformed(#[from] tokens::FileError),
    #[error("no words in hexadecimal; are they --raw?")]
    Bytes,
}

/// The words of a file. Files named `.tgsib` are raw.
fn read_words(path: &Path, raw: bool) -> Result<Vec<u32>, WordsError> {
    let bytes = read_named(path, source::MAX_TEXT_LENGTH)?;
    if raw || Decoder::of(path) == Some(Decoder::Tokens) {
        return Ok(tokens::from_raw(&bytes)?);
    }
    match std::str::from_utf8(&bytes) {
        Ok(text) => Ok(tokens::from_hexadecimal(text)?),
        Err(_) => Err(WordsError::Bytes),
    }
}

/// One line for each word: its place, its bits, the text it stands for, its
/// kind and its fields.
fn annotate(decoded: &Decoded, output: &mut Output) -> io::Result<()> {
    for (place, word) in decoded.words.iter().enumerate() {
        output.styled(Style::Faint, &format!("{place:5}  {:08x}  ", word.bits))?;
        output.styled(Style::Source, &word.meaning_column())?;
        output.text("  ")?;
        output.styled(Style::Place, word.kind.name())?;
        output.line(&word.fields_text())?;
    }
    Ok(())
}
