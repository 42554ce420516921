//! State that SPIR-V cannot say.

use lower::environment::GeometryPart;
use lower::failure::{Failure, left_open};

use crate::context::Translation;

impl Translation<'_> {
    /// Returns what the state asks for and SPIR-V, or Vulkan's pipeline, has no place for.
    pub(crate) fn refused_state(&self) -> Vec<Failure> {
        let environment = &self.options.environment;
        let stage = self.stage();
        let fragment = stage == tgsi::Stage::Fragment;
        let asked = [
            ("polygon-stipple", fragment && environment.polygon_stipple),
            ("smoothing", fragment && environment.smoothing),
            ("geometry-part", environment.geometry_part == GeometryPart::Copy),
            (
                "export-primitive-id",
                stage == tgsi::Stage::Vertex && environment.export_primitive_id,
            ),
            ("stream-output", !environment.stream_output.is_empty()),
        ];
        asked
            .into_iter()
            .filter(|(_, asked)| *asked)
            .map(|(key, _)| {
                let message = format!("the state `{key}` has no counterpart in Vulkan");
                left_open(self.shader.stage.range, &format!("state {key}"), message)
            })
            .collect()
    }
}
