//! From an opcode to what emits it.
//!
//! `data/emitters.tsv` names a function for each opcode. Most opcodes compute each component
//! alone: theirs is a function of values, and the operand types stand in the opcode table of the
//! language; the rest look at the instruction themselves. `data/refused_opcodes.tsv` has those
//! that SPIR-V cannot say.

use lower::failure::{Failure, FailureKind, left_open, unsupported};
use tgsi::Opcode;
use tgsi::ast::{Component, Instruction};
use tgsi::opcodes::{ByOpcode, OutputMode, ValueType};

use crate::builder::Builder;
use crate::context::{Emitted, Translation};
use crate::control_flow;
use crate::registers::Clamp;
use crate::values::{F32, F64, U32, U64, Value};
use crate::words::{Extended, Op};

/// A function that emits an opcode.
#[derive(Clone, Copy)]
pub(crate) enum Emitter {
    /// From the sources' values of one component, or one pair of components, to the result's.
    Values(fn(&mut Builder, &[Value]) -> Value),
    /// By looking at the whole instruction.
    Instruction(fn(&mut Translation<'_>, &Instruction) -> Emitted),
}

include!(concat!(env!("OUT_DIR"), "/emitters.rs"));

/// Returns what emits an opcode; `None` if nothing does.
pub(crate) const fn emitter(opcode: Opcode) -> Option<Emitter> {
    match EMITTERS.get(opcode) {
        // Opcode numbers without an opcode, which readers took as names.
        None if opcode.is_gap() => Some(Emitter::Instruction(control_flow::nothing)),
        None => EMITTERS.get(lower::meaning(opcode)),
        own => own,
    }
}

/// Returns the reason why an opcode is not translated.
const fn refusal(opcode: Opcode) -> Option<&'static str> {
    let reason = opcode.row().not_compiled;
    if reason.is_empty() { REFUSALS.get(opcode) } else { Some(reason) }
}

// The compiler names an opcode that neither has an emitter nor a reason to have none.
const _: () = {
    let mut number = 0;
    while number < Opcode::COUNT {
        let opcode = Opcode::ALL[number];
        if emitter(opcode).is_some() == refusal(opcode).is_some() {
            panic!("{}", opcode.mnemonic());
        }
        number += 1;
    }
};

impl Translation<'_> {
    /// Emits one instruction.
    pub(crate) fn instruction(&mut self, instruction: &Instruction) -> Emitted {
        let opcode = instruction.opcode.value;
        let Some(emitter) = emitter(opcode) else {
            return Err(refused_opcode(instruction));
        };
        if !instruction.historic.is_empty() || instruction.predicate.is_some() {
            let construct = "operands of the language's first years".to_owned();
            return Err(unsupported(instruction.opcode.range, construct));
        }
        let row = opcode.row();
        let may_lack = usize::from(lower::STREAM_MAY_LACK.contains(&opcode));
        if instruction.sources.len() + may_lack < row.sources
            || instruction.destinations.len() < row.destinations
        {
            // The parser refuses all but those that had fewer once.
            let message = format!("{opcode:?} lacks operands");
            let construct = format!("opcode {opcode:?}");
            return Err(left_open(instruction.opcode.range, &construct, message));
        }
        match emitter {
            Emitter::Instruction(emit) => emit(self, instruction),
            Emitter::Values(emit) => self.values(instruction, emit),
        }
    }

    /// Emits an opcode that computes from values alone. All components are computed before the
    /// first is stored: the destination may be a source.
    fn values(
        &mut self,
        instruction: &Instruction,
        emit: fn(&mut Builder, &[Value]) -> Value,
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
            return self.wide_values(instruction, emit);
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
            self.builder.set_channel(component as u32 + 1);
            let arguments = self.arguments(instruction, types, component, pair)?;
            results.push((component, emit(&mut self.builder, &arguments)));
        }
        for (component, value) in results {
            self.builder.set_channel(component as u32 + 1);
            self.store(destination, Clamp::of(instruction), component, value)?;
        }
        Ok(())
    }

    /// The same for results of 64 bits.
    fn wide_values(
        &mut self,
        instruction: &Instruction,
        emit: fn(&mut Builder, &[Value]) -> Value,
    ) -> Emitted {
        let types = instruction.info().source_types;
        let destination = &instruction.destinations[0];
        let mut results = Vec::new();
        for pair in [0, 1] {
            if destination.mask.0 & (3 << (pair * 2)) != 0 {
                self.builder.set_channel(pair as u32 * 2 + 1);
                let component = lower::narrow_source(instruction.opcode.value, pair);
                let arguments = self.arguments(instruction, types, component, pair)?;
                results.push((pair, emit(&mut self.builder, &arguments)));
            }
        }
        for (pair, value) in results {
            self.builder.set_channel(pair as u32 * 2 + 1);
            self.store_wide(destination, Clamp::of(instruction), pair, value)?;
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

/// The failure at an opcode that nothing emits.
fn refused_opcode(instruction: &Instruction) -> Failure {
    let opcode = instruction.opcode.value;
    let reason = refusal(opcode).unwrap_or_default();
    Failure {
        range: instruction.opcode.range,
        construct: format!("opcode {opcode:?}"),
        kind: FailureKind::Unsupported,
        message: format!("{opcode:?} cannot be translated: {reason}"),
    }
}
