//! Numbers of buffers that invocations share, and those that they may not.

use tgsi::ast::Source;
use tgsi::words::File;

use crate::program::Program;

/// Tells whether the number of the buffer may differ in a shader that reads `CONST[ADDR[0].x][0]`
/// after some lines.
fn may_differ(lines: &str) -> bool {
    may_differ_in(&format!("{lines}\nMOV OUT[0], CONST[ADDR[0].x][0]"))
}

/// Tells whether the number of the last buffer that is read by an index may differ.
fn may_differ_in(lines: &str) -> bool {
    let text = format!(
        "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nDCL CONST[0][0..1]\n\
         DCL CONST[1][0..1]\nDCL ADDR[0]\nDCL TEMP[0..3]\nIMM[0] UINT32 {{0, 1, 2, 3}}\n\
         {lines}\nEND\n"
    );
    let parse = tgsi::parser::parse(&text, &source::no_checkpoint);
    let program = Program::prepare(&parse.shader.expect("a shader")).expect("it runs");
    let computed = |it: &&Source| it.register.file == File::Constant && it.register.is_computed();
    let mut buffers = program.ops.iter().filter_map(|op| {
        op.instruction.sources.iter().find(computed).map(|source| (op, &source.register))
    });
    let (op, buffer) = buffers.next_back().expect("a computed number");
    program.divergence.names_several(op, buffer)
}

#[test]
fn a_number_is_shared_where_all_it_comes_from_is() {
    for lines in [
        "UARL ADDR[0].x, IMM[0].yyyy",
        "UARL ADDR[0].x, CONST[0][1].xxxx",
        "UADD TEMP[0].x, CONST[0][1].xxxx, IMM[0].yyyy\nUARL ADDR[0].x, TEMP[0].xxxx",
        // Another component, and another address register's.
        "MOV TEMP[0].x, IN[0]\nMOV TEMP[0].y, IMM[0]\nUARL ADDR[0].x, TEMP[0].yyyy",
        "UARL ADDR[0].y, IN[0].xxxx\nUARL ADDR[0].x, IMM[0].yyyy",
        "UIF CONST[0][0].xxxx\nUARL ADDR[0].x, IMM[0].xxxx\nELSE\nUARL ADDR[0].x, IMM[0].yyyy\nENDIF",
    ] {
        assert!(!may_differ(lines), "{lines}");
    }
}

#[test]
fn a_number_may_differ_by_an_input_a_condition_or_a_loop_that_some_leave() {
    for lines in [
        "UARL ADDR[0].x, IN[0].xxxx",
        "MOV TEMP[1], TEMP[0]\nUARL ADDR[0].x, TEMP[1].xxxx\nMOV TEMP[0].x, IN[0]",
        "UIF IN[0].xxxx\nUARL ADDR[0].x, IMM[0].xxxx\nELSE\nUARL ADDR[0].x, IMM[0].yyyy\nENDIF",
        "BGNLOOP\nUIF IN[0].xxxx\nBRK\nENDIF\nUARL ADDR[0].x, IMM[0].yyyy\nENDLOOP",
        "UARL ADDR[0].y, IN[0].xxxx\nMOV TEMP[0].x, CONST[0][ADDR[0].y]\nUARL ADDR[0].x, TEMP[0].xxxx",
        "UARL ADDR[0].y, IMM[0].xxxx\nMOV TEMP[ADDR[0].y].x, IN[0]\nUARL ADDR[0].x, TEMP[3].xxxx",
        "DDX TEMP[0].x, CONST[0][0]\nUARL ADDR[0].x, TEMP[0].xxxx",
    ] {
        assert!(may_differ(lines), "{lines}");
    }
}

/// A read of the buffer that the first component of the address says.
const READ: &str = "MOV OUT[0], CONST[ADDR[0].x][0]";

#[test]
fn invocations_of_a_branch_share_what_all_of_them_have_written_in_it() {
    for lines in [
        format!("UIF IN[0].xxxx\nUARL ADDR[0].x, CONST[0][1].xxxx\n{READ}\nENDIF"),
        format!("UIF IN[0].xxxx\nNOP\nELSE\nUARL ADDR[0].x, IMM[0].yyyy\n{READ}\nENDIF"),
        format!(
            "UIF IN[0].xxxx\nUARL ADDR[0].x, IMM[0].yyyy\nUIF IN[0].yyyy\n{READ}\nENDIF\nENDIF"
        ),
        format!(
            "BGNLOOP\nUIF IN[0].xxxx\nBRK\nENDIF\nUARL ADDR[0].x, IMM[0].yyyy\n{READ}\nENDLOOP"
        ),
    ] {
        assert!(!may_differ_in(&lines), "{lines}");
    }
}

#[test]
fn invocations_of_a_branch_need_not_share_what_others_have_written() {
    let set = |number: char| format!("UARL ADDR[0].x, IMM[0].{number}{number}{number}{number}");
    let (one, two) = (set('y'), set('z'));
    for lines in [
        // Another component, and a value that differs.
        format!("UIF IN[0].xxxx\nUARL ADDR[0].x, IN[0].xxxx\n{READ}\nENDIF"),
        format!("UIF IN[0].xxxx\n{one}\nUARL ADDR[0].x, IN[0].xxxx\n{READ}\nENDIF"),
        // Behind a condition, in its other branch, in the next round, in a loop that some left.
        format!("UIF IN[0].xxxx\nUIF IN[0].yyyy\n{one}\nELSE\n{two}\nENDIF\n{READ}\nENDIF"),
        format!("UIF IN[0].yyyy\n{two}\nENDIF\nUIF IN[0].xxxx\n{one}\nELSE\n{READ}\nENDIF"),
        format!(
            "UIF IN[0].zzzz\n{one}\nBGNLOOP\n{READ}\nUIF IN[0].xxxx\n{two}\nENDIF\nBRK\nENDLOOP\nENDIF"
        ),
        // Written through an index that no one knows.
        format!(
            "UARL ADDR[0].y, IN[0].xxxx\nUIF IN[0].xxxx\nMOV TEMP[0], IMM[0].yyyy\n\
             MOV TEMP[ADDR[0].y].x, IN[0]\nUARL ADDR[0].x, TEMP[0].xxxx\n{READ}\nENDIF"
        ),
        // A subroutine writes it.
        format!(
            "UIF IN[0].xxxx\n{one}\nCAL :8\n{READ}\nENDIF\nRET\nNOP\nNOP\nBGNSUB\n\
             UARL ADDR[0].x, IN[0].xxxx\nRET\nENDSUB"
        ),
    ] {
        assert!(may_differ_in(&lines), "{lines}");
    }
}

#[test]
fn what_takes_too_many_passes_to_follow_may_differ() {
    // Each pass finds one more of the registers, the last of which is written first.
    let chain = |length: u32| {
        let copies = (1..length).map(|it| format!("MOV TEMP[{it}], TEMP[{}]\n", it + 1));
        let last = format!("MOV TEMP[{length}], IN[0]\nUARL ADDR[0].x, CONST[0][1].xxxx");
        copies.collect::<String>() + &last
    };
    assert!(!may_differ(&chain(10)));
    assert!(may_differ(&chain(100)), "no register is known to be shared");
}
