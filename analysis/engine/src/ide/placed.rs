//! A place in a file as a place in one of its shaders, and the way back.

use std::sync::Arc;

use salsa::Database;
use source::{SegmentMap, TextRange, TextSize};
use tgsi::parser::Parse;

use crate::inputs::File;
use crate::queries::shaders;

/// A shader of a file with what is known of it.
pub(super) struct Placed {
    /// Its text, from its header to its last statement.
    pub(super) text: Arc<str>,
    /// Its statements.
    pub(super) parse: Arc<Parse>,
    /// The place of its text in the file.
    pub(super) map: SegmentMap,
}

impl Placed {
    /// A range of the shader's text in the file.
    pub(super) fn to_file(&self, range: TextRange) -> TextRange {
        self.map.to_file(range)
    }
}

/// The shader that an offset lies in, and where in its text.
pub(super) fn at(db: &dyn Database, file: File, offset: TextSize) -> Option<(Placed, TextSize)> {
    let (shader, place) = shaders::at(db, file, offset)?;
    let map = shaders::map(db, file, shader.index(db))?;
    Some((Placed { text: shader.text(db), parse: shaders::parse(db, shader), map }, place))
}

/// Every shader of a file, in order.
pub(super) fn all(db: &dyn Database, file: File) -> Vec<Placed> {
    let shaders = shaders::shaders(db, file).iter().enumerate();
    let placed = shaders.filter_map(|(index, shader)| {
        let map = shaders::map(db, file, index)?;
        Some(Placed { text: shader.text(db), parse: shaders::parse(db, *shader), map })
    });
    placed.collect()
}
