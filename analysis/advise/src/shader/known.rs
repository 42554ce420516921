//! Values that are known before the shader runs: counters of loops, and what is made of them.

use std::collections::BTreeMap;

use tgsi::Opcode;
use tgsi::ast::{Component, Immediate, Source, WriteMask};
use tgsi::words::File;

use super::body::Line;
use super::effects::Effects;

/// Known values by register and component.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Known {
    values: BTreeMap<(File, u32, u8), u32>,
}

impl Known {
    /// The value that a source has in a component.
    pub(super) fn source(
        &self,
        source: &Source,
        component: Component,
        immediates: &[&Immediate],
    ) -> Option<u32> {
        let own = source.swizzle.0[component as usize];
        let number = source.register.number().filter(|_| !source.register.is_computed())?;
        let bits = match source.register.immediate(immediates) {
            Some(immediate) => immediate.bits[own as usize],
            None => *self.values.get(&(source.register.file, number, own as u8))?,
        };
        // Modifiers need the operand's type.
        (!source.negate && !source.absolute).then_some(bits)
    }

    /// The value of an address register or a temporary.
    pub(super) fn get(&self, file: File, number: u32, component: Component) -> Option<u32> {
        self.values.get(&(file, number, component as u8)).copied()
    }

    /// Takes in what an instruction leaves.
    pub(super) fn step(&mut self, line: &Line, immediates: &[&Immediate]) {
        let result = self.result(line, immediates);
        self.forget(&line.effects);
        let Some(destination) = line.destination() else { return };
        let file = destination.register.file;
        let Some(number) = destination.register.number() else { return };
        if !matches!(file, File::Temporary | File::Address) {
            return;
        }
        for (component, value) in result.into_iter().flatten() {
            self.values.insert((file, number, component as u8), value);
        }
    }

    /// Forgets what may be written.
    pub(super) fn forget(&mut self, effects: &Effects) {
        self.values.retain(|(file, number, component), _| {
            let mask = WriteMask(1 << *component);
            !effects.writes.iter().any(|it| {
                it.span.file == *file
                    && (it.span.first..=it.span.last).contains(number)
                    && it.mask.0 & mask.0 != 0
            })
        });
    }

    fn result(&self, line: &Line, immediates: &[&Immediate]) -> Option<Vec<(Component, u32)>> {
        let instruction = &line.instruction;
        if instruction.saturate || instruction.signed_saturate {
            return None;
        }
        let destination = line.destination()?;
        let mut values = Vec::new();
        for component in destination.mask.components() {
            let sources: Option<Vec<u32>> = instruction
                .sources
                .iter()
                .map(|source| self.source(source, component, immediates))
                .collect();
            let value = sources.and_then(|it| value(instruction.opcode.value, &it));
            values.extend(value.map(|value| (component, value)));
        }
        Some(values)
    }
}

/// The exact result of an integer opcode.
fn value(opcode: Opcode, sources: &[u32]) -> Option<u32> {
    let truth = |is: bool| Some(if is { u32::MAX } else { 0 });
    match *sources {
        [a] => match opcode {
            Opcode::MOV | Opcode::UARL => Some(a),
            Opcode::INEG => Some(a.wrapping_neg()),
            Opcode::NOT => Some(!a),
            _ => None,
        },
        [a, b] => match opcode {
            Opcode::UADD => Some(a.wrapping_add(b)),
            Opcode::UMUL => Some(a.wrapping_mul(b)),
            Opcode::AND => Some(a & b),
            Opcode::OR => Some(a | b),
            Opcode::XOR => Some(a ^ b),
            Opcode::SHL => Some(a.wrapping_shl(b)),
            Opcode::USHR => Some(a.wrapping_shr(b)),
            Opcode::UMIN => Some(a.min(b)),
            Opcode::UMAX => Some(a.max(b)),
            Opcode::USLT => truth(a < b),
            Opcode::USGE => truth(a >= b),
            Opcode::ISLT => truth((a as i32) < b as i32),
            Opcode::ISGE => truth(a as i32 >= b as i32),
            Opcode::USEQ => truth(a == b),
            Opcode::USNE => truth(a != b),
            _ => None,
        },
        [a, b, c] if opcode == Opcode::UMAD => Some(a.wrapping_mul(b).wrapping_add(c)),
        _ => None,
    }
}
