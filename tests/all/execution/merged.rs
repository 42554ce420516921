//! The control and geometry shaders that are made from the opcode table, and those of the
//! corpora, in the program that gfx9 runs them as: behind a vertex shader that hands over
//! what they read. `pipelines.rs` has pairs whose faults are seen.

use std::collections::BTreeMap;

use agreement::{Compiled, Merged, Verdict, lowered_merged};
use gcn::Target;
use tests::agreement::{compiler, left_open, parsed};
use tests::corpora::tgsi_programs;
use tests::lower_shaders;
use tgsi::Stage;
use tgsi::ast::Shader;
use tgsi::words::File;

/// Of the corpora, so many of these stages at most.
const MOST: usize = 60;
const SETS: u64 = 8;

/// A vertex shader that hands its attributes on as what another reads of vertices.
fn partner(second: &Shader) -> String {
    let inputs = second.declarations().filter(|it| it.file.value == File::Input);
    let mut semantics: Vec<String> = Vec::new();
    for declaration in inputs {
        let Some(semantic) = declaration.semantic.map(|it| it.value) else { continue };
        if !matches!(lower::Slot::of(semantic), Some(lower::Slot::Vertex(_))) {
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

/// Whether both sides agree on a shader behind its partner, and how many values were
/// compared.
fn judged(compiler: &mut llvm::Compiler, second: &Shader) -> Result<(Verdict, usize), String> {
    let target = Target::find("vega10").expect("a chip");
    let first = parsed(&partner(second)).ok_or("no partner")?;
    let lowered = lowered_merged(&first, second, target)?;
    let job = llvm::Job {
        ir: lowered.ir,
        processor: lowered.processor.to_owned(),
        features: lowered.features.to_owned(),
        instructions: lowered.instructions,
    };
    let output = compiler.compile(&job).map_err(|error| error.to_string())?;
    let (assembly, code) = (&output.assembly, &output.code);
    let compiled = Compiled { target, ir: &job.ir, assembly, code };
    let merged = Merged::new(&first, second, &compiled)?;
    let mut skipped = Err("nothing compared".to_owned());
    for seed in 0..SETS {
        match merged.judge(seed) {
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

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn second_stages_agree_behind_a_partner() {
    let (mut compiler, version) = compiler(crate::TUNGSTEN.as_ref(), None).expect("a libLLVM");
    let made = lower_shaders::all().into_iter().filter(|it| left_open(&it.name).is_none());
    let mut texts: Vec<(String, String)> = made.map(|it| (it.name, it.text)).collect();
    let is_second = |text: &str| text.starts_with("TESS_CTRL") || text.starts_with("GEOM");
    texts.retain(|(_, text)| is_second(text));
    let corpora = tgsi_programs().unwrap_or_else(|| {
        eprintln!("skipped: the corpora are not here");
        Vec::new()
    });
    let corpora = corpora.into_iter().map(|it| (it.name, it.text));
    texts.extend(corpora.filter(|(_, text)| is_second(text.trim_start())).take(MOST));
    let (mut agree, mut values) = (0, 0);
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    let mut differences = Vec::new();
    for (name, text) in &texts {
        let Some(shader) = parsed(text) else { continue };
        let stage = shader.stage.value;
        assert!(matches!(stage, Stage::TessellationControl | Stage::Geometry), "{name}");
        match judged(&mut compiler, &shader) {
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
    eprintln!("LLVM {version}: {agree} of {} agree in {values} values", texts.len());
    eprintln!("not compared: {reasons:#?}");
    assert!(differences.is_empty(), "{differences:#?}");
    assert!(agree > 40, "{agree}");
}
