//! What stages hand to each other: attributes of vertices and patches, and where the
//! memory between the stages has them.

use run::{EMPTY, Register};
use tgsi::ast::{Index, Semantic};
use tgsi::words::{File, SemanticName};

use crate::given::{Given, Source};
use crate::outputs::declared;
use crate::random::{Flavour, Random};
use crate::subject::Subject;

/// Slots that a vertex may have.
pub(crate) const VERTEX_SLOTS: usize = 53;
/// The most vertices of a patch.
const MOST_VERTICES: usize = 32;
/// Slots that a patch may have: two of levels and 32 others.
pub(crate) const PATCH_SLOTS: usize = 34;

/// A slot of a vertex, or of a patch, with made-up contents.
pub(crate) type Slots = Vec<[u32; 4]>;

/// Made-up contents of so many slots.
pub(crate) fn made_up(random: &mut Random, flavour: Flavour, count: usize) -> Slots {
    (0..count).map(|_| std::array::from_fn(|_| random.value(flavour))).collect()
}

/// A slot in all lanes; 0 where there is none.
fn spread(slot: Option<&[u32; 4]>) -> Register {
    slot.copied().unwrap_or_default().map(|word| [word; run::LANES])
}

/// Where a register's attribute is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Attribute {
    Vertex(usize),
    Patch(usize),
}

impl Attribute {
    fn of(semantic: Option<Semantic>) -> Option<Attribute> {
        Some(match lower::Slot::of(semantic?)? {
            lower::Slot::Vertex(number) => Attribute::Vertex(number as usize),
            lower::Slot::Patch(number) => Attribute::Patch(number as usize),
        })
    }
}

impl Subject<'_> {
    /// The registers of a file that have a slot.
    pub(crate) fn attributes(&self, file: File) -> Vec<(usize, Attribute)> {
        let all = declared(self.shader, file).into_iter();
        all.filter_map(|(register, semantic)| Some((register as usize, Attribute::of(semantic)?)))
            .collect()
    }

    /// The input registers of each vertex; those of the patch stand in the first.
    pub(crate) fn linked_inputs(&self, vertices: &[Slots], patch: &Slots) -> Vec<Vec<Register>> {
        let attributes = self.attributes(File::Input);
        let count = attributes.iter().map(|(register, _)| register + 1).max().unwrap_or(0);
        let mut inputs = vec![vec![EMPTY; count]; vertices.len().max(1)];
        for (register, attribute) in attributes {
            match attribute {
                Attribute::Vertex(slot) => {
                    for (own, slots) in inputs.iter_mut().zip(vertices) {
                        own[register] = spread(slots.get(slot));
                    }
                }
                Attribute::Patch(slot) => {
                    inputs[0][register] = spread(patch.get(slot));
                }
            }
        }
        inputs
    }

    /// The slots of a vertex whose input registers are said.
    pub(crate) fn said_slots(&self, given: &Given, vertex: usize, count: usize) -> Slots {
        let mut slots = vec![[0; 4]; count];
        for (register, attribute) in self.attributes(File::Input) {
            if let Attribute::Vertex(slot) = attribute
                && let Some(own) = slots.get_mut(slot)
            {
                *own = given.vector(vertex, register);
            }
        }
        slots
    }

    /// The slots of a patch whose input registers are said.
    pub(crate) fn said_patch(&self, given: &Given) -> Slots {
        let mut slots = vec![[0; 4]; PATCH_SLOTS];
        for (register, attribute) in self.attributes(File::Input) {
            if let Attribute::Patch(slot) = attribute
                && let Some(own) = slots.get_mut(slot)
            {
                *own = given.vector(0, register);
            }
        }
        slots
    }

    /// The number of the first primitive or patch, where no other is said.
    pub(crate) fn first_primitive(&self, source: Source<'_>, usual: u32) -> u32 {
        let said = self.said(source, SemanticName::PrimitiveId, 0, 0);
        let inputs = declared(self.shader, File::Input);
        let input = inputs
            .iter()
            .find(|(_, semantic)| semantic.is_some_and(|it| it.name == SemanticName::PrimitiveId));
        let input = input
            .and_then(|(register, _)| Some(source.given()?.input(0, *register as usize, 0, 0)));
        said.or(input).unwrap_or(usual)
    }

    /// How many vertices the text may read: the largest number in a first bracket, plus
    /// one; where one is computed the most there are, or no more than those that go out
    /// anyway. With the latter a number that is reduced by how many come in leads to a vertex
    /// that goes out.
    pub(crate) fn vertices_named(&self, source: Source<'_>) -> usize {
        // By turns, and both with each flavour of numbers.
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
