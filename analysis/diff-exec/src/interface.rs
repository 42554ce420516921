//! The interface between stages: attributes of vertices and patches, and their slots in the
//! memory between the stages.

use tgsi::ast::{Index, Semantic};
use tgsi::words::{File, SemanticName};
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

/// Fills `count` slots with random contents.
pub(crate) fn random_slots(random: &mut Random, distribution: Distribution, count: usize) -> Slots {
    (0..count).map(|_| std::array::from_fn(|_| random.value(distribution))).collect()
}

/// A slot in all lanes; 0 where there is none.
fn spread(slot: Option<&[u32; 4]>) -> Register {
    slot.copied().unwrap_or_default().map(|word| [word; tgsi_interp::LANES])
}

/// The slot of a register's attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AttributeSlot {
    Vertex(usize),
    Patch(usize),
}

impl AttributeSlot {
    fn of(semantic: Option<Semantic>) -> Option<AttributeSlot> {
        Some(match lower::Slot::of(semantic?)? {
            lower::Slot::Vertex(number) => AttributeSlot::Vertex(number as usize),
            lower::Slot::Patch(number) => AttributeSlot::Patch(number as usize),
        })
    }
}

impl TestPair<'_> {
    /// The registers of a file that have a slot.
    pub(crate) fn attributes(&self, file: File) -> Vec<(usize, AttributeSlot)> {
        let all = declared(self.shader, file).into_iter();
        all.filter_map(|(register, semantic)| {
            Some((register as usize, AttributeSlot::of(semantic)?))
        })
        .collect()
    }

    /// The input registers of each vertex; those of the patch stand in the first.
    pub(crate) fn linked_inputs(&self, vertices: &[Slots], patch: &Slots) -> Vec<Vec<Register>> {
        let attributes = self.attributes(File::Input);
        let count = attributes.iter().map(|(register, _)| register + 1).max().unwrap_or(0);
        let mut inputs = vec![vec![EMPTY; count]; vertices.len().max(1)];
        for (register, attribute) in attributes {
            match attribute {
                AttributeSlot::Vertex(slot) => {
                    for (own, slots) in inputs.iter_mut().zip(vertices) {
                        own[register] = spread(slots.get(slot));
                    }
                }
                AttributeSlot::Patch(slot) => {
                    inputs[0][register] = spread(patch.get(slot));
                }
            }
        }
        inputs
    }

    /// Returns the slots of a vertex of explicit input registers.
    pub(crate) fn explicit_slots(
        &self,
        inputs: &ExplicitInputs,
        vertex: usize,
        count: usize,
    ) -> Slots {
        let mut slots = vec![[0; 4]; count];
        for (register, attribute) in self.attributes(File::Input) {
            if let AttributeSlot::Vertex(slot) = attribute
                && let Some(own) = slots.get_mut(slot)
            {
                *own = inputs.vector(vertex, register);
            }
        }
        slots
    }

    /// Returns the slots of a patch of explicit input registers.
    pub(crate) fn explicit_patch(&self, inputs: &ExplicitInputs) -> Slots {
        let mut slots = vec![[0; 4]; PATCH_SLOTS];
        for (register, attribute) in self.attributes(File::Input) {
            if let AttributeSlot::Patch(slot) = attribute
                && let Some(own) = slots.get_mut(slot)
            {
                *own = inputs.vector(0, register);
            }
        }
        slots
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
    /// bracket, plus one; where one is computed the most there are, or no more than those
    /// that go out anyway. With the latter a number that is reduced by how many come in
    /// leads to a vertex that goes out.
    pub(crate) fn vertices_named(&self, source: InputSource<'_>) -> usize {
        // By turns, and both with each distribution of numbers.
        let most = if (source.seed() / 8).is_multiple_of(2) { MOST_VERTICES } else { 1 };
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
