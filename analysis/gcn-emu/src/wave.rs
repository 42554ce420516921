//! The state of one wave.

use gcn::analysis::{EXEC, M0, VCC};

use crate::aperture::Apertures;
use crate::mode::Mode;

/// Lanes of a wave.
pub const LANES: usize = 64;

/// Scalar registers by operand code: numbered ones, VCC, M0, EXEC and what is between.
const SCALARS: usize = 128;
/// Vector registers.
const VECTORS: usize = 256;
/// The number of the first accumulation register among the vector registers: after those that
/// other instructions can name. Where a chip has one file, it is the one that ACCUM_OFFSET says.
pub(crate) const ACCUMULATORS: usize = VECTORS;
/// Vector and accumulation registers.
const REGISTERS: usize = 2 * VECTORS;

/// An interpolated attribute's three values of each component, for the triangle of
/// the wave's pixels: P0, P10 and P20, where P10 is the second vertex's value less the
/// first's.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Attribute {
    /// By component.
    pub components: [[f32; 3]; 4],
    /// In place of P0 the values of each quad's pixels, by component: of pixels that no
    /// triangle is known of.
    pub quad: Option<[[f32; 4]; 4]>,
}

/// A wave.
#[derive(Debug, Clone, PartialEq)]
pub struct Wave {
    /// The scalar registers, by operand code.
    pub scalars: [u32; SCALARS],
    /// The vector registers: by number, then lane. After the 256th follow the accumulation
    /// registers, as far as they were written.
    pub vectors: Vec<[u32; LANES]>,
    /// SCC.
    pub scc: bool,
    /// MODE.
    pub mode: Mode,
    /// TRAPSTS. Nothing here traps, so it holds what is written to it.
    pub trap_status: u32,
    /// The local share and scratch in the flat address space.
    pub apertures: Apertures,
    /// The interpolated attributes, where it is a wave of pixels.
    pub attributes: Vec<Attribute>,
    /// The program counter, in bytes from the start of the program.
    pub counter: u64,
    /// The instruction that wrote each vector register last; `u32::MAX` for none.
    pub writers: Vec<u32>,
    /// The sources and results that an index is added to, between `s_set_gpr_idx_on` and
    /// `_off`; 0 outside.
    pub(crate) index_mode: u8,
    /// The clock: instructions so far.
    pub(crate) clock: u64,
    /// The dword of the local share that the running instruction reads by M0 alone.
    pub(crate) direct: u32,
}

impl Default for Wave {
    fn default() -> Wave {
        Wave::new(u64::MAX)
    }
}

impl Wave {
    /// A wave with these lanes, all registers zero.
    pub fn new(lanes: u64) -> Wave {
        let mut wave = Wave {
            scalars: [0; SCALARS],
            vectors: vec![[0; LANES]; VECTORS],
            scc: false,
            mode: Mode::default(),
            trap_status: 0,
            apertures: Apertures::default(),
            attributes: Vec::new(),
            counter: 0,
            writers: vec![u32::MAX; VECTORS],
            index_mode: 0,
            clock: 0,
            direct: 0,
        };
        wave.set_exec(lanes);
        wave
    }

    /// The lanes that are active.
    pub fn exec(&self) -> u64 {
        self.pair(EXEC)
    }

    /// Makes lanes active.
    pub fn set_exec(&mut self, lanes: u64) {
        self.set_pair(EXEC, lanes);
    }

    /// VCC.
    pub fn vcc(&self) -> u64 {
        self.pair(VCC)
    }

    /// M0.
    pub fn m0(&self) -> u32 {
        self.scalar(M0)
    }

    /// A scalar register by operand code; what does not exist is 0.
    pub fn scalar(&self, code: u16) -> u32 {
        self.scalars.get(usize::from(code)).copied().unwrap_or(0)
    }

    /// Sets a scalar register by operand code.
    pub fn set_scalar(&mut self, code: u16, value: u32) {
        if let Some(place) = self.scalars.get_mut(usize::from(code)) {
            *place = value;
        }
    }

    /// Two scalar registers as one number.
    pub fn pair(&self, code: u16) -> u64 {
        u64::from(self.scalar(code)) | u64::from(self.scalar(code + 1)) << 32
    }

    /// Sets two scalar registers.
    pub fn set_pair(&mut self, code: u16, value: u64) {
        self.set_scalar(code, value as u32);
        self.set_scalar(code + 1, (value >> 32) as u32);
    }

    /// A vector register; what does not exist is 0.
    pub fn vector(&self, number: usize) -> &[u32; LANES] {
        const NOTHING: &[u32; LANES] = &[0; LANES];
        self.vectors.get(number).unwrap_or(NOTHING)
    }

    /// A lane of a vector register.
    pub fn lane(&self, number: usize, lane: usize) -> u32 {
        self.vector(number).get(lane).copied().unwrap_or(0)
    }

    /// Sets a lane of a vector register.
    pub fn set_lane(&mut self, number: usize, lane: usize, value: u32) {
        if (self.vectors.len()..REGISTERS).contains(&number) {
            self.vectors.resize(number + 1, [0; LANES]);
        }
        let place = self.vectors.get_mut(number).and_then(|register| register.get_mut(lane));
        if let Some(place) = place {
            *place = value;
        }
    }

    /// A lane of one or two vector registers as one number.
    pub(crate) fn number(&self, first: usize, lane: usize, dwords: usize) -> u64 {
        let high = if dwords > 1 { self.lane(first + 1, lane) } else { 0 };
        u64::from(self.lane(first, lane)) | u64::from(high) << 32
    }

    /// Sets a lane of one or two vector registers.
    pub(crate) fn set_number(&mut self, first: usize, lane: usize, dwords: usize, value: u64) {
        self.set_lane(first, lane, value as u32);
        if dwords > 1 {
            self.set_lane(first + 1, lane, (value >> 32) as u32);
        }
    }

    /// Notes which instruction writes vector registers.
    pub(crate) fn note_writer(&mut self, first: usize, count: usize, instruction: u32) {
        let end = first.saturating_add(count).min(self.writers.len());
        if let Some(own) = self.writers.get_mut(first..end) {
            own.fill(instruction);
        }
    }

    /// The active lanes.
    pub(crate) fn active(&self) -> impl Iterator<Item = usize> + use<> {
        let exec = self.exec();
        (0..LANES).filter(move |lane| exec >> lane & 1 == 1)
    }
}
