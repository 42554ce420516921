//! Indices that lead out of what is declared, for which the documents leave the result
//! open. The interpreter reads zeros and drops what is written; whoever compares it with
//! something else wants to know which lanes did it.

use tgsi::ast::Register;
use tgsi::words::{File, SemanticName};

use crate::program::MicroOp;
use crate::quad::Quad;
use crate::registers::LANES;

impl Quad<'_> {
    /// Records the active lanes in which a step's operands are out of bounds.
    pub(crate) fn record_out_of_bounds(&mut self, op: &MicroOp) {
        for operand in op.instruction.registers().filter(|operand| operand.is_computed()) {
            for lane in (0..LANES).filter(|lane| self.active >> lane & 1 == 1) {
                if !self.is_inside(operand, lane) {
                    self.out_of_bounds |= 1 << lane;
                }
            }
        }
    }

    /// Tells whether an operand with computed indices means a declared register in a lane.
    pub(crate) fn is_inside(&self, operand: &Register, lane: usize) -> bool {
        let find = || {
            let vertex = match &operand.dimension {
                Some(dimension) => Some(self.registers.index(dimension, lane)?),
                None => None,
            };
            let vertices = match (operand.file, &self.registers.patch) {
                (File::Input, _) => Some(self.registers.inputs.len()),
                (File::Output, Some(patch)) => Some(patch.vertices.len()),
                _ => None,
            };
            if let (Some(vertex), Some(vertices)) = (vertex, vertices)
                && vertex >= vertices
            {
                return None;
            }
            let number = self.registers.index(&operand.index, lane)?;
            match operand.file {
                // Behind the end of a buffer all read zero.
                File::Constant => return Some(()),
                File::Immediate => {
                    return (number < self.program.immediates.len()).then_some(());
                }
                _ => {}
            }
            let number = u32::try_from(number).ok()?;
            let linked = matches!(operand.file, File::Input | File::Output);
            // An array that the text names is not left; else all that the file has counts, of
            // vertices and of the patch apart. The tessellation levels are variables of their own
            // (GLSL 4.60, section 7.1.3), where an index into other outputs has no business.
            let array = operand.index.indirect.and_then(|indirect| indirect.array);
            let computed = operand.index.indirect.is_some();
            let mut own = self.program.declared.iter().filter(|declared| {
                let level = matches!(
                    declared.semantic.map(|semantic| semantic.value.name),
                    Some(SemanticName::TessellationOuter | SemanticName::TessellationInner)
                );
                let its_array = declared.array.map(|array| array.value);
                declared.file.value == operand.file
                    && (if array.is_some() { its_array == array } else { !(computed && level) })
                    && (!linked || declared.dimension.is_some() == operand.dimension.is_some())
            });
            own.any(|declared| declared.range.value.contains(number)).then_some(())
        };
        find().is_some()
    }
}
