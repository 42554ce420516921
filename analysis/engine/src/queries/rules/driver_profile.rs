//! The driver that shaders are judged for: what they ask of one, and what the chosen one
//! has not.

use std::sync::Arc;

use salsa::Database;
use source::Diagnostic;
use tgsi::profiles::{self, Profile};
use tgsi::requirements::Requirement;

use super::directives::{PROFILE, last_value};
use crate::inputs::File;
use crate::queries::shaders::{self, ShaderText};

/// Requirements that a shader has of a driver.
#[salsa::tracked(returns(clone))]
pub(crate) fn requirements<'db>(
    db: &'db dyn Database,
    shader: ShaderText<'db>,
) -> Arc<Vec<Requirement>> {
    let parse = shaders::parse(db, shader);
    let requirements = parse.shader.as_ref().map(|shader| {
        tgsi::requirements::requirements(shader, &|| db.unwind_if_revision_cancelled())
    });
    Arc::new(requirements.unwrap_or_default())
}

/// The profile of a shader: that of its last line, else that of the settings.
pub(crate) fn profile(db: &dyn Database, file: File, shader: usize) -> Option<Arc<Profile>> {
    let named = last_value(db, file, shader, PROFILE, Profile::find);
    named.cloned().or_else(|| file.settings(db).rules(db).profile.clone())
}

/// Diagnostics of what a shader uses beyond its profile, in positions of its text.
pub(crate) fn capability_diagnostics<'db>(
    db: &'db dyn Database,
    file: File,
    shader: ShaderText<'db>,
) -> Vec<Diagnostic> {
    let Some(profile) = profile(db, file, shader.index(db)) else { return Vec::new() };
    let parse = shaders::parse(db, shader);
    let Some(ast) = &parse.shader else { return Vec::new() };
    profiles::check(&profile, ast.stage.value, &requirements(db, shader))
}
