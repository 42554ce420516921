//! Assembled kernels and compiled shaders as code, with what is asked for them.

use super::code::{AddressCounts, Code, Instruction, image_address};
use super::report::Declared;
use crate::Target;
use crate::compiled::Compiled;
use crate::program::{Kernel, Program};

/// A kernel's code.
#[derive(Debug, Clone)]
pub struct KernelCode {
    /// Its instructions.
    pub code: Code,
    /// For each the instruction of the program, by index.
    pub instructions: Vec<u32>,
    /// What its descriptor asks for.
    pub declared: Declared,
    /// Lines that are no instruction, or none yet: they are left out.
    pub missing: usize,
}

/// Fields of descriptors that say how much local data share a workgroup takes.
const LOCAL_FIELDS: [&str; 3] =
    [".amdhsa_group_segment_fixed_size", "workgroup_group_segment_byte_size", ".localsize"];

impl KernelCode {
    /// The code of a kernel of a program.
    pub fn of(program: &Program, kernel: &Kernel, addresses: AddressCounts) -> KernelCode {
        let named = addresses == AddressCounts::Named;
        let mut code =
            Code { target: program.target, instructions: Vec::new(), entries: Vec::new() };
        let mut instructions = Vec::new();
        let mut missing = 0;
        for index in kernel.instructions.clone() {
            let Some(instruction) = program.instructions.get(index as usize) else { continue };
            let last = code.instructions.last().map_or(0, Instruction::end);
            // Offsets begin anew behind what has no known size.
            match instruction.assembled.filter(|_| instruction.offset >= last) {
                Some(assembled) => {
                    let text = program.text(instruction);
                    let address = if named { image_address(text.trim()) } else { None };
                    code.instructions.push(Instruction::new(
                        instruction.offset,
                        assembled.words(),
                        address,
                    ));
                    instructions.push(index);
                }
                None => missing += 1,
            }
        }
        KernelCode { code, instructions, declared: declared(program, kernel), missing }
    }
}

/// A compiled shader as code, with the registers that the compiler allocated.
pub fn compiled_code(compiled: &Compiled, target: Target) -> (Code, Declared) {
    let instructions = compiled.instructions.iter();
    let instructions = instructions
        .map(|it| Instruction::new(it.offset, &it.words, image_address(&it.text)))
        .collect();
    let figures = &compiled.statistics;
    let declared = Declared {
        vgprs: figures.vgprs,
        sgprs: figures.sgprs,
        lds: figures.lds,
        waves_per_group: Some(1),
    };
    (Code { target, instructions, entries: Vec::new() }, declared)
}

fn declared(program: &Program, kernel: &Kernel) -> Declared {
    let [vgprs, sgprs] = program.asked_registers(kernel);
    let fields = kernel.descriptor.and_then(|it| program.expansion.kernels.get(it as usize));
    let fields = fields.map_or(&[][..], |descriptor| &descriptor.fields);
    let local = fields
        .iter()
        .filter(|field| LOCAL_FIELDS.iter().any(|name| field.name.eq_ignore_ascii_case(name)))
        .find_map(|field| field.value);
    let number = |value: Option<i64>| value.map_or(0, |it| u32::try_from(it).unwrap_or(0));
    Declared { vgprs: number(vgprs), sgprs: number(sgprs), lds: number(local), ..Declared::NOTHING }
}
