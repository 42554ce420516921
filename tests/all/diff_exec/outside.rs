//! Code that another compiler made, with its descriptor set and the registers it begins with.

use diff_exec::{
    Delivery, Entry, Lanes, Observed, OutsideCode, Reference, ScalarStart, SetAfter, VectorStart,
    Verdict, WordHalf, made_up,
};
use gcn::Target;
use gcn::compiled::Instruction;
use tests::code_lines::from_lines;

/// Chips, one of each generation.
const CHIPS: [&str; 4] = ["tahiti", "bonaire", "polaris10", "vega10"];
/// The place of the only descriptor of the set.
const PLACE: u32 = 32;
/// The beginning of every program: the descriptor from s[2:3].
const HEAD: &str = "s_mov_b32 s3, 0x1234\ns_load_dwordx4 s[4:7], s[2:3], ";
/// Its end: v0 at the bytes of v1.
const TAIL: &str = "buffer_store_dword v0, v1, s[4:7], 0 offen\ns_endpgm";

pub(super) fn instructions(target: Target, text: &str) -> Vec<Instruction> {
    let code = from_lines(target, text).expect(text);
    let lines = text.lines().map(str::to_owned);
    let all = code.instructions.iter().zip(lines);
    all.map(|(own, text)| {
        let words = own.words().to_vec();
        Instruction { offset: own.offset, words, text, ordinal: 0 }
    })
    .collect()
}

/// Runs code between head and tail on a chip; six words are in the buffer.
fn run(
    chip: &str,
    body: &str,
    scalars: &[ScalarStart],
    vectors: &[VectorStart],
    lanes: Lanes,
) -> Result<SetAfter, Verdict> {
    let target = Target::find(chip).expect(chip);
    // Words up to gfx7, bytes since then.
    let place = if target.generation() <= gcn::Generation::Gfx7 { PLACE / 4 } else { PLACE };
    let instructions = instructions(target, &format!("{HEAD}{place}\n{body}\n{TAIL}"));
    let text = "VERT\nDCL OUT[0], POSITION\nEND\n";
    let shader = tgsi::parser::parse(text, &source::no_checkpoint).shader.expect("a shader");
    let inputs = made_up(&shader, 1).expect("inputs");
    let reference = Reference::of(&shader, &inputs).expect("a reference");
    let code = OutsideCode {
        target,
        instructions: &instructions,
        constants: &[77, 78],
        scalars: [&[ScalarStart::Zero, ScalarStart::Zero, ScalarStart::Set], scalars].concat(),
        vectors: vectors.to_vec(),
        high: 0xffff_1234,
        scratch: 0,
        lanes,
        delivery: Delivery::Set,
    };
    code.execute(&reference, &[(PLACE, Entry::Words(vec![9; 6]))])
}

#[test]
fn code_finds_its_set_and_its_lanes() {
    for chip in CHIPS {
        let body = "v_lshlrev_b32 v1, 2, v0\ns_waitcnt lgkmcnt(0)";
        let after = run(chip, body, &[], &[VectorStart::Lane], Lanes::Quad).expect(chip);
        assert_eq!(after.words, [[0, 1, 2, 3, 9, 9]], "{chip}");
    }
}

#[test]
fn groups_follow_each_other_in_the_same_memory() {
    let scalars = [
        ScalarStart::Zero,
        ScalarStart::Zero,
        ScalarStart::Zero,
        ScalarStart::Zero,
        ScalarStart::Zero,
        ScalarStart::GridSize(WordHalf::Low),
        ScalarStart::GridSize(WordHalf::High),
        ScalarStart::Group(0),
        ScalarStart::Group(1),
    ];
    let lanes = Lanes::Grid { block: [2, 1, 1], groups: [1, 2, 1] };
    for chip in CHIPS {
        // Thread and group as the place; the value is the number of groups on the second axis.
        let second = if ["tahiti", "bonaire"].contains(&chip) { 1 } else { 4 };
        let body = format!(
            "s_load_dword s12, s[8:9], {second}\ns_lshl_b32 s11, s11, 1\nv_or_b32 v0, s11, v0\n\
             v_lshlrev_b32 v1, 2, v0\ns_waitcnt lgkmcnt(0)\nv_mov_b32 v0, s12"
        );
        let after = run(chip, &body, &scalars, &[VectorStart::Thread(0)], lanes).expect(chip);
        assert_eq!(after.words, [[2, 2, 2, 2, 9, 9]], "{chip}");
    }
}

#[test]
fn constants_follow_the_code() {
    for chip in CHIPS {
        // The last two words of a program whose end is 28 or 32 bytes after the counter.
        let body = "v_lshlrev_b32 v1, 2, v0\ns_getpc_b64 s[8:9]";
        let end = instructions(
            Target::find(chip).expect(chip),
            &format!(
                "s_load_dword s10, s[8:9], 0\ns_waitcnt lgkmcnt(0)\nv_mov_b32 v0, s10\n{TAIL}"
            ),
        );
        let bytes = end.iter().map(|own| own.words.len() as u32 * 4).sum::<u32>() + 4;
        let unit = if ["tahiti", "bonaire"].contains(&chip) { 4 } else { 1 };
        let body = format!(
            "{body}\ns_load_dword s10, s[8:9], {}\ns_waitcnt lgkmcnt(0)\nv_mov_b32 v0, s10",
            bytes / unit
        );
        let after = run(chip, &body, &[], &[VectorStart::Lane], Lanes::Quad).expect(chip);
        assert_eq!(after.words, [[78, 78, 78, 78, 9, 9]], "{chip}");
    }
}

#[test]
fn code_that_does_not_wait_differs() {
    let verdict =
        run("polaris10", "v_lshlrev_b32 v1, 2, v0", &[], &[VectorStart::Lane], Lanes::Quad);
    let Err(Verdict::Differ(difference)) = verdict else { panic!("{verdict:?}") };
    assert!(
        matches!(&difference.place, Observed::Run(why) if why.contains("may not have arrived"))
    );
    assert!(difference.instruction.contains("buffer_store_dword"), "{difference}");
}
