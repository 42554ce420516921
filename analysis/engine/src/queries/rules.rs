//! Rules beside those of the language: what a chosen driver has, what the
//! stages of a pipeline say of each other, and what the user allows.

mod dialects;
pub(crate) mod directives;
mod driver_profile;
pub(crate) mod hosts;
mod pipelines;
mod suppressions;
mod verdict;

use salsa::Database;
use source::Diagnostic;

use crate::inputs::File;
use crate::queries::execution;

pub(crate) use dialects::{apply_dialect_to_forms, of_dialect, readers, shader_readers, spans};
pub(crate) use driver_profile::{capability_diagnostics, profile, requirements};
pub(crate) use pipelines::{halves, link, link_diagnostics};
pub(crate) use suppressions::{allowed_codes, apply_settings};
pub(crate) use verdict::{add_failures, merge_causes, worst};

/// Takes away what the user allows, and adds what is wrong with the lines of settings and
/// the runs that they ask for. Diagnostics are in positions of the file.
pub(crate) fn apply(db: &dyn Database, file: File, diagnostics: &mut Vec<Diagnostic>) {
    apply_settings(db, file, diagnostics);
    diagnostics.extend(execution::failures_without_lines(db, file));
    diagnostics.extend(hosts::refusal_diagnostics(db, file));
    diagnostics.extend(hosts::log_diagnostics(db, file));
    let unused = suppressions::apply(db, file, diagnostics);
    diagnostics.extend(unused);
    diagnostics.extend(directives::check(db, file));
}

#[cfg(test)]
mod tests;
