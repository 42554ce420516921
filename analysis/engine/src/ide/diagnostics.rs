//! The findings of a file: syntax and rules of each shader, and what is not
//! compiled.

use lower::FailureKind;
use salsa::Database;
use text::{Diagnostic, MAX_DIAGNOSTICS, Severity, TextRange};

use crate::codes::{FAILED, INVALID, TOO_MANY, UNSUPPORTED};
use crate::compile::{self, Obstacle};
use crate::database::{Configuration, File, Language};
use crate::shaders::{self, ShaderText};

/// The findings of a file, in order of the text.
pub type Diagnostics = Vec<Diagnostic>;

pub(crate) fn diagnostics(db: &dyn Database, file: File) -> Diagnostics {
    match file.language(db) {
        Language::Tgsi => tgsi_diagnostics(db, file),
        // Nothing is certain of assembly text before it is assembled.
        Language::Gcn => Vec::new(),
    }
}

fn tgsi_diagnostics(db: &dyn Database, file: File) -> Diagnostics {
    let regions = shaders::regions(db, file);
    let mut all = regions.diagnostics.clone();
    for (shader, region) in shaders::shaders(db, file).iter().zip(&regions.shaders) {
        let findings = shaders::findings(db, *shader);
        let compile = compile_findings(db, file, *shader);
        let here = findings.iter().cloned().chain(compile);
        all.extend(here.map(|finding| region.map().finding_to_file(finding)));
    }
    all.sort_by_key(|finding| finding.range.start());
    if all.len() > MAX_DIAGNOSTICS {
        let rest = all.split_off(MAX_DIAGNOSTICS);
        // The summary is as bad as the worst finding that it stands for.
        let worst = rest.iter().map(|finding| finding.severity).min().unwrap_or(Severity::Hint);
        let message = format!("{} more findings are not shown", rest.len());
        all.push(Diagnostic::new(TOO_MANY, worst, rest[0].range, message));
    }
    all
}

/// Why a shader is not compiled for the main target, relative to the shader.
fn compile_findings<'db>(
    db: &'db dyn Database,
    file: File,
    shader: ShaderText<'db>,
) -> Vec<Diagnostic> {
    let settings = Configuration::get(db).settings(db);
    let Some(target) = settings.targets.first().copied() else { return Vec::new() };
    match compile::module(db, shader, target) {
        Err(Obstacle::Lowering(failures)) => failures
            .iter()
            .map(|failure| match failure.kind {
                FailureKind::Unsupported => {
                    Diagnostic::hint(UNSUPPORTED, failure.range, &failure.message)
                }
                FailureKind::Invalid => {
                    Diagnostic::warning(INVALID, failure.range, &failure.message)
                }
            })
            .collect(),
        Err(_) => Vec::new(),
        Ok((_, key)) => settings
            .targets
            .iter()
            .filter_map(|target| {
                let slot = compile::slot(db, file, shader.index(db), *target)?;
                let state = slot.state(db);
                let (newest, failure) = state.newest.as_ref()?;
                let of_this_text = compile::module(db, shader, *target).ok()?.1 == *newest;
                let failure = failure.as_ref().filter(|_| of_this_text || *newest == key)?;
                let message = format!("not compiled for {}: {failure}", target.name());
                Some(Diagnostic::warning(FAILED, header(db, shader), message))
            })
            .collect(),
    }
}

fn header<'db>(db: &'db dyn Database, shader: ShaderText<'db>) -> TextRange {
    let parse = shaders::parse(db, shader);
    parse.shader.as_ref().map(|shader| shader.stage.range).unwrap_or_default()
}
