//! Compiled code as programs read it.

use std::io;

use engine::ide::{CompiledFigures, KeptStatement, ProblemKind, compiled_figures};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::compile::CompiledShader;
use super::compiler::Maker;
use super::interleave;
use super::output::Output;
use super::{CompilerName, Status};

/// One object of `compile --format json`, which `--baseline` reads again.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct JsonResult {
    pub(super) file: String,
    pub(super) shader: usize,
    stage: Option<String>,
    pub(super) target: String,
    /// The compiler's word, which older results do not have.
    #[serde(default = "llvm")]
    pub(super) compiler: String,
    /// The compiler's version.
    #[serde(default)]
    version: Option<String>,
    /// The version of LLVM, where that is the compiler.
    llvm: Option<String>,
    status: String,
    message: Option<String>,
    line: Option<u32>,
    pub(super) stats: Option<CompiledFigures>,
    /// The figures that the compiler's driver states of the code, by its own names.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    stated: Map<String, Value>,
    /// The join of the code to the source, where that is not always the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    join: Option<String>,
    pub(super) code: Vec<JsonInstruction>,
}

/// The compiler of results that do not name theirs.
fn llvm() -> String {
    CompilerName::Llvm.word().to_owned()
}

#[derive(Serialize, Deserialize)]
pub(super) struct JsonInstruction {
    pub(super) offset: u32,
    hex: String,
    pub(super) text: String,
    pub(super) line: Option<u32>,
    /// The statement's words, which a later comparison knows it by.
    pub(super) source: Option<String>,
}

/// Prints the object of a shader and target.
pub(super) fn print(result: &CompiledShader<'_>, output: &mut Output) -> io::Result<Status> {
    let problem = result.code.problem.as_ref();
    // Code that is of no other text than the file's.
    let compiled = result.code.compiled.as_ref().filter(|_| problem.is_none());
    let source = |range: &source::TextRange| {
        let words = result.file.text.get(std::ops::Range::<usize>::from(*range))?;
        Some(KeptStatement::new(words).text)
    };
    let code = compiled.map(|compiled| {
        let places = (0..).map(|index| result.code.source(index));
        let instructions = compiled.instructions.iter().zip(places);
        let instructions = instructions.map(|(instruction, range)| JsonInstruction {
            offset: instruction.offset,
            hex: interleave::hex(&instruction.words),
            text: instruction.text.clone(),
            line: range.map(|range| result.file.line(range.start())),
            source: range.as_ref().and_then(source),
        });
        instructions.collect()
    });
    output.json(&JsonResult {
        file: result.file.name.clone(),
        shader: result.shader,
        stage: result.stage().map(str::to_owned),
        target: result.target.name().to_owned(),
        compiler: result.maker.name().word().to_owned(),
        version: result.maker.version(),
        llvm: match result.maker {
            Maker::Llvm(_) => result.maker.version(),
            Maker::Aco(_) => None,
        },
        status: match problem.map(|problem| problem.kind) {
            None if compiled.is_none() => "failed",
            None => "ok",
            Some(ProblemKind::Unsupported) => "unsupported",
            Some(ProblemKind::Invalid) => "invalid",
            Some(ProblemKind::Failed) => "failed",
            Some(ProblemKind::Off) => match result.maker {
                Maker::Llvm(_) => "no-llvm",
                Maker::Aco(_) => "no-aco",
            },
        }
        .to_owned(),
        message: problem.map(|problem| problem.message.clone()),
        line: problem
            .and_then(|problem| problem.range)
            .map(|range| result.file.line(range.start())),
        stats: compiled.map(|compiled| {
            let (code, declared) = compiled.code(result.target);
            let options = gcn::analysis::Options { declared, ..Default::default() };
            let report = gcn::analysis::analyse(&code, &options, &source::no_checkpoint);
            compiled_figures(&compiled.statistics, &report)
        }),
        stated: match result.maker {
            Maker::Aco(Some(made)) => {
                made.figures.iter().map(|it| (it.name.to_string(), it.value.into())).collect()
            }
            Maker::Aco(None) | Maker::Llvm(_) => Map::new(),
        },
        join: match result.maker {
            Maker::Aco(Some(made)) => Some(made.join.name().to_owned()),
            Maker::Aco(None) | Maker::Llvm(_) => None,
        },
        code: code.unwrap_or_default(),
    })?;
    Ok(if compiled.is_some() { Status::Good } else { Status::Bad })
}
