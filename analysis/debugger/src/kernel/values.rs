//! The registers and the memory of a kernel as values.

use gcn::analysis::{AccessKind, EXEC, M0, SCC, VCC};
use gcn::instruction::Bank;
use gcn_emu::LANES;
use gcn_emu::launch::Launch;

use super::{ACCUMULATORS, KernelRun, MOST_SHOWN, VECTORS, numbers, register_name};
use crate::expression::{ExpressionError, Reference, Value, ValueKind};
use crate::subject::{Bits, Scope, Variable};

impl KernelRun<'_> {
    /// The registers that an instruction writes, as a wave holds them now.
    pub fn written(&self, instruction: usize, wave: usize) -> Vec<(String, Bits)> {
        let def_use = self.kernel.launch.program().def_use(instruction);
        let Some((own, def_use)) = self.wave(wave).zip(def_use) else { return Vec::new() };
        let mut all = Vec::new();
        for access in def_use.writes().iter().filter(|it| it.kind != AccessKind::Indexed) {
            let register = access.register;
            match (register.bank, register.first) {
                (Bank::Scalar, EXEC) => all.push(("exec".to_owned(), Bits::Mask(own.exec()))),
                (Bank::Scalar, VCC) => all.push(("vcc".to_owned(), Bits::Mask(own.vcc()))),
                (Bank::Scalar, SCC) => all.push(("scc".to_owned(), Bits::Word(own.scc.into()))),
                (Bank::Scalar, M0) => all.push(("m0".to_owned(), Bits::Word(own.m0()))),
                (bank, _) => all.extend(numbers(register).map(|number| {
                    let bits = match bank {
                        Bank::Scalar => Bits::Word(own.scalar(number as u16)),
                        Bank::Vector | Bank::Accumulator => {
                            Bits::Lanes(own.vector(number).to_vec())
                        }
                    };
                    (register_name(bank, number), bits)
                })),
            }
        }
        all
    }

    /// The value of a register in a lane, or a word of memory.
    pub(super) fn value_of(
        &self,
        thread: usize,
        lane: usize,
        reference: &Reference,
    ) -> Result<Value, ExpressionError> {
        let Reference { name, indices, components } = reference;
        let wave = self.wave(thread).ok_or("the wave has ended")?;
        let missing = || Err(ExpressionError(format!("there is no register `{name}`")));
        if !components.is_empty() {
            return Err(format!("`{name}` has no components").into());
        }
        let word = |bits: u32| Ok(Value::Bits(bits, ValueKind::Integer));
        let index = |place: usize| -> Result<usize, ExpressionError> {
            let index = indices.get(place).copied().unwrap_or(0);
            usize::try_from(index).map_err(|_| format!("`{name}`: {index} is negative").into())
        };
        match &*name.to_ascii_lowercase() {
            "exec" => return Ok(Value::Integer(wave.exec() as i64)),
            "vcc" => return Ok(Value::Integer(wave.vcc() as i64)),
            "scc" => return Ok(Value::Truth(wave.scc)),
            "m0" => return word(wave.m0()),
            "lds" => {
                let at = index(0)?;
                let bytes = self.grid.machine().share.get(at..at.saturating_add(4));
                let bytes = bytes.and_then(|bytes| <[u8; 4]>::try_from(bytes).ok());
                let bytes = bytes.ok_or_else(|| format!("there is no `lds[{at}]`"))?;
                return word(u32::from_le_bytes(bytes));
            }
            "mem" => {
                let at = index(0)? as u64;
                let read = self.grid.machine().memory.word(at);
                return word(read.map_err(|error| error.to_string())?);
            }
            "buf" if indices.len() == 2 => {
                let at = Launch::buffer_address(index(0)?) + 4 * index(1)? as u64;
                let read = self.grid.machine().memory.word(at);
                return word(read.map_err(|error| error.to_string())?);
            }
            "buf" => return Err("`buf` takes two numbers: the buffer and its word".into()),
            _ => {}
        }
        let Some((letter, number)) = name.split_at_checked(1) else { return missing() };
        let Ok(number) = number.parse::<usize>() else { return missing() };
        let first = match letter {
            "v" | "V" if number < ACCUMULATORS => number,
            "a" | "A" if number < ACCUMULATORS => ACCUMULATORS + number,
            "s" | "S" if number < usize::from(VCC) && indices.is_empty() => {
                return word(wave.scalar(number as u16));
            }
            _ => return missing(),
        };
        let lane = if indices.is_empty() { lane } else { index(0)? };
        match lane < LANES {
            true => word(wave.lane(first, lane)),
            false => Err(format!("`{name}[{lane}]`: a wave has {LANES} lanes").into()),
        }
    }

    /// The registers that the code names, and memory.
    pub(super) fn all_scopes(&self, thread: usize) -> Vec<Scope> {
        let Some(wave) = self.wave(thread) else { return Vec::new() };
        let program = self.kernel.launch.program();
        let mut used = gcn::analysis::RegisterSet::EMPTY;
        for number in 0..program.instructions.len() {
            let Some(own) = program.def_use(number) else { continue };
            for access in own.reads().iter().chain(own.writes()) {
                // An index may lead anywhere; the registers that are named are enough.
                if access.kind != AccessKind::Indexed {
                    used.insert(access.register);
                }
            }
        }
        let leaf = |name: String, bits: Bits| Variable { name, bits, parts: Vec::new() };
        let special = vec![
            leaf("exec".to_owned(), Bits::Mask(wave.exec())),
            leaf("vcc".to_owned(), Bits::Mask(wave.vcc())),
            leaf("scc".to_owned(), Bits::Word(wave.scc.into())),
            leaf("m0".to_owned(), Bits::Word(wave.m0())),
        ];
        let vector = |number: usize| {
            let bank = Bank::Vector;
            leaf(register_name(bank, number), Bits::Lanes(wave.vector(number).to_vec()))
        };
        let is_used = |number: &usize| used.vector[number / 64] >> (number % 64) & 1 == 1;
        let vectors: Vec<Variable> = (0..ACCUMULATORS).filter(is_used).map(vector).collect();
        let accumulators: Vec<Variable> =
            (ACCUMULATORS..VECTORS).filter(is_used).map(vector).collect();
        let scalars: Vec<Variable> = (0..usize::from(VCC))
            .filter(|number| used.scalar >> number & 1 == 1)
            .map(|number| leaf(format!("s{number}"), Bits::Word(wave.scalar(number as u16))))
            .collect();
        let share = self.grid.machine().share.chunks_exact(4).enumerate().take(MOST_SHOWN);
        let share: Vec<Variable> = share
            .map(|(number, bytes)| {
                let word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
                leaf(format!("lds[{}]", 4 * number), Bits::Word(word))
            })
            .collect();
        let buffers = self.kernel.launch.inputs().buffers.iter().enumerate();
        let buffers: Vec<Variable> = buffers
            .filter(|(_, words)| words.is_some())
            .map(|(number, _)| {
                let words = self.grid.machine().memory.words(Launch::buffer_address(number));
                let word = |(place, word): (usize, &u32)| {
                    leaf(format!("buf[{number}][{place}]"), Bits::Word(*word))
                };
                Variable {
                    name: format!("buf[{number}]"),
                    bits: Bits::Parts,
                    parts: words.iter().enumerate().take(MOST_SHOWN).map(word).collect(),
                }
            })
            .collect();
        let scope = |name, registers, variables| Scope { name, registers, variables };
        let mut scopes = vec![
            scope("Special registers", true, special),
            scope("Vector registers", true, vectors),
            scope("Accumulation registers", true, accumulators),
            scope("Scalar registers", true, scalars),
            scope("Local data share", false, share),
            scope("Memory", false, buffers),
        ];
        scopes.retain(|scope| !scope.variables.is_empty());
        scopes
    }
}
