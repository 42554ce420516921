//! Slots of the attributes that one stage hands to the next: every semantic has a slot of four
//! words, the same in the shader that writes and in the one that reads.
//!
//! Source: radeonsi of Mesa 19.2, the unique index of an input or output. As
//! there, registers that an index register reaches must have slots that follow
//! one another; TGSI made from GLSL has them so.

use tgsi::ast::{Register, Semantic};
use tgsi::words::{File, SemanticName};

use crate::context::{Emitted, Lowering};
use crate::failure::{invalid, undeclared, unsupported};
use crate::registers::direct_index;
use crate::values::Value;

/// The number of generic attributes with a slot.
const GENERICS: u32 = 32;
/// The number of a patch's attributes with a slot.
const PATCHES: u32 = 30;

/// A slot, of a vertex or of a patch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Varying {
    /// One for each vertex.
    Vertex(u32),
    /// The two tessellation levels have slots 0 and 1.
    Patch(u32),
}

impl Varying {
    /// The slot of a semantic; `None` if stages do not hand it on.
    pub fn of(semantic: Semantic) -> Option<Varying> {
        let Semantic { name, index } = semantic;
        let (first, count) = match name {
            SemanticName::Position => (0, 1),
            SemanticName::Generic => (1, GENERICS),
            SemanticName::Fog => (33, 1),
            SemanticName::Color => (34, 2),
            SemanticName::BackColor => (36, 2),
            SemanticName::TextureCoordinate => (38, 8),
            SemanticName::ClipDistance => (46, 2),
            SemanticName::ClipVertex => (48, 1),
            SemanticName::PointSize => (49, 1),
            SemanticName::Layer => (50, 1),
            SemanticName::ViewportIndex => (51, 1),
            SemanticName::PrimitiveId => (52, 1),
            SemanticName::TessellationOuter if index == 0 => return Some(Varying::Patch(0)),
            SemanticName::TessellationInner if index == 0 => return Some(Varying::Patch(1)),
            SemanticName::Patch if index < PATCHES => return Some(Varying::Patch(2 + index)),
            _ => return None,
        };
        (index < count).then(|| Varying::Vertex(first + index))
    }

    /// Its number.
    pub fn number(self) -> u32 {
        match self {
            Varying::Vertex(number) | Varying::Patch(number) => number,
        }
    }

    /// Tells whether an index that reaches the slot `before` may reach this one behind it. The
    /// tessellation levels are not part of an array.
    fn follows(self, before: Varying) -> bool {
        match (before, self) {
            (Varying::Vertex(before), Varying::Vertex(number)) => before + 1 == number,
            (Varying::Patch(before), Varying::Patch(number)) => before + 1 == number && before >= 2,
            _ => false,
        }
    }
}

/// The place of an operand's attribute.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Attribute {
    /// The slot, or the first of those that the index reaches.
    pub(crate) slot: Varying,
    /// The number of slots that an index register adds.
    pub(crate) further: Option<Value>,
    /// The number of the vertex, `None` for those of a patch.
    pub(crate) vertex: Option<Value>,
}

impl Lowering<'_> {
    /// The semantic of an input or output register.
    fn interface_semantic(&self, file: File, register: u32) -> Option<Semantic> {
        match file {
            File::Input => self.declared.inputs.get(&register)?.semantic,
            _ => self.declared.outputs.get(&register).map(|output| output.semantic),
        }
    }

    fn slot(&self, file: File, register: u32) -> Option<Varying> {
        Varying::of(self.interface_semantic(file, register)?)
    }

    /// Returns the number of words that the slots of all outputs of a vertex take.
    pub(crate) fn vertex_words(&self) -> u32 {
        self.words(|slot| matches!(slot, Varying::Vertex(_)))
    }

    /// Returns the number of words that the slots of all outputs of a patch take.
    pub(crate) fn patch_words(&self) -> u32 {
        self.words(|slot| matches!(slot, Varying::Patch(_)))
    }

    fn words(&self, counts: fn(&Varying) -> bool) -> u32 {
        let slots = self.declared.outputs.values().filter_map(|one| Varying::of(one.semantic));
        slots.filter(counts).map(|slot| slot.number() + 1).max().unwrap_or(0) * 4
    }

    /// Finds the slot, the vertex and the index of the attribute that an operand names.
    pub(crate) fn attribute_place(&mut self, register: &Register) -> Emitted<Attribute> {
        let (slot, further) = match register.index.indirect {
            None => (self.direct_slot(register)?, None),
            Some(_) => self.indexed_slot(register)?,
        };
        let vertex = match (slot, register.dimension) {
            (Varying::Vertex(_), Some(dimension)) => Some(self.index_value(register, &dimension)?),
            (Varying::Patch(_), None) => None,
            (Varying::Vertex(_), None) => {
                let message = "it belongs to a vertex, whose number is missing".to_owned();
                return Err(invalid(register.range, &construct(register), message));
            }
            (Varying::Patch(_), Some(_)) => {
                let message = "it belongs to the patch and has no vertex number".to_owned();
                return Err(invalid(register.range, &construct(register), message));
            }
        };
        Ok(Attribute { slot, further, vertex })
    }

    fn direct_slot(&self, register: &Register) -> Emitted<Varying> {
        let index = direct_index(register)?;
        if let Some(slot) = self.slot(register.file, index) {
            return Ok(slot);
        }
        let file = register.file;
        let known = match file {
            File::Input => self.declared.inputs.contains_key(&index),
            _ => self.declared.outputs.contains_key(&index),
        };
        if !known {
            return Err(undeclared(register, index));
        }
        let what = match self.interface_semantic(file, index) {
            Some(semantic) => format!("{}[{}]", semantic.name, semantic.index),
            None => "a register without a semantic".to_owned(),
        };
        Err(unsupported(register.range, format!("{what} between stages")))
    }

    /// The first slot of the registers that an index stays in, and how far
    /// behind it the operand's lies. An operand without an array number stays
    /// in the registers around the number in its text.
    fn indexed_slot(&mut self, register: &Register) -> Emitted<(Varying, Option<Value>)> {
        let file = register.file;
        let array = register.index.indirect.and_then(|indirect| indirect.array);
        let array = array.and_then(|array| self.declared.array(file, array));
        let runs = self.runs(file);
        let (first, last) = match array {
            Some((first, last)) => {
                let whole = runs.iter().any(|run| run.0 <= first && last <= run.1);
                if !whole {
                    let construct = format!("indexed {file} whose semantics do not follow");
                    return Err(unsupported(register.range, construct));
                }
                (first, last)
            }
            None => {
                let near = register.index.offset.max(0) as u32;
                let wanted = |run: &&(u32, u32)| {
                    let slot = self.slot(file, run.0);
                    matches!(slot, Some(Varying::Vertex(_))) == register.dimension.is_some()
                };
                let fitting: Vec<&(u32, u32)> = runs.iter().filter(wanted).collect();
                let found = fitting.iter().find(|run| near <= run.1).or(fitting.last());
                let Some(run) = found else {
                    let message = format!("no register of {file} is declared");
                    return Err(invalid(register.range, &construct(register), message));
                };
                if run.0 == run.1 && fitting.len() > 1 {
                    // The index surely leads out of the one register.
                    let construct = format!("indexed {file} without an array number");
                    return Err(unsupported(register.range, construct));
                }
                **run
            }
        };
        let Some(slot) = self.slot(file, first) else {
            return Err(unsupported(register.range, format!("indexed {file}")));
        };
        let index = self.index_value(register, &register.index)?;
        let index = match first {
            0 => index,
            first => self.builder.binary("sub", index, Value::uint(first)),
        };
        let further = self.bounded(index, last - first + 1);
        Ok((slot, Some(further)))
    }

    /// The longest rows of registers whose slots follow one another.
    fn runs(&self, file: File) -> Vec<(u32, u32)> {
        let registers: Vec<u32> = match file {
            File::Input => self.declared.inputs.keys().copied().collect(),
            _ => self.declared.outputs.keys().copied().collect(),
        };
        let mut runs: Vec<(u32, u32)> = Vec::new();
        for register in registers {
            let Some(slot) = self.slot(file, register) else { continue };
            let follows = |run: &(u32, u32)| {
                run.1 + 1 == register
                    && self.slot(file, run.1).is_some_and(|before| slot.follows(before))
            };
            match runs.last_mut() {
                Some(run) if follows(run) => run.1 = register,
                _ => runs.push((register, register)),
            }
        }
        runs
    }
}

fn construct(register: &Register) -> String {
    format!("register {}", register.file)
}
