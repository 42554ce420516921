//! The words under which the state that a shader is compiled for is set: in a
//! comment beside the shader, in a file of settings, by an option. One table
//! serves them all, and what is shown of the state comes from it, too.

use tgsi::Stage;

use crate::environment::{
    AlphaTest, ColorExport, Environment, GeometryPart, MOST_ATTRIBUTES, NextStage,
    TessellationDomain,
};
pub use crate::environment_values::Values;
use crate::environment_values::{
    Word, choose, find, list, number, places, size, word_of, words, written, written_places,
    written_size,
};
use crate::vertex_formats::VertexFormat;

/// A key under which a part of the state is set: in a comment of a shader's
/// file or in a file of settings.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// Its meaning, in one sentence.
    pub description: &'static str,
    /// The stages whose code may depend on it.
    pub stages: &'static [Stage],
    /// The values that it takes.
    pub values: Values,
    set: fn(&mut Environment, &str) -> bool,
    get: fn(&Environment) -> String,
}

/// The stages that may come last before the rasterizer.
const VERTICES: &[Stage] = &[Stage::Vertex, Stage::TessellationEvaluation, Stage::Geometry];
const FRAGMENTS: &[Stage] = &[Stage::Fragment];

const SWITCH: &[Word<bool>] = &[("off", false), ("on", true)];
const SWITCH_WORDS: &[&str] = &["off", "on"];
const FORMATS: &[Word<ColorExport>] = &[
    ("none", ColorExport::Nothing),
    ("32_r", ColorExport::Red),
    ("32_gr", ColorExport::RedGreen),
    ("32_ar", ColorExport::RedAlpha),
    ("fp16_abgr", ColorExport::HalfFloat),
    ("unorm16_abgr", ColorExport::Unorm16),
    ("snorm16_abgr", ColorExport::Snorm16),
    ("uint16_abgr", ColorExport::Uint16),
    ("sint16_abgr", ColorExport::Sint16),
    ("32_abgr", ColorExport::Full),
];
const FORMAT_WORDS: &[&str] = &words::<_, { FORMATS.len() }>(FORMATS);
const TESTS: &[Word<AlphaTest>] = &[
    ("never", AlphaTest::Never),
    ("less", AlphaTest::Less),
    ("equal", AlphaTest::Equal),
    ("lequal", AlphaTest::LessOrEqual),
    ("greater", AlphaTest::Greater),
    ("notequal", AlphaTest::NotEqual),
    ("gequal", AlphaTest::GreaterOrEqual),
    ("always", AlphaTest::Always),
];
const TEST_WORDS: &[&str] = &words::<_, { TESTS.len() }>(TESTS);
const STAGES: &[Word<NextStage>] = &[
    ("rasterizer", NextStage::Rasterizer),
    ("tessellation", NextStage::Tessellation),
    ("geometry", NextStage::Geometry),
];
const STAGE_WORDS: &[&str] = &words::<_, { STAGES.len() }>(STAGES);
const PARTS: &[Word<GeometryPart>] =
    &[("shader", GeometryPart::Shader), ("copy", GeometryPart::Copy)];
const PART_WORDS: &[&str] = &words::<_, { PARTS.len() }>(PARTS);
const DOMAINS: &[Word<Option<TessellationDomain>>] = &[
    ("written", None),
    ("isolines", Some(TessellationDomain::Isolines)),
    ("triangles", Some(TessellationDomain::Triangles)),
    ("quads", Some(TessellationDomain::Quads)),
];
const DOMAIN_WORDS: &[&str] = &words::<_, { DOMAINS.len() }>(DOMAINS);
/// The most memory that a lane has of its own, in bytes.
const MOST_PRIVATE_MEMORY: u32 = 4096;
/// The most memory that a group can share, in bytes.
const MOST_SHARED_MEMORY: u32 = 65536;
const SAMPLES: &[Word<u8>] = &[("1", 1), ("2", 2), ("4", 4), ("8", 8), ("16", 16)];
const SAMPLE_WORDS: &[&str] = &words::<_, { SAMPLES.len() }>(SAMPLES);
/// The number of clip planes that the user has.
const CLIP_PLANES: u32 = 8;
/// More instances than a draw call has share no value.
const MOST_DIVISOR: u32 = i32::MAX as u32;
/// The most vertices of a patch.
const MOST_PATCH_VERTICES: u32 = 32;
/// The height of the largest surface.
const MOST_HEIGHT: u32 = 16384;

/// The keys, in the order in which they are told.
pub const KEYS: &[Key] = &[
    Key {
        name: "vertex-format",
        description: "How each vertex attribute lies in memory.",
        stages: &[Stage::Vertex],
        values: Values::Formats,
        set: |it, value| list(&mut it.vertex_formats, value, VertexFormat::find),
        get: |it| written(&it.vertex_formats, |format| format.name().to_owned()),
    },
    Key {
        name: "instance-divisor",
        description: "How many instances share a value of each vertex attribute; 0 if every vertex has its own.",
        stages: &[Stage::Vertex],
        values: Values::Numbers(MOST_DIVISOR, MOST_ATTRIBUTES),
        set: |it, value| {
            list(&mut it.instance_divisors, value, |item| {
                item.parse().ok().filter(|divisor| *divisor <= MOST_DIVISOR)
            })
        },
        get: |it| written(&it.instance_divisors, u32::to_string),
    },
    Key {
        name: "user-clip-planes",
        description: "Which of the user's clip planes, or clip distances, are on.",
        stages: VERTICES,
        values: Values::Places(CLIP_PLANES),
        set: |it, value| {
            let mut planes = 0;
            let read = places(&mut planes, value, CLIP_PLANES);
            if read {
                it.user_clip_planes = planes as u8;
            }
            read
        },
        get: |it| written_places(it.user_clip_planes.into(), CLIP_PLANES),
    },
    Key {
        name: "half-z-clip",
        description: "Whether the shader makes depths from 0 to w of those from -w to w.",
        stages: VERTICES,
        values: Values::Words(SWITCH_WORDS),
        set: |it, value| choose(SWITCH, &mut it.half_z_clip, value),
        get: |it| word_of(SWITCH, &it.half_z_clip),
    },
    Key {
        name: "point-size",
        description: "Whether the size of points is exported if the shader writes it.",
        stages: VERTICES,
        values: Values::Words(SWITCH_WORDS),
        set: |it, value| choose(SWITCH, &mut it.point_size, value),
        get: |it| word_of(SWITCH, &it.point_size),
    },
    Key {
        name: "clamp-vertex-color",
        description: "Whether the colours of vertices are clamped to 0..1.",
        stages: VERTICES,
        values: Values::Words(SWITCH_WORDS),
        set: |it, value| choose(SWITCH, &mut it.clamp_vertex_color, value),
        get: |it| word_of(SWITCH, &it.clamp_vertex_color),
    },
    Key {
        name: "export-primitive-id",
        description: "Whether the number of the primitive is exported for the fragment shader.",
        stages: &[Stage::Vertex, Stage::TessellationEvaluation],
        values: Values::Words(SWITCH_WORDS),
        set: |it, value| choose(SWITCH, &mut it.export_primitive_id, value),
        get: |it| word_of(SWITCH, &it.export_primitive_id),
    },
    Key {
        name: "stream-output",
        description: "What the last stage before the rasterizer writes to buffers.",
        stages: VERTICES,
        values: Values::Captures,
        set: |it, value| it.stream_output.read(value),
        get: |it| it.stream_output.written(),
    },
    Key {
        name: "stream-output-strides",
        description: "How many words of each buffer a vertex takes; 0 if it ends with its last capture.",
        stages: VERTICES,
        values: Values::Numbers(511, 4),
        set: |it, value| it.stream_output.read_strides(value),
        get: |it| it.stream_output.written_strides(),
    },
    Key {
        name: "next-stage",
        description: "What follows a vertex or evaluation shader that does not say so.",
        stages: &[Stage::Vertex, Stage::TessellationEvaluation],
        values: Values::Words(STAGE_WORDS),
        set: |it, value| choose(STAGES, &mut it.next_stage, value),
        get: |it| word_of(STAGES, &it.next_stage),
    },
    Key {
        name: "geometry-part",
        description: "Which of its two programs a geometry shader is compiled to.",
        stages: &[Stage::Geometry],
        values: Values::Words(PART_WORDS),
        set: |it, value| choose(PARTS, &mut it.geometry_part, value),
        get: |it| word_of(PARTS, &it.geometry_part),
    },
    Key {
        name: "patch-vertices",
        description: "How many vertices the patches have that a control shader reads; 0 if only the draw says it.",
        stages: &[Stage::TessellationControl],
        values: Values::Number(0, MOST_PATCH_VERTICES),
        set: |it, value| number(&mut it.patch_vertices, value, 0, MOST_PATCH_VERTICES),
        get: |it| it.patch_vertices.to_string(),
    },
    Key {
        name: "tessellation-domain",
        description: "What the evaluation shader behind a control shader cuts.",
        stages: &[Stage::TessellationControl],
        values: Values::Words(DOMAIN_WORDS),
        set: |it, value| choose(DOMAINS, &mut it.tessellation_domain, value),
        get: |it| word_of(DOMAINS, &it.tessellation_domain),
    },
    Key {
        name: "tessellation-factors-read",
        description: "Whether the evaluation shader reads the tessellation factors.",
        stages: &[Stage::TessellationControl],
        values: Values::Words(SWITCH_WORDS),
        set: |it, value| choose(SWITCH, &mut it.tessellation_factors_read, value),
        get: |it| word_of(SWITCH, &it.tessellation_factors_read),
    },
    Key {
        name: "color-format",
        description: "How the colour of each bound buffer is exported.",
        stages: FRAGMENTS,
        values: Values::List(FORMAT_WORDS),
        set: |it, value| list(&mut it.color_exports, value, |item| find(FORMATS, item)),
        get: |it| written(&it.color_exports, |format| word_of(FORMATS, format)),
    },
    Key {
        name: "color-buffers",
        description: "How many buffers colour 0 goes to, where it goes to all.",
        stages: FRAGMENTS,
        values: Values::Number(1, 8),
        set: |it, value| number(&mut it.color_buffers, value, 1, 8),
        get: |it| it.color_buffers.to_string(),
    },
    Key {
        name: "dual-source",
        description: "Whether colour 1 is a second source for blending, in the format of colour 0.",
        stages: FRAGMENTS,
        values: Values::Words(SWITCH_WORDS),
        set: |it, value| choose(SWITCH, &mut it.dual_source, value),
        get: |it| word_of(SWITCH, &it.dual_source),
    },
    Key {
        name: "clamp-color",
        description: "Whether colours are clamped to 0..1 before they are exported.",
        stages: FRAGMENTS,
        values: Values::Words(SWITCH_WORDS),
        set: |it, value| choose(SWITCH, &mut it.clamp_color, value),
        get: |it| word_of(SWITCH, &it.clamp_color),
    },
    Key {
        name: "alpha-to-one",
        description: "Whether alpha is 1 whatever the shader writes.",
        stages: FRAGMENTS,
        values: Values::Words(SWITCH_WORDS),
        set: |it, value| choose(SWITCH, &mut it.alpha_to_one, value),
        get: |it| word_of(SWITCH, &it.alpha_to_one),
    },
    Key {
        name: "alpha-test",
        description: "How the alpha of colour 0 is compared with its reference.",
        stages: FRAGMENTS,
        values: Values::Words(TEST_WORDS),
        set: |it, value| choose(TESTS, &mut it.alpha_test, value),
        get: |it| word_of(TESTS, &it.alpha_test),
    },
    Key {
        name: "flat-shade",
        description: "Whether colours are not interpolated where the shader leaves that open.",
        stages: FRAGMENTS,
        values: Values::Words(SWITCH_WORDS),
        set: |it, value| choose(SWITCH, &mut it.flat_shade, value),
        get: |it| word_of(SWITCH, &it.flat_shade),
    },
    Key {
        name: "two-sided-color",
        description: "Whether fragments of back faces have the back colours.",
        stages: FRAGMENTS,
        values: Values::Words(SWITCH_WORDS),
        set: |it, value| choose(SWITCH, &mut it.two_sided_color, value),
        get: |it| word_of(SWITCH, &it.two_sided_color),
    },
    Key {
        name: "sprite-coordinates",
        description: "Which texture coordinates or generic inputs are places in a point sprite.",
        stages: FRAGMENTS,
        values: Values::Places(32),
        set: |it, value| places(&mut it.sprite_coordinates, value, 32),
        get: |it| written_places(it.sprite_coordinates, 32),
    },
    Key {
        name: "polygon-stipple",
        description: "Whether fragments are discarded where the pattern of polygons has holes.",
        stages: FRAGMENTS,
        values: Values::Words(SWITCH_WORDS),
        set: |it, value| choose(SWITCH, &mut it.polygon_stipple, value),
        get: |it| word_of(SWITCH, &it.polygon_stipple),
    },
    Key {
        name: "smoothing",
        description: "Whether alpha is scaled by how much of a line or polygon covers the pixel.",
        stages: FRAGMENTS,
        values: Values::Words(SWITCH_WORDS),
        set: |it, value| choose(SWITCH, &mut it.smoothing, value),
        get: |it| word_of(SWITCH, &it.smoothing),
    },
    Key {
        name: "shaded-samples",
        description: "How many times a fragment shader runs for each pixel.",
        stages: FRAGMENTS,
        values: Values::Words(SAMPLE_WORDS),
        set: |it, value| choose(SAMPLES, &mut it.shaded_samples, value),
        get: |it| word_of(SAMPLES, &it.shaded_samples),
    },
    Key {
        name: "framebuffer-height",
        description: "The height of the surface, which positions with the origin below need; 0 if they come so from the hardware.",
        stages: FRAGMENTS,
        values: Values::Number(0, MOST_HEIGHT),
        set: |it, value| number(&mut it.framebuffer_height, value, 0, MOST_HEIGHT),
        get: |it| it.framebuffer_height.to_string(),
    },
    Key {
        name: "block-size",
        description: "The size of a block that the shader does not fix; 0 if only the dispatch says it.",
        stages: &[Stage::Compute],
        values: Values::Size(1024),
        set: |it, value| size(&mut it.block_size, value, 1024),
        get: |it| written_size(&it.block_size),
    },
    Key {
        name: "shared-memory",
        description: "How many bytes a compute shader's group shares; 0 if that is not known.",
        stages: &[Stage::Compute],
        values: Values::Number(0, MOST_SHARED_MEMORY),
        set: |it, value| number(&mut it.shared_memory, value, 0, MOST_SHARED_MEMORY),
        get: |it| it.shared_memory.to_string(),
    },
    Key {
        name: "private-memory",
        description: "How many bytes of memory a lane has of its own; 0 if that is not known.",
        stages: &[Stage::Compute],
        values: Values::Number(0, MOST_PRIVATE_MEMORY),
        set: |it, value| number(&mut it.private_memory, value, 0, MOST_PRIVATE_MEMORY),
        get: |it| it.private_memory.to_string(),
    },
];

/// The reason why a part of the state was not set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SetError {
    /// There is no such key.
    UnknownKey,
    /// The key takes other values: which, in words.
    BadValue(String),
}

impl Environment {
    /// Sets what a key stands for.
    ///
    /// # Errors
    /// If there is no such key, or if it takes no such value. Nothing has
    /// changed then.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SetError> {
        let Some(key) = KEYS.iter().find(|known| known.name == key) else {
            return Err(SetError::UnknownKey);
        };
        if (key.set)(self, value) {
            return Ok(());
        }
        Err(SetError::BadValue(key.values.text()))
    }

    /// Returns every key and its value, in the order of [`KEYS`].
    pub fn values(&self) -> impl Iterator<Item = (&'static Key, String)> + '_ {
        KEYS.iter().map(|key| (key, (key.get)(self)))
    }

    /// Returns the keys that a stage's code depends on and that have their default value: key and
    /// value.
    pub fn assumptions(&self, stage: Stage) -> Vec<(&'static str, String)> {
        let usual = Environment::default();
        let of_stage = self.values().filter(|(key, _)| key.stages.contains(&stage));
        let assumed = of_stage.filter(|(key, value)| *value == (key.get)(&usual));
        assumed.map(|(key, value)| (key.name, value)).collect()
    }

    /// Returns those of [`changes`](Self::changes) that a stage's code depends on.
    pub fn changes_for(&self, stage: Stage) -> Vec<(&'static str, String)> {
        let mut changes = self.changes();
        changes.retain(|(name, _)| {
            KEYS.iter().any(|key| key.name == *name && key.stages.contains(&stage))
        });
        changes
    }

    /// Returns the keys that have another value than by default: key and value.
    pub fn changes(&self) -> Vec<(&'static str, String)> {
        let usual = Environment::default();
        let mut changes = Vec::new();
        for key in KEYS {
            let value = (key.get)(self);
            if value != (key.get)(&usual) {
                changes.push((key.name, value));
            }
        }
        changes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_takes_its_values_and_gives_them_back() {
        for key in KEYS {
            let mut environment = Environment::default();
            for value in key.values.examples() {
                assert_eq!(environment.set(key.name, &value), Ok(()));
                assert_eq!((key.get)(&environment), value, "{}", key.name);
            }
            let before = environment;
            assert!(matches!(environment.set(key.name, "99999999999"), Err(SetError::BadValue(_))));
            assert!(matches!(environment.set(key.name, ""), Err(SetError::BadValue(_))));
            assert_eq!(environment, before);
        }
        assert_eq!(Environment::default().set("colour", "1"), Err(SetError::UnknownKey));
    }

    #[test]
    fn formats_are_a_list_whose_last_goes_on() {
        let mut environment = Environment::default();
        assert!(environment.changes().is_empty());
        environment.set("color-format", "32_abgr,32_r,none").unwrap();
        assert_eq!(environment.color_exports[0], ColorExport::Full);
        assert_eq!(environment.color_exports[7], ColorExport::Nothing);
        assert_eq!(environment.changes(), [("color-format", "32_abgr,32_r,none".to_owned())]);
        assert!(environment.set("color-format", &["none"; 9].join(",")).is_err());
    }

    #[test]
    fn lists_sizes_and_places_are_read_strictly() {
        let mut environment = Environment::default();
        for (key, value, written) in [
            ("vertex-format", "R32G32_FLOAT,any", "r32g32_float,any"),
            ("vertex-format", "any,r8g8b8_unorm", "any,r8g8b8_unorm"),
            ("instance-divisor", "0,1,4,0", "0,1,4,0"),
            ("user-clip-planes", "1,0", "0,1"),
            ("sprite-coordinates", "31", "31"),
            ("block-size", "64", "64x1x1"),
            ("stream-output", "BUF1<-OUT[3].xy", "BUF1[0..1]<-OUT[3].xy"),
            ("stream-output-strides", "0,16", "0,16"),
        ] {
            assert_eq!(environment.set(key, value), Ok(()), "{key}={value}");
            let changes = environment.changes();
            assert!(changes.contains(&(key, written.to_owned())), "{changes:?}");
        }
        let before = environment;
        for (key, value) in [
            ("vertex-format", "any,"),
            ("instance-divisor", "-1"),
            ("user-clip-planes", "8"),
            ("sprite-coordinates", "32"),
            ("block-size", "8x8x8x8"),
            ("block-size", "8x0"),
            ("block-size", "1025"),
        ] {
            assert!(environment.set(key, value).is_err(), "{key}={value}");
        }
        assert_eq!(environment, before);
    }

    #[test]
    fn a_stage_is_told_what_it_depends_on() {
        let mut environment = Environment::default();
        environment.set("alpha-test", "less").unwrap();
        let of_fragments = environment.assumptions(Stage::Fragment);
        assert!(of_fragments.iter().all(|(key, _)| *key != "alpha-test"));
        assert!(of_fragments.contains(&("color-format", "fp16_abgr".to_owned())));
        assert!(of_fragments.iter().all(|(key, _)| *key != "next-stage"));
        assert_eq!(environment.changes_for(Stage::Fragment), environment.changes());
        assert_eq!(environment.changes_for(Stage::Vertex), []);
        assert!(KEYS.iter().all(|key| !key.stages.is_empty()));
    }
}
