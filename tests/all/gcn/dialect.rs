//! Our reading of CLRX's dialect.

use gcn::Target;
use gcn::assembler::Dialect;
use gcn::instruction::{InstructionSet, NoSymbols, assemble_line};
use gcn::program::{Options, Program, assemble};
use proptest::prelude::*;
use tests::matrix::CLRX_CLASSES;

fn program(text: &str) -> Program {
    let options = Options { dialect: Dialect::Clrx, ..Options::default() };
    assemble(text, &options, &|_| None, &|| ())
}

#[test]
fn names_of_registers_stand_for_registers() {
    let named = program(
        "pool = %v[4:7]\nfirst = %pool[0]\nbase = %s[2:3]\nn = 1\n\
         .scope inner\nlast = %v9\n.ends\n\
         v_mov_b32 first, -pool[n+1]\n v_add_f64 pool[0:1], pool[2:3], abs(pool[0:1])\n\
         s_load_dwordx2 base, base, 16\n v_mov_b32 inner::last, POOL\n v_mov_b32 v1, inner::last\n",
    );
    let plain = program(
        "v_mov_b32 v4, -v6\n v_add_f64 v[4:5], v[6:7], abs(v[4:5])\n\
         s_load_dwordx2 s[2:3], s[2:3], 16\n v_mov_b32 v9, POOL\n v_mov_b32 v1, v9\n",
    );
    let words = |program: &Program| -> Vec<Option<Vec<u32>>> {
        let words =
            program.instructions.iter().map(|it| it.assembled.map(|it| it.words().to_vec()));
        words.collect()
    };
    let messages: Vec<_> = plain.diagnostics.iter().map(|it| it.message.as_str()).collect();
    assert!(words(&plain).iter().all(Option::is_some), "{messages:?}");
    assert_eq!(words(&named), words(&plain));
    let wrong = program("pool = %v[4:7]\n v_mov_b32 v0, pool[4]\n v_mov_b32 v0, pool\n");
    let messages: Vec<_> = wrong.diagnostics.iter().map(|it| it.message.as_str()).collect();
    assert_eq!(messages.len(), 2, "{messages:?}");
    assert!(messages[0].contains("`pool` has 4 registers"), "{messages:?}");
}

#[test]
fn what_an_allocator_places_is_no_error() {
    let program = program(
        ".regvar a:v:4, b:s:2, c:v, d:s:8\n v_mov_b32 a[1], b[0]\n v_mac_f32 c, b[1], a[0]\n\
         s_load_dwordx8 d, b, 0\n image_load a, a[0:1], d dmask:15\n\
         buffer_load_dwordx3 a[0:2], c, d[4:7], 0 offen\n s_branch 0\n",
    );
    let diagnostics: Vec<_> = program.diagnostics.iter().map(|it| it.message.as_str()).collect();
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let known = program.instructions.iter().filter(|it| it.assembled.is_some()).count();
    // Which registers they are is not known; how long the code is, is.
    assert_eq!((program.instructions.len(), known), (6, 1));
    let offsets: Vec<u32> = program.instructions.iter().map(|it| it.offset).collect();
    assert_eq!(offsets, [0, 4, 8, 16, 24, 32]);
    let jump = program.instructions[5].assembled.map(|it| it.words()[0]);
    // Back to address 0: nine words behind the jump's end.
    assert_eq!(jump, Some(0xbf82_0000 | (0x1_0000 - 9)));
}

fn any_class() -> impl Strategy<Value = InstructionSet> {
    prop::sample::select(CLRX_CLASSES.to_vec())
        .prop_map(|class| InstructionSet::in_dialect(Target::find(class).unwrap(), Dialect::Clrx))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_operands_are_too_strange_to_refuse(
        mnemonic in prop::sample::select(vec![
            "v_add_f32", "v_mov_b32_sdwa", "v_pk_add_f16", "s_waitcnt", "s_sendmsg", "s_getreg_b32",
            "exp", "ds_swizzle_b32", "image_load", "buffer_load_dword", "tbuffer_load_format_x",
            "v_interp_p1_f32", "s_branch", "flat_load_dword", "é",
        ]),
        operands in "[-vsa0-9\\[\\]():,| x.|@hneglitabsoffsetdmask\"{}&+*/é]{0,40}",
        set in any_class(),
    ) {
        let line = format!("{mnemonic} {operands}");
        if let Err(error) = assemble_line(&line, set, &NoSymbols) {
            prop_assert!(error.range.start <= line.len() && error.range.end <= line.len(), "{error:?}");
            prop_assert!(line.get(error.range.clone()).is_some(), "{error:?}");
        }
    }
}
