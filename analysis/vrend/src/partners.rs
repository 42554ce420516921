//! The stages without which a shader is not linked: they write what it reads, and no more.

use tgsi::Stage;
use tgsi::ast::Shader;
use tgsi::words::{File, SemanticName};

/// A fragment shader that reads nothing.
const FRAGMENT: &str = "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1.0, 1.0, 1.0, 1.0}\n\
                        MOV OUT[0], IMM[0]\nEND\n";

/// Returns the stages that a program needs beside a shader, in the order of the pipeline.
pub fn partners(shader: &Shader) -> Vec<(Stage, String)> {
    let read = inputs(shader);
    let vertex = |read: &[Varying]| (Stage::Vertex, writer("VERT\n", read, ""));
    let fragment = || (Stage::Fragment, FRAGMENT.to_owned());
    match shader.stage.value {
        Stage::Compute => Vec::new(),
        Stage::Vertex => vec![fragment()],
        Stage::Fragment => vec![vertex(&read)],
        Stage::Geometry => vec![vertex(&read), fragment()],
        Stage::TessellationControl => {
            let evaluation = writer(EVALUATION, &[], "");
            vec![vertex(&read), (Stage::TessellationEvaluation, evaluation), fragment()]
        }
        Stage::TessellationEvaluation => {
            let (patch, plain): (Vec<Varying>, Vec<Varying>) =
                read.into_iter().partition(|it| it.name == SemanticName::Patch);
            let all = [plain, patch].concat();
            let control = writer(CONTROL, &all, LEVELS);
            vec![vertex(&[]), (Stage::TessellationControl, control), fragment()]
        }
    }
}

/// Heads of partners of tessellation.
const CONTROL: &str = "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\n";
const EVALUATION: &str = "TESS_EVAL\nPROPERTY TES_PRIM_MODE 4\n";
/// Declarations of the levels of a patch.
const LEVELS: &str = "DCL OUT[30], TESSOUTER\nDCL OUT[31], TESSINNER\n";

/// A value that goes from a stage to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Varying {
    name: SemanticName,
    index: u32,
}

/// Returns the values that a shader reads and an earlier stage has to write.
fn inputs(shader: &Shader) -> Vec<Varying> {
    let mut found = Vec::new();
    let declared = shader.declarations().filter(|it| it.file.value == File::Input);
    for declaration in declared {
        let Some(semantic) = declaration.semantic else { continue };
        let range = declaration.range.value;
        // As many as registers, but no more than a stage has.
        for count in 0..=range.last.saturating_sub(range.first).min(31) {
            let semantic = semantic.value;
            let index = semantic.index.saturating_add(count);
            let varying = Varying { name: semantic.name, index };
            if is_written(semantic.name) && !found.contains(&varying) {
                found.push(varying);
            }
        }
    }
    found
}

/// Tells whether a stage writes it, beside the position that every one writes.
fn is_written(name: SemanticName) -> bool {
    use SemanticName::*;
    matches!(
        name,
        Color | BackColor | Fog | Generic | TextureCoordinate | ClipDistance | Patch | Layer
    )
}

/// Writes a shader with outputs that are all the same.
fn writer(head: &str, written: &[Varying], more: &str) -> String {
    let mut text = format!("{head}DCL OUT[0], POSITION\n{more}");
    for (place, varying) in written.iter().enumerate() {
        let (place, name, index) = (place + 1, varying.name.word(), varying.index);
        text.push_str(&format!("DCL OUT[{place}], {name}[{index}]\n"));
    }
    text.push_str("IMM[0] FLT32 {1.0, 1.0, 1.0, 1.0}\n");
    // A level at a time: the renderer gives all that is written to the first.
    let named = more.lines().filter_map(|line| line.split(',').next()?.strip_prefix("DCL "));
    let named = named.map(|register| format!("{register}.x"));
    for register in (0..=written.len()).map(|it| format!("OUT[{it}]")).chain(named) {
        text.push_str(&format!("MOV {register}, IMM[0].xxxx\n"));
    }
    text.push_str("END\n");
    text
}
