//! A GCN kernel as a subject: waves of 64 lanes in the emulator.

mod events;
mod values;

use gcn::analysis::RegisterSet;
use gcn::instruction::Bank;
use gcn_emu::launch::{GridExecution, KernelInputs, Launch, LaunchError, on_axes};
use gcn_emu::{LANES, Limits, TimingFaults, Wave};
use isa::gcn::Opcode;
use source::LineIndex;

use crate::expression::{ExpressionError, Reference, Value};
use crate::location::Location;
use crate::machine::{self, VECTORS, register_name};
use crate::subject::{Event, Fault, MADE_FLOATS, Scope, Subject};

/// Instructions of a run, at most.
const LIMITS: Limits = Limits { steps: 1 << 26, records: 1 << 14 };
/// Words of memory that are shown.
const MOST_SHOWN: usize = 1024;

/// The opcodes whose result is one float of 32 bits that is computed.
const COMPUTE_FLOATS: [Opcode; 24] = [
    Opcode::v_add_f32,
    Opcode::v_sub_f32,
    Opcode::v_subrev_f32,
    Opcode::v_mul_f32,
    Opcode::v_mul_legacy_f32,
    Opcode::v_mac_f32,
    Opcode::v_mad_f32,
    Opcode::v_mad_legacy_f32,
    Opcode::v_madak_f32,
    Opcode::v_madmk_f32,
    Opcode::v_fma_f32,
    Opcode::v_fmac_f32,
    Opcode::v_fract_f32,
    Opcode::v_ldexp_f32,
    Opcode::v_cos_f32,
    Opcode::v_sin_f32,
    Opcode::v_exp_f32,
    Opcode::v_log_f32,
    Opcode::v_rcp_f32,
    Opcode::v_rcp_iflag_f32,
    Opcode::v_rsq_f32,
    Opcode::v_sqrt_f32,
    Opcode::v_div_fixup_f32,
    Opcode::v_div_fmas_f32,
];

/// A kernel that can be debugged, with what it is given.
pub struct Kernel {
    launch: Launch,
    name: String,
    lines: Vec<u32>,
    texts: Vec<String>,
    /// The registers that the code names.
    used: RegisterSet,
}

/// The reason why a kernel cannot be debugged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KernelError {
    /// No kernel has the name.
    #[error("there is no kernel `{0}`; there are {1}")]
    NoKernel(String, String),
    /// The text has no kernel.
    #[error("there is no kernel")]
    None,
    /// The launch is refused.
    #[error(transparent)]
    Launch(#[from] LaunchError),
}

impl Kernel {
    /// Prepares the kernel of a program that the inputs name, else the first one. `text` is the
    /// text of the program.
    ///
    /// # Errors
    /// There is no such kernel, or it cannot be launched so.
    pub fn new(
        program: &gcn::program::Program,
        text: &str,
        inputs: KernelInputs,
    ) -> Result<Kernel, KernelError> {
        let kernels = &program.kernels;
        let own = match &inputs.kernel {
            None => kernels.iter().find(|it| it.descriptor.is_some()).or(kernels.first()),
            Some(name) => {
                let own = kernels.iter().find(|it| *it.name == **name);
                Some(own.ok_or_else(|| {
                    let names: Vec<&str> = kernels.iter().map(|it| &*it.name).take(9).collect();
                    KernelError::NoKernel(name.clone(), names.join(", "))
                })?)
            }
        };
        let own = own.ok_or(KernelError::None)?;
        let launch = Launch::new(program, own, inputs)?;
        let index = LineIndex::new(text);
        let (mut lines, mut texts) = (Vec::new(), Vec::new());
        for number in 0..launch.program().instructions.len() {
            let place = launch.instruction(number);
            let Some(instruction) = place.and_then(|it| program.instructions.get(it as usize))
            else {
                continue;
            };
            lines.push(index.line(program.range(instruction).start()) + 1);
            let own = program.text(instruction).split_whitespace().collect::<Vec<_>>();
            texts.push(own.join(" "));
        }
        let used = machine::used(launch.program());
        Ok(Kernel { launch, name: own.name.to_string(), lines, texts, used })
    }

    /// Its launch.
    pub fn launch(&self) -> &Launch {
        &self.launch
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Tells whether an instruction ends its wave.
    pub fn ends(&self, instruction: usize) -> bool {
        let own = self.launch.program().instructions.get(instruction);
        own.is_some_and(|own| own.opcode == Some(Opcode::s_endpgm))
    }

    /// Its run at the beginning.
    pub fn run(&self) -> KernelRun<'_> {
        let grid = GridExecution::new(&self.launch, LIMITS).with_timing(TimingFaults::Tell);
        let mut run =
            KernelRun { kernel: self, grid, filled: Vec::new(), group: 0, events: Vec::new() };
        run.forget();
        run
    }
}

/// The registers of a wave that something has written.
#[derive(Clone)]
struct Filled {
    scalar: u128,
    /// For each vector register the lanes.
    vectors: Vec<u64>,
}

/// A kernel's run.
pub struct KernelRun<'k> {
    kernel: &'k Kernel,
    grid: GridExecution<'k>,
    filled: Vec<Filled>,
    /// The group that `filled` is of.
    group: u32,
    events: Vec<Event>,
}

/// A state of a run.
pub struct SavedKernel<'k> {
    grid: GridExecution<'k>,
    filled: Vec<Filled>,
    group: u32,
}

impl<'k> KernelRun<'k> {
    /// The run of the emulator.
    pub fn grid(&self) -> &GridExecution<'k> {
        &self.grid
    }

    fn wave(&self, thread: usize) -> Option<&Wave> {
        self.grid.machine().waves.get(thread)
    }

    /// Begins anew with what was written, as a group does.
    fn forget(&mut self) {
        self.group = self.grid.group();
        let begin = self.kernel.launch.filled();
        let vectors = (0..VECTORS).map(|number| {
            let is_filled = begin.vector[number / 64] >> (number % 64) & 1 == 1;
            if is_filled { u64::MAX } else { 0 }
        });
        let filled = Filled { scalar: begin.scalar, vectors: vectors.collect() };
        self.filled = vec![filled; self.grid.machine().waves.len()];
    }
}

impl<'k> Subject for KernelRun<'k> {
    type Saved = SavedKernel<'k>;

    fn thread(&self) -> Option<usize> {
        self.grid.wave()
    }

    fn threads(&self) -> usize {
        self.grid.machine().waves.len()
    }

    fn thread_name(&self, thread: usize) -> String {
        format!("group {}, wave {thread}, EXEC {:#018x}", self.grid.group(), self.active(thread))
    }

    fn instruction(&self, thread: usize) -> Option<usize> {
        self.grid.execution().instruction(thread)
    }

    fn returns(&self, _: usize) -> Vec<Option<usize>> {
        Vec::new()
    }

    fn lanes(&self) -> usize {
        LANES
    }

    fn lane_name(&self, thread: usize, lane: usize) -> String {
        let item = thread * LANES + lane;
        let [x, y, z] = on_axes(item as u32, self.kernel.launch.inputs().group);
        format!("lane {lane}, work-item ({x}, {y}, {z})")
    }

    fn active(&self, thread: usize) -> u64 {
        self.wave(thread).map_or(0, Wave::exec)
    }

    fn watched(&self) -> (usize, usize) {
        let (_, wave, lane) = self.kernel.launch.watched();
        (wave, lane)
    }

    fn instructions(&self) -> usize {
        self.kernel.texts.len()
    }

    fn line(&self, instruction: usize) -> Option<u32> {
        self.kernel.lines.get(instruction).copied()
    }

    fn text(&self, instruction: usize) -> &str {
        self.kernel.texts.get(instruction).map_or("", String::as_str)
    }

    fn address(&self, instruction: usize) -> u64 {
        let program = self.kernel.launch.program();
        program.instructions.get(instruction).map_or(0, |own| own.offset.into())
    }

    fn bytes_of(&self, instruction: usize) -> String {
        machine::words_text(self.kernel.launch.program(), instruction)
    }

    fn value(
        &self,
        thread: usize,
        lane: usize,
        reference: &Reference,
    ) -> Result<Value, ExpressionError> {
        self.value_of(thread, lane, reference)
    }

    fn scopes(&self, thread: usize) -> Vec<Scope> {
        self.all_scopes(thread)
    }

    fn memory(&self, address: u64, count: usize) -> Vec<u8> {
        let memory = &self.grid.machine().memory;
        let bytes = (0..count as u64).map_while(|place| {
            let read = memory.read(address.checked_add(place)?, 1);
            read.ok().map(|byte| byte as u8)
        });
        bytes.collect()
    }

    fn memories(&self) -> Vec<(String, u64, usize)> {
        let launch = &self.kernel.launch;
        let buffers = launch.inputs().buffers.iter().enumerate();
        let buffers = buffers.filter(|(_, words)| words.is_some()).map(|(number, _)| {
            let address = Launch::buffer_address(number);
            let bytes = 4 * self.grid.machine().memory.words(address).len();
            (format!("buf[{number}]"), address, bytes)
        });
        let images = launch.images().iter().enumerate().filter_map(|(number, image)| {
            let image = image.as_ref()?;
            Some((format!("img[{number}]"), image.address, image.length() as usize))
        });
        buffers.chain(images).collect()
    }

    fn locate(
        &self,
        thread: usize,
        _: usize,
        reference: &Reference,
    ) -> Result<Vec<Location>, ExpressionError> {
        machine::locate(thread, reference)
    }

    fn targets(&self) -> Vec<(Location, u64)> {
        let Some(wave) = self.grid.wave() else { return Vec::new() };
        let Some(own) = self.instruction(wave) else { return Vec::new() };
        machine::targets(self.kernel.launch.program(), own, wave, self.active(wave))
    }

    fn sources(&self, _: &Location, lane: usize) -> Vec<(Location, usize)> {
        let Some(wave) = self.grid.wave() else { return Vec::new() };
        let Some(own) = self.instruction(wave) else { return Vec::new() };
        machine::sources(self.kernel.launch.program(), own, wave, lane)
    }

    fn bits(&self, location: &Location, lane: usize) -> Option<u32> {
        match *location {
            Location::Register { wave, bank, number } => {
                Some(machine::bits(self.wave(wave)?, bank, number, lane))
            }
            Location::Component { .. } | Location::Word { .. } => None,
        }
    }

    fn step(&mut self) -> Result<(), Fault> {
        self.events.clear();
        let Some(wave) = self.grid.wave() else { return Ok(()) };
        let launch = &self.kernel.launch;
        let own = self.instruction(wave);
        let def_use = own.and_then(|own| launch.program().def_use(own));
        let opcode = own.and_then(|own| launch.program().instructions[own].opcode);
        let computes = opcode.is_some_and(|opcode| COMPUTE_FLOATS.contains(&opcode));
        let active = self.active(wave);
        let mut had = [0; 2];
        if let Some(own) = def_use {
            self.events.extend(self.unwritten(wave, own.reads()));
            if computes {
                had = MADE_FLOATS.map(|(_, is_it)| self.lanes_with(wave, own.reads(), is_it));
            }
            self.note_written(wave, own.writes());
        }
        let group = self.grid.group();
        self.grid.step().map_err(|stop| Fault { thread: wave, message: stop.to_string() })?;
        self.events.extend(machine::missing_wait(self.grid.execution(), active));
        if let Some(own) = def_use.filter(|_| computes && group == self.grid.group()) {
            for ((kind, is_it), had) in MADE_FLOATS.into_iter().zip(had) {
                for access in own.writes().iter().filter(|it| it.register.bank == Bank::Vector) {
                    let made = self.lanes_with(wave, std::slice::from_ref(access), is_it);
                    let made = made & active & !had;
                    if made != 0 {
                        let lane = made.trailing_zeros() as usize;
                        let what = register_name(Bank::Vector, access.register.first.into());
                        self.events.push(Event { kind, lane, what });
                    }
                }
            }
        }
        if self.grid.group() != self.group {
            self.forget();
        }
        Ok(())
    }

    fn events(&self) -> Vec<Event> {
        self.events.clone()
    }

    fn save(&mut self) -> SavedKernel<'k> {
        SavedKernel { grid: self.grid.clone(), filled: self.filled.clone(), group: self.group }
    }

    fn restore(&mut self, saved: &SavedKernel<'k>) {
        self.grid = saved.grid.clone();
        self.filled.clone_from(&saved.filled);
        self.group = saved.group;
        self.events.clear();
    }

    fn size(saved: &SavedKernel<'k>) -> usize {
        machine::bytes(saved.grid.machine())
    }
}
