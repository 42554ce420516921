//! The registers and the memory of a kernel as values.

use gcn::analysis::{AccessKind, EXEC, M0, SCC, VCC};
use gcn::instruction::Bank;
use gcn_emu::LANES;
use gcn_emu::launch::Launch;

use super::{KernelRun, MOST_SHOWN};
use crate::expression::{ExpressionError, Reference, Value, ValueKind};
use crate::machine::{self, numbers, register_name};
use crate::subject::{Bits, Scope, Subject, Variable};

impl KernelRun<'_> {
    /// The registers that an instruction writes, as a wave holds them now.
    pub fn written(&self, instruction: usize, wave: usize) -> Vec<(String, Bits)> {
        let def_use = self.kernel.launch.program().def_use(instruction);
        let Some((own, def_use)) = self.wave(wave).zip(def_use) else { return Vec::new() };
        let mask = |bits| Bits::Mask { bits, lanes: LANES };
        let mut all = Vec::new();
        for access in def_use.writes().iter().filter(|it| it.kind != AccessKind::Indexed) {
            let register = access.register;
            match (register.bank, register.first) {
                (Bank::Scalar, EXEC) => all.push(("exec".to_owned(), mask(own.exec()))),
                (Bank::Scalar, VCC) => all.push(("vcc".to_owned(), mask(own.vcc()))),
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
        if reference.name.eq_ignore_ascii_case("buf") {
            if reference.indices.len() != 2 {
                return Err("`buf` takes two numbers: the buffer and its word".into());
            }
            let at = Launch::buffer_address(machine::index(reference, 0)?)
                + 4 * machine::index(reference, 1)? as u64;
            let read = self.grid.machine().memory.word(at).map_err(|error| error.to_string())?;
            return Ok(Value::Bits(read, ValueKind::Integer));
        }
        if reference.name.eq_ignore_ascii_case("scratch") {
            let byte = machine::index(reference, 0)?;
            let own = self.scratch_word(thread, lane, byte);
            let own = own.ok_or_else(|| format!("there is no `scratch[{byte}]`"))?;
            return Ok(Value::Bits(own, ValueKind::Integer));
        }
        if reference.name.eq_ignore_ascii_case("img") {
            return self.texel_of(reference);
        }
        machine::value(self.grid.execution(), thread, lane, reference)
    }

    /// The word of a lane's scratch memory at a byte.
    fn scratch_word(&self, thread: usize, lane: usize, byte: usize) -> Option<u32> {
        let address = self.kernel.launch.scratch().word(thread, lane, byte)?;
        self.grid.machine().memory.word(address).ok()
    }

    /// Scratch memory, a word of each lane a row.
    fn scratch(&self, thread: usize) -> Vec<Variable> {
        let bytes = self.kernel.launch.scratch().bytes as usize;
        let places = (0..bytes).step_by(4).take(MOST_SHOWN);
        let word = |byte: usize| {
            let lanes = (0..LANES).map(|lane| self.scratch_word(thread, lane, byte).unwrap_or(0));
            let bits = Bits::Lanes(lanes.collect());
            Variable { name: format!("scratch[{byte}]"), bits, parts: Vec::new() }
        };
        places.map(word).collect()
    }

    /// A component of a texel, or all of them.
    fn texel_of(&self, reference: &Reference) -> Result<Value, ExpressionError> {
        let ([_, _], [component]) = (&reference.indices[..], &reference.components[..]) else {
            return Err("`img` takes two numbers, the image and its texel, and a component, as \
                        `img[0][5].x`"
                .into());
        };
        let (number, at) = (machine::index(reference, 0)?, machine::index(reference, 1)?);
        let image = self.kernel.launch.image(number);
        let image = image.ok_or_else(|| format!("there is no `img[{number}]`"))?;
        let texel = image.texel(&self.grid.machine().memory, at);
        let texel = texel.ok_or_else(|| format!("there is no `img[{number}][{at}]`"))?;
        Ok(Value::Bits(texel[component & 3], ValueKind::Integer))
    }

    /// The texels of the images.
    fn images(&self) -> Vec<Variable> {
        let leaf = |name, bits| Variable { name, bits, parts: Vec::new() };
        let images = self.kernel.launch.images().iter().enumerate();
        let images = images.filter_map(|(number, image)| {
            let image = image.as_ref()?;
            let texels = 0..(image.shape.texels() as usize).min(MOST_SHOWN);
            let parts = texels.filter_map(|at| {
                let texel = image.texel(&self.grid.machine().memory, at)?;
                let name = format!("img[{number}][{at}]");
                let parts = texel.into_iter().zip(["x", "y", "z", "w"]);
                let parts =
                    parts.map(|(bits, letter)| leaf(format!("{name}.{letter}"), Bits::Word(bits)));
                Some(Variable { parts: parts.collect(), ..leaf(name, Bits::Parts) })
            });
            let name = format!("img[{number}]");
            Some(Variable { parts: parts.collect(), ..leaf(name, Bits::Parts) })
        });
        images.collect()
    }

    /// The registers that the code names, and memory.
    pub(super) fn all_scopes(&self, thread: usize) -> Vec<Scope> {
        let leaf = |name: String, bits: Bits| Variable { name, bits, parts: Vec::new() };
        let named = |instruction: usize| {
            let line = self.line(instruction).unwrap_or(0);
            format!("{line}: {}", self.text(instruction))
        };
        let execution = self.grid.execution();
        let mut scopes = machine::scopes(execution, thread, (&self.kernel.used, 0..LANES), &named);
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
        let scope = |name, variables| Scope { name, registers: false, variables };
        scopes.extend([scope("Local data share", share), scope("Memory", buffers)]);
        scopes.push(scope("Scratch", self.scratch(thread)));
        scopes.push(scope("Images", self.images()));
        scopes.retain(|scope| !scope.variables.is_empty());
        scopes
    }
}
