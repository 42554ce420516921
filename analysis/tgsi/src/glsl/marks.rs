//! Shaders changed so that their GLSL tells where it comes from. They are for judges of
//! [`join`](super::join()) and for the search of a refusal's cause: the product shows none.

use std::fmt::Write as _;

use crate::ast::{Shader, Statement, StatementKind};
use crate::opcodes::Opcode;
use crate::words::File;

/// Writes a move of a temporary to itself before each instruction; the lines between two of
/// them are of one instruction. Returns the text and the temporary's name in GLSL.
pub fn marked(shader: &Shader, text: &str) -> (String, String) {
    let temporary = free_temporary(shader);
    let mut marked = String::new();
    let mut at = 0;
    for (number, (statement, _)) in shader.instruction_statements().enumerate() {
        let start = usize::from(statement.range.start());
        marked.push_str(&text[at..start]);
        at = start;
        if number == 0 {
            let _ = writeln!(marked, "DCL TEMP[{temporary}]");
        }
        let _ = writeln!(marked, "MOV TEMP[{temporary}].x, TEMP[{temporary}].xxxx");
    }
    marked.push_str(&text[at..]);
    (marked, format!("temp{temporary}"))
}

/// A temporary that a shader does not declare.
fn free_temporary(shader: &Shader) -> u32 {
    let declared = shader.declarations().filter(|it| it.file.value == File::Temporary);
    declared.map(|it| it.range.value.last.saturating_add(1)).max().unwrap_or(0)
}

/// The shader with its first statements alone, blocks closed.
pub fn beginning(shader: &Shader, text: &str, statements: usize) -> String {
    let kept = &shader.statements[..statements.min(shader.statements.len())];
    let head = shader.stage.range;
    let mut shortened = text[..usize::from(head.end())].to_owned();
    let mut open = Vec::new();
    for statement in kept {
        shortened.push('\n');
        shortened.push_str(&text[statement.range]);
        follow(statement, &mut open);
    }
    while let Some(word) = open.pop() {
        shortened.push('\n');
        shortened.push_str(word.row().mnemonic);
    }
    if !kept.iter().any(|it| opcode(it) == Some(Opcode::END)) {
        shortened.push_str("\nEND");
    }
    shortened.push('\n');
    shortened
}

fn opcode(statement: &Statement) -> Option<Opcode> {
    match &statement.kind {
        StatementKind::Instruction(instruction) => Some(instruction.opcode.value),
        _ => None,
    }
}

/// Keeps the opcodes that close the blocks that are open.
fn follow(statement: &Statement, open: &mut Vec<Opcode>) {
    let Some(opcode) = opcode(statement) else { return };
    match opcode {
        Opcode::IF | Opcode::UIF => open.push(Opcode::ENDIF),
        Opcode::BGNLOOP => open.push(Opcode::ENDLOOP),
        Opcode::SWITCH => open.push(Opcode::ENDSWITCH),
        Opcode::ENDIF | Opcode::ENDLOOP | Opcode::ENDSWITCH => {
            open.pop();
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\nUIF TEMP[0].xxxx\n  MOV OUT[0], TEMP[1]\nENDIF\nEND\n";

    fn parsed() -> Shader {
        crate::parser::parse(TEXT, &source::no_checkpoint).shader.unwrap()
    }

    #[test]
    fn a_mark_stands_before_each_instruction() {
        let (text, name) = marked(&parsed(), TEXT);
        assert_eq!(name, "temp2");
        assert_eq!(text.matches("MOV TEMP[2].x, TEMP[2].xxxx").count(), 4);
        assert!(text.contains("DCL TEMP[2]\nMOV TEMP[2].x, TEMP[2].xxxx\nUIF"), "{text}");
        let read = crate::parser::parse(&text, &source::no_checkpoint);
        assert_eq!(read.diagnostics, []);
    }

    #[test]
    fn a_beginning_is_a_shader() {
        let shader = parsed();
        assert_eq!(beginning(&shader, TEXT, 1), "FRAG\nDCL OUT[0], COLOR\nEND\n");
        let open = beginning(&shader, TEXT, 3);
        assert!(open.ends_with("UIF TEMP[0].xxxx\nENDIF\nEND\n"), "{open}");
        assert_eq!(beginning(&shader, TEXT, 99).matches("END").count(), 2);
    }
}
