//! The interface between stages: attributes of vertices and patches, and their slots in the
//! memory between the stages.

use lower::Varying;
use open_bits::{Rule, Rules, Word};
use tgsi::ast::Index;
use tgsi::words::{File, SemanticName};
use tgsi_interp::open::OpenRegister;
use tgsi_interp::{EMPTY, Register};

use crate::input_source::{ExplicitInputs, InputSource};
use crate::outputs::declared;
use crate::random::{Distribution, Random};
use crate::test_pair::TestPair;

/// Slots that a vertex may have.
pub(crate) const VERTEX_SLOTS: usize = 53;
/// The most vertices of a patch.
const MOST_VERTICES: usize = 32;
/// Slots that a patch may have: two of levels and 32 others.
pub(crate) const PATCH_SLOTS: usize = 34;

/// The slots of a vertex, or of a patch: four words each.
pub(crate) type Slots = Vec<[u32; 4]>;

/// The words that the slots of a vertex may hold, where these are more than their bits.
pub(crate) type OpenSlots = Vec<[Option<Word>; 4]>;

/// A slot that nothing was written to.
pub(crate) fn unwritten() -> [Option<Word>; 4] {
    std::array::from_fn(|_| Some(Word::any(Rules::of(Rule::Unwritten))))
}

/// Fills `count` slots with random contents.
pub(crate) fn random_slots(random: &mut Random, distribution: Distribution, count: usize) -> Slots {
    (0..count).map(|_| std::array::from_fn(|_| random.value(distribution))).collect()
}

/// The slots of a vertex with the contents of explicit registers; 0 where there are none.
fn placed(
    inputs: &ExplicitInputs,
    vertex: usize,
    registers: &[(usize, usize)],
    count: usize,
) -> Slots {
    let mut slots = vec![[0; 4]; count];
    for (register, slot) in registers {
        if let Some(own) = slots.get_mut(*slot) {
            *own = inputs.vector(vertex, *register);
        }
    }
    slots
}

/// A slot in all lanes; 0 where there is none.
fn spread(slot: Option<&[u32; 4]>) -> Register {
    slot.copied().unwrap_or_default().map(|word| [word; tgsi_interp::LANES])
}

/// Returns the number of slots up to the last of some registers.
pub(crate) fn slot_count(registers: &[(usize, usize)]) -> usize {
    registers.iter().map(|(_, slot)| slot + 1).max().unwrap_or(0)
}

/// The memory of a group of so many bytes, with vertices in it, `stride` words from one to
/// the next.
pub(crate) fn group_memory(vertices: &[Vec<Slots>], stride: usize, bytes: usize) -> Vec<u8> {
    let mut words = Vec::new();
    for vertex in vertices.iter().flatten() {
        words.extend(vertex.as_flattened());
        words.resize(words.len().next_multiple_of(stride), 0);
    }
    words.resize(bytes / 4, 0);
    words.into_iter().flat_map(u32::to_le_bytes).collect()
}

impl TestPair<'_> {
    /// The registers of a file that have a slot.
    pub(crate) fn attributes(&self, file: File) -> Vec<(usize, Varying)> {
        let all = declared(self.shader, file).into_iter();
        all.filter_map(|(register, semantic)| Some((register as usize, Varying::of(semantic?)?)))
            .collect()
    }

    /// The registers of a file that have a slot of each vertex, with its number.
    pub(crate) fn vertex_slots(&self, file: File) -> Vec<(usize, usize)> {
        self.slots(file, |slot| matches!(slot, Varying::Vertex(_)))
    }

    /// The registers of a file that have a slot of the patch, with its number.
    pub(crate) fn patch_slots(&self, file: File) -> Vec<(usize, usize)> {
        self.slots(file, |slot| matches!(slot, Varying::Patch(_)))
    }

    fn slots(&self, file: File, wanted: fn(&Varying) -> bool) -> Vec<(usize, usize)> {
        let all = self.attributes(file).into_iter().filter(|(_, slot)| wanted(slot));
        all.map(|(register, slot)| (register, slot.number() as usize)).collect()
    }

    /// Returns the number of slots of a vertex that may be read.
    pub(crate) fn slots_read(&self) -> usize {
        slot_count(&self.vertex_slots(File::Input)).max(1)
    }

    /// The input registers of each vertex; those of the patch stand in the first.
    pub(crate) fn linked_inputs(&self, vertices: &[Slots], patch: &Slots) -> Vec<Vec<Register>> {
        let attributes = self.attributes(File::Input);
        let count = attributes.iter().map(|(register, _)| register + 1).max().unwrap_or(0);
        let mut inputs = vec![vec![EMPTY; count]; vertices.len().max(1)];
        for (register, slot) in self.vertex_slots(File::Input) {
            for (own, slots) in inputs.iter_mut().zip(vertices) {
                own[register] = spread(slots.get(slot));
            }
        }
        for (register, slot) in self.patch_slots(File::Input) {
            inputs[0][register] = spread(patch.get(slot));
        }
        inputs
    }

    /// The words that the input registers of each vertex may hold; any, of a slot that is not
    /// there.
    pub(crate) fn linked_words(&self, vertices: &[OpenSlots]) -> Vec<Vec<OpenRegister>> {
        let registers = self.vertex_slots(File::Input);
        let count = registers.iter().map(|(register, _)| register + 1).max().unwrap_or(0);
        let of = |slots: &OpenSlots| {
            let mut all = vec![OpenRegister::default(); count];
            for (register, slot) in &registers {
                all[*register] = match slots.get(*slot) {
                    Some(words) => words.each_ref().map(|it| std::array::from_fn(|_| it.clone())),
                    None => unwritten().map(|it| std::array::from_fn(|_| it.clone())),
                };
            }
            all
        };
        vertices.iter().map(of).collect()
    }

    /// Returns the slots of a vertex: random ones, or those of explicit input registers.
    pub(crate) fn vertex_inputs(
        &self,
        source: InputSource<'_>,
        (random, distribution): (&mut Random, Distribution),
        vertex: usize,
        count: usize,
    ) -> Slots {
        match source.explicit() {
            Some(inputs) => placed(inputs, vertex, &self.vertex_slots(File::Input), count),
            None => {
                let mut slots = random_slots(random, distribution, count);
                self.fit_slots(source, random, &self.vertex_slots(File::Input), &mut slots);
                slots
            }
        }
    }

    /// Returns the slots of a patch of explicit input registers.
    pub(crate) fn explicit_patch(&self, inputs: &ExplicitInputs) -> Slots {
        placed(inputs, 0, &self.patch_slots(File::Input), PATCH_SLOTS)
    }

    /// Returns the number of the first primitive or patch: `usual` unless inputs name one.
    pub(crate) fn first_primitive(&self, source: InputSource<'_>, usual: u32) -> u32 {
        let explicit = self.explicit_value(source, SemanticName::PrimitiveId, 0, 0);
        let inputs = declared(self.shader, File::Input);
        let input = inputs
            .iter()
            .find(|(_, semantic)| semantic.is_some_and(|it| it.name == SemanticName::PrimitiveId));
        let input = input
            .and_then(|(register, _)| Some(source.explicit()?.input(0, *register as usize, 0, 0)));
        explicit.or(input).unwrap_or(usual)
    }

    /// Returns the number of vertices that the text may read: the largest number in a first
    /// bracket, plus one; where one is computed the most there are, of explicit inputs those that are
    /// given. By turns no more than those that go out anyway, where the text asks how many come in,
    /// and always where it makes the number of a vertex that goes out of that.
    pub(crate) fn vertices_named(&self, source: InputSource<'_>) -> usize {
        // Both with each distribution of numbers.
        let turn = match source {
            InputSource::Explicit(inputs) => inputs.vertices.len().clamp(1, MOST_VERTICES),
            InputSource::Seed(seed) if (seed / 8).is_multiple_of(2) => MOST_VERTICES,
            InputSource::Seed(_) => 1,
        };
        let mut counts = self.program.system_values.iter();
        let count = counts.find(|(_, name)| *name == SemanticName::VerticesIn);
        let most = match (self.index_inputs(source), count) {
            (Some(_), None) => MOST_VERTICES,
            (Some(indices), Some((register, _))) => indices.greatest(*register).unwrap_or(turn),
            (None, _) => turn,
        };
        let operands = self.shader.instructions().flat_map(|it| &it.sources);
        let inputs = operands.filter(|it| it.register.file == File::Input);
        let numbers = inputs.filter_map(|it| it.register.dimension);
        let named = |it: Index| match it.indirect {
            Some(_) => most,
            None => it.offset.clamp(0, MOST_VERTICES as i32 - 1) as usize + 1,
        };
        numbers.map(named).max().unwrap_or(1)
    }
}
