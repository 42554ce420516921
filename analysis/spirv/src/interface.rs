//! The locations of varyings. TGSI joins stages by the names of semantics, Vulkan by numbers:
//! all varyings of the shaders of a pipeline are numbered in the order of their semantics.

use std::collections::BTreeMap;

use tgsi::Stage;
use tgsi::ast::{Semantic, Shader};
use tgsi::words::{File, SemanticName};

/// The locations of the varyings of a pipeline.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Interface {
    vertex: BTreeMap<(SemanticName, u32), u32>,
    patch: BTreeMap<u32, u32>,
}

impl Interface {
    /// Numbers the varyings of the shaders of a pipeline, or of one shader. The order of the
    /// shaders does not count.
    pub fn of(shaders: &[&Shader]) -> Interface {
        let mut interface = Interface::default();
        for shader in shaders {
            let stage = shader.stage.value;
            for declaration in shader.declarations() {
                let file = declaration.file.value;
                let varies = match file {
                    File::Input => stage != Stage::Vertex,
                    File::Output => stage != Stage::Fragment,
                    _ => false,
                };
                let Some(semantic) = declaration.semantic.filter(|_| varies) else { continue };
                let range = declaration.range.value;
                // More than any stage has are refused where they are used.
                for offset in 0..=(range.last - range.first).min(255) {
                    let index = semantic.value.index.saturating_add(offset);
                    interface.add(Semantic { index, ..semantic.value });
                }
            }
        }
        // Validators count those of patches and of vertices together.
        let all = interface.vertex.values_mut().chain(interface.patch.values_mut());
        for (location, number) in all.zip(0..) {
            *location = number;
        }
        interface
    }

    fn add(&mut self, semantic: Semantic) {
        match semantic.name {
            SemanticName::Patch => {
                self.patch.insert(semantic.index, 0);
            }
            name if has_location(name) => {
                self.vertex.insert((name, semantic.index), 0);
            }
            _ => {}
        }
    }

    /// Returns the location of a varying.
    pub fn location(&self, semantic: Semantic) -> Option<u32> {
        match semantic.name {
            SemanticName::Patch => self.patch.get(&semantic.index).copied(),
            name => self.vertex.get(&(name, semantic.index)).copied(),
        }
    }
}

/// Tells whether a semantic is a varying, rather than a value that Vulkan knows by itself.
pub(crate) fn has_location(name: SemanticName) -> bool {
    !matches!(
        name,
        SemanticName::Position
            | SemanticName::PointSize
            | SemanticName::ClipDistance
            | SemanticName::CullDistance
            | SemanticName::ClipVertex
            | SemanticName::EdgeFlag
            | SemanticName::Face
            | SemanticName::PrimitiveId
            | SemanticName::Layer
            | SemanticName::ViewportIndex
            | SemanticName::ViewportMask
            | SemanticName::PointCoordinate
            | SemanticName::TessellationOuter
            | SemanticName::TessellationInner
    )
}
