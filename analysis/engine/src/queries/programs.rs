//! A GCN file as a program: the queries that everything else asks.
//!
//! The grain is the file, since macros and symbols reach everywhere in it. The
//! texts of included files are inputs that the server brings: which names are
//! wanted is an answer of the engine, where they are found is not its matter. An
//! included file that is opened by itself is judged as its includer reads it.

use std::sync::Arc;

use editor_model::TargetOrigin;
use gcn::Target;
use gcn::assembler::sources::SourceId;
use gcn::dialect::{self, Dialect, Listing, Unsupported};
use gcn::program::{Certainty, Options, Program, guess_target, reassemble};
use rustc_hash::{FxHashMap, FxHashSet};
use salsa::Database;
use source::{Diagnostic, Severity};

use crate::inputs::{File, Include};
use crate::queries::shaders::too_large;

/// The chip and the language that a file was taken for, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssemblyKind {
    /// The chip it is assembled for.
    pub target: Target,
    /// The chip that is named in its place and is not supported: nothing is assembled.
    pub unsupported: Option<Unsupported>,
    /// The origin of the choice of the chip.
    pub target_origin: TargetOrigin,
    /// The origin in words: "`.gpu Fiji` in line 2".
    pub target_why: String,
    /// The assembly language.
    pub dialect: Dialect,
    /// The tool that printed the file, where nobody wrote it.
    pub listing: Option<Listing>,
    /// The sign that showed the language, in words.
    pub dialect_why: String,
}

impl AssemblyKind {
    /// The name of the chip that the file is for, which may be one that is not supported.
    pub fn chip(&self) -> &str {
        self.unsupported.as_ref().map_or(self.target.name(), Unsupported::name)
    }

    /// One line about it, for hovers and the status.
    pub fn sentence(&self) -> String {
        let why = &self.target_why;
        let target = match &self.unsupported {
            Some(unsupported) => format!("{unsupported}, which is not supported yet"),
            None => self.target.name().to_owned(),
        };
        let guess = match self.target_origin {
            TargetOrigin::Default => "assumed: ",
            TargetOrigin::Instructions => "guessed from ",
            TargetOrigin::FileName => "by ",
            _ => "",
        };
        let kind = match self.listing {
            Some(listing) => listing.name(),
            None => "source",
        };
        let (dialect, dialect_why) = (self.dialect.name(), &self.dialect_why);
        format!("{target} ({guess}{why}); {dialect} {kind} ({dialect_why})")
    }
}

/// A large result; equal to itself only, as comparing costs more than what follows.
#[derive(Debug)]
pub(crate) struct Shared<T = Program>(pub(crate) Arc<T>);

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Shared<T> {
        Shared(self.0.clone())
    }
}

impl<T> PartialEq for Shared<T> {
    fn eq(&self, other: &Shared<T>) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> Eq for Shared<T> {}

impl<T> std::ops::Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

/// The chip and the language that the file's own text, its name and the settings say.
#[salsa::tracked(returns(clone))]
pub(crate) fn own_kind(db: &dyn Database, file: File) -> AssemblyKind {
    let (text, name) = (file.text(db), file.name(db));
    let settings = file.settings(db).assembly(db);
    let detected = dialect::detect(&text);
    let (dialect, listing, dialect_why) = match settings.dialect {
        Some(dialect) if detected.dialect != dialect => (dialect, None, "the setting".to_owned()),
        _ => (detected.dialect, detected.listing, detected.why),
    };
    let of_text = dialect::target_in(&text, "").map(|it| (it, TargetOrigin::Directive));
    let found = of_text
        .or_else(|| dialect::target_in("", &name).map(|it| (it, TargetOrigin::FileName)))
        .map(|(found, origin)| (found.target, origin, found.why));
    let set =
        || settings.target.map(|it| (Ok(it), TargetOrigin::Setting, "the setting".to_owned()));
    let guess = || {
        let default_target = file.settings(db).targets(db).first().copied().unwrap_or_default();
        let symbols = settings.symbols.clone();
        let options = Options { default_target, dialect, listing, symbols, ..Options::default() };
        // To guess takes the instruction sets of all chips: not for a text without any.
        let is_code = !text.trim().is_empty() && text.len() <= source::MAX_TEXT_LENGTH;
        match is_code.then(|| guess_target(&text, &options)).flatten() {
            Some(found) => (found.target, TargetOrigin::Instructions, found.why),
            None => {
                (Ok(default_target), TargetOrigin::Default, "nothing names a target".to_owned())
            }
        }
    };
    let (named, target_origin, target_why) = found.or_else(set).unwrap_or_else(guess);
    let (target, unsupported) = match named {
        Ok(target) => (target, None),
        Err(unsupported) => (Target::default(), Some(unsupported)),
    };
    AssemblyKind { target, unsupported, target_origin, target_why, dialect, listing, dialect_why }
}

/// The chip and the language that a file was taken for.
pub(crate) fn assembly_kind(db: &dyn Database, file: File) -> AssemblyKind {
    let mut kind = own_kind(db, file);
    if let Some((includer, _)) = root_includer(db, file) {
        let outer = own_kind(db, includer);
        kind = AssemblyKind {
            target_origin: TargetOrigin::Includer,
            target_why: format!(
                "the file that includes this one, {}",
                last_part(&includer.name(db))
            ),
            ..outer
        };
    }
    let program = program(db, root_includer(db, file).map_or(file, |(includer, _)| includer));
    if kind.target_origin != TargetOrigin::Includer
        && program.certainty == Certainty::Explicit
        && (program.target != kind.target || program.unsupported != kind.unsupported)
    {
        kind.target_origin = TargetOrigin::Directive;
        kind.target_why = "a directive of an included file".to_owned();
    }
    kind.target = program.target;
    kind.unsupported = program.unsupported.clone();
    kind
}

/// A file's name without its folders.
fn last_part(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

/// A file, assembled.
#[salsa::tracked(returns(clone))]
pub(crate) fn program(db: &dyn Database, file: File) -> Shared {
    assembled(db, file, None)
}

/// The symbols of the program that a file belongs to that have no value and decide what is read.
pub(crate) fn undefined_symbols(db: &dyn Database, file: File) -> Vec<String> {
    let (root, _) = root_includer(db, file).unwrap_or((file, SourceId::ROOT));
    program(db, root).expansion.missing.iter().map(ToString::to_string).collect()
}

/// A file, assembled for a chip whatever it names itself: for a comparison that the
/// user looks at, so that only the last few are kept.
#[salsa::tracked(returns(clone), lru = 4)]
pub(crate) fn program_on(db: &dyn Database, file: File, target: Target) -> Shared {
    assembled(db, file, Some(target))
}

fn assembled(db: &dyn Database, file: File, wanted: Option<Target>) -> Shared {
    let program = Arc::new(assembled_text(db, file, wanted, &file.text(db)));
    if wanted.is_none() {
        file.last_program(db).keep(Some(program.clone()));
    }
    Shared(program)
}

/// A text in place of a file's own, assembled as that is.
pub(crate) fn assembled_text(
    db: &dyn Database,
    file: File,
    wanted: Option<Target>,
    text: &Arc<str>,
) -> Program {
    let options = options(db, file, wanted);
    let includes = file.includes(db);
    let nothing = Arc::from("");
    let text = if text.len() > source::MAX_TEXT_LENGTH { &nothing } else { text };
    let named = by_name(&includes);
    let included = |name: &str| Some(named.get(name)?.text(db));
    let checkpoint = || db.unwind_if_revision_cancelled();
    let last = file.last_program(db);
    let before = last.get();
    reassemble(before.as_deref(), text, &options, &included, &checkpoint)
}

/// The options that a file is assembled with.
pub(crate) fn options(db: &dyn Database, file: File, wanted: Option<Target>) -> Options {
    let kind = own_kind(db, file);
    let certainty = match kind.target_origin {
        TargetOrigin::Setting => Certainty::Explicit,
        _ => Certainty::Guessed,
    };
    let includes = file.includes(db);
    let outside = includes.iter().filter(|(_, file)| *file == Include::Outside);
    Options {
        target: wanted,
        default_target: kind.target,
        unsupported: kind.unsupported,
        certainty,
        dialect: kind.dialect,
        listing: kind.listing,
        symbols: file.settings(db).assembly(db).symbols.clone(),
        outside: outside.map(|(name, _)| name.clone()).collect(),
        ..Options::default()
    }
}

/// The files that names in `.include` directives mean, by the names.
pub(crate) fn by_name(includes: &[(Arc<str>, Include<File>)]) -> FxHashMap<&str, File> {
    includes.iter().filter_map(|(name, file)| Some((&**name, file.found()?))).collect()
}

/// The names that the file includes and that nobody has looked for yet.
pub(crate) fn wanted_includes(db: &dyn Database, file: File) -> Vec<String> {
    let includes = file.includes(db);
    let known: FxHashSet<&str> = includes.iter().map(|(name, _)| &**name).collect();
    let program = program(db, file);
    let wanted = program.expansion.wanted.iter().map(|wanted| &*wanted.name);
    let wanted = wanted.filter(|name| !known.contains(name));
    wanted.map(str::to_owned).collect()
}

/// Files that a file wants to be read with: names in the words of the text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WantedFiles {
    /// The names that it includes and that nobody has looked for yet.
    pub includes: Vec<String>,
    /// Its own name, where it is only a part of a program and nobody has said of which:
    /// a file is wanted that includes it.
    pub includer: Option<String>,
}

/// The files that a file wants to be read with.
pub(crate) fn wanted_files(db: &dyn Database, file: File) -> WantedFiles {
    let name = file.name(db);
    let alone = !is_translation_unit(&name) && root_includer(db, file).is_none();
    WantedFiles {
        includes: wanted_includes(db, file),
        includer: alone.then(|| last_part(&name).to_owned()),
    }
}

/// The file that includes this one, and this one's place among its sources, where
/// the includer does read it.
pub(crate) fn root_includer(db: &dyn Database, file: File) -> Option<(File, SourceId)> {
    let includer = file.includer(db)?;
    let includes = includer.includes(db);
    let (name, _) = includes.iter().find(|(_, target)| *target == Include::Found(file))?;
    let program = program(db, includer);
    let found = program.expansion.files().skip(1).find(|(_, it)| **it == **name)?;
    Some((includer, found.0))
}

/// The diagnostics of a GCN file.
pub(crate) fn diagnostics(db: &dyn Database, file: File) -> Vec<Diagnostic> {
    if let Some(diagnostic) = too_large(&file.text(db)) {
        return vec![diagnostic];
    }
    if let Some((includer, source)) = root_includer(db, file) {
        return of_include(&program(db, includer), source);
    }
    let mut diagnostics = program(db, file).diagnostics.clone();
    if !is_translation_unit(&file.name(db)) {
        // What it needs may come from the file that includes it.
        for diagnostic in &mut diagnostics {
            diagnostic.severity = Severity::Hint;
        }
    }
    diagnostics
}

/// The diagnostics of a place in an included file from the includer's program. Related places
/// and fixes are of the includer's text.
fn of_include(program: &Program, source: SourceId) -> Vec<Diagnostic> {
    let diagnostics = program.diagnostics.iter().zip(&program.diagnostic_places);
    let here = diagnostics.filter(|(_, place)| place.source == source);
    let mut here: Vec<Diagnostic> = here
        .map(|(diagnostic, place)| {
            Diagnostic::new(diagnostic.code, diagnostic.severity, place.range, &*diagnostic.message)
        })
        .collect();
    here.sort_by_key(|diagnostic| diagnostic.range.start());
    here
}

/// Tells whether a file of this name is assembled by itself, and not only included.
pub fn is_translation_unit(name: &str) -> bool {
    let extension = last_part(name).rsplit_once('.').map(|(_, extension)| extension);
    !extension.is_some_and(|it| {
        ["inc", "h", "i", "mac", "macros", "m4"].iter().any(|kind| it.eq_ignore_ascii_case(kind))
    })
}
