//! Answers to editors about small programs. `$0` is the cursor.

use editor_model::SymbolKind;
use source::{TextSize, apply_edits};

use super::*;
use crate::Target;
use crate::program::{Options, assemble};

/// The text without its cursor, the program and the place.
fn read(text: &str) -> (String, Program, TextSize) {
    let at = text.find("$0").expect("a cursor");
    let text = text.replace("$0", "");
    let options = Options { target: Target::find("gfx803"), ..Options::of(&text, "") };
    let program = assemble(&text, &options, &|_| None, &source::no_checkpoint);
    (text, program, TextSize::new(u32::try_from(at).expect("small")))
}

const KERNEL: &str = "\
.set count, 0x10
.macro twice reg:req, step=1
 v_add_u32 v\\reg, vcc, \\step, v\\reg
.endm
.type main,@function
main:
 s_load_dwordx2 s[4:5], s[0:1], 0x24
 v_mov_b32_e32 v3, s4
 twice 3
loop:
 buffer_load_dword v1, v3, s[4:7], 0 offen offset:16 // text
 s_cbranch_scc1 loop
 v_mov_b32_e32 v2, count
 s_endpgm
";

fn at(word: &str, within: usize) -> (String, Program, TextSize) {
    let place = KERNEL.find(word).expect("the word") + within;
    read(&format!("{}$0{}", &KERNEL[..place], &KERNEL[place..]))
}

fn hovered(word: &str, within: usize) -> String {
    let (_, program, offset) = at(word, within);
    hover::hover(View::root(&program), offset).map_or_else(String::new, |it| it.markdown)
}

#[test]
fn hovers_say_what_stands_there() {
    let load = hovered("buffer_load", 2);
    for part in ["v1", "offset", "vmcnt", "MUBUF", "At byte 0x10"] {
        assert!(load.contains(part), "{part}: {load}");
    }
    let call = hovered("twice 3", 1);
    assert!(call.contains(".macro twice reg:req, step=1"), "{call}");
    assert!(call.contains("v_add_u32 v3, vcc, 1, v3"), "{call}");
    assert!(hovered("s_cbranch_scc1 loop", 17).contains("a label at byte 0x10"));
    assert!(hovered("count\n", 1).contains("`16` = `0x10`"));
    assert!(hovered("\\step", 2).contains("`1` where a call gives none"));
    assert!(hovered("s[4:7]", 1).contains("4 scalar registers, 4 to 7"));
    assert!(hovered(".macro", 1).contains("Begins a macro"));
    assert_eq!(hovered("// text", 4), "");
}

#[test]
fn hovers_hold_their_place_everywhere() {
    for place in 0..=KERNEL.len() {
        let (text, program, offset) = read(&format!("{}$0{}", &KERNEL[..place], &KERNEL[place..]));
        let view = View::root(&program);
        if let Some(hover) = hover::hover(view, offset) {
            assert!(hover.range.contains_inclusive(offset));
        }
        let _ = signature::signature(view, offset);
        let _ = highlight::highlights(view, offset);
        let _ = rename::prepare(view, offset);
        for parts in selection::selections(view, offset).windows(2) {
            assert!(parts[1].contains_range(parts[0]));
        }
        if let Some(found) = completion::complete(view, offset) {
            assert!(found.replace.end() == offset && usize::from(offset) <= text.len());
        }
    }
}

fn labels(text: &str) -> Vec<String> {
    let (_, program, offset) = read(text);
    let found = completion::complete(View::root(&program), offset);
    found.into_iter().flat_map(|found| found.items).map(|item| item.label).collect()
}

#[test]
fn offers_fit_the_place() {
    let has = |list: &[String], word: &str| list.iter().any(|it| it == word);
    let start = labels(".macro mine\n.endm\n v_$0\n");
    assert!(has(&start, "mine") && has(&start, "v_add_f32") && !has(&start, ".set"));
    assert!(!has(&start, "v_add_co_u32"), "gfx9 alone has it");
    let directives = labels(" .am$0\n");
    assert!(has(&directives, ".amdhsa_kernel") && !has(&directives, "v_add_f32"));
    let jump = labels("there: s_nop 0\nx = 1\n s_branch $0\n");
    assert_eq!(jump, ["there"]);
    let load = labels("x = 1\n buffer_load_dword v1, v2, s[0:3], 0 $0\n");
    for word in ["offen", "offset:", "glc", "x"] {
        assert!(has(&load, word), "{word}: {load:?}");
    }
    assert!(!has(&load, "dmask:"));
    assert_eq!(
        labels(
            ".amdgcn_target \"amdgcn--gfx803\"\n.macro m first, second\n v_mov_b32 v0, \\$0\n.endm\n"
        ),
        ["first", "second"]
    );
    assert_eq!(labels("s_nop 0 // v_$0\n"), Vec::<String>::new());
}

#[test]
fn mnemonics_are_in_the_order_of_their_use() {
    let first = |text: &str, count: usize| -> Vec<String> { labels(text).drain(..count).collect() };
    // Nothing is used yet: what most code is made of comes first.
    assert_eq!(first(" v_$0\n", 3), ["v_mov_b32", "s_mov_b32", "s_waitcnt"]);
    let body = " v_xor_b32 v0, v0, v0\n v_xor_b32 v0, v0, v0\n S_NOP 0\n";
    assert_eq!(first(&format!("{body} v_$0\n"), 3), ["v_xor_b32", "s_nop", "v_mov_b32"]);
    // The word that is being typed is no use, and a macro of the file comes before all.
    let text = format!(".macro mine\n.endm\n{body} v_mul_lo_u32$0\n");
    assert_eq!(first(&text, 4), ["mine", "v_xor_b32", "s_nop", "v_mov_b32"]);
    // The chip decides what is usual, and which encodings there are.
    let all = |target: &str| -> Vec<String> {
        let options = Options { target: Target::find(target), ..Options::default() };
        let program = assemble(" \n", &options, &|_| None, &source::no_checkpoint);
        let found = completion::complete(View::root(&program), TextSize::new(1));
        found.into_iter().flat_map(|found| found.items).map(|item| item.label).collect()
    };
    let (old, new) = (all("tahiti"), all("vega10"));
    let place = |word: &str| new.iter().position(|it| it == word).expect(word);
    let has = |word: &str| old.iter().any(|it| it == word);
    let of_tahiti = ["v_pk_add_f16", "global_load_dword", "v_bfrev_b32"].map(has);
    assert_eq!(of_tahiti, [false, false, true]);
    for usual in ["v_add_co_u32", "global_load_dword", "s_load_dwordx4", "exp"] {
        assert!(place(usual) < place("v_bfrev_b32"), "{usual}");
    }
    assert!(place("v_bfrev_b32") < place("ds_wrxchg_rtn_b64"));
    assert!(place("ds_wrxchg_rtn_b64") < place("v_lerp_u8"));
    assert!(place("v_bfrev_b32") < place("v_pk_add_f16"));
}

#[test]
fn suffixes_are_offered_where_they_are_in_use_or_begun() {
    let has = |list: &[String], word: &str| list.iter().any(|it| it == word);
    let plain = labels(" v_add_f32$0\n");
    assert!(!has(&plain, "v_add_f32_e64"));
    let begun = labels(" v_add_f32_$0\n");
    for word in ["v_add_f32", "v_add_f32_e32", "v_add_f32_e64", "v_add_f32_sdwa", "v_add_f32_dpp"] {
        assert_eq!(begun.iter().filter(|it| *it == word).count(), 1, "{word}");
    }
    assert!(!has(&labels(" v_mad_f32_$0\n"), "v_mad_f32_e32"), "it is long on every chip");
    let used = labels(" v_xor_b32_e32 v0, v0, v0\n v_$0\n");
    assert_eq!(used[0], "v_xor_b32_e32");
    assert_eq!(
        labels("far: s_nop 0\nnear: s_nop 0\n s_branch $0\n s_nop 0\nnext:\n"),
        ["next", "near", "far"]
    );
}

#[test]
fn offers_behind_a_mnemonic_are_what_the_operand_takes() {
    let of = |line: &str| labels(&format!("x = 1\n {line}\n")).join(" ");
    let scalars = "vcc_lo vcc_hi exec_lo exec_hi m0";
    assert_eq!(of("ds_write_b32 v1, $0"), "x");
    assert_eq!(of("ds_write_b32 v1, v2 off$0"), "offset: gds x");
    assert_eq!(of("ds_write_b32 v1, v2 $0 gds"), "offset: x");
    assert_eq!(of("s_nop $0"), "x");
    assert_eq!(of("s_waitcnt $0"), "vmcnt(0) lgkmcnt(0) expcnt(0) x");
    assert_eq!(of("s_waitcnt vmcnt(0) $0"), "lgkmcnt(0) expcnt(0) x");
    assert_eq!(of("s_waitcnt vmcnt($0"), "x");
    assert_eq!(of("s_mov_b64 $0"), "vcc exec flat_scratch x");
    assert_eq!(
        of("v_readfirstlane_b32 $0"),
        format!("{scalars} flat_scratch_lo flat_scratch_hi x")
    );
    assert_eq!(
        of("v_mov_b32_e32 v0, $0"),
        format!("{scalars} scc vccz execz flat_scratch_lo flat_scratch_hi x")
    );
    assert!(of("v_mov_b32_dpp v0, v1 $0").starts_with("quad_perm: row_shl: row_shr:"));
    assert_eq!(
        of("v_mov_b32_sdwa v0, v1 dst_unused:UNUSED_$0"),
        "UNUSED_PAD UNUSED_SEXT UNUSED_PRESERVE x"
    );
    assert!(of("exp $0").starts_with("mrtz null mrt0 mrt1 "));
    assert_eq!(of("exp mrt0 $0"), "off x");
    assert_eq!(of("exp mrt0 v0, $0"), "off x");
    assert_eq!(of("buffer_load_dword v0, off, s[0:3], 0 glc $0"), "offset: slc tfe lds x");
    assert!(of("buffer_load_dword v0, v1, s[0:3], 0 $0").contains("idxen"));
    assert_eq!(of("exp mrt0 off, off, off, off $0"), "done compr vm x");
    assert!(of("s_sendmsg $0").starts_with("sendmsg(MSG_INTERRUPT) "));
    assert_eq!(
        of("s_sendmsg sendmsg(MSG_GS, $0)"),
        "GS_OP_NOP GS_OP_CUT GS_OP_EMIT GS_OP_EMIT_CUT x"
    );
    assert!(of("s_getreg_b32 s0, hwreg(HW_$0)").starts_with("HW_REG_MODE HW_REG_STATUS "));
}

#[test]
fn nothing_is_offered_or_said_where_no_assembly_stands() {
    for text in [
        "/* a\n v_$0\n*/\n",
        "s_nop 0 /* v_$0*/\n",
        "/* v_$0",
        ".error \"do v_$0\"\n",
        ".error \"do v_$0\n",
        ".amdgpu_metadata\n  .si$0\n.end_amdgpu_metadata\n",
        ".amdgpu_metadata\n  - { .size: $0\n.end_amdgpu_metadata\n",
    ] {
        assert_eq!(labels(text), Vec::<String>::new(), "{text}");
        let (_, program, offset) = read(text);
        assert_eq!(hover::hover(View::root(&program), offset), None, "{text}");
    }
    for text in ["/* a */ v_$0\n", ".ascii \"a\"\n v_$0", ".amdgpu_metadata\n$0\n"] {
        let is_metadata = text.contains("metadata");
        assert_eq!(labels(text).is_empty(), is_metadata, "{text}");
    }
    let ends = labels(".amdgpu_metadata\n.end_amdgpu_metadata\n v_$0");
    assert!(ends.contains(&"v_add_f32".to_owned()));
}

#[test]
fn words_behind_a_mnemonic_have_pages() {
    let of = |line: &str| {
        let (_, program, offset) = read(line);
        hover::hover(View::root(&program), offset).map_or_else(String::new, |it| it.markdown)
    };
    for (line, part) in [
        ("ds_write_b32 v1, v2 off$0set:4\n", "added to the address"),
        ("v_mov_b32_dpp v0, v1 row_s$0hl:1 row_mask:0xf\n", "above it"),
        ("s_waitcnt vm$0cnt(0)\n", "vector memory"),
        ("exp mr$0t3 v0, v0, v0, v0 done vm\n", "colour"),
        ("exp mrt3 v0, v0, v0, v0 done v$0m\n", "EXEC"),
        ("s_getreg_b32 s0, hwreg(HW_REG_M$0ODE)\n", "register of the hardware 1"),
        ("s_sendmsg sendmsg(MSG_GS, GS_OP_E$0MIT)\n", "operation of the message `MSG_GS` 2"),
        ("v_mov_b32 v0, ab$0s(v1)\n", "magnitude"),
        ("v_mov_b32 v0, 3.1$04\n", "`3.14` = `0x4048f5c3`"),
    ] {
        assert!(of(line).contains(part), "{line}: {}", of(line));
    }
    // A symbol of that name is meant.
    assert!(of("vm = 3\n s_mov_b32 s0, v$0m\n").contains("a symbol"));
}

#[test]
fn signatures_know_the_operand() {
    let of = |text: &str| {
        let (_, program, offset) = read(text);
        signature::signature(View::root(&program), offset).map(|it| (it.label, it.active))
    };
    assert_eq!(
        of("v_mad_f32 v0, $0"),
        Some(("v_mad_f32 vgpr, source, source, source".to_owned(), Some(1)))
    );
    assert_eq!(of(".macro m a, b\n.endm\n m 1, $0"), Some(("m a, b".to_owned(), Some(1))));
    assert_eq!(of("s_load_dwordx2 s[4:5$0]").map(|it| it.1), Some(Some(0)));
    for (line, active) in [("exp $0", 0), ("exp mrt0 $0", 1), ("exp mrt0 v0, v1$0", 2)] {
        assert_eq!(of(line).map(|it| it.1), Some(Some(active)), "{line}");
    }
    assert_eq!(of("$0v_mad_f32 v0"), None);
}

#[test]
fn outlines_and_folds_follow_the_structure() {
    let (text, program, _) = at("main:", 0);
    let view = View::root(&program);
    let items = outline::outline(view);
    let shown: Vec<(SymbolKind, &str)> =
        items.iter().map(|it| (it.kind, it.name.as_str())).collect();
    use SymbolKind::{Constant, Macro, Shader};
    assert_eq!(shown, [(Constant, "count"), (Macro, "twice"), (Shader, "main")]);
    assert_eq!(items[2].children[0].name, "loop");
    let folds: Vec<&str> = folding::folds(view).iter().map(|it| &text[it.range]).collect();
    assert!(folds[0].starts_with(".macro") && folds[0].ends_with(".endm"), "{folds:?}");
    assert!(folds[1].starts_with("main:") && folds[1].ends_with("s_endpgm"), "{folds:?}");
    assert!(folds[2].starts_with("loop:") && folds[2].ends_with("s_endpgm"), "{folds:?}");
}

#[test]
fn marks_tell_reads_from_writes() {
    let marks = |word: &str, within| {
        let (text, program, offset) = at(word, within);
        let marks = highlight::highlights(View::root(&program), offset);
        marks.iter().map(|it| format!("{:?} {}", it.kind, &text[it.range])).collect::<Vec<_>>()
    };
    assert_eq!(marks("s[4:5]", 0), ["Write s[4:5]", "Read s4", "Read s[4:7]"]);
    assert_eq!(marks("loop:", 0), ["Write loop", "Read loop"]);
}

#[test]
fn renaming_keeps_the_meaning() {
    let renamed = |word: &str, within, new: &str| {
        let (text, program, offset) = at(word, within);
        rename::rename(View::root(&program), offset, new)
            .map(|edits| edits.into_iter().map(|(_, edit)| edit).collect::<Vec<_>>())
            .map(|edits| apply_edits(&text, &edits).expect("edits"))
    };
    assert_eq!(renamed("loop:", 1, "again"), Ok(KERNEL.replace("loop", "again")));
    assert_eq!(renamed("count", 1, "size"), Ok(KERNEL.replace("count", "size")));
    assert_eq!(renamed("twice 3", 1, "double"), Ok(KERNEL.replace("twice", "double")));
    assert_eq!(renamed("\\step", 2, "by"), Ok(KERNEL.replace("step", "by")));
    for (new, why) in
        [("main", "already"), ("v3", "already"), ("a b", "not a name"), ("", "not a name")]
    {
        let refused = renamed("loop:", 1, new).expect_err(new);
        let RenameError::UnsuitableName(refused) = refused else { panic!("{refused}") };
        assert!(refused.contains(why), "{refused}");
    }
    assert!(matches!(renamed("twice 3", 1, "s_nop"), Err(RenameError::UnsuitableName(_))));
    assert!(matches!(renamed("s_endpgm", 1, "x"), Err(RenameError::NotRenameable(_))));
}

#[test]
fn words_have_kinds() {
    use editor_model::SemanticKind::*;
    let (text, program, _) = at("main:", 0);
    let all = tokens::tokens(View::root(&program), source::TextRange::up_to(TextSize::of(&*text)));
    for pair in all.windows(2) {
        assert!(pair[0].range.end() <= pair[1].range.start(), "in order and apart");
    }
    let kind = |word: &str| all.iter().find(|it| &text[it.range] == word).map(|it| it.kind);
    for (word, expected) in [
        (".set", Keyword),
        ("count", Symbol),
        ("twice", Macro),
        ("reg", Parameter),
        ("main", Symbol),
        ("buffer_load_dword", Opcode),
        ("s[4:7]", Register),
        ("vcc", Register),
        ("offen", Modifier),
        ("offset", Modifier),
        ("16", Number),
        ("loop", Symbol),
    ] {
        assert_eq!(kind(word), Some(expected), "{word}");
    }
}

/// The text laid out, as far as a range is touched.
fn laid_out(text: &str, range: std::ops::Range<u32>) -> String {
    let (text, program, _) = read(&format!("{text}$0"));
    let range = source::TextRange::new(TextSize::new(range.start), TextSize::new(range.end));
    apply_edits(&text, &formatting::edits(View::root(&program), range)).expect("disjoint")
}

#[test]
fn lines_are_indented_by_blocks_and_what_is_aligned_stays() {
    let messy = "\
.macro twice a
    v_mov_b32 v0,v1
.if \\a
v_mov_b32   v2 , v3  // note
    .endif
.endm
  start:
      twice 1,2
// at the margin
        v_add_f32 v0,  v1, v2
s_endpgm\t
.amdgpu_metadata
 - .name:  x \n\
.end_amdgpu_metadata
";
    let neat = "\
.macro twice a
    v_mov_b32 v0, v1
    .if \\a
        v_mov_b32   v2, v3 // note
    .endif
.endm
start:
    twice 1,2
// at the margin
    v_add_f32 v0,  v1, v2
    s_endpgm
.amdgpu_metadata
 - .name:  x \n\
.end_amdgpu_metadata
";
    assert_eq!(laid_out(messy, 0..u32::try_from(messy.len()).expect("short")), neat);
    // One line alone.
    let line = u32::try_from(messy.find("v_mov_b32 v0").expect("a line")).expect("short");
    assert_eq!(laid_out(messy, line..line), messy.replacen("v0,v1", "v0, v1", 1));
}

#[test]
fn a_new_line_begins_where_its_block_does() {
    let indentation = |text: &str| {
        let (_, program, offset) = read(&format!("{text}$0"));
        formatting::indentation(View::root(&program), offset)
    };
    assert_eq!(indentation(""), "");
    assert_eq!(indentation(".text\n"), "");
    assert_eq!(indentation("main:\n"), "    ");
    assert_eq!(indentation("main:\n\ts_nop 0\n"), "\t");
    assert_eq!(indentation(".macro twice a\n  s_nop 0\n  .if \\a\n"), "    ");
}

#[test]
fn blanks_that_keep_a_sign_from_joining_lines_stay() {
    let text = "# clrx\n.rawcode\n.macro m a\n    v_mov_b32 v0, a\\ \n    s_nop 0\n.endm\n# note \\ \n    s_nop 1\n";
    let (_, program, _) = read(&format!("{text}$0"));
    assert_eq!(program.dialect, crate::dialect::Dialect::Clrx);
    assert_eq!(laid_out(text, 0..text.len() as u32), text);
}
