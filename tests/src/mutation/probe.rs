//! A shader with one more output, which shows what one of its instructions writes.

use tgsi::Stage;
use tgsi::ast::{Shader, StatementKind};
use tgsi::words::{File, SemanticName};

use crate::agreement::parsed;

/// The index of the generic output of a probe: beyond those that shaders of the corpora
/// have.
const GENERIC: u32 = 31;
/// Colours of a fragment shader.
const COLORS: u32 = 8;

/// The text with an output that has what the instruction of this ordinal, from 1, writes
/// to a temporary; `None` where it writes none.
pub fn with_probe(text: &str, ordinal: u32) -> Option<String> {
    let regions = tgsi::regions::split(text);
    let text = regions.shaders.first()?.text(text).to_string();
    let shader = parsed(&text)?;
    // Subroutines are called by the numbers of instructions.
    let calls = |it: &&str| shader.instructions().any(|own| own.opcode.value.mnemonic() == *it);
    if ["CAL", "CALLNZ", "BGNSUB"].iter().any(calls) {
        return None;
    }
    let mut instructions = shader.statements.iter().filter_map(|it| match &it.kind {
        StatementKind::Instruction(instruction) => Some((it.range, instruction)),
        _ => None,
    });
    let first = instructions.clone().next()?.0;
    let (range, instruction) = instructions.find(|(_, it)| it.ordinal == ordinal)?;
    let destination = instruction.destinations.first()?;
    if destination.register.file != File::Temporary {
        return None;
    }
    // The destination as it is written, and its mask.
    let (name, mask) = text[destination.range].rsplit_once(']')?;
    let (declarations, shown) = output(&shader, &format!("{name}]"), mask)?;
    let [start, end] = [first.start(), range.end()].map(usize::from);
    let (head, rest) = (&text[..start], text.get(end..)?);
    let probed =
        format!("{head}{declarations}{}\n{shown}\n{}", &text[start..end], rest.trim_start());
    // With this one colour would be all colours.
    Some(probed.replace("PROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1\n", ""))
}

/// One more than the largest number of a register of a file.
fn free(shader: &Shader, file: File) -> u32 {
    let own = shader.declarations().filter(|it| it.file.value == file);
    own.map(|it| it.range.value.last.saturating_add(1)).max().unwrap_or(0)
}

/// Returns the declaration of an output, and the instructions that write a register to it.
fn output(shader: &Shader, register: &str, mask: &str) -> Option<(String, String)> {
    let [out, system, temporary, address, buffer] =
        [File::Output, File::SystemValue, File::Temporary, File::Address, File::Buffer]
            .map(|file| free(shader, file));
    let immediate = shader.immediates().count();
    Some(match shader.stage.value {
        // Every thread of a row has four words of a buffer.
        Stage::Compute => (
            format!(
                "DCL SV[{system}], THREAD_ID\nDCL BUFFER[{buffer}]\nDCL TEMP[{temporary}]\n\
                 IMM[{immediate}] UINT32 {{4, 0, 0, 0}}\n"
            ),
            format!(
                "SHL TEMP[{temporary}].x, SV[{system}].xxxx, IMM[{immediate}].xxxx\n\
                 STORE BUFFER[{buffer}], TEMP[{temporary}].xxxx, {register}"
            ),
        ),
        Stage::TessellationControl => (
            format!(
                "DCL SV[{system}], INVOCATIONID\nDCL ADDR[{address}]\n\
                 DCL OUT[][{out}], {}\n",
                semantic(shader)?
            ),
            format!(
                "UARL ADDR[{address}].x, SV[{system}].xxxx\n\
                 MOV OUT[ADDR[{address}].x][{out}]{mask}, {register}"
            ),
        ),
        _ => (
            format!("DCL OUT[{out}], {}\n", semantic(shader)?),
            format!("MOV OUT[{out}]{mask}, {register}"),
        ),
    })
}

/// The semantic of an output that the shader does not have yet.
fn semantic(shader: &Shader) -> Option<String> {
    let has = |name: SemanticName, index: u32| {
        shader.declarations().any(|declaration| {
            let count = declaration.range.value.last - declaration.range.value.first;
            let semantic = declaration.semantic.map(|it| it.value);
            declaration.file.value == File::Output
                && semantic.is_some_and(|it| {
                    it.name == name && (it.index..=it.index.saturating_add(count)).contains(&index)
                })
        })
    };
    match shader.stage.value {
        Stage::Fragment => {
            let free = (1..COLORS).find(|index| !has(SemanticName::Color, *index))?;
            Some(format!("COLOR[{free}]"))
        }
        _ => (!has(SemanticName::Generic, GENERIC)).then(|| format!("GENERIC[{GENERIC}]")),
    }
}
