//! The registers and the buffers of a shader as values.

use tgsi::words::File;
use tgsi_interp::{LANES, Place};

use super::{MOST_SHOWN, ShaderRun, place_name, register_name};
use crate::expression::{ExpressionError, Reference, Value, ValueKind};
use crate::location::Location;
use crate::subject::{Bits, Scope, Variable};

/// The kind of number that a file's registers hold, as far as the file says it.
fn kind_of(file: File) -> ValueKind {
    match file {
        File::Address | File::SystemValue => ValueKind::Integer,
        _ => ValueKind::Float,
    }
}

/// The file and the numbers in brackets of a reference.
fn numbers(reference: &Reference) -> Result<(File, Option<usize>, usize), ExpressionError> {
    let Reference { name, indices, .. } = reference;
    let file = File::from_word(name).ok_or_else(|| format!("there is no register `{name}`"))?;
    let numbers: Vec<usize> =
        indices.iter().map_while(|index| usize::try_from(*index).ok()).collect();
    match (&numbers[..], indices.len()) {
        ([index], 1) => Ok((file, None, *index)),
        ([first, index], 2) => Ok((file, Some(*first), *index)),
        ([], 0) => Err(format!("`{name}` takes a number in brackets").into()),
        _ => Err(format!("`{name}`: a number in brackets is negative").into()),
    }
}

impl ShaderRun<'_> {
    /// The places of a register's components, or of a word of memory.
    pub(super) fn places_of(
        &self,
        quad: usize,
        reference: &Reference,
    ) -> Result<Vec<Location>, ExpressionError> {
        let (file, first, index) = numbers(reference)?;
        if matches!(file, File::Buffer | File::Memory) {
            let buffer = first.unwrap_or(0);
            return Ok(vec![Location::Word { file, buffer, word: index }]);
        }
        let components = match &reference.components[..] {
            [] => &[0, 1, 2, 3],
            some => some,
        };
        let place = |component| Place { file, first, index, component };
        let own = |component: &usize| Location::Component { quad, place: place(*component) };
        Ok(components.iter().map(own).collect())
    }

    /// The value of a register in a lane, or a word of memory.
    pub(super) fn value_of(
        &self,
        thread: usize,
        lane: usize,
        reference: &Reference,
    ) -> Result<Value, ExpressionError> {
        let (file, first, index) = numbers(reference)?;
        let Reference { name, components, .. } = reference;
        let missing = || match first {
            Some(first) => format!("there is no `{name}[{first}][{index}]`"),
            None => format!("there is no `{name}[{index}]`"),
        };
        let resources = self.run.resources();
        if matches!(file, File::Buffer | File::Memory) {
            let words = match file {
                File::Buffer => resources.buffers.get(first.unwrap_or(0)),
                _ => Some(&resources.shared),
            };
            let word = words.and_then(|words| words.get(index)).ok_or_else(missing)?;
            return Ok(Value::Bits(*word, ValueKind::Float));
        }
        let component = |component: usize| {
            let place = Place { file, first, index, component };
            let bits = self.run.value(thread, place, lane);
            bits.map(|bits| Value::Bits(bits, kind_of(file))).ok_or_else(|| missing().into())
        };
        match &components[..] {
            [] => (0..4).map(component).collect::<Result<_, _>>().map(Value::Vector),
            [one] => component(*one),
            several => {
                several.iter().map(|it| component(*it)).collect::<Result<_, _>>().map(Value::Vector)
            }
        }
    }

    /// The files of registers, and buffers.
    pub(super) fn all_scopes(&self, thread: usize) -> Vec<Scope> {
        const NAMES: [(File, &str); 8] = [
            (File::Output, "Outputs"),
            (File::Temporary, "Temporaries"),
            (File::TemporaryArray, "Arrays of temporaries"),
            (File::Input, "Inputs"),
            (File::Constant, "Constants"),
            (File::Address, "Addresses"),
            (File::SystemValue, "System values"),
            (File::Immediate, "Immediates"),
        ];
        let files = self.run.files(thread);
        let mut scopes = Vec::new();
        for (file, name) in NAMES {
            let sizes = files.iter().filter(|size| size.file == file);
            let places =
                sizes.flat_map(|size| (0..size.registers).map(|index| (size.first, index)));
            let variables: Vec<Variable> = places
                .take(MOST_SHOWN)
                .map(|(first, index)| {
                    let part = |component: usize| {
                        let place = Place { file, first, index, component };
                        let lanes = (0..LANES)
                            .map(|lane| self.run.value(thread, place, lane).unwrap_or(0))
                            .collect();
                        Variable {
                            name: place_name(place),
                            bits: Bits::Lanes(lanes),
                            parts: Vec::new(),
                        }
                    };
                    Variable {
                        name: register_name(file, first, index),
                        bits: Bits::Parts,
                        parts: (0..4).map(part).collect(),
                    }
                })
                .collect();
            if !variables.is_empty() {
                scopes.push(Scope { name, registers: false, variables });
            }
        }
        let mask = |name: &str, bits: u8| Variable {
            name: name.to_owned(),
            bits: Bits::Mask { bits: bits.into(), lanes: LANES },
            parts: Vec::new(),
        };
        let masks =
            vec![mask("active", self.run.active(thread)), mask("killed", self.run.killed(thread))];
        scopes.push(Scope { name: "Lanes", registers: true, variables: masks });
        let buffers = self.run.resources().buffers.iter().enumerate().map(|(number, words)| {
            let word = |(place, word): (usize, &u32)| Variable {
                name: format!("BUFFER[{number}][{place}]"),
                bits: Bits::Word(*word),
                parts: Vec::new(),
            };
            Variable {
                name: format!("BUFFER[{number}]"),
                bits: Bits::Parts,
                parts: words.iter().enumerate().take(MOST_SHOWN).map(word).collect(),
            }
        });
        let buffers: Vec<Variable> = buffers.collect();
        if !buffers.is_empty() {
            scopes.push(Scope { name: "Memory", registers: false, variables: buffers });
        }
        scopes
    }
}
