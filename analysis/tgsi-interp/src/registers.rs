//! The registers of a quad, and how operands find their bits.

use tgsi::ast::{self, Component, Destination, Source};
use tgsi::opcodes::ValueType;
use tgsi::words::File;

use crate::open::OpenRegisters;
use crate::patch::Patch;
use crate::program::Program;
use crate::resources::Resources;

/// The number of lanes that run together: the pixels (x, y), (x+1, y), (x, y+1),
/// (x+1, y+1), or four vertices or threads.
pub const LANES: usize = 4;

/// One register: the bits of each component of each lane.
pub type Register = [[u32; LANES]; 4];

/// A register of zeros.
pub const EMPTY: Register = [[0; LANES]; 4];

/// A component of a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Place {
    /// The file.
    pub file: File,
    /// The number in the first brackets, where there are two.
    pub first: Option<usize>,
    /// The number of the register.
    pub index: usize,
    /// The component, from 0.
    pub component: usize,
}

/// The register files that a quad owns.
#[derive(Debug, Clone, Default)]
pub(crate) struct Registers {
    /// The shadow of the registers, in a run that is compared.
    pub(crate) open: Option<Box<OpenRegisters>>,
    pub(crate) temporaries: Vec<Register>,
    pub(crate) addresses: Vec<Register>,
    pub(crate) outputs: Vec<Register>,
    /// By vertex, then attribute; one vertex except in geometry and tessellation.
    pub(crate) inputs: Vec<Vec<Register>>,
    pub(crate) system_values: Vec<Register>,
    /// The registers of historic loops that count.
    pub(crate) loops: Vec<Register>,
    /// The historic arrays of temporaries.
    pub(crate) arrays: Vec<Vec<Register>>,
    /// The registers that were pushed and not popped.
    pub(crate) stack: Vec<Register>,
    /// The colours that the pixels have, by colour output.
    pub(crate) framebuffer: Vec<Register>,
    /// The outputs of a tessellation control shader, which belong to the patch.
    /// Whichever quad runs holds them.
    pub(crate) patch: Option<Patch>,
    /// The number of the quad's first invocation in the patch.
    pub(crate) first_invocation: usize,
}

impl Registers {
    /// As many as the program names, all zero.
    pub(crate) fn new(program: &Program) -> Registers {
        Registers {
            temporaries: vec![EMPTY; program.temporaries],
            addresses: vec![EMPTY; program.addresses],
            outputs: vec![EMPTY; program.outputs],
            loops: vec![EMPTY; program.loops],
            arrays: program.arrays.iter().map(|length| vec![EMPTY; *length]).collect(),
            ..Registers::default()
        }
    }

    /// The number that an index means in a lane; `None` for a negative one.
    pub(crate) fn index(&self, index: &ast::Index, lane: usize) -> Option<usize> {
        let base = match index.indirect {
            None => 0,
            Some(indirect) => {
                let file: &[Register] = match indirect.file {
                    File::Address => &self.addresses,
                    File::Temporary => &self.temporaries,
                    File::Input => self.inputs.first().map_or(&[], Vec::as_slice),
                    File::SystemValue => &self.system_values,
                    _ => &[],
                };
                let register = file.get(indirect.index as usize);
                let bits = register.map_or(0, |it| it[indirect.component as usize][lane]);
                i64::from(bits as i32)
            }
        };
        usize::try_from(base + i64::from(index.offset)).ok()
    }

    /// The bits of one component in one lane. Whatever does not exist is 0.
    pub(crate) fn bits(
        &self,
        program: &Program,
        resources: &Resources,
        register: &ast::Register,
        component: Component,
        lane: usize,
    ) -> u32 {
        let find = || -> Option<u32> {
            let index = self.index(&register.index, lane)?;
            let first = match &register.dimension {
                None => None,
                Some(dimension) => Some(self.index(dimension, lane)?),
            };
            let place = Place { file: register.file, first, index, component: component as usize };
            self.component(program, resources, place, lane)
        };
        find().unwrap_or(0)
    }

    /// The bits of one component in one lane; `None` for what does not exist.
    pub(crate) fn component(
        &self,
        program: &Program,
        resources: &Resources,
        place: Place,
        lane: usize,
    ) -> Option<u32> {
        let Place { file, first: dimension, index, component } = place;
        let first = dimension.unwrap_or(0);
        let lanes = |file: &[Register]| file.get(index).map(|it| it[component][lane]);
        match file {
            File::Constant => resources.constants.get(first)?.get(index).map(|it| it[component]),
            File::ImmediateArray => program.immediate_array.get(index).map(|it| it[component]),
            File::Immediate => program.immediates.get(index).map(|it| it[component]),
            File::Input => lanes(self.inputs.get(first)?),
            File::Temporary => lanes(&self.temporaries),
            File::Address => lanes(&self.addresses),
            File::Output => match (&self.patch, dimension) {
                (Some(patch), Some(_)) => {
                    patch.vertices.get(first)?.get(index).map(|it| it[component])
                }
                (Some(patch), None) => patch.shared.get(index).map(|it| it[component]),
                (None, _) => lanes(&self.outputs),
            },
            File::Loop => lanes(&self.loops),
            File::TemporaryArray => lanes(self.arrays.get(first)?),
            File::SystemValue => lanes(&self.system_values),
            _ => None,
        }
    }

    /// Returns the value of a source at one of its four positions, in all lanes, with
    /// its modifiers: they act on the sign of floats and negate integers.
    pub(crate) fn fetch(
        &self,
        program: &Program,
        resources: &Resources,
        source: &Source,
        position: usize,
        ty: ValueType,
    ) -> [u32; LANES] {
        let component = source.swizzle.0[position & 3];
        std::array::from_fn(|lane| {
            let mut bits = self.bits(program, resources, &source.register, component, lane);
            let integer = matches!(ty, ValueType::Signed | ValueType::Unsigned);
            if source.absolute {
                bits = if integer { (bits as i32).unsigned_abs() } else { bits & 0x7fff_ffff };
            }
            if source.negate {
                bits = if integer { bits.wrapping_neg() } else { bits ^ 0x8000_0000 };
            }
            if ty == ValueType::Float { program.denormals.apply(bits) } else { bits }
        })
    }

    /// Returns the value of a source in one of its two pairs of components.
    pub(crate) fn fetch_wide(
        &self,
        program: &Program,
        resources: &Resources,
        source: &Source,
        pair: usize,
        ty: ValueType,
    ) -> [u64; LANES] {
        std::array::from_fn(|lane| {
            let [low, high] = [0, 1].map(|half| {
                let component = source.swizzle.0[pair * 2 + half];
                self.bits(program, resources, &source.register, component, lane)
            });
            let mut bits = u64::from(high) << 32 | u64::from(low);
            let integer = matches!(ty, ValueType::Signed64 | ValueType::Unsigned64);
            if source.absolute {
                bits = if integer { (bits as i64).unsigned_abs() } else { bits & !(1 << 63) };
            }
            if source.negate {
                bits = if integer { bits.wrapping_neg() } else { bits ^ 1 << 63 };
            }
            bits
        })
    }

    /// A component of a texel offset.
    pub(crate) fn offset(
        &self,
        program: &Program,
        resources: &Resources,
        offset: &ast::TextureOffset,
        axis: usize,
        lane: usize,
    ) -> i32 {
        self.bits(program, resources, &offset.register, offset.swizzle[axis], lane) as i32
    }

    /// Returns the value of a loop's register.
    pub(crate) fn destination(&self, destination: &Destination) -> Register {
        std::array::from_fn(|component| {
            std::array::from_fn(|lane| {
                let index = self.index(&destination.register.index, lane);
                let register = index.and_then(|index| self.loops.get(index));
                register.map_or(0, |register| register[component][lane])
            })
        })
    }

    /// Writes one component in the lanes of a mask. What does not exist is not written.
    pub(crate) fn store(
        &mut self,
        destination: &Destination,
        component: usize,
        values: [u32; LANES],
        mask: u8,
    ) {
        for (lane, value) in values.into_iter().enumerate() {
            if mask & (1 << lane) == 0 {
                continue;
            }
            self.open_settle(destination, component, lane);
            let index = self.index(&destination.register.index, lane);
            let dimension = destination.register.dimension;
            let dimension = dimension.map(|dimension| self.index(&dimension, lane));
            if let (File::Output, Some(patch)) = (destination.register.file, &mut self.patch) {
                let vectors = match dimension {
                    None => Some(&mut patch.shared),
                    Some(vertex) => vertex.and_then(|vertex| patch.vertices.get_mut(vertex)),
                };
                let vector = index.and_then(|index| vectors?.get_mut(index));
                if let (Some(vector), Some(index)) = (vector, index) {
                    let old = std::mem::replace(&mut vector[component], value);
                    let place = (dimension.flatten(), index, component);
                    patch.note(place, self.first_invocation + lane, [old, value]);
                }
                continue;
            }
            let file = match destination.register.file {
                File::Loop => &mut self.loops,
                File::TemporaryArray => {
                    // The oldest ones have no number: there is one array.
                    let number = dimension.unwrap_or(Some(0));
                    let Some(array) = number.and_then(|it| self.arrays.get_mut(it)) else {
                        continue;
                    };
                    array
                }
                File::Temporary => &mut self.temporaries,
                File::Address => &mut self.addresses,
                File::Output => &mut self.outputs,
                _ => return,
            };
            if let Some(register) = index.and_then(|index| file.get_mut(index)) {
                register[component][lane] = value;
            }
        }
    }
}
