//! The shadow of the outputs of a patch, which its invocations have in common.

use open_bits::{Rule, Rules, Word};
use tgsi::words::File;

use super::races::{Changer, Changes};
use crate::patch::Patch;
use crate::program::MicroOp;
use crate::quad::Quad;
use crate::registers::LANES;

/// A component of an output: the vertex, nothing for one of the patch, the output and the component.
pub(crate) type OutputPlace = (Option<usize>, usize, usize);

impl Quad<'_> {
    /// Finds the outputs of the patch that an instruction reads and that others change, with nothing
    /// that keeps an order.
    pub(crate) fn find_raced_outputs(&mut self, op: &MicroOp) {
        let Some(open) = &mut self.registers.open else { return };
        open.raced.clear();
        let mut read = Vec::new();
        let outputs = |it: &&tgsi::ast::Source| it.register.file == File::Output;
        for source in op.instruction.sources.iter().filter(outputs) {
            for lane in (0..LANES).filter(|lane| self.active >> lane & 1 == 1) {
                for component in source.swizzle.0 {
                    let places = self.registers.places(&source.register, component as usize, lane);
                    let places = places.map(|(places, _)| places).unwrap_or_default();
                    read.extend(places.into_iter().flatten().map(|place| (place, lane)));
                }
            }
        }
        let (first, registers) = (self.first_thread, &mut self.registers);
        let outputs = registers.patch.as_mut().and_then(|patch| patch.open.as_mut());
        let (Some(outputs), Some(open)) = (outputs, &mut registers.open) else { return };
        read.retain(|(place, lane)| {
            let key = (place.first, place.index, place.component);
            outputs.changes.load(&key, first + lane)
        });
        open.raced = read;
    }
}

/// The shadow of the outputs of a patch.
#[derive(Clone, Default, PartialEq)]
pub(crate) struct OpenPatch {
    pub(crate) vertices: Vec<Vec<[Option<Word>; 4]>>,
    pub(crate) shared: Vec<[Option<Word>; 4]>,
    /// The components that invocations changed.
    pub(crate) changes: Changes<OutputPlace>,
}

impl std::fmt::Debug for OpenPatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let OpenPatch { vertices, shared, .. } = self;
        f.debug_struct("OpenPatch").field("vertices", vertices).field("shared", shared).finish()
    }
}

impl OpenPatch {
    /// Outputs that nothing was written to.
    pub(crate) fn unwritten(vertices: usize, outputs: usize) -> OpenPatch {
        let word = || Some(Word::any(Rules::of(Rule::Unwritten)));
        let vector = || [word(), word(), word(), word()];
        let all = || (0..outputs).map(|_| vector()).collect::<Vec<_>>();
        let vertices = (0..vertices).map(|_| all()).collect();
        OpenPatch { vertices, shared: all(), changes: Changes::default() }
    }
}

impl Patch {
    pub(super) fn cell(
        &self,
        vertex: Option<usize>,
        index: usize,
        component: usize,
    ) -> Option<&Option<Word>> {
        let open = self.open.as_ref()?;
        let vectors = match vertex {
            Some(vertex) => open.vertices.get(vertex)?,
            None => &open.shared,
        };
        vectors.get(index).map(|it| &it[component])
    }

    pub(super) fn cell_mut(
        &mut self,
        vertex: Option<usize>,
        index: usize,
        component: usize,
    ) -> Option<&mut Option<Word>> {
        let open = self.open.as_mut()?;
        let vectors = match vertex {
            Some(vertex) => open.vertices.get_mut(vertex)?,
            None => &mut open.shared,
        };
        vectors.get_mut(index).map(|it| &mut it[component])
    }

    /// Notes that an invocation writes bits; what several write in no order is any word.
    pub(crate) fn note(
        &mut self,
        (vertex, index, component): OutputPlace,
        invocation: usize,
        [old, new]: [u32; 2],
    ) {
        let Some(open) = &mut self.open else { return };
        // No atomic changes them: the instruction is no matter.
        let changer = Changer { invocation, ordinal: 0, atomic: None };
        if !open.changes.note((vertex, index, component), changer, old != new) {
            return;
        }
        if let Some(cell) = self.cell_mut(vertex, index, component) {
            *cell = Some(Word::any(Rules::of(Rule::InvocationOrder)));
        }
    }

    /// Returns what a component of an output may be: of a vertex or of the patch itself.
    pub fn word(&self, vertex: Option<usize>, index: usize, component: usize) -> Option<Word> {
        let bits = match vertex {
            Some(vertex) => self.vertices.get(vertex)?.get(index)?[component & 3],
            None => self.shared.get(index)?[component & 3],
        };
        Some(match self.cell(vertex, index, component & 3) {
            Some(Some(word)) => word.clone(),
            _ => Word::exactly(bits),
        })
    }
}
