//! The CLRX dialect; the texts follow the examples of its manual.

use super::{check_clrx, expect};

#[test]
fn lines_separators_and_joins() {
    check_clrx(
        "a: b: s_nop 1; s_nop 2 # c; d\n.int 7//2, \\\n 3\n s_nop /* x; */ 3\n",
        &expect![[r#"
            expanded
            a:
            b:
            	s_nop 1
            	s_nop 2
            	.int 7//2,    3
            	s_nop          3
        "#]],
    );
}

#[test]
fn operators() {
    check_clrx(
        "a = 2+4|1\nb = -7//2>>60\nc = -7 >>> 1\nd = -1 <@ 1\ne = 1 ? 2 : 3\nf = 0 ? 2 : 0 ? 3 : 4\n\
         g = 1<<64\nh = 7%%4\ni = 2 ! 1\n.int a,b,c,d,e,f,g,h,i\n",
        &expect![[r#"
            expanded
            .set a, 7
            .set b, 7
            .set c, -4
            .set d, 0
            .set e, 2
            .set f, 4
            .set g, 0
            .set h, 3
            .set i, -2
            	.int a,b,c,d,e,f,g,h,i
        "#]],
    );
}

#[test]
fn loops_and_symbols_of_registers() {
    check_clrx(
        ".for x=1,x<16,x+x\n.int x\n.endr\ni = 0\n.while i < 2\n s_nop i\ni = i+1\n.endr\n\
         .irp reg v0 v1\n v_mov_b32 v9, \\reg\n.endr\npool = %v[4:7]\n v_mov_b32 pool[1], pool[2]\n",
        &expect![[r#"
            expanded
            .set x, 1
            	.int x
            .set x, 2
            	.int x
            .set x, 4
            	.int x
            .set x, 8
            	.int x
            .set i, 0
            	s_nop i
            .set i, 1
            	s_nop i
            	v_mov_b32 v9, v0
            	v_mov_b32 v9, v1
            	v_mov_b32 pool[1], pool[2]
        "#]],
    );
}

#[test]
fn scopes() {
    check_clrx(
        "sym1 = 9\n.scope ala\nsym1 = 4; sym2 = 11\n.byte sym1\n.scope child\nsym1 = 5\n.byte sym1\n.byte sym2\n.ends\n\
         .scope\nsym1 = 8\n.byte sym1\n.ends\n.byte ::sym1\n.ends\n.byte sym1\n\
         .if ala::child::sym1 != 5\n.error \"path\"\n.endif\n.using ala\n.byte sym2\n.ends\n",
        &expect![[r#"
            expanded
            .set sym1, 4
            	.byte sym1
            .set sym1, 5
            	.byte sym1
            .set sym2, 11
            	.byte sym2
            .set sym1, 8
            	.byte sym1
            .set ::sym1, 9
            	.byte ::sym1
            .set sym1, 9
            	.byte sym1
            	.byte sym2
            error at `.ends`: `.ends` has no `.scope` before it
        "#]],
    );
}

#[test]
fn macros_of_any_case_and_live_expressions() {
    check_clrx(
        ".macro putTwo a=100, b\n.byte \\a+\\b, \\b-\\a\n.endm\n PUTTWO 4, 7\n putTwo ,7\n\
         a = 3\nb = 5\n.eqv sum, a+b\n.int sum\nb = 7\n.int sum\n\
         .macro gen x\n.int \\x\n.endm\n gen \\%1+2\n",
        &expect![[r#"
            expanded
            	.byte 4+7, 7-4
            	.byte 100+7, 7-100
            .set sum, 8
            	.int sum
            .set sum, 10
            	.int sum
            	.int 3
        "#]],
    );
}

#[test]
fn kernels_and_their_configuration() {
    let text = ".amdcl2\n.gpu Fiji\n.kernel one\n.config\n.dims xy\n.vgprsnum 4*2\n.useargs\n.text\n s_endpgm\n\
                .ifarch gcn1.2\n s_nop 1\n.endif\n.get_arch arch\n.if arch == 2\n s_nop 2\n.endif\n";
    let expansion = super::read(text, super::Dialect::Clrx, &super::Options::default());
    assert_eq!(expansion.problems, []);
    assert_eq!(expansion.statements.len(), 7);
    let fields: Vec<String> = expansion.kernels[0]
        .fields
        .iter()
        .map(|it| format!("{} {} {:?}", it.name, it.text, it.value))
        .collect();
    expect![[r#"
        .dims xy None
        .vgprsnum 4*2 Some(8)
        .useargs  None"#]]
    .assert_eq(&fields.join("\n"));
}

/// Text behind such a directive is not code, whatever it looks like.
#[test]
fn notes_and_data_stand_in_sections_of_their_own() {
    let text = ".amd\n.gpu Pitcairn\n.globaldata\n.int 1\n.kernel one\n.header\n.fill 16, 1, 0\n.metadata\n\
                .ascii \";a\"\n.uav\n.entry 12, 4, 0, 5\n.condout 0\n.intconsts\n.segment 0, 4\n.constantbuffers\n\
                .cbmask 0, 4\n.persistentbuffers\n.calnote 7\n.int 2\n.earlyexit 0\n.proginfo\n.entry 1, 2\n\
                .text\n s_endpgm\n";
    let expansion = super::read(text, super::Dialect::Clrx, &super::Options::default());
    assert_eq!(expansion.problems, []);
    let names: Vec<&str> = expansion.sections.iter().map(|it| &*it.name).collect();
    assert_eq!(
        names.join(" "),
        ".text .globaldata .text .header .metadata .uav .intconsts .constantbuffers .persistentbuffers \
         .calnote .proginfo"
    );
}

#[test]
fn enumerations_count_on_in_each_scope() {
    check_clrx(
        ".enum a, b\n.scope inner\n.enum c\n.ends\n.enum d, >7+1, e\n.int a,b,d,e,inner::c\n.enum 5x\n.enum +\n",
        &expect![[r#"
            expanded
            .set a, 0
            .set b, 1
            .set d, 2
            .set e, 8
            .set inner::c, 0
            	.int a,b,d,e,inner::c
            error at `5x`: the name of a symbol, or `>` and a number, was expected
            error at `+`: the name of a symbol, or `>` and a number, was expected
        "#]],
    );
}

#[test]
fn local_names_of_macros() {
    check_clrx(
        ".altmacro\n.macro wait count\n local again, x\nagain: s_nop count\n s_branch again\n.endm\n wait 1\n wait 2\n",
        &expect![[r#"
            expanded
            .L0_again:
            	s_nop 1
            	s_branch .L0_again
            .L1_again:
            	s_nop 2
            	s_branch .L1_again
        "#]],
    );
}

/// Blanks of other scripts are not blanks of the language: places are counted without them.
#[test]
fn lists_are_cut_at_blanks_of_ascii() {
    check_clrx(
        ".enum \u{2028}>8, first\n.enum >8, \u{2028}second\n.regvar \u{2028}name\u{2028}:v:4\n",
        &expect![[r#"
            expanded
            error at ` >8`: the name of a symbol, or `>` and a number, was expected
        "#]],
    );
}
