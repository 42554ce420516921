//! Pipelines: shaders that run one after the other, in one file that holds them
//! all or in files that a project names together.

use std::sync::Arc;

use lower::environment::NextStage;
use salsa::Database;
use source::{Diagnostic, TextRange};
use tgsi::Stage;
use tgsi::validate::linking::{self, Interface, Side};

use crate::inputs::File;
use crate::queries::codes::PROJECT_PIPELINE;
use crate::queries::shaders::{self, ShaderText};

/// The stages of the longest pipeline.
const MOST_STAGES: usize = 5;

/// The side that a shader shows to the stages beside it; `None` where it is not read completely.
#[salsa::tracked(returns(clone))]
fn interface<'db>(db: &'db dyn Database, shader: ShaderText<'db>) -> Option<Arc<Interface>> {
    let parse = shaders::parse(db, shader);
    let shader = parse.shader.as_ref()?;
    let complete = shader.statements.iter().all(|statement| !statement.broken);
    complete.then(|| Arc::new(Interface::new(shader)))
}

/// The diagnostics between the shaders of a file that holds one pipeline, and
/// between it and the files that its project names with it, in positions of
/// the file.
pub(crate) fn link_diagnostics(db: &dyn Database, file: File) -> Vec<Diagnostic> {
    let mut found = of_one_file(db, file);
    for pipeline in file.pipelines(db).iter() {
        let stages: Vec<_> = pipeline.iter().flat_map(|stage| in_order(db, *stage)).collect();
        let said = match link(db, &stages) {
            Some(said) => said,
            None => {
                no_pipeline(db, &stages).map(|diagnostic| (file, diagnostic)).into_iter().collect()
            }
        };
        let here = said.into_iter().filter(|(of, _)| *of == file).map(|(_, diagnostic)| diagnostic);
        // A file in two pipelines, or with several stages, says a thing once.
        for diagnostic in here {
            if !found.contains(&diagnostic) {
                found.push(diagnostic);
            }
        }
    }
    found
}

fn in_order(db: &dyn Database, file: File) -> impl Iterator<Item = (File, ShaderText<'_>)> {
    shaders::shaders(db, file).iter().map(move |shader| (file, *shader))
}

fn of_one_file(db: &dyn Database, file: File) -> Vec<Diagnostic> {
    let shaders: Vec<_> = in_order(db, file).collect();
    if !may_be_pipeline(db, file) {
        return Vec::new();
    }
    link(db, &shaders).unwrap_or_default().into_iter().map(|(_, diagnostic)| diagnostic).collect()
}

/// Tells whether the text behind a shader of a file may be its neighbour: in a log, and in a
/// text of many shaders, it is none.
fn may_be_pipeline(db: &dyn Database, file: File) -> bool {
    let is_log = |region: &tgsi::regions::Region| !region.map().is_contiguous();
    shaders::shaders(db, file).len() <= MOST_STAGES
        && !shaders::regions(db, file).shaders.iter().any(is_log)
}

/// The stage of a shader, if its header says one.
#[salsa::tracked(returns(copy))]
fn stage<'db>(db: &'db dyn Database, shader: ShaderText<'db>) -> Option<Stage> {
    shaders::parse(db, shader).shader.as_ref().map(|shader| shader.stage.value)
}

/// A shader of a pipeline, with its file and its stage.
type Link<'db> = (File, ShaderText<'db>, Stage);

/// The stages that run with a shader of a file: those of the file where it holds a
/// pipeline, else those of the first pipeline that the project names it in.
fn neighbours(db: &dyn Database, file: File) -> Option<Vec<Link<'_>>> {
    let with_stages = |files: &[File]| -> Option<Vec<Link<'_>>> {
        let shaders = files.iter().flat_map(|file| in_order(db, *file));
        let links: Option<Vec<_>> = shaders
            .take(MOST_STAGES + 1)
            .map(|(file, shader)| Some((file, shader, stage(db, shader)?)))
            .collect();
        links.filter(|links| {
            let stages: Vec<Stage> = links.iter().map(|(.., stage)| *stage).collect();
            linking::is_pipeline(&stages)
        })
    };
    let own = may_be_pipeline(db, file).then(|| with_stages(&[file])).flatten();
    own.or_else(|| file.pipelines(db).iter().find_map(|files| with_stages(files)))
}

/// The stage that follows a shader in its pipeline; `None` where it is in none.
pub(super) fn next_stage(db: &dyn Database, file: File, shader: usize) -> Option<NextStage> {
    let links = neighbours(db, file)?;
    let here = links.iter().position(|link| link.0 == file && link.1.index(db) == shader)?;
    Some(match links.get(here + 1)?.2 {
        Stage::Geometry => NextStage::Geometry,
        Stage::TessellationControl | Stage::TessellationEvaluation => NextStage::Tessellation,
        Stage::Vertex | Stage::Fragment | Stage::Compute => NextStage::Rasterizer,
    })
}

/// The two shaders that a generation runs as one program, one of them the given one.
pub(crate) fn halves(
    db: &dyn Database,
    file: File,
    shader: usize,
    generation: lower::Generation,
) -> Option<[(File, ShaderText<'_>); 2]> {
    if generation < lower::Generation::Gfx9 {
        return None;
    }
    let links = neighbours(db, file)?;
    let is_this = |link: &Link<'_>| link.0 == file && link.1.index(db) == shader;
    let pair = links
        .windows(2)
        .find(|pair| pair.iter().any(is_this) && lower::merges(generation, pair[0].2, pair[1].2))?;
    Some([0, 1].map(|half: usize| (pair[half].0, pair[half].1)))
}

/// The diagnostics of files that are named as a pipeline and are none; nothing where
/// a shader is not read completely, which has its own diagnostics.
fn no_pipeline(db: &dyn Database, stages: &[(File, ShaderText<'_>)]) -> Option<Diagnostic> {
    let known: Option<Vec<_>> = stages
        .iter()
        .map(|(_, shader)| interface(db, *shader).map(|interface| interface.stage.word()))
        .collect();
    let message = format!(
        "the project names this file in a pipeline whose stages are {}: list each stage \
         once, in order, and at least two",
        match known? {
            none if none.is_empty() => "none".to_owned(),
            words => words.join(", "),
        }
    );
    Some(Diagnostic::warning(PROJECT_PIPELINE, TextRange::default(), message))
}

/// The diagnostics between shaders of one or several files, each in positions of
/// its file; `None` where they are not a pipeline.
pub(crate) fn link<'db>(
    db: &'db dyn Database,
    shaders: &[(File, ShaderText<'db>)],
) -> Option<Vec<(File, Diagnostic)>> {
    let interfaces: Option<Vec<Arc<Interface>>> =
        shaders.iter().map(|(_, shader)| interface(db, *shader)).collect();
    let interfaces = interfaces?;
    let stages: Vec<_> = interfaces.iter().map(|interface| interface.stage).collect();
    if !linking::is_pipeline(&stages) {
        return None;
    }
    let mut found = Vec::new();
    for (pair, places) in interfaces.windows(2).zip(shaders.windows(2)) {
        for (side, diagnostic) in linking::link(&pair[0], &pair[1]) {
            let (file, shader) = places[usize::from(side == Side::Second)];
            let Some(map) = shaders::map(db, file, shader.index(db)) else { continue };
            found.push((file, map.diagnostic_to_file(diagnostic)));
        }
    }
    Some(found)
}
