//! Indices that lead out of what is declared: what then happens the documents leave
//! open. The interpreter reads zeros and drops what is written; whoever compares it with
//! something else wants to know which lanes did it.

use tgsi::ast::Register;
use tgsi::words::File;

use crate::program::Step;
use crate::quad::Quad;
use crate::registers::LANES;

impl Quad<'_> {
    /// Notes the active lanes that a step's operands lead astray.
    pub(crate) fn watch(&mut self, step: &Step) {
        let instruction = &step.instruction;
        let destinations = instruction.destinations.iter().map(|it| &it.register);
        let operands = destinations.chain(instruction.sources.iter().map(|it| &it.register));
        for operand in operands {
            let computed = operand.index.indirect.is_some()
                || operand.dimension.is_some_and(|it| it.indirect.is_some());
            if !computed {
                continue;
            }
            for lane in (0..LANES).filter(|lane| self.active >> lane & 1 == 1) {
                if !self.is_inside(operand, lane) {
                    self.strayed |= 1 << lane;
                }
            }
        }
    }

    fn is_inside(&self, operand: &Register, lane: usize) -> bool {
        let find = || {
            let number = self.registers.index(&operand.index, lane)?;
            let declared = |number: usize| u32::try_from(number).ok();
            let (number, named) = (declared(number)?, operand.index.offset);
            let mut own = self.program.ranges.iter().filter(|(file, _)| *file == operand.file);
            if operand.file == File::Constant {
                // Behind the end of a buffer all read zero.
                return Some(());
            }
            // Of several arrays in a file the one that the text names counts.
            own.find(|(_, range)| {
                u32::try_from(named).is_ok_and(|named| range.contains(&named))
                    && range.contains(&number)
            })?;
            Some(())
        };
        find().is_some()
    }
}
