//! A register of a file that its operand does not take is told of once: what follows from that is
//! not said beside it.

use rustc_hash::FxHashSet;
use source::{Code, Diagnostic, Severity, TextRange};

use crate::ast::{Instruction, Shader};
use crate::codes;

/// The codes of a file that an operand does not take.
const FILES: [Code; 2] = [codes::OPERAND_FILE, codes::READ_ONLY_FILE];

/// The codes of mistakes that another file would put right.
const CONSEQUENCES: [Code; 4] = [
    codes::UNDECLARED_REGISTER,
    codes::REGISTER_DIMENSION,
    codes::UNWRITTEN_TEMPORARY,
    codes::ADDRESS_LOAD,
];

/// Leaves one diagnostic of each register whose file is wrong: the error where there is one, which
/// then says of the file, too.
pub(super) fn tell_once(shader: &Shader, diagnostics: &mut Vec<Diagnostic>) {
    let of_files = |it: &&Diagnostic| FILES.contains(&it.code);
    let mut files: Vec<Diagnostic> = diagnostics.iter().filter(of_files).cloned().collect();
    if files.is_empty() {
        return;
    }
    // What is said at a register with another one as its index may be about that.
    let registers = shader.instructions().flat_map(Instruction::registers);
    let computed = registers.filter(|it| it.is_computed()).map(|it| it.range);
    let computed: FxHashSet<TextRange> = computed.collect();
    files.retain(|it| !computed.contains(&it.range));
    files.sort_by_key(|it| it.range.start());
    let about = |range: TextRange| {
        let place = files.partition_point(|it| it.range.end() <= range.start());
        files.get(place).filter(|it| it.range.intersect(range).is_some_and(|it| !it.is_empty()))
    };
    let mut told: Vec<TextRange> = Vec::new();
    diagnostics.retain_mut(|it| {
        let Some(file) = about(it.range).filter(|_| CONSEQUENCES.contains(&it.code)) else {
            return true;
        };
        if it.severity != Severity::Error {
            return false;
        }
        it.message = format!("{}; {}", it.message, file.message);
        it.fixes.clone_from(&file.fixes);
        told.push(file.range);
        true
    });
    diagnostics.retain(|it| !(FILES.contains(&it.code) && told.contains(&it.range)));
}

#[cfg(test)]
mod tests {
    use source::no_checkpoint;

    fn said(line: &str) -> Vec<String> {
        let text = format!(
            "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0]\nDCL CONST[0]\n{line}\nMOV OUT[0], CONST[0]\nEND\n"
        );
        let shader = crate::parser::parse(&text, &no_checkpoint).shader.expect("a shader");
        let (start, end) =
            (text.find(line).expect("it"), text.find(line).expect("it") + line.len());
        let mut found = super::super::validate(&shader, &no_checkpoint);
        found.retain(|it| (start..end).contains(&usize::from(it.range.start())));
        found.iter().map(|it| format!("{:?} {}", it.severity, it.message)).collect()
    }

    #[test]
    fn a_file_that_is_wrong_is_told_once() {
        assert_eq!(
            said("ADD OUT[0], CONST[0], -MEMORY[0]"),
            ["Error `MEMORY[0]` is not declared; `ADD` takes a value here; MEMORY is not one"]
        );
        assert_eq!(
            said("MOV HWATOMIC[0], CONST[0]"),
            ["Error `HWATOMIC[0]` is not declared; HWATOMIC cannot be written"]
        );
        assert_eq!(said("ARL CONST[0], CONST[0]"), ["Warning CONST cannot be written"]);
        assert_eq!(said("MEMBAR TEMP[0]").len(), 1);
        // It is another register that is not declared.
        assert_eq!(said("MOV OUT[0], SAMP[TEMP[5].x]").len(), 3);
        // Two registers are two mistakes.
        assert_eq!(said("MOV CONST[0], MEMORY[0]").len(), 2);
    }
}
