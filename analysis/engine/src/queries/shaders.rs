//! A TGSI file as shaders: the queries that everything else asks.
//!
//! The grain is the shader. A shader's text is a tracked struct of its own, so
//! that typing in one shader recomputes nothing of another; its parse is in
//! positions of that text, so that moving it recomputes nothing at all. Where
//! the text is in the file, perhaps line by line behind the prefixes of a log,
//! is the region's map: all that goes to the user goes through it.

use std::sync::Arc;

use salsa::Database;
use source::{Diagnostic, LineIndex, SegmentMap, Severity, TextRange, TextSize};
use tgsi::parser::Parse;
use tgsi::regions::Regions;

use crate::inputs::{File, Language, is_source};
use crate::queries::codes::TOO_LARGE;

/// The text of one shader of a file.
#[salsa::tracked]
pub(crate) struct ShaderText<'db> {
    /// Its place among the file's shaders.
    #[returns(copy)]
    pub(crate) index: usize,
    /// From its header to its last statement.
    #[tracked]
    #[returns(clone)]
    pub(crate) text: Arc<str>,
}

/// The places of the shaders of a file: none in files of other languages.
#[salsa::tracked(returns(clone))]
pub(crate) fn regions(db: &dyn Database, file: File) -> Arc<Regions> {
    if file.language(db) != Language::Tgsi {
        return Arc::new(Regions { shaders: Vec::new(), diagnostics: Vec::new() });
    }
    let text = file.text(db);
    if let Some(diagnostic) = too_large(&text) {
        return Arc::new(Regions { shaders: Vec::new(), diagnostics: vec![diagnostic] });
    }
    let mut regions = tgsi::regions::split(&text);
    if is_source(&file.name(db)) {
        // A source without a shader lacks nothing.
        regions.diagnostics.clear();
    }
    let more = regions.shaders.len().saturating_sub(source::MAX_SHADERS);
    if more > 0 {
        let message = format!(
            "only the first {} shaders of the file are analysed, not the {more} after them",
            source::MAX_SHADERS
        );
        // At the very beginning, so that it is among the diagnostics that are shown.
        let place = TextRange::default();
        regions.diagnostics.push(Diagnostic::warning(TOO_LARGE, place, message));
        regions.shaders.truncate(source::MAX_SHADERS);
    }
    Arc::new(regions)
}

/// The diagnostic of a text that is larger than what is analysed.
pub(crate) fn too_large(text: &str) -> Option<Diagnostic> {
    let most = source::MAX_TEXT_LENGTH;
    let message = || format!("the file is larger than {} MiB and is not analysed", most >> 20);
    (text.len() > most).then(|| Diagnostic::error(TOO_LARGE, TextRange::default(), message()))
}

/// The shaders of a file in order.
#[salsa::tracked(returns(ref))]
pub(crate) fn shaders(db: &dyn Database, file: File) -> Vec<ShaderText<'_>> {
    let text = file.text(db);
    let ranges = regions(db, file);
    let texts = ranges.shaders.iter().map(|region| Arc::from(region.text(&text)));
    texts.enumerate().map(|(index, text)| ShaderText::new(db, index, text)).collect()
}

/// A shader as statements, in positions of its text.
#[salsa::tracked(returns(clone))]
pub(crate) fn parse<'db>(db: &'db dyn Database, shader: ShaderText<'db>) -> Arc<Parse> {
    let text = shader.text(db);
    Arc::new(tgsi::parser::parse(&text, &|| db.unwind_if_revision_cancelled()))
}

/// The diagnostics of a shader, in positions of its text.
#[salsa::tracked(returns(clone))]
pub(crate) fn diagnostics<'db>(
    db: &'db dyn Database,
    shader: ShaderText<'db>,
) -> Arc<Vec<Diagnostic>> {
    let checkpoint = || db.unwind_if_revision_cancelled();
    let text = shader.text(db);
    let mut diagnostics = match tgsi::holes::has_holes(&text) {
        true => tgsi::holes::diagnostics(&text, &checkpoint),
        false => {
            let parse = parse(db, shader);
            let rules = parse.shader.iter().flat_map(|shader| tgsi::validate(shader, &checkpoint));
            parse.diagnostics.iter().cloned().chain(rules).collect()
        }
    };
    diagnostics.sort_by_key(|diagnostic| (diagnostic.range.start(), diagnostic.range.end()));
    Arc::new(diagnostics)
}

/// Tells whether a shader has an error, or a hole that a program fills when it runs, so that there
/// is nothing to compile. Words that no reader in use knows are none: their meaning is known.
#[salsa::tracked(returns(copy))]
pub(crate) fn has_errors<'db>(db: &'db dyn Database, shader: ShaderText<'db>) -> bool {
    let is_error = |diagnostic: &Diagnostic| diagnostic.severity == Severity::Error;
    tgsi::holes::has_holes(&shader.text(db)) || diagnostics(db, shader).iter().any(is_error)
}

/// The same as the readers in use have them.
#[salsa::tracked(returns(clone))]
pub(crate) fn diagnostics_today<'db>(
    db: &'db dyn Database,
    shader: ShaderText<'db>,
) -> Arc<Vec<Diagnostic>> {
    let mut found = diagnostics(db, shader);
    if let Some(ast) = &parse(db, shader).shader {
        tgsi::dialects::check_today(ast, &shader.text(db), Arc::make_mut(&mut found));
    }
    found
}

/// The lines of a file.
#[salsa::tracked(returns(clone))]
pub(crate) fn line_index(db: &dyn Database, file: File) -> Arc<LineIndex> {
    Arc::new(LineIndex::new(&file.text(db)))
}

/// The places of the bytes of a shader's text in its file.
pub(crate) fn map(db: &dyn Database, file: File, index: usize) -> Option<SegmentMap> {
    Some(regions(db, file).shaders.get(index)?.map().clone())
}

/// The shader that an offset of the file lies in, and where in its text.
pub(crate) fn at<'db>(
    db: &'db dyn Database,
    file: File,
    offset: TextSize,
) -> Option<(ShaderText<'db>, TextSize)> {
    let regions = regions(db, file);
    let after = regions.shaders.partition_point(|region| region.range().start() <= offset);
    let index = after.checked_sub(1)?;
    let place = regions.shaders[index].map().to_region(offset)?;
    Some((*shaders(db, file).get(index)?, place))
}
