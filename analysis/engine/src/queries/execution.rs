//! Runs of shaders on files of inputs, which show values in editors.
//!
//! A line `# tungsten: run=FILE` names the inputs of the shader that it stands in
//! or, between shaders, of the next one; `lane=N` chooses the invocation. Where no line
//! says it the settings do, and the lane at last the file of inputs. The file is an input that
//! the host brings like an included one. A run is bounded far below what the command line
//! allows: it takes place after every edit of the shader.

use std::sync::Arc;

use salsa::Database;
use source::{Diagnostic, OUTSIDE, TextRange, TextSize};
use tgsi::directives::Directive;
use tgsi_interp::execution::{Failure, execute};
use tgsi_interp::inputs::Inputs;
use tgsi_interp::launch::Tracing;
use tgsi_interp::{Limits, Program, Refusal, Subgroup};
use thiserror::Error;

use crate::inputs::{File, Include};
use crate::queries::codes::{DIRECTIVE, NOT_RUN, RUN_INPUTS};
use crate::queries::rules::directives::{
    LANE, RUN, directives, last_directive, shader_of_directive,
};
use crate::queries::shaders::{self, ShaderText};

/// Instructions of a run, and results that are kept of it, at most.
const LIMITS: Limits = Limits { steps: 1 << 18, records: 1 << 14 };

/// The values that an instruction wrote in the lane that is looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Written {
    /// The instruction, from 1.
    pub(crate) ordinal: u32,
    /// The components and their bits, of the last time.
    pub(crate) components: Vec<(usize, u32)>,
    /// The number of times that the lane came by.
    pub(crate) times: usize,
}

/// The result of a shader's run, or the reason why there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RunOutcome {
    /// The values that the instructions wrote, by ordinal.
    Values {
        /// The lane that is looked at.
        lane: usize,
        /// The results.
        written: Vec<Written>,
    },
    /// The mistakes in the inputs, or of the shader on them.
    Failed(RunError),
}

/// The reason why a shader's run has no result.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum RunError {
    /// The file of inputs may not be read.
    #[error("`{0}` cannot be read: {OUTSIDE}")]
    Outside(String),
    /// No file of inputs has the name.
    #[error("there is no file `{0}` around this one")]
    Missing(String),
    /// The file of inputs has a mistake.
    #[error("{name}:{line}: {message}")]
    Inputs { name: String, line: usize, message: String },
    /// The text has no shader.
    #[error("there is no shader")]
    NoShader,
    /// The interpreter does not take the program.
    #[error("{}", .0.message)]
    Refused(Refusal),
    /// The run was given up.
    #[error("{}", .0.message)]
    GivenUp(Failure),
}

/// The names of inputs that nobody has looked for yet.
pub(crate) fn wanted_inputs(db: &dyn Database, file: File) -> Vec<String> {
    let directives = directives(db, file);
    let known = file.includes(db);
    let names = directives.iter().filter(|directive| directive.key == RUN);
    let mut wanted: Vec<String> =
        names.filter_map(|it| it.values.first()).map(|(name, _)| name.clone()).collect();
    wanted.extend(file.settings(db).run(db).inputs.clone());
    wanted.retain(|name| known.iter().all(|(known, _)| **known != **name));
    wanted.sort_unstable();
    wanted.dedup();
    wanted
}

/// The lane whose values are shown, where a shader's line or the settings say it.
pub(crate) fn inputs_lane(db: &dyn Database, file: File, shader: usize) -> Option<usize> {
    let lane = last_directive(db, file, shader, LANE);
    let lane = lane.and_then(|lane| lane.values.first()?.0.parse::<usize>().ok());
    lane.or(file.settings(db).run(db).lane)
}

/// The name of the inputs that a shader is to be run on: its line says it, else the settings
/// do.
pub(crate) fn inputs_name(db: &dyn Database, file: File, shader: usize) -> Option<String> {
    match last_directive(db, file, shader, RUN) {
        Some(directive) => directive.values.first().map(|(name, _)| name.clone()),
        None => file.settings(db).run(db).inputs.clone(),
    }
}

/// The outcome of a shader's run; `None` where no inputs are named or nobody has
/// looked for them yet, and where the shader has errors of its own.
#[salsa::tracked(returns(clone))]
pub(crate) fn ran<'db>(
    db: &'db dyn Database,
    file: File,
    shader: ShaderText<'db>,
) -> Option<Arc<RunOutcome>> {
    let index = shader.index(db);
    let name = inputs_name(db, file, index)?;
    let includes = file.includes(db);
    let (_, inputs) = includes.iter().find(|(known, _)| **known == *name)?;
    if shaders::has_errors(db, shader) {
        return None;
    }
    let lane = inputs_lane(db, file, index);
    let ran = match inputs {
        Include::Outside => Err(RunError::Outside(name)),
        Include::Missing => Err(RunError::Missing(name)),
        Include::Found(inputs) => values(db, shader, &name, &inputs.text(db), lane),
    };
    Some(Arc::new(ran.unwrap_or_else(RunOutcome::Failed)))
}

fn values(
    db: &dyn Database,
    shader: ShaderText<'_>,
    name: &str,
    text: &str,
    lane: Option<usize>,
) -> Result<RunOutcome, RunError> {
    let mut inputs = Inputs::read(text).map_err(|mistake| RunError::Inputs {
        name: name.to_owned(),
        line: mistake.line(text),
        message: mistake.message,
    })?;
    inputs.lane = lane.unwrap_or(inputs.lane);
    inputs.subgroup = Subgroup::Wave;
    let parse = shaders::parse(db, shader);
    let Some(tree) = &parse.shader else { return Err(RunError::NoShader) };
    let program = Program::prepare(tree).map_err(RunError::Refused)?;
    let outcome = execute(&program, &inputs, Tracing::On, LIMITS).map_err(RunError::GivenUp)?;
    let mut written: Vec<Written> = Vec::new();
    for step in outcome.trace.iter().filter(|step| step.active & (1 << outcome.lane) != 0) {
        let lane = |(component, lanes): &(usize, [u32; tgsi_interp::LANES])| {
            (*component, lanes[outcome.lane])
        };
        let components = step.written.iter().map(lane).collect();
        let place = written.binary_search_by_key(&step.ordinal, |it| it.ordinal);
        match place {
            Ok(place) => {
                written[place].components = components;
                written[place].times += 1;
            }
            Err(place) => {
                let new = Written { ordinal: step.ordinal, components, times: 1 };
                written.insert(place, new);
            }
        }
    }
    Ok(RunOutcome::Values { lane: inputs.lane, written })
}

/// The diagnostics of a line that names inputs.
pub(crate) fn complaint(
    db: &dyn Database,
    file: File,
    directive: &Directive,
) -> Option<Diagnostic> {
    let hint = |code, message| Some(Diagnostic::hint(code, directive.range, message));
    match directive.key.as_str() {
        RUN if directive.values.len() != 1 => {
            hint(DIRECTIVE, format!("`{RUN}` takes the name of one file"))
        }
        LANE if !matches!(&directive.values[..], [(lane, _)] if lane.parse::<u16>().is_ok()) => {
            hint(DIRECTIVE, format!("`{LANE}` takes the number of a lane, from 0"))
        }
        RUN => {
            let index = shader_of_directive(db, file, directive)?;
            let shader = shaders::shaders(db, file).get(index)?;
            hint(NOT_RUN, failure(db, file, *shader)?)
        }
        _ => None,
    }
}

/// The reason why a shader is not run on the inputs that it is to be run on.
fn failure<'db>(db: &'db dyn Database, file: File, shader: ShaderText<'db>) -> Option<String> {
    match &*ran(db, file, shader)? {
        RunOutcome::Failed(reason) => Some(format!("it is not run: {reason}")),
        RunOutcome::Values { .. } => None,
    }
}

/// The diagnostics of shaders that are not run on the inputs of the settings, at their
/// first words.
pub(crate) fn failures_without_lines(db: &dyn Database, file: File) -> Vec<Diagnostic> {
    if file.settings(db).run(db).inputs.is_none() {
        return Vec::new();
    }
    let regions = shaders::regions(db, file);
    let pairs = shaders::shaders(db, file).iter().zip(&regions.shaders).enumerate();
    let unlined = pairs.filter(|(index, _)| last_directive(db, file, *index, RUN).is_none());
    let found = unlined.filter_map(|(_, (shader, region))| {
        let tree = shaders::parse(db, *shader);
        let stage = tree.shader.as_ref()?.stage.range;
        Some(Diagnostic::hint(NOT_RUN, region.map().to_file(stage), failure(db, file, *shader)?))
    });
    found.collect()
}

/// The mistake in the text of a file of inputs.
pub fn check_inputs(text: &str) -> Option<Diagnostic> {
    let mistake = Inputs::read(text).err()?;
    let place = |offset: usize| TextSize::new(offset.min(text.len()) as u32);
    let range = TextRange::new(place(mistake.range.start), place(mistake.range.end));
    Some(Diagnostic::error(RUN_INPUTS, range, mistake.message))
}
