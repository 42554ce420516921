//! The registers that an index may mean.

use tgsi::Stage;
use tgsi::ast::{Index, Register, Shader};
use tgsi::words::{File, SemanticName};

use super::{Lanes, Range};

/// Returns the numbers of the registers that an operand's last bracket may hold.
pub(super) fn registers(shader: &Shader, register: &Register) -> Option<Range> {
    if register.file == File::Immediate {
        return Range::between(0, shader.immediates().count() as i64 - 1);
    }
    let array = register.index.indirect.and_then(|indirect| indirect.array);
    let linked = matches!(register.file, File::Input | File::Output);
    let buffer = register.dimension.filter(|_| register.file == File::Constant);
    let declared = shader.declarations().filter(|declaration| {
        let first = declaration.dimension.flatten().map_or(0, |it| i64::from(it.value.first));
        let name = declaration.semantic.map(|semantic| semantic.value.name);
        let is_level =
            matches!(name, Some(SemanticName::TessellationOuter | SemanticName::TessellationInner));
        declaration.file.value == register.file
            && match array {
                Some(_) => declaration.array.map(|it| it.value) == array,
                None => !is_level,
            }
            && (!linked || declaration.dimension.is_some() == register.dimension.is_some())
            && buffer.is_none_or(|it| it.indirect.is_some() || i64::from(it.offset) == first)
    });
    let ranges = declared.map(|declaration| declaration.range.value);
    let ends = ranges.map(|range| [i64::from(range.first), i64::from(range.last)]);
    let [least, greatest] = ends.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])])?;
    Range::between(least, greatest)
}

/// Returns the numbers that an operand's first bracket may hold: of vertices, of which there are
/// so many, or of constant buffers.
pub(super) fn dimensions(shader: &Shader, register: &Register, vertices: usize) -> Option<Range> {
    match (register.file, shader.stage.value) {
        (
            File::Input,
            Stage::Geometry | Stage::TessellationControl | Stage::TessellationEvaluation,
        ) => Range::between(0, vertices as i64 - 1),
        (File::Output, Stage::TessellationControl) => Range::between(0, vertices as i64 - 1),
        (File::Constant, _) => {
            let all = shader.declarations().filter(|it| it.file.value == File::Constant);
            let buffers = all.filter_map(|it| it.dimension.flatten()).map(|it| it.value.first);
            let ends = buffers.map(|it| [it, it]);
            let [least, greatest] = ends.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])])?;
            Range::between(least.into(), greatest.into())
        }
        _ => None,
    }
}

/// Returns the numbers of an index's register by which the index is in a range. They count from
/// the number that the text adds, which is mostly where an array begins.
pub(super) fn offsets(range: Range, index: &Index) -> Option<Range> {
    range.less(index.offset.into()).map(Range::counted)
}

/// Tells whether lanes may have different numbers in an operand's last bracket, and in its first.
pub(super) fn lanes(register: &Register) -> [Lanes; 2] {
    match register.file {
        File::Constant => [Lanes::Own, Lanes::Same],
        File::Sampler | File::SamplerView | File::Image | File::Buffer | File::HardwareAtomic => {
            [Lanes::Same; 2]
        }
        _ => [Lanes::Own; 2],
    }
}
