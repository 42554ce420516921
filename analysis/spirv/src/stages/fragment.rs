//! Opcodes of fragment shaders.

use lower::failure::{invalid, undeclared, unsupported};
use tgsi::Stage;
use tgsi::ast::{Component, Instruction};
use tgsi::opcodes::ValueType;
use tgsi::words::{File, Interpolation};

use crate::builder::Id;
use crate::context::{Emitted, Translation};
use crate::interface::has_location;
use crate::registers::direct_index;
use crate::stages::only_in;
use crate::values::{BOOL, F32, Scalar, Type, Value};
use crate::words::{Capability, Extended, Op, StorageClass};

impl Translation<'_> {
    /// Ends the fragment; its invocation goes on for the derivatives of its neighbours.
    pub(crate) fn demote(&mut self) {
        self.builder.require(Capability::DemoteToHelperInvocation);
        self.builder.effect(Op::DemoteToHelperInvocation, &[]);
    }

    /// The array of one number with the mask of samples.
    pub(crate) fn sample_mask(&mut self, class: StorageClass) -> Id {
        let built_in = crate::words::BuiltIn::SampleMask;
        let key = crate::stages::VariableKey::BuiltIn(class, built_in);
        let fresh = class == StorageClass::Input && !self.variables.contains_key(&key);
        let variable = self.built_in_of(class, built_in, |this| {
            let ty = this.builder.value_type(Type::One(Scalar::I32));
            this.builder.array_type(ty, 1)
        });
        if fresh {
            self.builder.decorate(variable, crate::words::Decoration::Flat, &[]);
        }
        variable
    }
}

pub(crate) fn kill(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    only_in(Stage::Fragment, this.stage(), instruction)?;
    this.demote();
    Ok(())
}

pub(crate) fn kill_if(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    only_in(Stage::Fragment, this.stage(), instruction)?;
    let mut any: Option<Value> = None;
    let mut seen = Vec::new();
    let source = &instruction.sources[0];
    for component in Component::ALL {
        // A component that stands twice is compared once.
        let read = source.swizzle.0[component as usize];
        if seen.contains(&read) {
            continue;
        }
        seen.push(read);
        this.builder.set_channel(component as u32 + 1);
        let value = this.fetch(source, component, ValueType::Float)?;
        let zero = this.builder.float(0.0);
        let negative = this.builder.compare(Op::FOrdLessThan, value, zero);
        any = Some(match any {
            Some(any) => this.builder.binary(Op::LogicalOr, any, negative),
            None => negative,
        });
    }
    this.builder.set_channel(0);
    if let Some(any) = any {
        this.only_if(any, Translation::demote);
    }
    Ok(())
}

pub(crate) fn read_helper(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    only_in(Stage::Fragment, this.stage(), instruction)?;
    this.builder.require(Capability::DemoteToHelperInvocation);
    let helps = this.builder.raw(Op::IsHelperInvocationEXT, BOOL, &[]);
    let mask = this.builder.mask(helps);
    this.store_all(instruction, mask)
}

/// Interpolates an input at another place of the pixel.
pub(crate) fn interpolate(
    this: &mut Translation<'_>,
    instruction: &Instruction,
    op: Extended,
) -> Emitted {
    only_in(Stage::Fragment, this.stage(), instruction)?;
    let source = &instruction.sources[0];
    let register = &source.register;
    if register.file != File::Input {
        let message = "only inputs are interpolated".to_owned();
        return Err(invalid(register.range, "operand", message));
    }
    if register.index.indirect.is_some() {
        return Err(unsupported(register.range, "indexed interpolation".to_owned()));
    }
    let index = direct_index(register)?;
    let input = this.declared.inputs.get(&index).copied();
    let input = input.ok_or_else(|| undeclared(register, index))?;
    let Some(semantic) = input.semantic.filter(|semantic| has_location(semantic.name)) else {
        return Err(unsupported(register.range, "interpolation of a built-in value".to_owned()));
    };
    if input.interpolation == Interpolation::Constant {
        // It is the same at all places.
        let values = this.components(source, ValueType::Float)?;
        return this.store_each(instruction, values);
    }
    if this.by_buffers() {
        let construct = "a value between the pixels, where inputs come by a buffer".to_owned();
        return Err(unsupported(register.range, construct));
    }
    let place = match op {
        Extended::InterpolateAtSample => {
            Some(this.fetch(&instruction.sources[1], Component::X, ValueType::Signed)?)
        }
        Extended::InterpolateAtOffset => {
            let x = this.fetch(&instruction.sources[1], Component::X, ValueType::Float)?;
            let y = this.fetch(&instruction.sources[1], Component::Y, ValueType::Float)?;
            Some(this.builder.vector(&[x, y]))
        }
        _ => None,
    };
    this.builder.require(Capability::InterpolationFunction);
    let variable = this.fragment_varying(input, semantic, register.range)?;
    let mut values = [this.builder.float(0.0); 4];
    for component in instruction.destinations[0].mask.components() {
        this.builder.set_channel(component as u32 + 1);
        let read = source.swizzle.0[component as usize];
        let channel = this.builder.uint(read as u32);
        let pointer = this.builder.part(StorageClass::Input, F32, variable, &[channel]);
        let mut words = vec![this.builder.extended.0, op as u32, pointer.0];
        words.extend(place.map(|place| place.id.0));
        let mut value = this.builder.raw(Op::ExtInst, F32, &words);
        if source.absolute {
            value = this.builder.extended(Extended::FAbs, F32, &[value]);
        }
        if source.negate {
            value = this.builder.negate(value);
        }
        values[component as usize] = value;
    }
    this.store_each(instruction, values)
}
