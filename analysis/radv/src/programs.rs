//! The programs of ACO in the driver's dump, after their registers were chosen.

use crate::{Output, Stage};

/// The head of a program once its registers are chosen.
const CHOSEN: &str = "After RA:";
/// The line above the machine code, which may follow a program.
const CODE: &str = "disasm:";
/// The line with the stages of a program.
const STAGES: &str = "ACO shader stage: ";
/// The line above a program that is not compiled yet, with its stage.
const SOURCE: &str = "shader: MESA_SHADER_";
/// The instruction that defines what the hardware loads before a program begins.
const START: &str = " = p_startpgm";

/// Returns the program that a stage's code was made from. Where the driver has no disassembler it
/// prints the program once more in place of the code, without its start.
pub(crate) fn chosen(output: &Output, stage: Stage) -> Option<&str> {
    let programs = output.dump.split(CHOSEN).skip(1);
    let programs = programs.map(|text| text.split_once(CODE).map_or(text, |it| it.0));
    let own = programs.filter(|program| runs(program, stage));
    own.max_by_key(|program| program.contains(START))
}

/// Tells whether a stage runs in a program.
pub(crate) fn runs(program: &str, stage: Stage) -> bool {
    let head = program.lines().find_map(|line| line.strip_prefix(STAGES));
    head.is_some_and(|head| is_of(head, stage))
}

/// Tells whether the words for a program's stages, `SW (VS+GS), HW (…)` or, before Mesa 23,
/// `vertex_geometry_gs`, name a stage.
fn is_of(head: &str, stage: Stage) -> bool {
    let (new, old) = match stage {
        Stage::Vertex => ("VS", "vertex_"),
        Stage::TessellationControl => ("TCS", "tess_control_"),
        Stage::TessellationEvaluation => ("TES", "tess_eval_"),
        Stage::Geometry => ("GS", "geometry_"),
        Stage::Fragment => ("FS", "fragment_"),
        Stage::Compute => ("CS", "compute_"),
    };
    match head.strip_prefix("SW (") {
        Some(stages) => {
            let stages = stages.split(')').next().unwrap_or_default();
            stages.split(['+', ' ', ',']).any(|word| word == new)
        }
        None => head.contains(old),
    }
}

/// Returns the text of the driver's program of a stage before ACO compiles it.
pub(crate) fn source(output: &Output, stage: Stage) -> Option<&str> {
    let name = match stage {
        Stage::Vertex => "VERTEX",
        Stage::TessellationControl => "TESS_CTRL",
        Stage::TessellationEvaluation => "TESS_EVAL",
        Stage::Geometry => "GEOMETRY",
        Stage::Fragment => "FRAGMENT",
        Stage::Compute => "COMPUTE",
    };
    let own = output.dump.split(SOURCE).skip(1).filter(|text| {
        let head = text.lines().next().unwrap_or_default();
        head.trim() == name
    });
    own.last().map(|text| text.split_once(CHOSEN).map_or(text, |it| it.0))
}

/// The file of a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum File {
    /// Scalar registers.
    Scalar,
    /// Vector registers.
    Vector,
}

/// Registers that hold one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Register {
    pub(crate) file: File,
    /// The number of the first.
    pub(crate) first: usize,
    pub(crate) count: usize,
}

/// Returns the registers that the hardware loads before a program begins, value by value.
pub(crate) fn start(program: &str) -> Option<Vec<Register>> {
    let start = program.lines().find_map(|line| line.split_once(START))?.0;
    let words = start.split(&[':', ','][..]).map(str::trim);
    let registers = words.filter_map(|word| {
        let (file, numbers) = word.split_once('[')?;
        let file = match file {
            "s" => File::Scalar,
            "v" => File::Vector,
            _ => return None,
        };
        let numbers = numbers.trim_end_matches(']');
        let (first, last) = numbers.split_once('-').unwrap_or((numbers, numbers));
        let (first, last): (usize, usize) = (first.parse().ok()?, last.parse().ok()?);
        Some(Register { file, first, count: (last + 1).checked_sub(first)? })
    });
    Some(registers.collect())
}

/// Returns the vector and the scalar registers that the hardware loads before a stage's program
/// begins, whether or not an instruction reads them.
pub fn inputs(output: &Output, stage: Stage) -> Option<[u32; 2]> {
    let start = start(chosen(output, stage)?)?;
    let end = |file: File| {
        let own = start.iter().filter(|it| it.file == file);
        own.map(|it| (it.first + it.count) as u32).max().unwrap_or(0)
    };
    Some([end(File::Vector), end(File::Scalar)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(dump: &str) -> Output {
        Output { executables: Vec::new(), added: 0, dump: dump.to_owned() }
    }

    #[test]
    fn a_program_is_found_by_its_stages() {
        let new = output(
            "After RA:\nACO shader stage: SW (VS+GS), HW (GS)\nBB0\n one\n\
             After RA:\nACO shader stage: SW (FS), HW (PS)\nBB0\n two\n",
        );
        assert!(chosen(&new, Stage::Geometry).is_some_and(|it| it.contains("one")));
        assert!(chosen(&new, Stage::Vertex).is_some_and(|it| it.contains("one")));
        assert!(chosen(&new, Stage::Fragment).is_some_and(|it| it.contains("two")));
        assert!(chosen(&new, Stage::Fragment).is_some_and(|it| !it.contains("three")));
        assert_eq!(chosen(&new, Stage::Compute), None);
        let old = output(
            "After RA:\nACO shader stage: vertex_geometry_gs\nBB0\n one\n\
             After RA:\nACO shader stage: gs_copy_vs\nBB0\n two\n",
        );
        assert!(chosen(&old, Stage::Geometry).is_some_and(|it| it.contains("one")));
        assert!(chosen(&old, Stage::Vertex).is_some_and(|it| it.contains("one")));
    }

    #[test]
    fn a_program_that_is_printed_in_place_of_its_code_is_not_taken() {
        let stage = "After RA:\nACO shader stage: SW (FS), HW (PS)\nBB0\n";
        let start = " s2: %1:s[0-1] = p_startpgm\n";
        let dump =
            format!("{stage}{start} first\n{stage}{start} last\ndisasm:\nnone\n{stage} code\n");
        let found = output(&dump);
        assert!(chosen(&found, Stage::Fragment).is_some_and(|it| it.contains("last")));
    }

    #[test]
    fn the_hardware_loads_what_the_start_defines() {
        let dump = "After RA:\nACO shader stage: fragment_fs\nBB0\n\
             \t s2: %10:s[0-1],  s1: %11:s[2],  s1: %12:s[3],  v2: %13:v[0-1] = p_startpgm\n";
        assert_eq!(inputs(&output(dump), Stage::Fragment), Some([2, 4]));
        let none = dump.replace("s2: %10:s[0-1],  s1: %11:s[2],  s1: %12:s[3],  ", "");
        assert_eq!(inputs(&output(&none), Stage::Fragment), Some([2, 0]));
        assert_eq!(inputs(&output(""), Stage::Fragment), None);
    }
}
