//! What stages hand to each other: attributes of vertices and patches, and where the
//! memory between the stages has them.

use run::{EMPTY, Register};
use tgsi::ast::Semantic;
use tgsi::words::File;

use crate::outputs::declared;
use crate::random::{Flavour, Random};
use crate::subject::Subject;

/// Slots that a vertex may have.
pub(crate) const VERTEX_SLOTS: usize = 53;
/// Slots that a patch may have.
pub(crate) const PATCH_SLOTS: usize = 32;

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

    /// How many vertices the text surely reads: the largest number in a first bracket,
    /// plus one.
    pub(crate) fn vertices_named(&self) -> usize {
        let operands = self.shader.instructions().flat_map(|it| &it.sources);
        let inputs = operands.filter(|it| it.register.file == File::Input);
        let numbers = inputs.filter_map(|it| it.register.dimension);
        let direct = numbers.filter(|it| it.indirect.is_none());
        direct.map(|it| it.offset.clamp(0, 31) as usize + 1).max().unwrap_or(1)
    }
}
