//! Reading the files that a command names.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use codespan_reporting::files::{self, Files};
use engine::Language;
use gcn::Target;
use gcn::object;
use serde::Serialize;
use source::{ColumnUnit, LineIndex, Printable, Severity, TextRange, TextSize};
use tgsi::ast::Shader;
use tgsi::regions::Region;

use super::output::{Output, Style};
use super::{Status, Stop, check, complain, failed, tokens};
use crate::decoded_files::{self, Decoder, Wish};
use crate::files::{Access, read_named, too_large};
use crate::language;
use crate::triton;

/// A file with its text and lines.
pub(super) struct SourceFile {
    /// As the user wrote it; `-` is standard input.
    pub(super) name: String,
    /// The text; what is not UTF-8 in it is replaced.
    pub(super) text: Arc<str>,
    /// Its language.
    pub(super) language: Language,
    /// Made when a place is asked for.
    lines: OnceLock<LineIndex>,
}

/// The names of files before their results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Heads {
    /// In a comment, where there are several files.
    Comments,
    /// None: the results name their file, or are read by programs.
    None,
}

/// Runs a command on each of its files. The worst status counts, and a file that fails does
/// not keep the others from it; its complaint is beside its results.
pub(super) fn each_file(
    paths: &[PathBuf],
    heads: Heads,
    output: &mut Output,
    mut each: impl FnMut(&Path, &mut Output) -> Result<Status, Stop>,
) -> Result<Status, Stop> {
    let mut status = Status::Good;
    for path in paths {
        if heads == Heads::Comments && paths.len() > 1 {
            let name = path.display().to_string();
            output.styled_line(Style::Strong, &format!("# {}", Printable::line(&name)))?;
            output.flush()?;
        }
        status = status.max(match each(path, output) {
            Err(Stop::Failed) => Status::Failed,
            ended => ended?,
        });
        output.flush()?;
    }
    Ok(status)
}

/// Says on standard error why a command cannot go on with a file.
pub(super) fn failed_at(path: &Path, why: impl std::fmt::Display) -> Stop {
    failed(format_args!("{}: {why}", path.display()))
}

/// A range as people count it: from 1, columns in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LineColumnRange {
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) end_line: u32,
    pub(super) end_column: u32,
}

impl SourceFile {
    /// Reads a file; complains where that is not possible.
    /// A file of tokens or code is read as the text it stands for, with a note.
    pub(super) fn read(path: &Path) -> Result<SourceFile, Stop> {
        SourceFile::read_for(path, &[])
    }

    /// The same for some chips: of a bundle of code objects the one for the first of them that
    /// it has. None is any.
    pub(super) fn read_for(path: &Path, targets: &[Target]) -> Result<SourceFile, Stop> {
        SourceFile::read_wished(path, &Access::Anywhere, targets)
    }

    /// The same of a file that another one names.
    pub(super) fn read_within(path: &Path, access: &Access) -> Result<SourceFile, Stop> {
        SourceFile::read_wished(path, access, &[])
    }

    fn read_wished(path: &Path, access: &Access, targets: &[Target]) -> Result<SourceFile, Stop> {
        let name = path.display().to_string();
        let wish = Wish { targets: targets.to_vec(), ..Wish::default() };
        let bytes = match Decoder::of(path) {
            Some(Decoder::Tokens) => {
                let text = tokens::text_of_file(path, access)?.into();
                return Ok(SourceFile::new(name, text, Language::Tgsi));
            }
            Some(Decoder::Code) => access.read(path, object::MAX_FILE),
            None => match access {
                Access::Anywhere => read_named(path, object::MAX_FILE),
                Access::Beneath(_) => access.read(path, source::MAX_TEXT_LENGTH),
            },
        };
        let bytes = bytes.map_err(|why| failed_at(path, why))?;
        if Decoder::of(path).is_some() || object::may_hold_code(&bytes) {
            let notes = triton::launch_of(path, access);
            let text =
                decoded_files::code(&bytes, notes, &wish).map_err(|why| failed_at(path, why))?;
            complain(format_args!("{name}: lines are those of `tungsten disasm {name}`"));
            return Ok(SourceFile::new(name, text.into(), Language::Gcn));
        }
        if bytes.len() > source::MAX_TEXT_LENGTH {
            return Err(failed_at(path, too_large(source::MAX_TEXT_LENGTH)));
        }
        let text = String::from_utf8(bytes);
        let text = text.unwrap_or_else(|no| String::from_utf8_lossy(no.as_bytes()).into_owned());
        let text: Arc<str> = text.into();
        let language = language::of_file(&name, &text);
        Ok(SourceFile::new(name, text, language))
    }

    pub(super) fn new(name: String, text: Arc<str>, language: Language) -> SourceFile {
        SourceFile { name, text, language, lines: OnceLock::new() }
    }

    fn lines(&self) -> &LineIndex {
        self.lines.get_or_init(|| LineIndex::new(&self.text))
    }

    /// The shader of a region of the text; `None` where it has errors, which are complained of.
    pub(super) fn shader(&self, region: &Region) -> io::Result<Option<Shader>> {
        let parse = tgsi::parser::parse(region.text(&self.text), &source::no_checkpoint);
        let errors = parse.diagnostics.into_iter().filter(|it| it.severity == Severity::Error);
        let errors: Vec<_> = errors.map(|it| region.map().diagnostic_to_file(it)).collect();
        let shader = parse.shader.filter(|_| errors.is_empty());
        if shader.is_none() {
            check::complain_of(self, &errors)?;
        }
        Ok(shader)
    }

    /// The place of a byte range.
    pub(super) fn place(&self, range: TextRange) -> LineColumnRange {
        let at = |offset| self.lines().line_column(&self.text, offset, ColumnUnit::Utf32);
        let (start, end) = (at(range.start()), at(range.end()));
        LineColumnRange {
            line: start.line + 1,
            column: start.column + 1,
            end_line: end.line + 1,
            end_column: end.column + 1,
        }
    }

    /// The line of an offset, from 1.
    pub(super) fn line(&self, offset: TextSize) -> u32 {
        self.lines().line(offset) + 1
    }

    /// The text of a line, counted from 1, without its end.
    pub(super) fn line_text(&self, line: u32) -> &str {
        let range = line.checked_sub(1).and_then(|line| self.lines().line_range(line));
        range.map_or("", |range| self.text[range].trim_end_matches(['\n', '\r']))
    }
}

/// A file as it is drawn: its text and name without control characters. They may be
/// longer than the file's own.
pub(super) struct Drawn<'a> {
    file: &'a SourceFile,
    name: String,
    /// The text and its lines, where they are others than the file's.
    shown: Option<(String, LineIndex)>,
}

impl<'a> Drawn<'a> {
    pub(super) fn of(file: &'a SourceFile) -> Drawn<'a> {
        let shown = shown(&file.text).map(|text| {
            let lines = LineIndex::new(&text);
            (text, lines)
        });
        Drawn { file, name: Printable::line(&file.name).into_string(), shown }
    }

    /// A range of the file, within the text: the printer refuses any other.
    pub(super) fn range(&self, range: TextRange) -> Range<usize> {
        self.offset(range.start())..self.offset(range.end())
    }

    /// An offset of the file in what is drawn. Both have the same lines, so that no more
    /// than a line is read for it.
    fn offset(&self, offset: TextSize) -> usize {
        let offset = offset.min(TextSize::of(&*self.file.text));
        let Some((text, lines)) = &self.shown else { return usize::from(offset) };
        let line = self.file.lines().line(offset);
        let start = |lines: &LineIndex| {
            lines.line_range(line).map_or(TextSize::new(0), |range| range.start())
        };
        let before = usize::from(start(self.file.lines()))..usize::from(offset);
        let before = self.file.text.get(before).unwrap_or_default();
        let before = shown(before).map_or(before.len(), |before| before.len());
        (usize::from(start(lines)) + before).min(text.len())
    }

    fn text(&self) -> &str {
        self.shown.as_ref().map_or(&self.file.text, |(text, _)| text)
    }

    fn lines(&self) -> &LineIndex {
        self.shown.as_ref().map_or(self.file.lines(), |(_, lines)| lines)
    }
}

/// A text as it is drawn, every line end being a line feed; `None` where that is itself.
fn shown(text: &str) -> Option<String> {
    if text.contains('\r') {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        return Some(Printable::text(&text).into_string());
    }
    let shown = Printable::text(text);
    shown.is_changed().then(|| shown.into_string())
}

/// For the printer of diagnostics, which asks for lines from 0.
impl<'a> Files<'a> for Drawn<'_> {
    type FileId = ();
    type Name = &'a str;
    type Source = &'a str;

    fn name(&'a self, (): ()) -> Result<&'a str, files::Error> {
        Ok(&self.name)
    }

    fn source(&'a self, (): ()) -> Result<&'a str, files::Error> {
        Ok(self.text())
    }

    fn line_index(&'a self, (): (), byte_index: usize) -> Result<usize, files::Error> {
        let offset = TextSize::new(byte_index.min(self.text().len()) as u32);
        Ok(self.lines().line(offset) as usize)
    }

    fn line_range(&'a self, (): (), line: usize) -> Result<Range<usize>, files::Error> {
        let max = self.lines().line_count() as usize;
        let range = u32::try_from(line).ok().and_then(|line| self.lines().line_range(line));
        let range = range.ok_or(files::Error::LineTooLarge { given: line, max })?;
        Ok(range.start().into()..range.end().into())
    }
}
