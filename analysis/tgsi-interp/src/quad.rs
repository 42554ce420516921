//! Four lanes on their way through a program.
//!
//! A killed lane goes on running, so that derivatives of its neighbours stay
//! right, but writes no memory.

use tgsi::ast::Source;
use tgsi::opcodes::ValueType;
use thiserror::Error;

use crate::access::Access;
use crate::action::Action;
use crate::float::{self, Computed};
use crate::flow::{Frame, mask_of};
use crate::group::{Answer, Subgroup, SubgroupOp};
use crate::lookup::Context;
use crate::program::{MicroOp, Program};
use crate::registers::{EMPTY, LANES, Register, Registers};
use crate::resources::Resources;

/// The bounds of a run.
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

/// The reason for which a run was given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum StopReason {
    /// The limit of steps was reached: an endless loop, most likely.
    #[error("too many steps")]
    Steps,
    /// Calls went deeper than any shader does.
    #[error("calls too deep")]
    Calls,
    /// More was emitted than may be kept.
    #[error("too many vertices")]
    Records,
}

/// A run that was given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("{reason} at instruction {ordinal}")]
pub struct Stop {
    /// The instruction that it had come to, from 1.
    pub ordinal: u32,
    /// The reason.
    pub reason: StopReason,
}

/// The effect of one instruction.
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

/// Registers that may be pushed at once.
const MOST_PUSHED: usize = 64;

/// The state in which a quad came to rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rest {
    Barrier,
    /// Waiting for an answer of its subgroup, which has more lanes than its own.
    Subgroup,
    /// Answered, and ready to go on.
    Answered,
    Ended,
}

/// Four lanes and where they are.
#[derive(Clone)]
pub(crate) struct Quad<'a> {
    pub(crate) program: &'a Program,
    pub(crate) registers: Registers,
    pub(crate) place: usize,
    pub(crate) active: u8,
    pub(crate) frames: Vec<Frame>,
    pub(crate) calls: usize,
    /// Lanes that were killed.
    pub(crate) killed: u8,
    /// By stream: primitives, and the vertices of each.
    pub(crate) streams: [Vec<Vec<Vertex>>; 4],
    /// True for each stream whose last primitive is open.
    open: [bool; 4],
    vertices: usize,
    /// The steps so far, where they are wanted.
    pub(crate) trace: Option<Vec<TraceStep>>,
    limits: Limits,
    /// The lanes that were there at the beginning.
    pub(crate) present: u8,
    /// Instructions that it has executed.
    pub(crate) steps: u64,
    /// Lanes whose indices led out of what is declared.
    pub(crate) out_of_bounds: u8,
    /// The lanes of its subgroup, and the number of its first thread in the group.
    pub(crate) subgroup: Subgroup,
    pub(crate) first_thread: usize,
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
            present: mask & 0xf,
            steps: 0,
            out_of_bounds: 0,
            subgroup: Subgroup::Quad,
            first_thread: 0,
        }
    }

    /// Runs to the next barrier or the end. Takes its steps from `budget`.
    pub(crate) fn run(
        &mut self,
        resources: &mut Resources,
        budget: &mut u64,
    ) -> Result<Rest, Stop> {
        loop {
            if let Some(rest) = self.step(resources, budget)? {
                return Ok(rest);
            }
        }
    }

    /// Executes one instruction; answers where it came to rest. Takes its steps from `budget`.
    pub(crate) fn step(
        &mut self,
        resources: &mut Resources,
        budget: &mut u64,
    ) -> Result<Option<Rest>, Stop> {
        let program = self.program;
        let Some(op) = program.ops.get(self.place) else { return Ok(Some(self.end_run())) };
        let cost = 1 + op.targets.len() as u64;
        let stop = |reason| Stop { ordinal: op.instruction.ordinal, reason };
        *budget = budget.checked_sub(cost).ok_or_else(|| stop(StopReason::Steps))?;
        self.place += 1;
        self.steps += 1;
        self.record_out_of_bounds(op);
        if self.registers.patch.is_some() {
            self.find_raced_outputs(op);
        }
        match op.action {
            // Kernels of 2012 are a subroutine that nobody calls.
            Action::Subroutine if self.steps == 1 => {}
            Action::End | Action::Subroutine => return Ok(Some(self.end_run())),
            Action::Barrier => return Ok(Some(Rest::Barrier)),
            Action::Subgroup(group) if self.waits_for_wave(group) => {
                self.place -= 1;
                return Ok(Some(Rest::Subgroup));
            }
            Action::Emit => self.emit(op, resources).map_err(stop)?,
            Action::Call => self.call(op).map_err(stop)?,
            Action::Compute(operation) => self.compute(op, operation, resources),
            _ => self.other(op, resources),
        }
        let ended = self.active == 0 && self.frames.is_empty();
        Ok(ended.then(|| self.end_run()))
    }

    /// Executes the question that it stands at, which its subgroup has answered. Takes its step
    /// from `budget`.
    pub(crate) fn take_answer(&mut self, answer: &Answer, budget: &mut u64) -> Result<(), Stop> {
        if let Some(op) = self.program.ops.get(self.place) {
            let reason = StopReason::Steps;
            let given_up = Stop { ordinal: op.instruction.ordinal, reason };
            *budget = budget.checked_sub(1 + op.targets.len() as u64).ok_or(given_up)?;
            self.steps += 1;
            self.record_out_of_bounds(op);
        }
        self.answered(answer);
        Ok(())
    }

    /// Tells whether it stands at a question to other quads.
    pub(crate) fn asks_wave(&self) -> bool {
        let op = self.program.ops.get(self.place);
        op.is_some_and(|op| match op.action {
            Action::Subgroup(group) => self.waits_for_wave(group),
            _ => false,
        })
    }

    /// Tells whether a question is one to other quads.
    fn waits_for_wave(&self, group: SubgroupOp) -> bool {
        self.subgroup == Subgroup::Wave
            && self.active != 0
            && !matches!(group, SubgroupOp::Clock | SubgroupOp::Helper)
    }

    fn end_run(&mut self) -> Rest {
        self.place = self.program.ops.len();
        Rest::Ended
    }

    /// A source as one register, all four components.
    pub(crate) fn whole(&self, op: &MicroOp, source: usize, resources: &Resources) -> Register {
        let ty = op.instruction.info().source_types.get(source).copied();
        std::array::from_fn(|position| self.fetch(op, source, position, ty, resources))
    }

    pub(crate) fn fetch(
        &self,
        op: &MicroOp,
        source: usize,
        position: usize,
        ty: Option<ValueType>,
        resources: &Resources,
    ) -> [u32; LANES] {
        let ty = match ty {
            Some(ty) => op.read_as(ty),
            None => ValueType::Untyped,
        };
        let Some(operand) = op.instruction.sources.get(source) else { return [0; LANES] };
        if op.forms.any_source() {
            let bare = Source { absolute: false, negate: false, ..*operand };
            let bare = self.registers.fetch(self.program, resources, &bare, position, ty);
            let value = |bits: u32| op.forms.value(source, operand, position, bits);
            if bare.iter().all(|bits| value(*bits).is_some()) {
                return bare.map(|bits| value(bits).unwrap_or(bits));
            }
        }
        self.registers.fetch(self.program, resources, operand, position, ty)
    }

    /// The x component of a source, as integers.
    pub(crate) fn scalar(
        &self,
        op: &MicroOp,
        source: usize,
        resources: &Resources,
    ) -> [u32; LANES] {
        self.fetch(op, source, 0, Some(ValueType::Unsigned), resources)
    }

    /// Writes one component of the first destination.
    pub(crate) fn store(&mut self, op: &MicroOp, component: usize, mut values: [u32; LANES]) {
        let Some(destination) = op.instruction.destinations.first() else { return };
        if op.forms.writes_nothing {
            return;
        }
        if let Some(factor) = op.forms.factor {
            values = values.map(|bits| (float::f(bits) * factor).bits());
        }
        if op.instruction.signed_saturate {
            values = values.map(float::clamp_signed);
        }
        let mut clamped_nan = 0;
        if op.instruction.saturate {
            let ty = op.instruction.info().destination_types.first();
            if matches!(ty, Some(ValueType::Float | ValueType::Untyped)) {
                let nan = |it: &usize| float::f(values[*it]).is_nan();
                clamped_nan = (0..LANES).filter(nan).fold(0, |lanes, lane| lanes | 1 << lane);
                values = values.map(float::saturate);
            }
        }
        if op.instruction.info().destination_types.first() == Some(&ValueType::Float)
            && matches!(op.action, Action::Compute(_))
        {
            values = values.map(|bits| self.program.denormals.apply(bits));
        }
        self.registers.store(destination, component, values, self.active);
        self.open_clamped(destination, component, clamped_nan & self.active);
        let last = self.trace.as_mut().and_then(|trace| trace.last_mut());
        if let Some(TraceStep { ordinal, written, .. }) = last
            && *ordinal == op.instruction.ordinal
            && written.len() < 4
        {
            written.push((component, values));
        }
    }

    pub(crate) fn store_masked(&mut self, op: &MicroOp, values: &Register) {
        let Some(destination) = op.instruction.destinations.first() else { return };
        for component in destination.mask.components().map(|it| it as usize) {
            self.store(op, component, values[component]);
        }
    }

    pub(crate) fn begin_trace(&mut self, op: &MicroOp) {
        let (active, most) = (self.active, self.limits.records);
        if let Some(trace) = &mut self.trace
            && trace.len() < most
        {
            let ordinal = op.instruction.ordinal;
            trace.push(TraceStep { ordinal, active, written: Vec::new() });
        }
    }

    fn emit(&mut self, op: &MicroOp, resources: &Resources) -> Result<(), StopReason> {
        if self.active & 1 == 0 || self.vertices >= self.program.vertices as usize {
            return Ok(());
        }
        if self.vertices == self.limits.records {
            return Err(StopReason::Records);
        }
        let stream = self.scalar(op, 0, resources)[0] as usize & 3;
        if !self.open[stream] {
            self.open[stream] = true;
            self.streams[stream].push(Vec::new());
        }
        let vertex = self.registers.outputs.iter().map(|it| it.map(|lanes| lanes[0])).collect();
        if let Some(primitive) = self.streams[stream].last_mut() {
            primitive.push(vertex);
        }
        self.vertices += 1;
        self.open_emit(stream);
        // What a vertex does not write is undefined, not what the last one had.
        self.registers.outputs.fill(EMPTY);
        Ok(())
    }

    pub(crate) fn access<'s>(&'s self, op: &'s MicroOp) -> Access<'s> {
        let (program, registers) = (self.program, &self.registers);
        Access { program, registers, instruction: &op.instruction }
    }

    /// Everything that is neither arithmetic nor may stop the run.
    fn other(&mut self, op: &MicroOp, resources: &mut Resources) {
        let writers = self.active & !self.killed;
        match op.action {
            Action::Derivative([subtrahend, minuend]) if self.active != 0 => {
                self.begin_trace(op);
                let open = self.open_derivative(op, [subtrahend, minuend], resources);
                let value = self.whole(op, 0, resources);
                let result = value.map(|lanes| {
                    std::array::from_fn(|lane| {
                        let of = |from: usize| f32::from_bits(lanes[from]);
                        (of(minuend[lane]) - of(subtrahend[lane])).bits()
                    })
                });
                self.store_masked(op, &result);
                self.open_store(op, open);
            }
            Action::Lookup(lookup) if self.active != 0 => {
                self.begin_trace(op);
                let open = self.open_look_up(op, lookup, resources);
                let context =
                    Context::new(self.program, &self.registers, resources, &op.instruction, lookup);
                let result = context.look_up(&|_, quotients, _| quotients);
                self.store_masked(op, &result);
                self.open_store(op, open);
            }
            Action::Load if self.active != 0 => {
                self.begin_trace(op);
                let open = self.open_load(op, resources);
                let address = self.whole(op, 1, resources);
                let loaded = self.access(op).load(resources, &address, self.active);
                let result = op.resource_swizzle().0.map(|component| loaded[component as usize]);
                self.store_masked(op, &result);
                self.open_store(op, open);
            }
            Action::Store => {
                self.open_memory_store(op, writers, resources);
                let address = self.whole(op, 0, resources);
                let values = self.whole(op, 1, resources);
                self.access(op).store(resources, &address, &values, writers);
            }
            Action::Atomic(atomic) => {
                self.begin_trace(op);
                let address = self.whole(op, 1, resources);
                let operands = [2, 3].map(|it| self.scalar(op, it, resources));
                let open = self.open_atomic(op, atomic, writers, resources);
                let access = self.access(op);
                let old = access.change(resources, atomic, &address, operands, writers);
                // What was there, in each component that is written.
                self.store_masked(op, &[old; 4]);
                self.open_store(op, open);
            }
            Action::ResourceSize => {
                self.begin_trace(op);
                let open = self.open_size(op);
                let result = self.access(op).size(resources);
                self.store_masked(op, &result);
                self.open_store(op, open);
            }
            Action::Subgroup(group) if self.active != 0 => self.ask(op, group, resources),
            Action::InterpolateOffset => self.interpolate_at_offset(op, resources),
            Action::TakeApart => self.take_apart(op, resources),
            Action::Matrix { length, rows } => self.matrix(op, [length, rows], resources),
            Action::Framebuffer => self.fetch_color(op),
            Action::Handle => self.handle(op),
            Action::Push => {
                let value = self.whole(op, 0, resources);
                if self.active != 0 && self.registers.stack.len() < MOST_PUSHED {
                    // No shadow is kept on the stack.
                    self.lose_if_open(op, 0, resources);
                    self.registers.stack.push(value);
                }
            }
            Action::Pop if self.active != 0 => {
                self.begin_trace(op);
                let value = self.registers.stack.pop().unwrap_or(EMPTY);
                self.store_masked(op, &value);
            }
            Action::Kill => self.killed |= self.active,
            Action::KillIf => {
                let value = self.whole(op, 0, resources);
                let negative = std::array::from_fn(|lane| {
                    value.iter().any(|lanes| f32::from_bits(lanes[lane]) < 0.0)
                });
                let negative =
                    self.decided(negative, |quad, lane| quad.kill_outcomes(op, lane, resources));
                self.killed |= self.active & mask_of(negative);
            }
            Action::EndPrimitive if self.active & 1 != 0 => {
                let stream = self.scalar(op, 0, resources)[0] as usize & 3;
                self.open[stream] = false;
            }
            _ => self.branch(op, resources),
        }
    }
}
