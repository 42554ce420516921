//! Four lanes on their way through a program.
//!
//! Control flow is a mask of active lanes and a stack of frames, one for each
//! open block, which remember the lanes that wait for its end. A lane that
//! leaves a block is taken out of every frame on its way.
//!
//! A killed lane goes on running, so that derivatives of its neighbours stay
//! right, but writes no memory.

use tgsi::opcodes::ValueType;

use crate::access;
use crate::float;
use crate::operation::{Operation, Vectors};
use crate::program::{Action, Program, Step};
use crate::registers::{EMPTY, LANES, Register, Registers};
use crate::resources::Resources;
use crate::texture::Context;
use crate::wide;

/// What a run may use.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Instructions of all quads together.
    pub steps: u64,
    /// Vertices that a quad may emit, and steps that a trace may hold.
    pub records: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { steps: 1 << 22, records: 1 << 14 }
    }
}

/// Why a run was given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// The limit of steps was reached: an endless loop, most likely.
    Steps,
    /// Calls went deeper than any shader does.
    Calls,
    /// More was emitted than may be kept.
    Records,
}

/// A run that was given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stop {
    /// The instruction that it had come to, from 1.
    pub ordinal: u32,
    /// Why.
    pub reason: StopReason,
}

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let reason = match self.reason {
            StopReason::Steps => "too many steps",
            StopReason::Calls => "calls too deep",
            StopReason::Records => "too many vertices",
        };
        write!(f, "{reason} at instruction {}", self.ordinal)
    }
}

/// What one instruction did.
#[derive(Debug, Clone, PartialEq)]
pub struct TraceStep {
    /// The instruction, from 1.
    pub ordinal: u32,
    /// The lanes that executed it, a bit each.
    pub active: u8,
    /// The components that it wrote and their bits in each lane.
    pub written: Vec<(usize, [u32; LANES])>,
}

/// A vertex that a geometry shader emitted: the outputs of lane 0.
pub(crate) type Vertex = Vec<[u32; 4]>;

/// An open block.
#[derive(Debug, Clone, Copy)]
enum Frame {
    /// `rest`: lanes for the other branch. `outer`: lanes that go on behind it.
    If {
        rest: u8,
        outer: u8,
    },
    /// `running`: lanes that take another round. `outer`: lanes that go on behind it.
    Loop {
        running: u8,
        outer: u8,
    },
    /// `entries`: where each lane enters.
    Switch {
        entries: [usize; LANES],
        outer: u8,
    },
    Call {
        return_place: usize,
        outer: u8,
    },
}

impl Frame {
    /// Takes lanes out of it for good.
    fn drop_lanes(&mut self, lanes: u8) {
        match self {
            Frame::If { rest, outer } => {
                *rest &= !lanes;
                *outer &= !lanes;
            }
            Frame::Loop { running, outer } => {
                *running &= !lanes;
                *outer &= !lanes;
            }
            Frame::Switch { entries, outer } => {
                for (lane, entry) in entries.iter_mut().enumerate() {
                    if lanes & (1 << lane) != 0 {
                        *entry = usize::MAX;
                    }
                }
                *outer &= !lanes;
            }
            Frame::Call { outer, .. } => *outer &= !lanes,
        }
    }
}

/// How a quad came to rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rest {
    Barrier,
    Ended,
}

/// Calls within calls, at most.
const DEEPEST_CALL: usize = 64;

/// Four lanes and where they are.
pub(crate) struct Quad<'a> {
    program: &'a Program,
    pub(crate) registers: Registers,
    place: usize,
    active: u8,
    frames: Vec<Frame>,
    calls: usize,
    /// Lanes that were killed.
    pub(crate) killed: u8,
    /// By stream: primitives, and the vertices of each.
    pub(crate) streams: [Vec<Vec<Vertex>>; 4],
    /// Whether a stream's last primitive is open.
    open: [bool; 4],
    vertices: usize,
    /// What happened, where that is wanted.
    pub(crate) trace: Option<Vec<TraceStep>>,
    limits: Limits,
}

/// The components of a mask, as numbers.
fn components(mask: tgsi::ast::WriteMask) -> impl Iterator<Item = usize> {
    mask.components().map(|component| component as usize)
}

impl<'a> Quad<'a> {
    /// A quad before its first step.
    pub(crate) fn new(
        program: &'a Program,
        registers: Registers,
        mask: u8,
        limits: Limits,
    ) -> Quad<'a> {
        Quad {
            program,
            registers,
            place: 0,
            active: mask & 0xf,
            frames: Vec::new(),
            calls: 0,
            killed: 0,
            streams: std::array::from_fn(|_| Vec::new()),
            open: [false; 4],
            vertices: 0,
            trace: None,
            limits,
        }
    }

    /// Runs to the next barrier or the end. Takes its steps from `budget`.
    pub(crate) fn run(
        &mut self,
        resources: &mut Resources,
        budget: &mut u64,
    ) -> Result<Rest, Stop> {
        let program = self.program;
        while let Some(step) = program.steps.get(self.place) {
            let cost = 1 + step.targets.len() as u64;
            let stop = |reason| Stop { ordinal: step.instruction.ordinal, reason };
            *budget = budget.checked_sub(cost).ok_or_else(|| stop(StopReason::Steps))?;
            self.place += 1;
            match step.action {
                Action::End | Action::Subroutine => break,
                Action::Barrier => return Ok(Rest::Barrier),
                Action::Emit => self.emit(step, resources).map_err(stop)?,
                Action::Call => self.call(step).map_err(stop)?,
                Action::Compute(operation) => self.compute(step, operation, resources),
                _ => self.other(step, resources),
            }
            if self.active == 0 && self.frames.is_empty() {
                break;
            }
        }
        self.place = program.steps.len();
        Ok(Rest::Ended)
    }

    /// A source as one register, all four components.
    fn whole(&self, step: &Step, source: usize, resources: &Resources) -> Register {
        let ty = step.instruction.opcode.value.row().source_types.get(source).copied();
        std::array::from_fn(|position| self.fetch(step, source, position, ty, resources))
    }

    fn fetch(
        &self,
        step: &Step,
        source: usize,
        position: usize,
        ty: Option<ValueType>,
        resources: &Resources,
    ) -> [u32; LANES] {
        let ty = ty.unwrap_or(ValueType::Untyped);
        match step.instruction.sources.get(source) {
            Some(operand) => self.registers.fetch(self.program, resources, operand, position, ty),
            None => [0; LANES],
        }
    }

    /// The x component of a source, as integers.
    fn scalar(&self, step: &Step, source: usize, resources: &Resources) -> [u32; LANES] {
        self.fetch(step, source, 0, Some(ValueType::Unsigned), resources)
    }

    /// Writes one component of the first destination.
    fn store(&mut self, step: &Step, component: usize, mut values: [u32; LANES]) {
        let Some(destination) = step.instruction.destinations.first() else { return };
        if step.instruction.saturate {
            let ty = step.instruction.opcode.value.row().destination_types.first();
            if matches!(ty, Some(ValueType::Float | ValueType::Untyped)) {
                values = values.map(float::saturate);
            }
        }
        self.registers.store(destination, component, values, self.active);
        if let Some(TraceStep { written, .. }) = self.trace.as_mut().and_then(|it| it.last_mut()) {
            written.push((component, values));
        }
    }

    fn store_masked(&mut self, step: &Step, values: &Register) {
        let Some(destination) = step.instruction.destinations.first() else { return };
        for component in components(destination.mask) {
            self.store(step, component, values[component]);
        }
    }

    fn begin_trace(&mut self, step: &Step) {
        let (active, most) = (self.active, self.limits.records);
        if let Some(trace) = &mut self.trace
            && trace.len() < most
        {
            let ordinal = step.instruction.ordinal;
            trace.push(TraceStep { ordinal, active, written: Vec::new() });
        }
    }

    fn compute(&mut self, step: &Step, operation: Operation, resources: &Resources) {
        if self.active == 0 {
            return;
        }
        self.begin_trace(step);
        let Some(destination) = step.instruction.destinations.first() else { return };
        let mask = destination.mask;
        let sources = step.instruction.sources.len().min(5);
        match operation {
            Operation::Each(_) | Operation::Replicated(_) | Operation::Whole(_) => {
                let mut operands = [EMPTY; 5];
                for (source, operand) in operands.iter_mut().enumerate().take(sources) {
                    *operand = self.whole(step, source, resources);
                }
                let mut result = EMPTY;
                for lane in 0..LANES {
                    let vectors: Vectors = operands.map(|it| it.map(|lanes| lanes[lane]));
                    let words = |component: usize| vectors.map(|vector| vector[component]);
                    let values = match operation {
                        Operation::Each(function) => [0, 1, 2, 3].map(|it| function(words(it))),
                        Operation::Replicated(function) => [function(words(0)); 4],
                        Operation::Whole(function) => function(&vectors),
                        _ => [0; 4],
                    };
                    for component in 0..4 {
                        result[component][lane] = values[component];
                    }
                }
                self.store_masked(step, &result);
            }
            Operation::Wide(function) | Operation::WideSparse(function) => {
                let sparse = matches!(operation, Operation::WideSparse(_));
                // All is read before anything is written: they may overlap.
                let pairs = [0, 1].map(|pair| self.longs(step, pair, sparse, resources));
                for (pair, longs) in pairs.into_iter().enumerate() {
                    if mask.0 & (3 << (pair * 2)) == 0 {
                        continue;
                    }
                    let mut values = longs.map(function);
                    let ty = step.instruction.opcode.value.row().destination_types.first();
                    if step.instruction.saturate && ty == Some(&ValueType::Double) {
                        values = values.map(wide::saturate);
                    }
                    for (half, shift) in [(0, 0), (1, 32)] {
                        let component = pair * 2 + half;
                        if mask.0 & (1 << component) != 0 {
                            self.store(step, component, values.map(|it| (it >> shift) as u32));
                        }
                    }
                }
            }
            Operation::Compare(function) => {
                let pairs = [0, 1].map(|pair| self.longs(step, pair, false, resources));
                let places = [0, 2].into_iter().zip(pairs);
                for (component, longs) in places {
                    if mask.0 & (1 << component) != 0 {
                        let values = longs.map(|it| float::all_if(function(it)));
                        self.store(step, component, values);
                    }
                }
            }
            Operation::Narrow(function) => {
                let pairs = [0, 1].map(|pair| self.longs(step, pair, false, resources));
                for (component, longs) in components(mask).zip(pairs) {
                    self.store(step, component, longs.map(function));
                }
            }
        }
    }

    /// The 64-bit values of the sources for one pair, by lane. Sources of 32
    /// bits give their low halves.
    fn longs(
        &self,
        step: &Step,
        pair: usize,
        sparse: bool,
        resources: &Resources,
    ) -> [[u64; 3]; LANES] {
        let mut result = [[0; 3]; LANES];
        let types = &step.instruction.opcode.value.row().source_types;
        for (place, source) in step.instruction.sources.iter().enumerate().take(3) {
            let ty = types.get(place).copied().unwrap_or(ValueType::Untyped);
            let values = match ty {
                ValueType::Double | ValueType::Signed64 | ValueType::Unsigned64 => {
                    self.registers.fetch_wide(self.program, resources, source, pair, ty)
                }
                _ => {
                    let position = if sparse { pair * 2 } else { pair };
                    self.registers
                        .fetch(self.program, resources, source, position, ty)
                        .map(u64::from)
                }
            };
            for lane in 0..LANES {
                result[lane][place] = values[lane];
            }
        }
        result
    }

    fn call(&mut self, step: &Step) -> Result<(), StopReason> {
        let Some(target) = step.targets.first().filter(|_| self.active != 0) else {
            return Ok(());
        };
        if self.calls == DEEPEST_CALL {
            return Err(StopReason::Calls);
        }
        self.calls += 1;
        self.frames.push(Frame::Call { return_place: self.place, outer: self.active });
        self.place = target + 1;
        Ok(())
    }

    fn emit(&mut self, step: &Step, resources: &Resources) -> Result<(), StopReason> {
        if self.active & 1 == 0 || self.vertices >= self.program.vertices as usize {
            return Ok(());
        }
        if self.vertices == self.limits.records {
            return Err(StopReason::Records);
        }
        let stream = self.scalar(step, 0, resources)[0] as usize & 3;
        if !self.open[stream] {
            self.open[stream] = true;
            self.streams[stream].push(Vec::new());
        }
        let vertex = self.registers.outputs.iter().map(|it| it.map(|lanes| lanes[0])).collect();
        if let Some(primitive) = self.streams[stream].last_mut() {
            primitive.push(vertex);
        }
        self.vertices += 1;
        // What a vertex does not write is undefined, not what the last one had.
        self.registers.outputs.fill(EMPTY);
        Ok(())
    }

    /// Everything that is neither arithmetic nor may stop the run.
    fn other(&mut self, step: &Step, resources: &mut Resources) {
        let writers = self.active & !self.killed;
        match step.action {
            Action::Derivative([subtrahend, minuend]) if self.active != 0 => {
                self.begin_trace(step);
                let value = self.whole(step, 0, resources);
                let result = value.map(|lanes| {
                    std::array::from_fn(|lane| {
                        let of = |from: usize| f32::from_bits(lanes[from]);
                        (of(minuend[lane]) - of(subtrahend[lane])).to_bits()
                    })
                });
                self.store_masked(step, &result);
            }
            Action::Lookup(lookup) if self.active != 0 => {
                self.begin_trace(step);
                let context = Context {
                    program: self.program,
                    registers: &self.registers,
                    resources,
                    instruction: &step.instruction,
                };
                let result = context.look_up(lookup);
                self.store_masked(step, &result);
            }
            Action::Load if self.active != 0 => {
                self.begin_trace(step);
                let address = self.whole(step, 1, resources);
                let registers = &self.registers;
                let result =
                    access::load(registers, resources, &step.instruction, &address, self.active);
                self.store_masked(step, &result);
            }
            Action::Store => {
                let address = self.whole(step, 0, resources);
                let values = self.whole(step, 1, resources);
                let registers = &self.registers;
                let instruction = &step.instruction;
                access::store(registers, resources, instruction, &address, &values, writers);
            }
            Action::Atomic(atomic) => {
                self.begin_trace(step);
                let address = self.whole(step, 1, resources);
                let operands = [2, 3].map(|it| self.scalar(step, it, resources));
                let old = access::change(
                    &self.registers,
                    resources,
                    &step.instruction,
                    atomic,
                    &address,
                    operands,
                    writers,
                );
                self.store(step, 0, old);
            }
            Action::ResourceSize => {
                let result = access::size(&self.registers, resources, &step.instruction);
                self.store_masked(step, &result);
            }
            Action::Kill => self.killed |= self.active,
            Action::KillIf => {
                let value = self.whole(step, 0, resources);
                for lane in 0..LANES {
                    if value.iter().any(|lanes| f32::from_bits(lanes[lane]) < 0.0) {
                        self.killed |= self.active & (1 << lane);
                    }
                }
            }
            Action::EndPrimitive if self.active & 1 != 0 => {
                let stream = self.scalar(step, 0, resources)[0] as usize & 3;
                self.open[stream] = false;
            }
            _ => self.branch(step, resources),
        }
    }

    /// Blocks and what leaves them.
    fn branch(&mut self, step: &Step, resources: &Resources) {
        let outer = self.active;
        match step.action {
            Action::IfFloat | Action::IfInteger => {
                let values = self.scalar(step, 0, resources);
                let values = match step.action {
                    // The float form has float modifiers.
                    Action::IfFloat => {
                        let ty = Some(ValueType::Float);
                        let floats = self.fetch(step, 0, 0, ty, resources).map(f32::from_bits);
                        floats.map(|value| value != 0.0)
                    }
                    _ => values.map(|value| value != 0),
                };
                let taken = outer & mask_of(values);
                self.frames.push(Frame::If { rest: outer & !taken, outer });
                self.active = taken;
            }
            Action::Else => {
                if let Some(Frame::If { rest, .. }) = self.frames.last_mut() {
                    self.active = std::mem::take(rest);
                }
            }
            Action::BeginLoop => self.frames.push(Frame::Loop { running: outer, outer }),
            Action::EndLoop => {
                if let Some(Frame::Loop { running, outer }) = self.frames.last().copied() {
                    if running == 0 {
                        self.frames.pop();
                        self.active = outer;
                    } else {
                        self.active = running;
                        self.place = step.partner + 1;
                    }
                }
            }
            Action::Switch => {
                let entries = self.entries(step, resources);
                self.frames.push(Frame::Switch { entries, outer });
                self.active = 0;
            }
            Action::Case => {
                if let Some(Frame::Switch { entries, .. }) = self.frames.last() {
                    let here = self.place - 1;
                    self.active |= mask_of(entries.map(|entry| entry == here));
                }
            }
            Action::EndIf | Action::EndSwitch => {
                if let Some(Frame::If { outer, .. } | Frame::Switch { outer, .. }) =
                    self.frames.pop()
                {
                    self.active = outer;
                }
            }
            Action::Break => {
                let target = |frame: &Frame| {
                    matches!(frame, Frame::Loop { .. } | Frame::Switch { .. } | Frame::Call { .. })
                };
                let Some(place) = self.frames.iter().rposition(target) else { return };
                match &mut self.frames[place] {
                    Frame::Loop { running, .. } => *running &= !outer,
                    Frame::Switch { .. } => {}
                    _ => return,
                }
                self.leave(place + 1);
            }
            Action::Continue => {
                let target =
                    |frame: &Frame| matches!(frame, Frame::Loop { .. } | Frame::Call { .. });
                let Some(place) = self.frames.iter().rposition(target) else { return };
                if matches!(self.frames[place], Frame::Loop { .. }) {
                    self.leave(place + 1);
                }
            }
            Action::Return => {
                let call = |frame: &Frame| matches!(frame, Frame::Call { .. });
                if let Some(Frame::Call { return_place, outer }) = self.frames.last().copied() {
                    self.frames.pop();
                    self.calls -= 1;
                    self.place = return_place;
                    self.active = outer;
                } else {
                    let place = self.frames.iter().rposition(call);
                    self.leave(place.map_or(0, |place| place + 1));
                }
            }
            _ => {}
        }
    }

    /// Takes the active lanes out of the frames from a place on.
    fn leave(&mut self, from: usize) {
        let lanes = std::mem::take(&mut self.active);
        for frame in &mut self.frames[from..] {
            frame.drop_lanes(lanes);
        }
    }

    /// Where each active lane enters a switch: at its case, or at the default.
    fn entries(&self, step: &Step, resources: &Resources) -> [usize; LANES] {
        let selectors = self.scalar(step, 0, resources);
        let mut entries = [usize::MAX; LANES];
        let mut chosen = [false; LANES];
        for place in &step.targets {
            let case = &self.program.steps[*place];
            let values = self.scalar(case, 0, resources);
            for lane in 0..LANES {
                let matches = case.has_value && values[lane] == selectors[lane];
                if self.active & (1 << lane) == 0 || chosen[lane] {
                    continue;
                }
                if matches || !case.has_value {
                    entries[lane] = *place;
                    chosen[lane] = matches;
                }
            }
        }
        entries
    }
}

/// A bit for each lane where something holds.
fn mask_of(lanes: [bool; LANES]) -> u8 {
    lanes.into_iter().rev().fold(0, |mask, set| mask << 1 | u8::from(set))
}
