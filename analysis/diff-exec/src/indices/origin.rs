//! The inputs from which indices are computed: each index is followed back to the registers that it
//! is made of, with the numbers that these may hold.
//!
//! Origins that are found decide only which random numbers are drawn: a way that is not followed leaves an
//! input as it would be.

use std::collections::HashMap;

use tgsi::Opcode;
use tgsi::ast::{Component, Immediate, Instruction, Register, Shader, Source};
use tgsi::opcodes::{Control, ValueType};
use tgsi::words::File;

use super::sum::{self, Term};
use super::{Kind, Lanes, Numbers, Place, Range, extent};

/// Values that are followed, at most: each may look at all writes of a register.
const MOST_STEPS: usize = 4096;
/// Values of an instruction that are followed again for other numbers.
const MOST_VISITS: u8 = 4;
/// Registers that a computed operand is followed to, at most.
const MOST_REGISTERS: i64 = 256;
/// Floats that fit a signed and an unsigned integer with some to spare: a sum of products
/// may be a little more than its share.
const FITTING: i64 = 1 << 30;

/// An instruction and its place among blocks.
struct Step<'a> {
    instruction: &'a Instruction,
    /// The block that it is in, as a number of `Walk::parents`.
    block: usize,
    /// The end of the outermost loop around it.
    loop_end: Option<usize>,
}

struct Walk<'a> {
    shader: &'a Shader,
    immediates: Vec<&'a Immediate>,
    steps: Vec<Step<'a>>,
    /// The block around each block; the first is the program itself.
    parents: Vec<usize>,
    /// By register, the instructions that write it.
    writes: HashMap<(File, u32), Vec<usize>>,
    /// True if subroutines are called: then any write may come before any read.
    calls: bool,
    visits: HashMap<(usize, Component), u8>,
    /// Results of instructions that are to be followed, each to be one of some numbers.
    waiting: Vec<(usize, Component, Numbers)>,
    left: usize,
    found: HashMap<Place, Numbers>,
}

/// Finds the inputs of a shader of which so many vertices come in.
pub(super) fn inputs(shader: &Shader, vertices: usize) -> HashMap<Place, Numbers> {
    let indirect = |it: &Instruction| it.registers().any(Register::is_computed);
    if !shader.instructions().any(|it| indirect(it) || fitting(it).is_some()) {
        return HashMap::new();
    }
    let mut walk = Walk::new(shader);
    for at in 0..walk.steps.len() {
        let instruction = walk.steps[at].instruction;
        for register in instruction.registers() {
            walk.follow_index(at, register, vertices);
        }
        if let (Some(range), [destination], [source]) =
            (fitting(instruction), &instruction.destinations[..], &instruction.sources[..])
        {
            for component in destination.mask.components() {
                let numbers = Numbers { range, kind: Kind::Float, lanes: Lanes::Own };
                walk.follow_source(at, source, component, numbers);
            }
        }
        while let Some((at, component, numbers)) = walk.waiting.pop() {
            walk.follow(at, component, numbers);
        }
    }
    walk.found
}

/// The floats that an instruction makes an integer of without loss.
fn fitting(instruction: &Instruction) -> Option<Range> {
    match instruction.opcode.value {
        Opcode::F2I => Range::between(-FITTING, FITTING),
        Opcode::F2U => Range::between(0, FITTING),
        _ => None,
    }
}

impl<'a> Walk<'a> {
    fn new(shader: &'a Shader) -> Walk<'a> {
        let mut walk = Walk {
            shader,
            immediates: shader.immediates().collect(),
            steps: Vec::new(),
            parents: vec![0],
            writes: HashMap::new(),
            calls: false,
            visits: HashMap::new(),
            waiting: Vec::new(),
            left: MOST_STEPS,
            found: HashMap::new(),
        };
        let mut block = 0;
        let mut loops = Vec::new();
        for (at, instruction) in shader.instructions().enumerate() {
            let control = instruction.info().path();
            if matches!(
                control,
                Control::Else
                    | Control::EndIf
                    | Control::EndLoop
                    | Control::Case
                    | Control::Default
                    | Control::EndSwitch
                    | Control::EndSubroutine
            ) {
                block = walk.parents[block];
            }
            walk.steps.push(Step { instruction, block, loop_end: None });
            if matches!(
                control,
                Control::If
                    | Control::Else
                    | Control::Loop
                    | Control::Case
                    | Control::Default
                    | Control::Switch
                    | Control::Subroutine
            ) {
                walk.parents.push(block);
                block = walk.parents.len() - 1;
            }
            match control {
                Control::Loop => loops.push(at),
                Control::EndLoop => {
                    if let (Some(first), true) = (loops.pop(), loops.is_empty()) {
                        walk.steps[first..].iter_mut().for_each(|it| it.loop_end = Some(at));
                    }
                }
                Control::Call | Control::Jump => walk.calls = true,
                _ => {}
            }
            for destination in &instruction.destinations {
                for number in walk.numbers(&destination.register) {
                    walk.writes.entry((destination.register.file, number)).or_default().push(at);
                }
            }
        }
        walk
    }

    /// The registers that an operand may mean.
    fn numbers(&self, register: &Register) -> std::ops::Range<u32> {
        if let (None, Some(number)) = (register.index.indirect, register.number()) {
            return number..number.saturating_add(1);
        }
        let range = extent::registers(self.shader, register);
        let Some(Range { least, greatest }) = range else { return 0..0 };
        let behind = greatest.min(least.saturating_add(MOST_REGISTERS - 1)) + 1;
        u32::try_from(least).unwrap_or(0)..u32::try_from(behind).unwrap_or(0)
    }

    /// Tells whether a block is another one or around it.
    fn is_around(&self, block: usize, mut inner: usize) -> bool {
        // Blocks around another have smaller numbers.
        while inner > block {
            inner = self.parents[inner];
        }
        inner == block
    }

    /// Follows the registers that the numbers of an operand are computed from.
    fn follow_index(&mut self, at: usize, register: &Register, vertices: usize) {
        let registers = extent::registers(self.shader, register);
        let dimensions = extent::dimensions(self.shader, register, vertices);
        let lanes = extent::lanes(register);
        let brackets = [
            (Some(register.index), registers, lanes[0]),
            (register.dimension, dimensions, lanes[1]),
        ];
        for (index, range, lanes) in brackets {
            let Some((index, range)) = index.zip(range) else { continue };
            let numbers = extent::offsets(range, &index);
            if let (Some(indirect), Some(range)) = (index.indirect, numbers) {
                let place = (indirect.file, indirect.index);
                let numbers = Numbers { range, kind: Kind::Integer, lanes };
                self.follow_writes(at, place, indirect.component, numbers);
            }
        }
    }

    /// Follows the writes of a register's component that may come before an instruction reads it.
    fn follow_writes(
        &mut self,
        at: usize,
        register: (File, u32),
        component: Component,
        numbers: Numbers,
    ) {
        let writes = self.writes.get(&register).cloned().unwrap_or_default();
        let writes: Vec<usize> = writes
            .into_iter()
            .filter(|it| {
                let mut all = self.steps[*it].instruction.destinations.iter();
                all.any(|own| own.mask.contains(component))
            })
            .collect();
        let behind = writes.partition_point(|it| *it < at);
        let (before, after) = writes.split_at(behind);
        let block = self.steps[at].block;
        for write in before.iter().rev() {
            self.waiting.push((*write, component, numbers));
            if !self.calls && self.is_around(self.steps[*write].block, block) {
                break;
            }
        }
        let end = if self.calls { usize::MAX } else { self.steps[at].loop_end.unwrap_or(0) };
        for write in after.iter().take_while(|it| **it <= end) {
            self.waiting.push((*write, component, numbers));
        }
    }

    /// Follows a result of an instruction that is to be one of some numbers.
    fn follow(&mut self, at: usize, component: Component, numbers: Numbers) {
        let visits = self.visits.entry((at, component)).or_default();
        if *visits == MOST_VISITS || self.left == 0 {
            return;
        }
        *visits += 1;
        self.left -= 1;
        let instruction = self.steps[at].instruction;
        let info = instruction.info();
        let wanted = numbers.kind;
        let kind = |ty: Option<&ValueType>| match ty {
            Some(ValueType::Float) => Some(Kind::Float),
            Some(ValueType::Signed | ValueType::Unsigned) => Some(Kind::Integer),
            Some(ValueType::Untyped) => Some(wanted),
            _ => None,
        };
        // The bits of one type that the other reads are not followed.
        if kind(info.destination_types.first()) != Some(wanted) {
            return;
        }
        for (number, range) in self.wanted(instruction, component, numbers.range) {
            let Some(source) = instruction.sources.get(number) else { continue };
            let Some(kind) = kind(info.source_types.get(number)) else { continue };
            let range = if source.negate { range.divided(-1) } else { Some(range) };
            if let Some(range) = range {
                self.follow_source(at, source, component, Numbers { range, kind, ..numbers });
            }
        }
    }

    /// Follows a component of a source that is to be one of some numbers.
    fn follow_source(&mut self, at: usize, source: &Source, position: Component, numbers: Numbers) {
        let component = source.swizzle.0[position as usize];
        let register = source.register;
        let file = register.file;
        let buffer = match register.dimension {
            Some(dimension) if file == File::Constant => match dimension.indirect {
                Some(_) => return,
                None => u32::try_from(dimension.offset).unwrap_or(0),
            },
            _ => 0,
        };
        for number in self.numbers(&register) {
            match file {
                File::Input | File::Constant | File::SystemValue => {
                    self.find(Place { file, buffer, register: number, component }, numbers);
                }
                _ => self.follow_writes(at, (file, number), component, numbers),
            }
        }
    }

    /// Notes an input. Where two indices want different numbers of it those of the first stay.
    fn find(&mut self, place: Place, mut numbers: Numbers) {
        // Constants are the same in all lanes.
        if place.file == File::Input && numbers.lanes == Lanes::Same {
            numbers.range = numbers.range.single();
        }
        let own = self.found.entry(place).or_insert(numbers);
        if let Some(range) = own.range.meet(numbers.range)
            && own.kind == numbers.kind
        {
            own.range = range;
        }
    }

    /// The number of a source that is an immediate.
    fn constant(
        &self,
        instruction: &Instruction,
        source: usize,
        position: Component,
    ) -> Option<i64> {
        let operand = instruction.sources.get(source)?;
        let immediate = operand.register.immediate(&self.immediates)?;
        let bits = immediate.bits[operand.swizzle.0[position as usize] as usize];
        let number = match instruction.info().source_types.get(source)? {
            ValueType::Float => {
                let float = f32::from_bits(bits);
                (float.fract() == 0.0 && float.abs() < 1e9).then_some(float as i64)?
            }
            _ => i64::from(bits as i32),
        };
        let number = if operand.absolute { number.abs() } else { number };
        Some(if operand.negate { -number } else { number })
    }

    /// Returns the sources that a result follows from, each with the numbers by which the result
    /// is in a range.
    fn wanted(
        &self,
        instruction: &Instruction,
        position: Component,
        range: Range,
    ) -> Vec<(usize, Range)> {
        use Opcode as O;
        let constant = |source: usize| self.constant(instruction, source, position);
        let opcode = instruction.opcode.value;
        let each = |sources: &[usize]| sources.iter().map(|source| (*source, range)).collect();
        match opcode.successor().unwrap_or(opcode) {
            O::MOV
            | O::ARL
            | O::ARR
            | O::UARL
            | O::FLR
            | O::CEIL
            | O::ROUND
            | O::TRUNC
            | O::F2I
            | O::F2U
            | O::I2F
            | O::U2F => each(&[0]),
            O::UCMP | O::CMP => each(&[1, 2]),
            O::MIN | O::MAX | O::IMIN | O::IMAX | O::UMIN | O::UMAX => each(&[0, 1]),
            O::AND => match (constant(0), constant(1)) {
                (Some(_), _) => each(&[1]),
                (_, Some(_)) => each(&[0]),
                _ => each(&[0, 1]),
            },
            // What is left of a division is less than the divisor.
            O::UMOD | O::MOD => match Range::between(1, range.greatest.saturating_add(1)) {
                Some(divisors) if constant(1).is_none() && range.least <= 0 => vec![(1, divisors)],
                _ => Vec::new(),
            },
            O::ADD | O::UADD => sum::summands(&[Term::of(0), Term::of(1)], constant, range),
            O::MUL | O::UMUL => sum::summands(&[Term::product(0, 1)], constant, range),
            O::MAD | O::UMAD | O::FMA => {
                sum::summands(&[Term::product(0, 1), Term::of(2)], constant, range)
            }
            O::SHL => {
                let factor = constant(1).and_then(|it| 1_i64.checked_shl(it as u32));
                factor.and_then(|it| range.divided(it)).map(|it| (0, it)).into_iter().collect()
            }
            O::USHR | O::ISHR => {
                let divisor = constant(1).and_then(|it| 1_i64.checked_shl(it as u32));
                divisor.and_then(|it| range.multiplied(it)).map(|it| (0, it)).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }
}
