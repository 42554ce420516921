//! Needs of parts of GLSL, which a host may lack: `data/glsl_needs.tsv`.

use std::fmt::Write as _;

use crate::Opcode;
use crate::ast::{Instruction, Shader, Statement, StatementKind};
use crate::words::{File, SemanticName, Stage, TextureTarget};

/// A part of GLSL, and what brings it.
#[derive(Debug, PartialEq, Eq)]
pub struct Need {
    /// The part, in words: `doubles`.
    pub what: &'static str,
    /// Words of GLSL and of complaints that show it.
    marks: &'static [&'static str],
    /// The statements of TGSI that ask for it.
    statements: &'static [Asks],
    /// The way in which it came to OpenGL.
    gl: Brought,
    /// The way in which it came to OpenGL ES.
    gles: Brought,
}

/// The version and the extension that bring something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Brought {
    version: Option<&'static str>,
    extension: Option<&'static str>,
}

/// A kind of statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asks {
    Opcode(Opcode),
    File(File),
    Semantic(SemanticName),
    Target(TextureTarget),
    Stage(Stage),
    /// An instruction on floats of 64 bits.
    Doubles,
}

impl Need {
    /// The sentence for a host: what would bring it.
    pub fn sentence(&self, is_es: bool) -> String {
        let (name, brought) = if is_es { ("OpenGL ES", self.gles) } else { ("OpenGL", self.gl) };
        let mut text = format!("{}: ", self.what);
        let _ = match (brought.version, brought.extension) {
            (Some(version), Some(extension)) => {
                write!(text, "the host needs {name} {version} or {extension}")
            }
            (Some(version), None) => write!(text, "the host needs {name} {version}"),
            (None, Some(extension)) => {
                write!(text, "the host needs {extension}; no version of {name} has it by itself")
            }
            (None, None) => write!(text, "no version of {name} has it"),
        };
        text
    }

    /// The first statement that asks for it, by its place; instructions on doubles and the
    /// like before what is only declared.
    pub fn first_statement(&self, shader: &Shader) -> Option<usize> {
        if self.statements.contains(&Asks::Stage(shader.stage.value)) {
            return None;
        }
        shader.statements.iter().position(|it| self.is_asked_for_by(it))
    }

    fn is_asked_for_by(&self, statement: &Statement) -> bool {
        self.statements.iter().any(|it| it.fits(statement))
    }
}

impl Asks {
    fn fits(self, statement: &Statement) -> bool {
        match (self, &statement.kind) {
            (Asks::Opcode(opcode), StatementKind::Instruction(it)) => it.opcode.value == opcode,
            (Asks::Doubles, StatementKind::Instruction(it)) => has_doubles(it),
            (Asks::Target(target), StatementKind::Instruction(it)) => {
                it.target.is_some_and(|own| own.value == target)
            }
            (Asks::Target(target), StatementKind::Declaration(it)) => {
                it.sampler_view.is_some_and(|own| own.target.value == target)
            }
            (Asks::File(file), StatementKind::Declaration(it)) => it.file.value == file,
            (Asks::Semantic(name), StatementKind::Declaration(it)) => {
                it.semantic.is_some_and(|own| own.value.name == name)
            }
            _ => false,
        }
    }
}

fn has_doubles(instruction: &Instruction) -> bool {
    let info = instruction.info();
    let types = info.destination_types.iter().chain(info.source_types);
    types.copied().any(|it| it == crate::opcodes::ValueType::Double)
}

include!(concat!(env!("OUT_DIR"), "/glsl_needs.rs"));

/// The first row of which a word stands in a line of GLSL, or in a complaint.
pub fn need_of_line(line: &str) -> Option<&'static Need> {
    NEEDS.iter().find(|row| row.marks.iter().any(|mark| has_word(line, mark)))
}

/// The first row that a statement asks for.
pub fn need_of_statement(shader: &Shader, place: usize) -> Option<&'static Need> {
    let statement = shader.statements.get(place)?;
    NEEDS.iter().find(|row| row.is_asked_for_by(statement))
}

/// The row of a stage.
pub fn need_of_stage(stage: Stage) -> Option<&'static Need> {
    NEEDS.iter().find(|row| row.statements.first() == Some(&Asks::Stage(stage)))
}

/// Tells whether a text has a word; one that ends in `*` begins it.
fn has_word(text: &str, word: &str) -> bool {
    let (word, is_beginning) = word.strip_suffix('*').map_or((word, false), |it| (it, true));
    let is_part = |it: Option<char>| it.is_some_and(|it| it.is_ascii_alphanumeric() || it == '_');
    text.match_indices(word).any(|(at, _)| {
        let behind = text[at + word.len()..].chars().next();
        !is_part(text[..at].chars().next_back()) && (is_beginning || !is_part(behind))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_whole() {
        let text = include_str!("../../data/glsl_needs.tsv");
        let lines: Vec<&str> = text.lines().filter(|row| !row.starts_with('#')).skip(1).collect();
        assert_eq!(NEEDS.len(), lines.len());
        for (row, line) in NEEDS.iter().zip(lines) {
            let cells: Vec<&str> = line.split('\t').collect();
            assert_eq!(cells.len(), 6, "{line}");
            assert_eq!(row.statements.len(), cells[2].split(' ').count(), "{line}");
            for (brought, cell) in [(row.gl, cells[3]), (row.gles, cells[4])] {
                assert_eq!(cell.split(' ').count(), 2, "{line}");
                assert!(brought.extension.is_none_or(|it| it.starts_with("GL_")), "{line}");
                let is_version = |it: &str| it.len() == 3 && it.as_bytes()[1] == b'.';
                assert!(brought.version.is_none_or(is_version), "{line}");
            }
            assert!(!cells[5].is_empty(), "{line}");
        }
    }

    #[test]
    fn words_are_whole_or_begin_one() {
        assert!(has_word("dvec2 a;", "dvec*") && !has_word("advec2", "dvec*"));
        assert!(has_word("uniform image2D a", "image2D") && !has_word("image2DMS", "image2D"));
    }

    #[test]
    fn a_need_says_what_brings_it() {
        let need = need_of_line("dvec2 fp64_dst[3];").unwrap();
        assert_eq!(
            need.sentence(false),
            "doubles: the host needs OpenGL 4.0 or GL_ARB_gpu_shader_fp64"
        );
        assert_eq!(need.sentence(true), "doubles: no version of OpenGL ES has it");
    }
}
