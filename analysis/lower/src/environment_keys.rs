//! The words under which the state that a shader is compiled for is set: in a
//! comment beside the shader, in a file of settings, by an option. One table
//! serves them all, and what is shown of the state comes from it, too.

use crate::environment::{
    AlphaTest, ColorExport, Environment, GeometryPart, NextStage, TessellationDomain,
};

/// A key under which a part of the state is set: in a comment of a shader's
/// file or in a file of settings.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// What it says, in one sentence.
    pub description: &'static str,
    /// What it can be set to.
    pub values: Values,
    set: fn(&mut Environment, &str) -> bool,
    get: fn(&Environment) -> String,
}

/// What a key can be set to.
#[derive(Debug, Clone, Copy)]
pub enum Values {
    /// One of some words.
    Words(&'static [&'static str]),
    /// Some words, one for each buffer and parted by commas; the last is that
    /// of all further ones.
    List(&'static [&'static str]),
    /// A number between two others, both included.
    Number(u32, u32),
}

/// A word and what it stands for.
type Word<T> = (&'static str, T);

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
/// The most memory that a group can share, in bytes.
const MOST_SHARED_MEMORY: u32 = 65536;

/// The words of a list.
const fn words<T: Copy, const COUNT: usize>(list: &[Word<T>]) -> [&'static str; COUNT] {
    let mut words = [""; COUNT];
    let mut place = 0;
    while place < COUNT {
        words[place] = list[place].0;
        place += 1;
    }
    words
}

fn choose<T: Copy>(list: &[Word<T>], place: &mut T, value: &str) -> bool {
    let found = list.iter().find(|(word, _)| word.eq_ignore_ascii_case(value));
    found.map(|(_, meaning)| *place = *meaning).is_some()
}

fn word_of<T: PartialEq>(list: &[Word<T>], meaning: &T) -> String {
    let found = list.iter().find(|(_, other)| other == meaning);
    found.map_or_else(String::new, |(word, _)| (*word).to_owned())
}

fn number<T: TryFrom<u32>>(place: &mut T, value: &str, least: u32, most: u32) -> bool {
    let number = value.parse().ok().filter(|number| (least..=most).contains(number));
    match number.and_then(|number| T::try_from(number).ok()) {
        Some(number) => {
            *place = number;
            true
        }
        None => false,
    }
}

fn set_formats(environment: &mut Environment, value: &str) -> bool {
    let mut formats = environment.color_exports;
    let mut given = 0;
    for word in value.split(',') {
        if given == formats.len() || !choose(FORMATS, &mut formats[given], word.trim()) {
            return false;
        }
        given += 1;
    }
    let last = formats[given - 1];
    formats[given..].fill(last);
    environment.color_exports = formats;
    true
}

fn formats(environment: &Environment) -> String {
    let words = environment.color_exports.map(|format| word_of(FORMATS, &format));
    let last = words.iter().rposition(|word| *word != words[7]).map_or(0, |place| place + 1);
    words[..=last].join(",")
}

/// The keys, in the order in which they are told.
pub const KEYS: &[Key] = &[
    Key {
        name: "color-format",
        description: "How the colour of each bound buffer is exported.",
        values: Values::List(FORMAT_WORDS),
        set: set_formats,
        get: formats,
    },
    Key {
        name: "color-buffers",
        description: "How many buffers colour 0 goes to, where it goes to all.",
        values: Values::Number(1, 8),
        set: |it, value| number(&mut it.color_buffers, value, 1, 8),
        get: |it| it.color_buffers.to_string(),
    },
    Key {
        name: "clamp-color",
        description: "Whether colours are clamped to 0..1 before they are exported.",
        values: Values::Words(SWITCH_WORDS),
        set: |it, value| choose(SWITCH, &mut it.clamp_color, value),
        get: |it| word_of(SWITCH, &it.clamp_color),
    },
    Key {
        name: "flat-shade",
        description: "Whether colours are not interpolated where the shader leaves that open.",
        values: Values::Words(SWITCH_WORDS),
        set: |it, value| choose(SWITCH, &mut it.flat_shade, value),
        get: |it| word_of(SWITCH, &it.flat_shade),
    },
    Key {
        name: "alpha-test",
        description: "How the alpha of colour 0 is compared with its reference.",
        values: Values::Words(TEST_WORDS),
        set: |it, value| choose(TESTS, &mut it.alpha_test, value),
        get: |it| word_of(TESTS, &it.alpha_test),
    },
    Key {
        name: "shared-memory",
        description: "How many bytes a compute shader's group shares; 0 if that is not known.",
        values: Values::Number(0, MOST_SHARED_MEMORY),
        set: |it, value| number(&mut it.shared_memory, value, 0, MOST_SHARED_MEMORY),
        get: |it| it.shared_memory.to_string(),
    },
    Key {
        name: "next-stage",
        description: "What follows a vertex or evaluation shader that does not say so.",
        values: Values::Words(STAGE_WORDS),
        set: |it, value| choose(STAGES, &mut it.next_stage, value),
        get: |it| word_of(STAGES, &it.next_stage),
    },
    Key {
        name: "geometry-part",
        description: "Which of its two programs a geometry shader is compiled to.",
        values: Values::Words(PART_WORDS),
        set: |it, value| choose(PARTS, &mut it.geometry_part, value),
        get: |it| word_of(PARTS, &it.geometry_part),
    },
    Key {
        name: "tessellation-domain",
        description: "What the evaluation shader behind a control shader cuts.",
        values: Values::Words(DOMAIN_WORDS),
        set: |it, value| choose(DOMAINS, &mut it.tessellation_domain, value),
        get: |it| word_of(DOMAINS, &it.tessellation_domain),
    },
    Key {
        name: "tessellation-factors-read",
        description: "Whether the evaluation shader reads the tessellation factors.",
        values: Values::Words(SWITCH_WORDS),
        set: |it, value| choose(SWITCH, &mut it.tessellation_factors_read, value),
        get: |it| word_of(SWITCH, &it.tessellation_factors_read),
    },
];

/// Why a part of the state was not set.
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
        Err(SetError::BadValue(match key.values {
            Values::Words(words) => format!("one of {}", words.join(", ")),
            Values::List(words) => format!("up to eight of {}, parted by commas", words.join(", ")),
            Values::Number(least, most) => format!("a number from {least} to {most}"),
        }))
    }

    /// What every key is set to, in the order of [`KEYS`].
    pub fn values(&self) -> impl Iterator<Item = (&'static Key, String)> + '_ {
        KEYS.iter().map(|key| (key, (key.get)(self)))
    }

    /// What is not set as it is by default: key and value.
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
            let values: Vec<String> = match key.values {
                Values::Words(words) | Values::List(words) => {
                    words.iter().map(|word| (*word).to_owned()).collect()
                }
                Values::Number(least, most) => vec![least.to_string(), most.to_string()],
            };
            for value in values {
                assert_eq!(environment.set(key.name, &value), Ok(()));
                assert_eq!((key.get)(&environment), value, "{}", key.name);
            }
            let before = environment;
            assert!(matches!(environment.set(key.name, "99999999"), Err(SetError::BadValue(_))));
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
}
