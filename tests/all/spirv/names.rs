//! Names of ids in the text of modules.

use std::fmt::Write as _;

/// The text of a module of these instructions, each with its opcode first.
fn text(instructions: &[&[u32]]) -> String {
    let mut words = vec![0x0723_0203, 0x1_0300, 0, 1_000, 0];
    for instruction in instructions {
        words.push((instruction.len() as u32) << 16 | instruction[0]);
        words.extend(&instruction[1..]);
    }
    spirv::disassemble(&words).expect("a module")
}

const NAME: u32 = 5;
const FLOAT: u32 = 22;
const ARRAY: u32 = 28;
/// The words of the strings `x` and `x_1`.
const X: u32 = u32::from_le_bytes(*b"x\0\0\0");
const X_1: u32 = u32::from_le_bytes(*b"x_1\0");

#[test]
fn ids_of_one_name_are_numbered_and_leave_out_what_is_taken() {
    let text = text(&[
        &[NAME, 1, X],
        &[NAME, 2, X_1],
        &[NAME, 3, X],
        &[NAME, 4, X],
        &[NAME, 5, X],
        &[NAME, 5, X_1],
    ]);
    let named: Vec<_> =
        text.lines().filter_map(|line| line.trim().strip_prefix("OpName ")).collect();
    assert_eq!(
        named,
        [
            r#"%x "x""#,
            r#"%x_1 "x_1""#,
            r#"%x_0 "x""#,
            r#"%x_2 "x""#,
            r#"%x_3 "x""#,
            r#"%x_3 "x_1""#
        ],
        "{text}"
    );
}

#[test]
fn types_of_types_have_names_of_bounded_length() {
    let mut instructions = vec![vec![FLOAT, 1, 32]];
    instructions.extend((2..200).map(|id| vec![ARRAY, id, id - 1, id - 1]));
    let instructions: Vec<&[u32]> = instructions.iter().map(Vec::as_slice).collect();
    let text = text(&instructions);
    let mut expected = String::new();
    let mut name = "float".to_owned();
    for id in 2..200_u32 {
        let before = name;
        name = format!("_arr_{before}_{before}");
        if name.len() > 256 {
            name = id.to_string();
        }
        let result = format!("%{name}");
        writeln!(expected, "{result:>12} = OpTypeArray %{before} %{before}").unwrap();
    }
    let found: Vec<_> =
        text.lines().filter(|line| line.contains("OpTypeArray")).map(str::trim).collect();
    let expected: Vec<_> = expected.lines().map(str::trim).collect();
    assert_eq!(found, expected);
}
