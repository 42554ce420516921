//! The dialect of TGSI: which reader decides what is an error. Without one the text of
//! any reader is taken, with hints where others refuse it.

use std::sync::Arc;

use salsa::Database;
use source::Diagnostic;
use tgsi::dialects::{self, Dialect};

use crate::inputs::File;
use crate::queries::shaders::{self, ShaderText};

use super::directives::{DIALECT, last_value};

/// The word for no dialect in particular.
pub(super) const ANY: &str = "auto";

/// The origin of the choice of a dialect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    File,
    Settings,
}

fn dialect(db: &dyn Database, file: File, shader: usize) -> Option<(&'static Dialect, Origin)> {
    let understand = |name: &str| match name {
        ANY => Some(None),
        name => Dialect::find(name).map(Some),
    };
    match last_value(db, file, shader, DIALECT, understand) {
        Some(said) => said.map(|dialect| (dialect, Origin::File)),
        None => file.settings(db).rules(db).dialect.map(|dialect| (dialect, Origin::Settings)),
    }
}

/// The diagnostics of a shader as its dialect has them, or without a dialect those of the
/// readers in use, in positions of the shader's text.
pub(crate) fn of_dialect<'db>(
    db: &'db dyn Database,
    file: File,
    shader: ShaderText<'db>,
) -> Arc<Vec<Diagnostic>> {
    let Some((dialect, _)) = dialect(db, file, shader.index(db)) else {
        return shaders::diagnostics_today(db, shader);
    };
    let mut diagnostics = shaders::diagnostics(db, shader).as_ref().clone();
    if let Some(ast) = &shaders::parse(db, shader).shader {
        dialect.check(ast, &shader.text(db), &mut diagnostics);
    }
    Arc::new(diagnostics)
}

/// The same for diagnostics of no shader, which are about forms of the text.
pub(crate) fn apply_dialect_to_forms(
    db: &dyn Database,
    file: File,
    diagnostics: &mut Vec<Diagnostic>,
) {
    if let Some((dialect, _)) = dialect(db, file, 0) {
        diagnostics.retain_mut(|diagnostic| dialect.check_form(diagnostic));
    }
}

/// The dialect that a file's shaders are read as, in a line for the user; `None` without shaders.
pub(crate) fn shader_readers(db: &dyn Database, file: File) -> Option<String> {
    let shaders = shaders::shaders(db, file);
    let first = shaders.first()?;
    if let Some((dialect, origin)) = dialect(db, file, first.index(db)) {
        let why = match origin {
            Origin::File => "as the file says",
            Origin::Settings => "as the settings say",
        };
        return Some(format!("TGSI of {}, {why}", dialect.name));
    }
    let mut common: Option<Vec<&'static Dialect>> = None;
    for shader in shaders {
        let readers = readers(db, *shader);
        match &mut common {
            None => common = Some(readers),
            Some(common) => common.retain(|dialect| readers.contains(dialect)),
        }
    }
    let common = common.unwrap_or_default();
    Some(match common.as_slice() {
        [] => "Dialect: auto. No known reader accepts this whole file".to_owned(),
        readers => format!("Dialect: auto. Accepted by {}", spans(readers)),
    })
}

/// The dialects that take a shader.
#[salsa::tracked(returns(clone))]
pub(crate) fn readers<'db>(
    db: &'db dyn Database,
    shader: ShaderText<'db>,
) -> Vec<&'static Dialect> {
    let parse = shaders::parse(db, shader);
    let Some(ast) = &parse.shader else { return Vec::new() };
    dialects::readers(ast, &shader.text(db), &parse.diagnostics)
}

/// Names in the order of the table, those that stand together as `first to last`.
pub(crate) fn spans(readers: &[&'static Dialect]) -> String {
    let mut spans: Vec<(&Dialect, &Dialect)> = Vec::new();
    let mut before = None;
    for (place, dialect) in Dialect::all().iter().enumerate() {
        if !readers.contains(&dialect) {
            continue;
        }
        // Only those of Mesa are in order of time.
        let follows = dialect.is_mesa() && place.checked_sub(1) == before && before.is_some();
        match spans.last_mut().filter(|_| follows) {
            Some(span) => span.1 = dialect,
            None => spans.push((dialect, dialect)),
        }
        before = Some(place);
    }
    let words = spans.iter().map(|(first, last)| match first == last {
        true => first.name.to_owned(),
        false => format!("{} to {}", first.name, last.name),
    });
    words.collect::<Vec<_>>().join(", ")
}
