//! Control and geometry shaders in the program that gfx9 runs them as: behind a vertex shader
//! that hands over what they read.

use std::collections::BTreeMap;
use std::path::Path;

use crate::agreement::{compiler, parsed};
use crate::corpus::Program;
use diff_exec::{Compiled, Merged, Verdict, lowered_merged};
use gcn::Target;
use tgsi::Stage;
use tgsi::ast::Shader;
use tgsi::words::File;

const SETS: u64 = 8;

/// A vertex shader that hands its attributes on as what another reads of vertices.
pub fn partner(second: &Shader) -> String {
    let inputs = second.declarations().filter(|it| it.file.value == File::Input);
    let mut semantics: Vec<String> = Vec::new();
    for declaration in inputs {
        let Some(semantic) = declaration.semantic.map(|it| it.value) else { continue };
        if !matches!(lower::Varying::of(semantic), Some(lower::Varying::Vertex(_))) {
            continue;
        }
        let range = declaration.range.value;
        semantics.extend((range.first..=range.last).map(|register| {
            let index = semantic.index + (register - range.first);
            format!("{}[{index}]", semantic.name.word())
        }));
    }
    semantics.sort();
    semantics.dedup();
    let next = second.stage.value.word();
    let mut text = format!("VERT\nPROPERTY NEXT_SHADER {next}\n");
    for (number, semantic) in semantics.iter().enumerate() {
        text += &format!("DCL IN[{number}]\nDCL OUT[{number}], {semantic}\n");
    }
    for number in 0..semantics.len() {
        text += &format!("MOV OUT[{number}], IN[{number}]\n");
    }
    text + "END\n"
}

/// Compares both sides on a shader behind its partner; returns the verdict and the number
/// of values that were compared.
fn checked(compiler: &mut llvm::Compiler, second: &Shader) -> Result<(Verdict, usize), String> {
    let target = Target::find("vega10").expect("a chip");
    let first = parsed(&partner(second)).ok_or("no partner")?;
    let lowered = lowered_merged(&first, second, target).map_err(|error| error.to_string())?;
    let job = llvm::Job {
        ir: lowered.ir,
        processor: lowered.processor.to_owned(),
        features: lowered.features.to_owned(),
        instructions: lowered.instructions,
    };
    let output = compiler.compile(&job).map_err(|error| error.to_string())?;
    let (assembly, code) = (&output.assembly, &output.code);
    let compiled = Compiled { target, entry: &lowered.entry, assembly, code };
    let merged = Merged::new(&first, second, &compiled).map_err(|error| error.to_string())?;
    let mut skipped = Err("nothing compared".to_owned());
    for seed in 0..SETS {
        match merged.check(seed) {
            Verdict::Differ(difference) => return Ok((Verdict::Differ(difference), 0)),
            Verdict::Skipped(reason) => skipped = Err(reason),
            Verdict::Agree => {}
        }
    }
    match merged.compared() {
        0 => skipped,
        compared => Ok((Verdict::Agree, compared)),
    }
}

/// Tells whether a program is of a stage that runs behind another.
pub fn is_second(program: &Program) -> bool {
    let text = program.text.trim_start();
    text.starts_with("TESS_CTRL") || text.starts_with("GEOM")
}

/// Both sides agree on all programs of such stages that can be compared; returns how many.
///
/// # Panics
/// Shows the differences; complains where there is no libLLVM.
pub fn second_stages_agree(worker: &Path, programs: &[Program]) -> usize {
    let (mut compiler, version) = compiler(worker, None).expect("a libLLVM");
    let (mut agree, mut values) = (0, 0);
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    let mut differences = Vec::new();
    for Program { name, text, .. } in programs {
        let Some(shader) = parsed(text) else { continue };
        let stage = shader.stage.value;
        assert!(matches!(stage, Stage::TessellationControl | Stage::Geometry), "{name}");
        match checked(&mut compiler, &shader) {
            Ok((Verdict::Differ(difference), _)) => {
                differences.push(format!("{name}: {difference}"));
            }
            Ok((_, compared)) => {
                agree += 1;
                values += compared;
            }
            Err(reason) => *reasons.entry(reason).or_default() += 1,
        }
    }
    eprintln!("LLVM {version}: {agree} of {} agree in {values} values", programs.len());
    eprintln!("not compared: {reasons:#?}");
    assert!(differences.is_empty(), "{differences:#?}");
    agree
}
