//! Declarations and immediates of a shader by what names them, so that no question looks
//! through all of them for each register.

use rustc_hash::FxHashMap;
use source::Cover;

use crate::ast::{Declaration, Immediate, Register, Shader};
use crate::words::File;

/// The declarations and immediates of one shader.
#[derive(Debug)]
pub struct Declared<'a> {
    declarations: Vec<&'a Declaration>,
    /// By their places among the declarations: the first in the text counts.
    covers: FxHashMap<File, Cover<usize>>,
    arrays: FxHashMap<(File, u32), &'a Declaration>,
    immediates: Vec<&'a Immediate>,
}

impl<'a> Declared<'a> {
    /// Gathers what a shader declares, in time that grows as its declarations times their
    /// logarithm.
    pub fn new(shader: &'a Shader) -> Declared<'a> {
        let declarations: Vec<&Declaration> = shader.declarations().collect();
        let mut ranges: FxHashMap<File, Vec<_>> = FxHashMap::default();
        let mut arrays = FxHashMap::default();
        for (order, declaration) in declarations.iter().enumerate() {
            let (file, range) = (declaration.file.value, declaration.range.value);
            ranges.entry(file).or_default().push((range.first..=range.last, order));
            if let Some(array) = declaration.array {
                arrays.entry((file, array.value)).or_insert(*declaration);
            }
        }
        let covers = ranges.into_iter().map(|(file, ranges)| (file, Cover::new(ranges))).collect();
        Declared { declarations, covers, arrays, immediates: shader.immediates().collect() }
    }

    /// The first declaration in the text that covers a number of a file, of whatever buffer.
    pub fn covering(&self, file: File, number: u32) -> Option<&'a Declaration> {
        self.declarations.get(self.covers.get(&file)?.at(number)?).copied()
    }

    /// The first declaration of an array.
    pub fn array(&self, file: File, array: u32) -> Option<&'a Declaration> {
        self.arrays.get(&(file, array)).copied()
    }

    /// The immediate that a register names by number.
    pub fn immediate(&self, register: &Register) -> Option<&'a Immediate> {
        register.immediate(&self.immediates)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_declaration_that_covers_a_number_is_found() {
        let text = "VERT\nDCL TEMP[4..6]\nDCL TEMP[0..9], ARRAY(3)\nDCL TEMP[5], ARRAY(3)\n\
                    DCL TEMP[12..4294967295]\nDCL IN[3]\nEND\n";
        let shader = crate::parser::parse(text, &source::no_checkpoint).shader.expect("a shader");
        let declared = Declared::new(&shader);
        for number in (0..20).chain([u32::MAX]) {
            let slow = shader.declarations().find(|it| {
                let range = it.range.value;
                it.file.value == File::Temporary && (range.first..=range.last).contains(&number)
            });
            assert_eq!(declared.covering(File::Temporary, number), slow, "{number}");
        }
        assert_eq!(declared.covering(File::Output, 0), None);
        let array = declared.array(File::Temporary, 3).map(|it| it.range.value.last);
        assert_eq!(array, Some(9));
    }
}
