//! The changes that `tungsten check --fix` makes in files: their fixed texts are written, or shown.

use std::path::Path;

use engine::ide::{FixScope, fix_within};
use source::Diagnostic;

use super::fixing::{self, Fixed, Judged};
use super::opened::{Opened, Opener};
use super::{Arguments, Format};
use crate::cli::files::SourceFile;
use crate::cli::output::{Output, conclude, counted};
use crate::cli::{Status, Stop, complain, diff, failed};
use crate::decoded_files::Decoder;
use crate::files::read_named;
use crate::language;

/// The place for a fixed text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Destination {
    /// The file itself; standard output where it came from standard input.
    File,
    /// Nowhere: the difference is shown.
    Difference,
}

/// The changes of a run.
pub(super) struct Changes {
    scope: FixScope,
    destination: Destination,
    /// The number of fixes made.
    made: usize,
    /// The number of files changed.
    files: usize,
    /// The number of diagnostics left, and of those that have a fix.
    left: usize,
    fixable: usize,
}

impl Changes {
    /// The changes that are asked for, if any.
    pub(super) fn asked(arguments: &Arguments) -> Result<Option<Changes>, Stop> {
        let Arguments { fix, unsafe_fixes, diff, .. } = arguments;
        if !fix && !diff {
            return Ok(None);
        }
        let is_plain = !arguments.json && arguments.format == Format::Text;
        if !is_plain && arguments.files.iter().any(|it| it == Path::new("-")) {
            return Err(failed(
                "`check --fix -` writes the fixed text to standard output, where no other format \
                 has room",
            ));
        }
        let scope = if *unsafe_fixes { FixScope::Any } else { FixScope::Sure };
        let destination = if *diff { Destination::Difference } else { Destination::File };
        Ok(Some(Changes { scope, destination, made: 0, files: 0, left: 0, fixable: 0 }))
    }

    /// Tells whether the fixed text of a file, or what differs, goes to standard output.
    pub(super) fn takes_output(&self, path: &Path) -> bool {
        self.destination == Destination::Difference || path == Path::new("-")
    }

    /// Makes the fixes of a file. Returns it as it is then.
    pub(super) fn make(
        &mut self,
        opener: &mut Opener<'_>,
        opened: &Opened<'_>,
        file: SourceFile,
        output: &mut Output,
    ) -> Result<(SourceFile, Status), Stop> {
        let mut judge = |text: &str| {
            opener.set_text(opened, text.into());
            let snapshot = opener.host.snapshot();
            let diagnostics = snapshot.all_diagnostics(opened.id)?;
            Ok(Judged { diagnostics, shaders: snapshot.shaders(opened.id)?.len() })
        };
        let path = opened.path;
        let is_piped = path == Path::new("-") && self.destination == Destination::File;
        if let Some(why) = reason_to_leave(path, &file) {
            let offered = judge(&file.text)?.diagnostics;
            if offered.iter().any(|it| fix_within(it, self.scope).is_some()) {
                complain(format_args!("{}: {why}, which is not rewritten", file.name));
            }
            if is_piped {
                output.document(&file.text)?;
            }
            return Ok((file, Status::Good));
        }
        let Fixed { text, made, taken_back } = fixing::fix(&file.text, self.scope, &mut judge)?;
        let fixed = SourceFile::new(file.name.clone(), text.into(), file.language);
        for diagnostic in taken_back {
            let line = fixed.line(diagnostic.range.start());
            let fix = fix_within(&diagnostic, self.scope).map_or("", |fix| &fix.title);
            complain(format_args!(
                "{}:{line}: the fix \"{fix}\" is taken back, since it would bring more errors",
                fixed.name
            ));
        }
        let mut status = Status::Good;
        match self.destination {
            Destination::Difference if made > 0 => {
                diff::print(&file.name, &file.text, &fixed.text, output)?;
                status = Status::Bad;
            }
            Destination::Difference => {}
            Destination::File if is_piped => output.document(&fixed.text)?,
            Destination::File if made > 0 => write(path, &file, &fixed)?,
            Destination::File => {}
        }
        self.made += made;
        self.files += usize::from(made > 0);
        Ok((fixed, status))
    }

    /// Counts what is left of a file.
    pub(super) fn leave(&mut self, diagnostics: &[Diagnostic]) {
        self.left += diagnostics.len();
        self.fixable += diagnostics.iter().filter(|it| !it.fixes.is_empty()).count();
    }

    /// Says on standard error what was done.
    pub(super) fn conclude(self) {
        let would = match self.destination {
            Destination::File => "Fixed",
            Destination::Difference => "Would fix",
        };
        let (made, files) = (counted(self.made, "problem"), counted(self.files, "file"));
        let more = match self.scope {
            FixScope::Sure if self.fixable > 0 => {
                format!(", {} of them with fixes for `--unsafe-fixes`", self.fixable)
            }
            FixScope::Sure | FixScope::Any => String::new(),
        };
        conclude(&format!("{would} {made} in {files}; {} left{more}", self.left));
    }
}

/// The kind of a file that is not rewritten, in words.
fn reason_to_leave(path: &Path, file: &SourceFile) -> Option<&'static str> {
    match Decoder::of(path) {
        Some(Decoder::Tokens) => return Some("holds tokens"),
        Some(Decoder::Code) => return Some("holds machine code"),
        None => {}
    }
    if language::is_log(&file.name, &file.text, file.language) {
        return Some("a log or listing");
    }
    // What was no UTF-8 is replaced in the text that was read.
    file.text.contains(char::REPLACEMENT_CHARACTER).then_some("no text in UTF-8")
}

/// Writes the fixed text into the file, unless it holds another one by now.
fn write(path: &Path, file: &SourceFile, fixed: &SourceFile) -> Result<(), Stop> {
    let stop = |why: &dyn std::fmt::Display| failed(format_args!("{}: {why}", file.name));
    let now = read_named(path, source::MAX_TEXT_LENGTH).map_err(|why| stop(&why))?;
    if now != file.text.as_bytes() {
        return Err(stop(&"has changed meanwhile; nothing is written"));
    }
    std::fs::write(path, fixed.text.as_bytes()).map_err(|error| stop(&error))
}
