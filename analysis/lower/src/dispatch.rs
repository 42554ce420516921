//! From an opcode to what emits it.
//!
//! `data/emitters.tsv` names a function for each opcode. Most opcodes compute each
//! component alone: theirs is a function of values, and the operand types stand in the
//! opcode table of the language; the rest look at the instruction themselves.

use tgsi::Opcode;
use tgsi::ast::{Component, Instruction};
use tgsi::opcodes::{ByOpcode, OutputMode, ValueType};

use crate::builder::Builder;
use crate::context::{Emitted, Lowering};
use crate::control_flow;
use crate::conversions;
use crate::derivatives;
use crate::failure::left_open;
use crate::opcodes::{meaning, refused_opcode};
use crate::registers::Clamp;
use crate::values::{Type, Value};

/// A function that emits an opcode.
#[derive(Clone, Copy)]
pub(crate) enum Emitter {
    /// From the sources' values of one component, or one pair of components,
    /// to the result's.
    Values(fn(&mut Builder, &[Value]) -> Value),
    /// By looking at the whole instruction.
    Instruction(fn(&mut Lowering<'_>, &Instruction) -> Emitted),
}

include!(concat!(env!("OUT_DIR"), "/emitters.rs"));

/// Returns what emits an opcode; `None` if nothing does.
pub(crate) const fn emitter(opcode: Opcode) -> Option<Emitter> {
    match EMITTERS.get(opcode) {
        // Opcode numbers without an opcode, which readers took as names.
        None if opcode.is_gap() => Some(Emitter::Instruction(control_flow::nothing)),
        None => EMITTERS.get(meaning(opcode)),
        own => own,
    }
}

// The compiler names an opcode that neither has an emitter nor a reason to have none.
const _: () = {
    let mut number = 0;
    while number < Opcode::COUNT {
        let opcode = Opcode::ALL[number];
        if emitter(opcode).is_some() != opcode.row().not_compiled.is_empty() {
            panic!("{}", opcode.mnemonic());
        }
        number += 1;
    }
};

impl Lowering<'_> {
    /// Emits one instruction.
    pub(crate) fn instruction(&mut self, instruction: &Instruction) -> Emitted {
        let opcode = instruction.opcode.value;
        let Some(emitter) = emitter(opcode) else {
            return Err(refused_opcode(instruction.opcode.range, opcode));
        };
        let row = opcode.row();
        let may_lack = usize::from(crate::stages::geometry::STREAM_MAY_LACK.contains(&opcode));
        if instruction.sources.len() + may_lack < row.sources
            || instruction.destinations.len() < row.destinations
        {
            // The parser refuses all but those that had fewer once.
            let message = format!("{opcode:?} lacks operands");
            return Err(left_open(
                instruction.opcode.range,
                &format!("opcode {opcode:?}"),
                message,
            ));
        }
        self.find_write_conditions(instruction)?;
        match emitter {
            Emitter::Instruction(emit) => emit(self, instruction),
            // Values fail by their registers alone.
            Emitter::Values(_) if self.builder.is_silent() && self.has_registers(instruction) => {
                Ok(())
            }
            Emitter::Values(emit) => self.values(instruction, &emit),
        }
    }

    /// Emits an opcode that computes from values alone. All components are
    /// computed before the first is stored: the destination may be a source.
    pub(crate) fn values(
        &mut self,
        instruction: &Instruction,
        emit: &dyn Fn(&mut Builder, &[Value]) -> Value,
    ) -> Emitted {
        let row = instruction.info();
        let types = row.source_types;
        let result = row.destination_types.first().copied().unwrap_or(ValueType::Float);
        let Some(destination) = instruction.destinations.first() else { return Ok(()) };
        let mask = destination.mask;
        if row.output == OutputMode::Replicate && !result.is_wide() {
            let arguments = self.arguments(instruction, types, Component::X, 0)?;
            let value = emit(&mut self.builder, &arguments);
            return self.store_all(instruction, value);
        }
        if result.is_wide() {
            let mut results = Vec::new();
            for pair in [0, 1] {
                if mask.0 & (3 << (pair * 2)) != 0 {
                    let component = narrow_source(instruction.opcode.value, pair);
                    let arguments = self.arguments(instruction, types, component, pair)?;
                    results.push((pair, emit(&mut self.builder, &arguments)));
                }
            }
            for (pair, value) in results {
                self.store_wide(destination, Clamp::of(instruction), pair, value)?;
            }
            return Ok(());
        }
        let from_wide = types.iter().any(|ty| ty.is_wide());
        let converts = types.len() == 1;
        let mut results = Vec::new();
        for (place, component) in mask.components().enumerate() {
            // A conversion writes its results to the mask's components one after the other; a
            // comparison of pairs writes x and z alone.
            let pair = match (from_wide, converts) {
                (true, true) if place > 1 => break,
                (true, true) => place,
                (true, false) if matches!(component, Component::Y | Component::W) => continue,
                _ => component as usize / 2,
            };
            let arguments = self.arguments(instruction, types, component, pair)?;
            results.push((component, emit(&mut self.builder, &arguments)));
        }
        for (component, value) in results {
            self.store(destination, Clamp::of(instruction), component, value)?;
        }
        Ok(())
    }

    fn arguments(
        &mut self,
        instruction: &Instruction,
        types: &[ValueType],
        component: Component,
        pair: usize,
    ) -> Emitted<Vec<Value>> {
        instruction
            .sources
            .iter()
            .zip(types)
            .map(|(source, ty)| match ty.is_wide() {
                true => self.fetch_wide(source, pair, *ty),
                false => self.fetch(source, component, *ty),
            })
            .collect()
    }
}

/// Returns the component of a 32-bit source that goes with a pair of the result: conversions
/// and shifts read x and y, a scaling reads the exponent where the pair begins (Gallium
/// documentation 2020, double and 64-bit integer ISA; drivers read the count of a shift where
/// the pair begins).
pub fn narrow_source(opcode: Opcode, pair: usize) -> Component {
    let row = opcode.row();
    match (pair, row.sources, row.source_types.first()) {
        (0, ..) => Component::X,
        (_, 2, Some(ValueType::Double)) => Component::Z,
        _ => Component::Y,
    }
}
