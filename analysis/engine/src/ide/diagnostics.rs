//! The diagnostics of a file: syntax and rules of each shader, and what is not
//! compiled.

use salsa::Database;
use source::{Diagnostic, MAX_DIAGNOSTICS, Severity, SeverityCounts, TextRange};

use super::compile_notes;
use crate::inputs::File;
use crate::queries::codes::{FAILED, TOO_MANY};
use crate::queries::compile;
use crate::queries::rules;
use crate::queries::rules::directives;
use crate::queries::shaders::{self, ShaderText};

pub(super) fn of_shaders(db: &dyn Database, file: File) -> Vec<Diagnostic> {
    let regions = shaders::regions(db, file);
    let mut all = regions.diagnostics.clone();
    rules::apply_dialect_to_forms(db, file, &mut all);
    for (shader, region) in shaders::shaders(db, file).iter().zip(&regions.shaders) {
        let mut here = rules::of_dialect(db, file, *shader).as_ref().clone();
        add_compile_diagnostics(db, file, *shader, &mut here);
        rules::merge_causes(&mut here);
        here.extend(rules::capability_diagnostics(db, file, *shader));
        all.extend(here.into_iter().map(|it| region.map().diagnostic_to_file(it)));
    }
    all.extend(rules::link_diagnostics(db, file));
    rules::apply(db, file, &mut all);
    all.sort_by_key(|diagnostic| diagnostic.range.start());
    bounded(all)
}

/// Diagnostics in order, with a summary in place of those that are too many: a hint never
/// pushes out an error. `key` says how bad each is and where it is shown, and `make` puts those
/// that stay into words.
pub(super) fn bounded_by<T>(
    mut all: Vec<T>,
    key: impl Fn(&T) -> (Severity, TextRange),
    make: impl Fn(T) -> Option<Diagnostic>,
) -> Vec<Diagnostic> {
    if all.len() <= MAX_DIAGNOSTICS {
        return all.into_iter().filter_map(make).collect();
    }
    all.sort_by_key(|diagnostic| key(diagnostic).0);
    let rest = all.split_off(MAX_DIAGNOSTICS);
    let counts: SeverityCounts = rest.iter().map(|diagnostic| key(diagnostic).0).collect();
    all.sort_by_key(|diagnostic| key(diagnostic).1.start());
    // The summary is as bad as the worst diagnostic that it stands for.
    let worst = counts.worst().unwrap_or(Severity::Hint);
    let message = format!("too many diagnostics to show; left out: {counts}");
    let place = rest.first().map(|diagnostic| key(diagnostic).1).unwrap_or_default();
    let summary = Diagnostic::new(TOO_MANY, worst, place, message);
    all.into_iter().filter_map(make).chain([summary]).collect()
}

/// The same of diagnostics in words.
pub(super) fn bounded(all: Vec<Diagnostic>) -> Vec<Diagnostic> {
    bounded_by(all, |diagnostic| (diagnostic.severity, diagnostic.range), Some)
}

/// Adds the reasons why a shader has no machine code, relative to the shader: what is not
/// lowered for the main target, and what LLVM said for any; and what its code tells.
fn add_compile_diagnostics<'db>(
    db: &'db dyn Database,
    file: File,
    shader: ShaderText<'db>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let targets = directives::targets(db, file, shader.index(db));
    let Some(main) = targets.first() else { return };
    if shaders::has_errors(db, shader) {
        return;
    }
    let failures = compile::failures(
        db,
        shader,
        main.generation(),
        directives::environment(db, file, shader.index(db)),
    );
    rules::add_failures(shaders::parse(db, shader).shader.as_ref(), &failures, diagnostics);
    let builds = directives::builds(db, file, shader.index(db));
    let not_compiled = builds.iter().copied().filter_map(|build| {
        let state = compile::slot(db, file, shader.index(db), build)?.state(db);
        let (newest, failure) = state.newest.as_ref()?;
        let failure = failure.as_ref()?;
        // What a compiler said of an earlier text says nothing of this one.
        let (_, key) = compile::wanted_program(db, file, shader, build).ok()?;
        let message = format!("not compiled for {}: {failure}", build.name());
        (*newest == key).then(|| Diagnostic::warning(FAILED, header(db, shader), message))
    });
    diagnostics.extend(not_compiled);
    diagnostics.extend(compile_notes::diagnostics(db, file, shader));
}

fn header<'db>(db: &'db dyn Database, shader: ShaderText<'db>) -> TextRange {
    let parse = shaders::parse(db, shader);
    parse.shader.as_ref().map(|shader| shader.stage.range).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use source::TextSize;

    use super::*;

    #[test]
    fn hints_push_out_no_error() {
        let at = |offset: usize, severity| {
            let range = TextRange::empty(TextSize::new(offset as u32));
            Diagnostic::new(FAILED, severity, range, "found")
        };
        let mut all: Vec<Diagnostic> = (0..700).map(|it| at(it, Severity::Hint)).collect();
        all.extend([at(700, Severity::Warning), at(701, Severity::Error)]);
        let shown = bounded(all);
        assert_eq!(shown.len(), MAX_DIAGNOSTICS + 1);
        let places: Vec<u32> = shown.iter().map(|it| it.range.start().into()).collect();
        assert_eq!(places[497..], [497, 700, 701, 498]);
        assert_eq!(shown[500].severity, Severity::Hint);
        assert_eq!(shown[500].message, "too many diagnostics to show; left out: 202 hints");
        assert_eq!(bounded(vec![at(0, Severity::Hint)]).len(), 1);
    }
}
