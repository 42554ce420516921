//! The words under which the state that a shader is compiled for is set: in a
//! comment beside the shader, in a file of settings, by an option. One table
//! serves them all, and what is shown of the state comes from it, too.

use tgsi::Stage;

use crate::environment::{
    AlphaTest, ColorExport, Environment, GeometryPart, NextStage, TessellationDomain,
};
pub use crate::environment_values::Values;
use crate::environment_values::{
    NamedValue, choose, find, list, number, places, size, word_of, written, written_places,
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

include!(concat!(env!("OUT_DIR"), "/environment_keys.rs"));

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
        let of_stage = self.changed().filter(|(key, _)| key.stages.contains(&stage));
        of_stage.map(|(key, value)| (key.name, value)).collect()
    }

    /// Returns the keys that have another value than by default: key and value.
    pub fn changes(&self) -> Vec<(&'static str, String)> {
        self.changed().map(|(key, value)| (key.name, value)).collect()
    }

    fn changed(&self) -> impl Iterator<Item = (&'static Key, String)> {
        let usual = Environment::default();
        self.values().filter(move |(key, value)| *value != (key.get)(&usual))
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
