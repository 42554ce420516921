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
