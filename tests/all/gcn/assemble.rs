//! Our assembler and decoder: messages, and lines and words at random.

use gcn::Target;
use gcn::codes;
use gcn::instruction::{InstructionSet, NoSymbols, assemble_line, decode};
use proptest::prelude::*;
use tests::matrix::judged_classes;

#[test]
fn messages_name_the_rule() {
    for (target, line, code, range, words) in [
        ("gfx600", "ds_read_b96 v[0:2], v1", codes::UNAVAILABLE, 0..11, "needs gfx700 or later"),
        ("gfx900", "v_add_f32_e64 v0, s1, s2", codes::CONSTANT_BUS, 22..24, "one scalar register"),
        (
            "gfx803",
            "v_add_f32_e64 v0, 0x1234, v2",
            codes::LITERAL,
            18..24,
            "no place for a literal",
        ),
        ("gfx803", "s_mov_b64 s[1:2], 0", codes::REGISTER, 10..16, "multiple of 2"),
        ("gfx803", "image_load v5, v1, s[8:15] dmask:0x3", codes::DATA_SIZE, 11..13, "2 registers"),
        ("gfx803", "v_nonsense v0", codes::UNKNOWN_MNEMONIC, 0..10, "v_nonsense"),
        ("gfx803", "s_mov_b32 s0", codes::MISSING_OPERAND, 0..9, "also needs"),
        (
            "gfx803",
            "buffer_load_dword v1, off, s[4:7], s1 offset:4096",
            codes::RANGE,
            38..49,
            "4095",
        ),
    ] {
        let set = InstructionSet::of(Target::find(target).unwrap());
        let error = assemble_line(line, set, &NoSymbols).unwrap_err();
        assert_eq!((error.code, error.range), (code, range), "{line}: {}", error.message);
        assert!(error.message.contains(words), "{line}: {}", error.message);
    }
}

fn any_class() -> impl Strategy<Value = InstructionSet> {
    prop::sample::select(judged_classes().collect::<Vec<_>>())
        .prop_map(|class| InstructionSet::of(Target::find(class).unwrap()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_words_are_too_strange_to_decode(
        first in any::<u32>(),
        second in any::<u32>(),
        set in any_class(),
    ) {
        if let Ok(decoded) = decode(&[first, second], set) {
            // What is decoded reads back, or says which bits it ignored.
            if let Ok(again) = assemble_line(&decoded.text, set, &NoSymbols) {
                prop_assert!(again.words().len() <= 2);
            }
        }
    }

    #[test]
    fn no_line_is_too_strange_to_refuse(line in "\\PC{0,60}", set in any_class()) {
        let _ = assemble_line(&line, set, &NoSymbols);
    }

    #[test]
    fn no_operands_are_too_strange_to_refuse(
        mnemonic in prop::sample::select(vec![
            "v_add_f32", "v_mov_b32_sdwa", "v_pk_add_f16", "s_waitcnt", "s_sendmsg", "s_getreg_b32",
            "s_set_gpr_idx_on", "exp", "ds_swizzle_b32", "image_load", "buffer_load_dword",
            "tbuffer_load_format_x", "v_interp_p1_f32", "s_branch", "global_load_dword",
        ]),
        operands in "[-vsa0-9\\[\\]():,| x.|negabsoffsetdmask\"{}&+*/]{0,40}",
        set in any_class(),
    ) {
        let line = format!("{mnemonic} {operands}");
        if let Err(error) = assemble_line(&line, set, &NoSymbols) {
            prop_assert!(error.range.start <= line.len() && error.range.end <= line.len(), "{error:?}");
        }
    }
}
