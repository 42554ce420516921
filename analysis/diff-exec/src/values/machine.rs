//! The values that the instructions of the machine read and write, by the emulator.

use gcn::analysis::{AccessKind, EXEC, SCC};
use gcn::instruction::{Bank, Register};
use gcn_emu::{LANES, Machine, Program, Wave};
use isa::gcn::operation::{
    Operation, Scalar, ScalarControl, ScalarLogic, ScalarMove, Vector, VectorBits, VectorLanes,
};

use super::series::{MOST_OF_MACHINE, Series};
use crate::outside::Observer;

/// An instruction of the machine with its values.
#[derive(Debug, Clone, Default)]
pub(super) struct Executed {
    pub(super) role: Role,
    /// True if it is of the scalar unit.
    pub(super) is_scalar: bool,
    /// Registers that it reads, word by word.
    pub(super) reads: Vec<Series>,
    /// Masks of lanes that it reads.
    pub(super) conditions: Vec<Series>,
    /// Constants in its words.
    pub(super) constants: Vec<u32>,
    /// Registers that it writes, word by word.
    pub(super) writes: Vec<Series>,
    /// Masks of lanes that it writes.
    pub(super) masks: Vec<Series>,
}

/// The part that an instruction plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Role {
    /// A result of operands.
    #[default]
    Computes,
    /// A result that is one of its operands.
    Chooses,
    /// The result of a comparison.
    Compares,
    /// A copy of a register or a constant.
    Moves,
    /// Something from memory or of an attribute.
    Fetches,
    /// A descriptor, or the address of some: what no shader reads.
    Describes,
    /// Memory is written.
    Stores,
    /// Something leaves the shader.
    Exports,
    /// Nothing but time: a wait.
    Waits,
    /// The end.
    Ends,
    /// Control, and the mask of active lanes.
    Steers,
    /// Logic on other masks.
    Combines,
}

impl Role {
    /// Tells whether results are made of operands.
    pub(super) fn computes(self) -> bool {
        matches!(self, Role::Computes | Role::Chooses | Role::Compares | Role::Combines)
    }
}

/// The lanes that are looked at.
pub(super) struct Recorder<'p> {
    program: &'p Program,
    pub(super) all: Vec<Executed>,
    /// By wave and lane the invocation.
    lanes: Vec<(usize, usize, usize)>,
    active: u64,
}

impl<'p> Recorder<'p> {
    /// Looks at nothing yet. `texts` are those of the instructions.
    pub(super) fn new(program: &'p Program, texts: &[&str]) -> Recorder<'p> {
        let begin = |number: usize| {
            let role = role(program, number);
            let computes = matches!(role, Role::Computes | Role::Chooses | Role::Compares);
            let text = texts.get(number).filter(|_| computes).copied().unwrap_or_default();
            let is_scalar = is_scalar(program, number);
            Executed { role, is_scalar, constants: constants(text), ..Executed::default() }
        };
        let all = (0..program.instructions.len()).map(begin).collect();
        Recorder { program, all, lanes: Vec::new(), active: 0 }
    }

    /// Looks at these lanes from now on: wave, lane, and the number of the invocation.
    pub(super) fn watch(&mut self, lanes: Vec<(usize, usize, usize)>) {
        self.lanes = lanes;
    }

    /// The lanes of a wave that are active, or all where none is: the scalar unit goes on then.
    fn lanes(&self, wave: usize) -> impl Iterator<Item = (usize, usize)> + use<> {
        let own: Vec<_> = self.lanes.iter().filter(|it| it.0 == wave).copied().collect();
        let is_active = |lane: usize| self.active >> lane & 1 == 1;
        let any = own.iter().any(|it| is_active(it.1));
        let active = if any { self.active } else { u64::MAX };
        own.into_iter().filter(move |it| active >> it.1 & 1 == 1).map(|it| (it.1, it.2))
    }

    fn any_is_active(&self, wave: usize) -> bool {
        self.lanes.iter().any(|it| it.0 == wave && self.active >> it.1 & 1 == 1)
    }

    fn note(&mut self, machine: &Machine, wave: usize, number: usize, side: Side) {
        let Some(state) = machine.waves.get(wave) else { return };
        let Some(def_use) = self.program.def_use(number) else { return };
        let lanes: Vec<(usize, usize)> = self.lanes(wave).collect();
        let any_is_active = self.any_is_active(wave);
        let Some(own) = self.all.get_mut(number).filter(|_| !lanes.is_empty()) else { return };
        let accesses = match side {
            Side::Reads => def_use.reads(),
            Side::Writes => def_use.writes(),
        };
        let (mut words, mut masks) = (0, 0);
        for access in accesses {
            let unsure = matches!(access.kind, AccessKind::Unknown | AccessKind::Indexed);
            // What no operand says, such as EXEC, says nothing of the source.
            if unsure || side == Side::Reads && access.operand.is_none() {
                continue;
            }
            let Register { bank, first, dwords } = access.register;
            let is_mask = bank == Bank::Scalar && (dwords == 2 || first == SCC);
            if bank != Bank::Scalar && !any_is_active {
                continue;
            }
            if is_mask {
                let series = match side {
                    Side::Reads => &mut own.conditions,
                    Side::Writes => &mut own.masks,
                };
                for (lane, invocation) in &lanes {
                    let bit = match first {
                        SCC => state.scc,
                        _ => state.pair(first) >> lane & 1 == 1,
                    };
                    at(series, masks).push(*invocation, u32::from(bit), MOST_OF_MACHINE);
                }
                masks += 1;
            }
            // More than a pair of scalar registers that is read is a descriptor.
            let is_descriptor = side == Side::Reads && bank == Bank::Scalar && dwords > 2;
            if is_descriptor || first == SCC && bank == Bank::Scalar {
                continue;
            }
            let series = match side {
                Side::Reads => &mut own.reads,
                Side::Writes => &mut own.writes,
            };
            // A pair may be a mask or a number, and a mask is no number.
            if is_mask && own.role != Role::Fetches {
                continue;
            }
            for dword in 0..u16::from(dwords) {
                for (lane, invocation) in &lanes {
                    let value = word(state, bank, first + dword, *lane);
                    at(series, words).push(*invocation, value, MOST_OF_MACHINE);
                }
                words += 1;
            }
        }
    }
}

/// The side of an instruction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Reads,
    Writes,
}

fn at(all: &mut Vec<Series>, number: usize) -> &mut Series {
    if all.len() <= number {
        all.resize(number + 1, Series::default());
    }
    &mut all[number]
}

fn word(wave: &Wave, bank: Bank, number: u16, lane: usize) -> u32 {
    match bank {
        Bank::Scalar => wave.scalar(number),
        Bank::Vector => wave.lane(number.into(), lane),
        Bank::Accumulator => wave.lane(usize::from(number) + ACCUMULATORS, lane),
    }
}

/// The number of the first accumulation register among those of a lane.
const ACCUMULATORS: usize = 256;

impl Observer for Recorder<'_> {
    fn before(&mut self, machine: &Machine, wave: usize, instruction: usize) {
        self.active = machine.waves.get(wave).map_or(0, Wave::exec) & (u64::MAX >> (64 - LANES));
        self.note(machine, wave, instruction, Side::Reads);
    }

    fn after(&mut self, machine: &Machine, wave: usize, instruction: usize) {
        self.note(machine, wave, instruction, Side::Writes);
    }
}

/// The part that an instruction plays.
fn role(program: &Program, number: usize) -> Role {
    let Some(opcode) = program.instructions.get(number).and_then(|it| it.opcode) else {
        return Role::Steers;
    };
    let writes = program.def_use(number).is_some_and(|it| !it.writes().is_empty());
    match opcode.operation() {
        Operation::Export => Role::Exports,
        Operation::ScalarMemory(_) if reads_by_address(program, number) => Role::Describes,
        Operation::ScalarMemory(_) | Operation::Interpolation(_) => Role::Fetches,
        Operation::Buffer(_)
        | Operation::Flat(_)
        | Operation::Share(_)
        | Operation::WaveSync(_)
        | Operation::Image(_) => match writes {
            true => Role::Fetches,
            false => Role::Stores,
        },
        Operation::Matrix(_) => Role::Computes,
        Operation::Vector(vector) => match vector {
            Vector::Bits(VectorBits::v_mov_b32)
            | Vector::Lanes(
                VectorLanes::v_readfirstlane_b32
                | VectorLanes::v_readlane_b32
                | VectorLanes::v_writelane_b32,
            ) => Role::Moves,
            Vector::Bits(VectorBits::v_cndmask_b32) => Role::Chooses,
            Vector::Compare { .. } | Vector::Class(_) => Role::Compares,
            _ => Role::Computes,
        },
        Operation::Scalar(scalar) => match scalar {
            Scalar::Move(ScalarMove::s_mov_b32) => Role::Moves,
            Scalar::Move(ScalarMove::s_cselect_b32) => Role::Chooses,
            Scalar::Compare { .. } | Scalar::CompareConstant { .. } => Role::Compares,
            Scalar::Control(ScalarControl::s_endpgm) => Role::Ends,
            Scalar::Control(
                ScalarControl::s_waitcnt | ScalarControl::s_nop | ScalarControl::s_barrier,
            ) => Role::Waits,
            Scalar::Integer(_) | Scalar::Bits(_) => Role::Computes,
            Scalar::Logic(
                ScalarLogic::s_and_b64 | ScalarLogic::s_andn2_b64 | ScalarLogic::s_or_b64,
            ) if names_active_lanes(program, number) => Role::Steers,
            Scalar::Logic(_) => Role::Combines,
            _ => Role::Steers,
        },
    }
}

/// Tells whether an operand is an address; buffers have descriptors.
fn reads_by_address(program: &Program, number: usize) -> bool {
    let def_use = program.def_use(number);
    def_use.is_some_and(|it| it.reads().iter().any(|access| access.register.dwords == 2))
}

/// Tells whether an operand is the mask of active lanes.
fn names_active_lanes(program: &Program, number: usize) -> bool {
    let Some(def_use) = program.def_use(number) else { return false };
    let mut all = def_use.reads().iter().chain(def_use.writes());
    all.any(|it| it.register.bank == Bank::Scalar && it.register.first == EXEC)
}

fn is_scalar(program: &Program, number: usize) -> bool {
    let opcode = program.instructions.get(number).and_then(|it| it.opcode);
    opcode.is_some_and(|it| {
        matches!(it.operation(), Operation::Scalar(_) | Operation::ScalarMemory(_))
    })
}

/// Constants among the operands of a text that are more than a small number.
fn constants(text: &str) -> Vec<u32> {
    let words = text.split([' ', ',', '|', '(', ')']);
    words.filter_map(|it| u32::from_str_radix(it.strip_prefix("0x")?, 16).ok()).collect()
}
