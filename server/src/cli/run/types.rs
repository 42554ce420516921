//! The types of what registers hold, by their use: what only moves bits, as `MOV` does, has the
//! type of what wrote them, else of what reads them.

use std::collections::HashMap;

use tgsi::Opcode;
use tgsi::ast::{Immediate, Instruction, Register, Shader};
use tgsi::opcodes::{OutputMode, ValueType};
use tgsi::words::{File, ImmediateType};

/// A component of a register.
type Place = (File, u32, usize);

/// Types of components. One that several types are written to is untyped.
pub(super) struct Types<'a> {
    known: HashMap<Place, ValueType>,
    immediates: Vec<&'a Immediate>,
}

impl<'a> Types<'a> {
    /// The types in a shader.
    pub(super) fn of(shader: &'a Shader) -> Types<'a> {
        let immediates = shader.immediates().collect();
        let mut types = Types { known: HashMap::new(), immediates };
        types.follow(shader);
        for (place, ty) in read(shader) {
            types.known.entry(place).or_insert(ty);
        }
        types.follow(shader);
        types
    }

    /// The type of a component, as far as it is known.
    pub(super) fn of_component(&self, file: File, register: u32, component: usize) -> ValueType {
        self.known.get(&(file, register, component)).copied().unwrap_or(ValueType::Untyped)
    }

    /// The type of what an instruction writes to a component.
    pub(super) fn written(&self, instruction: &Instruction, component: usize) -> ValueType {
        self.of_result(instruction, 0, component).unwrap_or(ValueType::Untyped)
    }

    /// Follows values from instruction to instruction until nothing more is learnt: a component
    /// is told its type once, and at most once more that it has several.
    fn follow(&mut self, shader: &Shader) {
        let mut learns = true;
        while learns {
            learns = false;
            for instruction in shader.instructions() {
                for (number, destination) in instruction.destinations.iter().enumerate() {
                    let Some(register) = destination.register.number() else { continue };
                    for component in destination.mask.components() {
                        let component = component as usize;
                        let Some(ty) = self.of_result(instruction, number, component) else {
                            continue;
                        };
                        let place = (destination.register.file, register, component);
                        learns |= note(&mut self.known, place, ty);
                    }
                }
            }
        }
    }

    /// The type of a component of a result; `None` where nothing says it yet.
    fn of_result(
        &self,
        instruction: &Instruction,
        number: usize,
        component: usize,
    ) -> Option<ValueType> {
        let row = instruction.info();
        let own = row.destination_types.get(number).copied()?;
        if instruction.opcode.value == Opcode::LOAD {
            return None; // Words of memory have any type.
        }
        if own != ValueType::Untyped || row.output != OutputMode::Componentwise {
            return Some(own);
        }
        let operands = instruction.sources.iter().zip(row.source_types);
        // The others only choose.
        let moved = operands.filter(|(_, ty)| matches!(ty, ValueType::Untyped | ValueType::Float));
        let mut all = moved.filter_map(|(source, _)| match source.negate || source.absolute {
            true => Some(ValueType::Float),
            false => self.held(&source.register, source.swizzle.0[component & 3] as usize),
        });
        let first = all.next()?;
        Some(if all.all(|ty| ty == first) { first } else { ValueType::Untyped })
    }

    /// The type of what a register holds.
    fn held(&self, register: &Register, component: usize) -> Option<ValueType> {
        if let Some(immediate) = register.immediate(&self.immediates) {
            // Compilers write the bits of floats as integers, but not the reverse.
            return (immediate.ty.value == ImmediateType::Float32).then_some(ValueType::Float);
        }
        self.known.get(&(register.file, register.number()?, component)).copied()
    }
}

/// Notes a type of a component. Answers whether that is news.
fn note(known: &mut HashMap<Place, ValueType>, place: Place, ty: ValueType) -> bool {
    let before = known.get(&place).copied();
    let now = match before {
        Some(before) if before != ty => ValueType::Untyped,
        _ => ty,
    };
    known.insert(place, now);
    before != Some(now)
}

/// The types that instructions read registers as.
fn read(shader: &Shader) -> HashMap<Place, ValueType> {
    let mut types = HashMap::new();
    for instruction in shader.instructions() {
        let row = instruction.info();
        let is_typed = row.destination_types.first() != Some(&ValueType::Untyped);
        let operands = instruction.sources.iter().zip(row.source_types);
        for (source, ty) in operands.filter(|(_, ty)| is_typed && **ty != ValueType::Untyped) {
            let Some(register) = source.register.number() else { continue };
            for component in source.swizzle.0 {
                note(&mut types, (source.register.file, register, component as usize), *ty);
            }
        }
    }
    types
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The types of the components of OUT[0].
    fn of_output(instructions: &str) -> [ValueType; 4] {
        let text = format!(
            "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nDCL TEMP[0..2]\n\
             IMM[0] FLT32 {{1.0, 2.0, 3.0, 4.0}}\nIMM[1] UINT32 {{1, 2, 3, 4}}\n{instructions}\nEND\n"
        );
        let parse = tgsi::parser::parse(&text, &source::no_checkpoint);
        let shader = parse.shader.expect("a shader");
        let types = Types::of(&shader);
        std::array::from_fn(|component| types.of_component(File::Output, 0, component))
    }

    #[test]
    fn moves_have_the_type_of_what_they_move() {
        use ValueType::{Float, Signed, Unsigned, Untyped};
        let mixed = "RCP TEMP[0].x, IN[0].xxxx\nF2I TEMP[0].y, IN[0].xxxx\n\
             UDIV TEMP[0].z, IN[0].xxxx, IN[0].xxxx\nMOV TEMP[1], TEMP[0]\nMOV OUT[0], TEMP[1].xyzw";
        assert_eq!(of_output(mixed), [Float, Signed, Unsigned, Untyped]);
        assert_eq!(of_output("MOV OUT[0], IMM[0]"), [Float; 4]);
        assert_eq!(of_output("MOV OUT[0], IMM[1]"), [Untyped; 4]);
        assert_eq!(of_output("MOV OUT[0], -IN[0]"), [Float; 4]);
        assert_eq!(of_output("UCMP OUT[0], IN[0], IMM[0], IMM[0]"), [Float; 4]);
        let both = "ADD TEMP[0], IN[0], IN[0]\nUADD TEMP[0], IN[0], IN[0]\nMOV OUT[0], TEMP[0]";
        assert_eq!(of_output(both), [Untyped; 4]);
    }

    #[test]
    fn what_nothing_types_has_the_type_that_it_is_read_as() {
        let read = "MOV TEMP[0], IN[0]\nMOV OUT[0], TEMP[0]\nADD TEMP[1], TEMP[0], TEMP[0]";
        assert_eq!(of_output(read), [ValueType::Float; 4]);
    }
}
