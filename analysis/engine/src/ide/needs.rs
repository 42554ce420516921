//! Needs that shaders have of drivers: for the matrix of the command line, and in
//! short on the header.

use std::fmt::Write as _;
use std::sync::Arc;

use salsa::Database;
use tgsi::Stage;
use tgsi::profiles::{Profile, Verdict};
use tgsi::requirements::{Demand, Requirement};

use crate::inputs::File;
use crate::queries::rules;
use crate::queries::shaders::{self, ShaderText};

/// The needs of one shader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Needs {
    /// Its place among the file's shaders.
    pub shader: usize,
    /// Its stage.
    pub stage: Stage,
    /// The profile that it is judged for, if any.
    pub profile: Option<Arc<Profile>>,
    /// In order of the text; places are those of the file.
    pub requirements: Vec<Requirement>,
}

pub(crate) fn needs(db: &dyn Database, file: File) -> Vec<Needs> {
    let shaders = shaders::shaders(db, file);
    let needs = shaders.iter().filter_map(|shader| {
        let index = shader.index(db);
        let map = shaders::map(db, file, index)?;
        let stage = shaders::parse(db, *shader).shader.as_ref()?.stage.value;
        let requirements = rules::requirements(db, *shader).as_ref().clone().into_iter();
        let requirements =
            requirements.map(|it| Requirement { range: map.to_file(it.range), ..it }).collect();
        Some(Needs { shader: index, stage, profile: rules::profile(db, file, index), requirements })
    });
    needs.collect()
}

/// A sentence on a shader's header: its needs that not every driver has, and
/// what its profile says of them.
pub(super) fn summary<'db>(
    db: &'db dyn Database,
    file: File,
    shader: ShaderText<'db>,
    stage: Stage,
) -> String {
    let requirements = rules::requirements(db, shader);
    let profile = rules::profile(db, file, shader.index(db));
    let mut page = String::new();
    let readers = rules::readers(db, shader);
    if !readers.is_empty() {
        let _ = write!(page, "\n---\nRead by {}\n", rules::spans(&readers));
    }
    let special: Vec<&str> =
        requirements.iter().filter(|it| it.demand == Demand::Yes).map(|it| it.capability).collect();
    if !special.is_empty() {
        let _ = write!(page, "\n---\nNeeds `{}`\n", special.join("`, `"));
    }
    if let Some(profile) = profile {
        let unmet = requirements
            .iter()
            .filter(|it| !matches!(it.demand, Demand::Form(_)))
            .filter(|it| matches!(profile.verdict(stage, it), Verdict::Unmet(_)));
        let unmet: Vec<&str> = unmet.map(|it| it.capability).collect();
        let _ = match (profile.has_stage(stage), unmet.as_slice()) {
            (false, _) => write!(page, "\n`{}` has no such stage\n", profile.name),
            (true, []) => write!(page, "\n`{}` has all of it\n", profile.name),
            (true, unmet) => {
                write!(page, "\n`{}` lacks `{}`\n", profile.name, unmet.join("`, `"))
            }
        };
    }
    page
}
