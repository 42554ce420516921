//! The declarations and uses of registers, gathered before lowering begins.
//!
//! Registers that are reached through an index register must lie together in
//! memory; all others are single cells. Which is which depends on every
//! instruction, so it is settled first.

use std::collections::BTreeMap;

use source::TextRange;
use tgsi::ast::{
    Declaration, ImageType, Index, IndexRange, PropertyValue, Register, SamplerViewType, Semantic,
    Shader, WriteMask,
};
use tgsi::words::{
    File, Interpolation, InterpolationLocation, MemoryKind, PropertyName, SemanticName,
};

use crate::failure::{Failure, left_open, unsupported};
use crate::helpers;

/// More inputs, outputs or system values than any hardware stage has.
const MOST_INTERFACE_REGISTERS: u32 = 80;
/// The longest indexed array, in registers. Longer ones exceed the scratch
/// memory that a wave can have.
const LONGEST_ARRAY: u32 = 4096;

/// A shader input.
#[derive(Debug, Clone, Copy)]
pub struct Input {
    /// The semantic, if the declaration names one.
    pub semantic: Option<Semantic>,
    /// The way in which it is interpolated: the language's default for an input without the word is constant.
    pub interpolation: Interpolation,
    /// The place in the pixel for which it is interpolated.
    pub location: InterpolationLocation,
}

/// A shader output.
#[derive(Debug, Clone, Copy)]
pub struct Output {
    /// The semantic.
    pub semantic: Semantic,
    /// The components that any of its declarations names.
    pub mask: WriteMask,
    /// The place of its first declaration.
    pub range: TextRange,
    /// The vertex stream of each component, in geometry shaders.
    pub streams: [u32; 4],
}

/// Registers of one file that are reached through an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexedRange {
    /// The file.
    pub file: File,
    /// The first register.
    pub first: u32,
    /// The last register.
    pub last: u32,
}

impl IndexedRange {
    /// Returns the number of registers.
    pub fn length(self) -> u32 {
        self.last - self.first + 1
    }
}

/// The declarations of a shader.
#[derive(Debug, Default)]
pub struct Declared {
    /// The inputs by register.
    pub inputs: BTreeMap<u32, Input>,
    /// The outputs by register.
    pub outputs: BTreeMap<u32, Output>,
    /// The system values by register.
    pub system_values: BTreeMap<u32, SemanticName>,
    /// The bits of the immediates.
    pub immediates: Vec<[u32; 4]>,
    /// The registers of the historic arrays of immediates.
    pub immediate_arrays: BTreeMap<u32, [u32; 4]>,
    /// The last register of every constant buffer.
    pub constants: BTreeMap<u32, u32>,
    /// The images by register.
    pub images: BTreeMap<u32, ImageType>,
    /// The sampler views by register.
    pub sampler_views: BTreeMap<u32, SamplerViewType>,
    /// The number of shader buffers up to the last declared one.
    pub buffers: u32,
    /// The last counter of every buffer of hardware counters.
    pub counters: BTreeMap<u32, u32>,
    /// The kinds of the declared `MEMORY`.
    pub memories: BTreeMap<u32, MemoryKind>,
    /// Set where anything but constant buffers with a fixed number is used, so that the list of
    /// buffers is needed.
    pub needs_list: bool,
    /// Set where killed lanes must go on for their neighbours' derivatives.
    pub helpers_after_kill: bool,
    /// Set where an instruction takes derivatives.
    pub takes_derivatives: bool,
    /// The last declared register of files that are only counted.
    last: BTreeMap<File, u32>,
    indexed: Vec<IndexedRange>,
    /// The first and last register of every `ARRAY(n)`.
    arrays: BTreeMap<(File, u32), (u32, u32)>,
    properties: BTreeMap<PropertyName, PropertyValue>,
}

impl Declared {
    /// Gathers the declarations of a shader; adds what is wrong to `failures`.
    pub fn gather(shader: &Shader, failures: &mut Vec<Failure>) -> Declared {
        let mut declared = Declared::default();
        for declaration in shader.declarations() {
            if let Err(failure) = declared.add(declaration) {
                failures.push(failure);
            }
            if let Some(array) = declaration.array {
                let range = declaration.range.value;
                declared
                    .arrays
                    .insert((declaration.file.value, array.value), (range.first, range.last));
            }
        }
        declared.immediates = shader.immediates().map(|immediate| immediate.bits).collect();
        for property in shader.properties() {
            if let (Some(name), Some(value)) = (property.name, property.value) {
                declared.properties.insert(name.value, value.value);
            }
        }
        declared.find_indexed(shader, failures);
        declared.helpers_after_kill = helpers::needed_after_kill(shader.instructions());
        declared.takes_derivatives = helpers::takes_derivatives(shader.instructions());
        declared
    }

    /// The value of a numeric property.
    pub fn property(&self, name: PropertyName) -> Option<u32> {
        match self.properties.get(&name) {
            Some(PropertyValue::Number(number)) => Some(*number),
            _ => None,
        }
    }

    /// The value of a property.
    pub fn property_value(&self, name: PropertyName) -> Option<PropertyValue> {
        self.properties.get(&name).copied()
    }

    /// The last declared register of a file.
    pub fn last(&self, file: File) -> u32 {
        self.last.get(&file).copied().unwrap_or(0)
    }

    /// Returns the last register of constant buffer 0 if that is the only buffer: its address then
    /// comes in place of the list of buffers.
    pub fn single_constant_buffer(&self) -> Option<u32> {
        match self.constants.iter().next() {
            Some((0, last)) if self.constants.len() == 1 && !self.needs_list => Some(*last),
            _ => None,
        }
    }

    /// The first and last register of an `ARRAY(n)`.
    pub fn array(&self, file: File, array: u32) -> Option<(u32, u32)> {
        self.arrays.get(&(file, array)).copied()
    }

    /// The indexed ranges, by file and register.
    pub fn indexed(&self) -> &[IndexedRange] {
        &self.indexed
    }

    /// The indexed range that a register lies in, and its place.
    pub fn indexed_range(&self, file: File, register: u32) -> Option<usize> {
        let after =
            self.indexed.partition_point(|range| (range.file, range.first) <= (file, register));
        let place = after.checked_sub(1)?;
        let range = self.indexed[place];
        (range.file == file && register <= range.last).then_some(place)
    }

    /// The place of the indexed range that an indexed operand stays in.
    pub fn indexed_place(&self, file: File, array: Option<u32>, near: u32) -> Option<usize> {
        let named = array.and_then(|array| self.arrays.get(&(file, array)));
        let first = match named {
            Some((first, _)) => *first,
            None => self.indexed.iter().find(|range| range.file == file)?.first.max(near),
        };
        self.indexed_range(file, first)
            .or_else(|| self.indexed.iter().position(|range| range.file == file))
    }

    fn add(&mut self, declaration: &Declaration) -> Result<(), Failure> {
        let file = declaration.file.value;
        let range = declaration.range.value;
        let last = self.last.entry(file).or_insert(0);
        *last = (*last).max(range.last);
        let interface = matches!(
            file,
            File::Input | File::Output | File::SystemValue | File::Image | File::SamplerView
        );
        if interface && range.last >= MOST_INTERFACE_REGISTERS {
            return Err(unsupported(
                declaration.range.range,
                format!("register {file}[{}]", range.last),
            ));
        }
        let semantic = declaration.semantic.map(|semantic| semantic.value);
        match file {
            File::Input => {
                let input = Input {
                    semantic,
                    interpolation: declaration
                        .interpolation
                        .map_or(Interpolation::Constant, |word| word.value),
                    location: declaration
                        .location
                        .map_or(InterpolationLocation::Center, |word| word.value),
                };
                for (register, index) in (range.first..=range.last).zip(0..) {
                    let semantic = semantic.map(|semantic| numbered(semantic, index));
                    self.inputs.entry(register).or_insert(Input { semantic, ..input });
                }
            }
            File::Output => {
                let Some(semantic) = semantic else {
                    return Err(left_open(
                        declaration.range.range,
                        "register OUT",
                        "an output without a semantic goes nowhere".into(),
                    ));
                };
                let mask = declaration.mask.map_or(WriteMask::ALL, |mask| mask.value);
                for (register, index) in (range.first..=range.last).zip(0..) {
                    let semantic = numbered(semantic, index);
                    let range = declaration.range.range;
                    let streams = declaration.streams.map_or([0; 4], |streams| streams.value);
                    let output = Output { semantic, mask, range, streams };
                    let known = self.outputs.entry(register).or_insert(output);
                    known.mask.0 |= mask.0;
                    for component in mask.components() {
                        known.streams[component as usize] = streams[component as usize];
                    }
                }
            }
            File::SystemValue => {
                note(&mut self.system_values, range, semantic.map(|semantic| semantic.name));
            }
            File::Constant | File::HardwareAtomic => {
                let buffer = declaration.dimension.flatten().map_or(0, |it| it.value.first);
                let buffers = match file {
                    File::Constant => &mut self.constants,
                    _ => &mut self.counters,
                };
                let last = buffers.entry(buffer).or_insert(0);
                *last = (*last).max(range.last);
            }
            File::Image => note(&mut self.images, range, declaration.image.clone()),
            File::ImmediateArray => {
                let registers = range.first..=range.last;
                let values = registers.zip(declaration.initializers.iter().copied());
                self.immediate_arrays.extend(values);
            }
            File::Memory => {
                if let Some(kind) = declaration.memory {
                    self.memories.insert(range.first, kind.value);
                }
            }
            File::Buffer => self.buffers = self.buffers.max(range.last.saturating_add(1)),
            File::SamplerView | File::Resource => {
                note(&mut self.sampler_views, range, declaration.sampler_view);
            }
            _ => {}
        }
        Ok(())
    }

    fn find_indexed(&mut self, shader: &Shader, failures: &mut Vec<Failure>) {
        let mut extents: BTreeMap<File, (u32, u32)> = BTreeMap::new();
        for declaration in shader.declarations() {
            let range = declaration.range.value;
            let extent = extents.entry(declaration.file.value).or_insert((range.first, range.last));
            *extent = (extent.0.min(range.first), extent.1.max(range.last));
        }
        if let Some(last) = (self.immediates.len() as u32).checked_sub(1) {
            extents.insert(File::Immediate, (0, last));
        }
        let mut found = BTreeMap::new();
        for instruction in shader.instructions() {
            let sources = instruction.sources.iter().map(|source| source.register);
            let destinations = instruction.destinations.iter().map(|one| one.register);
            for register in sources.chain(destinations) {
                self.note_constant(&register);
                let Some(indirect) = register.index.indirect else { continue };
                if !is_in_registers(register.file) {
                    continue;
                }
                let array = indirect
                    .array
                    .and_then(|array| self.arrays.get(&(register.file, array)))
                    .or_else(|| extents.get(&register.file));
                if let Some((first, last)) = array {
                    found.entry((register.file, *first, *last)).or_insert(register.range);
                }
            }
        }
        for ((file, first, last), place) in found {
            if last - first >= LONGEST_ARRAY {
                failures.push(unsupported(place, format!("array of {} registers", last - first)));
                continue;
            }
            match self.indexed.last_mut() {
                Some(before) if before.file == file && first <= before.last => {
                    before.last = before.last.max(last);
                }
                _ => self.indexed.push(IndexedRange { file, first, last }),
            }
        }
    }

    /// Constants used without a declaration count as declared: only the size
    /// of the buffer depends on them.
    fn note_constant(&mut self, register: &Register) {
        if matches!(register.file, File::Buffer | File::ConstantBuffer | File::HardwareAtomic) {
            self.needs_list = true;
        }
        if register.file != File::Constant {
            return;
        }
        let buffer = match register.dimension {
            None => 0,
            Some(Index { indirect: None, offset }) => offset.max(0) as u32,
            Some(_) => {
                // The buffer is chosen at run time, so the list is needed.
                self.needs_list = true;
                return;
            }
        };
        let last = self.constants.entry(buffer).or_insert(0);
        if register.index.indirect.is_none() {
            *last = (*last).max(register.index.offset.max(0) as u32);
        }
    }
}

/// Notes what is declared of a range of registers.
fn note<T: Clone>(all: &mut BTreeMap<u32, T>, range: IndexRange, declared: Option<T>) {
    let registers = range.first..=range.last;
    all.extend(declared.into_iter().flat_map(|it| registers.clone().zip(std::iter::repeat(it))));
}

/// The semantic of the `index`-th register of a declared range.
fn numbered(semantic: Semantic, index: u32) -> Semantic {
    Semantic { index: semantic.index.saturating_add(index), ..semantic }
}

/// Tells whether a file lives in registers, so that indexing it needs an array.
pub fn is_in_registers(file: File) -> bool {
    matches!(
        file,
        File::Temporary
            | File::TemporaryArray
            | File::Output
            | File::Input
            | File::Immediate
            | File::ImmediateArray
            | File::Address
    )
}
