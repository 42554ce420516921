//! Code that a faster form may be looked for: its text alone, and the way back to the file.

use std::sync::Arc;

use gcn::Target;
use gcn::assembler::Dialect;
use lower::Environment;
use salsa::Database;
use source::{SegmentMap, TextEdit, TextRange, TextSize};

use crate::inputs::File;
use crate::queries::programs;
use crate::queries::rules::directives;
use crate::queries::shaders;

/// A shader of a file, or the kernel of an assembly file.
#[derive(Debug, Clone)]
pub struct Improvable {
    /// Its text.
    pub text: Arc<str>,
    /// The state that it is compiled or assembled in.
    pub kind: ImprovableKind,
    /// Its reach.
    pub reach: ImprovableReach,
    map: SegmentMap,
}

/// The kinds of code, each with all besides the text that decides what it costs.
#[derive(Debug, Clone)]
pub enum ImprovableKind {
    /// A shader.
    Shader {
        /// Its place among the file's shaders.
        shader: usize,
        /// The chips that it is compiled for; the first is the main one.
        targets: Arc<[Target]>,
        /// The state around it.
        environment: Box<Environment>,
    },
    /// An assembly file.
    Kernel {
        /// The chip that it is for.
        target: Target,
        /// The options that it is assembled with.
        options: Box<gcn::program::Options>,
    },
}

/// The reach of a text: whether a search can make something of it at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImprovableReach {
    /// All that it means is in it.
    Whole,
    /// Several kernels, another dialect, or what other files say: no search looks at it.
    Partial,
}

impl Improvable {
    /// Edits of its text as edits of the file; `None` where one of them is not sure there.
    pub fn edits_of_file(&self, edits: &[TextEdit]) -> Option<Vec<TextEdit>> {
        edits.iter().map(|edit| self.map.edit_to_file(edit)).collect()
    }
}

/// The whole of an assembly file that has a kernel.
pub(super) fn kernel(db: &dyn Database, file: File) -> Option<Improvable> {
    let text = file.text(db);
    let program = programs::program(db, file);
    let is_whole = program.kernels.len() == 1
        && program.dialect == Dialect::Llvm
        && program.listing.is_none()
        && file.includes(db).is_empty();
    let reach = if is_whole { ImprovableReach::Whole } else { ImprovableReach::Partial };
    if program.kernels.is_empty() {
        return None;
    }
    let target = programs::assembly_kind(db, file).target;
    let options = Box::new(programs::options(db, file, None));
    let map = SegmentMap::contiguous(TextRange::up_to(TextSize::of(&*text)));
    Some(Improvable { text, map, kind: ImprovableKind::Kernel { target, options }, reach })
}

/// The shader that holds an offset.
pub(super) fn shader(db: &dyn Database, file: File, offset: TextSize) -> Option<Improvable> {
    let (shader, _) = shaders::at(db, file, offset)?;
    let index = shader.index(db);
    shaders::parse(db, shader).shader.as_ref()?;
    Some(Improvable {
        text: shader.text(db),
        map: shaders::map(db, file, index)?,
        reach: ImprovableReach::Whole,
        kind: ImprovableKind::Shader {
            shader: index,
            targets: directives::targets(db, file, index),
            environment: Box::new(directives::environment(db, file, index)),
        },
    })
}
