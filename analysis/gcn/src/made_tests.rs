//! Answers about made-up code, pinned by checksums: every form of every opcode with
//! random fields, printed and read again; lines of the own programs with a word left out or
//! another in its place; what random code costs.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::Target;
use crate::analysis::{self, Code};
use crate::assembler::Dialect;
use crate::describe;
use crate::encoding::base;
use crate::instruction::{InstructionSet, Layout, NoSymbols, assemble_line, decode, fields};
use crate::mnemonics::{self, OpEncoding};
use crate::program::{Options, assemble};
use crate::recorded_tests::{chance::Chance, code, converted, diagnostics, programs, table};
use crate::service::{View, formatting};
use source::{TextRange, TextSize};

/// One chip of each set of instructions that differs much.
const CHIPS: [&str; 5] = ["tahiti", "bonaire", "fiji", "vega10", "gfx908"];

/// The words of a form whose fields hold small numbers, or anything.
fn words(numbers: &mut Chance, form: OpEncoding, target: Target) -> Option<[u32; 2]> {
    let generation = target.generation();
    let mut bits = u64::from(base(form.encoding, form.opcode, generation)?);
    let set = |numbers: &mut Chance, layout: Layout, bits: &mut u64| {
        let all = [true, false, false, false];
        for field in fields(layout, generation.features()) {
            let value = match (field.name, field.width) {
                ("src0" | "src1" | "src2", 9) => match numbers.next() % 8 {
                    0..=4 => 256 + numbers.next() % 12,
                    5 => numbers.one(&[249, 250, 255, 253]),
                    _ => numbers.next() % 256,
                },
                ("op_sel" | "neg" | "abs" | "omod" | "tfe" | "lds" | "nv" | "acc", _)
                    if !numbers.one(&all) =>
                {
                    0
                }
                (name, 8) if name.starts_with('v') || name.contains("data") => numbers.next() % 12,
                ("srsrc" | "ssamp", _) => numbers.next() % 4,
                ("sdst" | "sdata" | "s0" | "s1", 7..) if !numbers.one(&all) => {
                    numbers.next() % 10 * 2
                }
                _ if numbers.one(&all) => 0,
                _ => numbers.next(),
            };
            *bits |= (value & ((1 << field.width) - 1)) << field.low;
        }
    };
    set(numbers, Layout::Of(form.encoding), &mut bits);
    match (bits as u32 & 0x1ff, form.encoding.name()) {
        (249, "VOP1" | "VOP2" | "VOPC") => set(numbers, Layout::Sdwa, &mut bits),
        (250, "VOP1" | "VOP2" | "VOPC") => set(numbers, Layout::Dpp, &mut bits),
        _ if bits >> 32 == 0 => {
            bits |= numbers.one(&[7, 0x3f80_0000, 0x1234_5678, u64::from(u32::MAX)]) << 32;
        }
        _ => {}
    }
    Some([bits as u32, (bits >> 32) as u32])
}

/// Every form of every opcode of a chip.
fn forms(chip: &str) -> (Target, Vec<(&'static str, OpEncoding)>) {
    let target = Target::find(chip).expect("a chip");
    let all = mnemonics::all().iter();
    let of = |info: &'static mnemonics::OpInfo| {
        info.forms(target).iter().map(move |form| (info.name, *form))
    };
    (target, all.flat_map(of).collect())
}

#[test]
fn forms_with_random_fields_are_printed_and_read_again() {
    let mut records = table("made_forms.tsv");
    for chip in CHIPS {
        let (target, forms) = forms(chip);
        let mut groups = BTreeMap::<String, String>::new();
        let mut numbers = Chance(1);
        for (name, form) in forms {
            let group = name.chars().take(5).collect();
            let out = groups.entry(group).or_default();
            for attempt in 0..6 {
                let Some(words) = words(&mut numbers, form, target) else { continue };
                for dialect in [Dialect::Llvm, Dialect::Clrx] {
                    let set = InstructionSet::in_dialect(target, dialect);
                    let decoded = decode(&words, set);
                    let _ = writeln!(out, "{words:x?} {:?}", decoded.as_ref().err());
                    let Ok(decoded) = decoded else { continue };
                    let fields: Vec<_> =
                        decoded.fields.iter().map(|it| (it.0.name, it.1)).collect();
                    let _ = writeln!(
                        out,
                        "{} {} {} {:x} {fields:?}",
                        decoded.text, decoded.words, decoded.jumps, decoded.ignored
                    );
                    let again = assemble_line(&decoded.text, set, &NoSymbols);
                    let again = again.map(|it| it.words().to_vec());
                    let _ = writeln!(out, "{again:x?}");
                    if attempt == 0 {
                        let encoding = describe::encoding(&words, set).map(|it| it.markdown());
                        let _ = writeln!(out, "{encoding:?}");
                    }
                }
            }
        }
        for (group, said) in &groups {
            records.add(group, chip, said);
        }
    }
    records.check();
}

/// Modifiers and operands that may be one too many.
const ENDS: [&str; 48] = [
    "clamp",
    "omod:1",
    "omod:4",
    "mul:2",
    "mul:4",
    "div:2",
    "mul:3",
    "glc",
    "slc",
    "tfe",
    "lds",
    "nv",
    "offen",
    "idxen",
    "addr64",
    "offset:16",
    "offset:5000",
    "offset:-1",
    "offset0:1",
    "offset1:2",
    "gds",
    "unorm",
    "da",
    "r128",
    "a16",
    "d16",
    "lwe",
    "dmask:3",
    "dmask:0x1f",
    "done",
    "vm",
    "compr",
    "op_sel:[0,1]",
    "op_sel:[1,0,1]",
    "op_sel_hi:[1,1]",
    "neg_lo:[1,0]",
    "neg_hi:[0,1,0]",
    "row_shl:1",
    "row_bcast:15",
    "quad_perm:[0,1,2,3]",
    "bank_mask:1 row_mask:2",
    "bound_ctrl:0",
    "dst_sel:BYTE_1",
    "src0_sel:WORD_1",
    "dst_unused:UNUSED_PAD",
    "format:[d,f]",
    "cbsz:1",
    "abs:1",
];

#[test]
fn printed_forms_with_another_modifier() {
    let mut records = table("made_modifiers.tsv");
    for chip in CHIPS {
        let (target, forms) = forms(chip);
        for dialect in [Dialect::Llvm, Dialect::Clrx] {
            let set = InstructionSet::in_dialect(target, dialect);
            let mut ends = vec![String::new(); ENDS.len()];
            let mut numbers = Chance(2);
            for (place, (_, form)) in forms.iter().enumerate() {
                let Some(words) = words(&mut numbers, *form, target) else { continue };
                let Ok(decoded) = decode(&words, set) else { continue };
                for way in 0..10 {
                    let end = (place * 10 + way * 5) % ENDS.len();
                    let line = format!("{} {}", decoded.text, ENDS[end]);
                    let read = assemble_line(&line, set, &NoSymbols);
                    let read = read.map(|it| it.words().to_vec());
                    let _ = writeln!(ends[end], "{line} {read:x?}");
                }
            }
            for (end, said) in ENDS.iter().zip(&ends) {
                records.add(&format!("{chip} {}", dialect.name()), end, said);
            }
        }
    }
    records.check();
}

/// Words in place of others.
const OTHERS: [&str; 8] = ["", "0", "v1", "s[0:1]", "\"a\"", ":", "-", "x"];

/// The words and signs of a line.
fn pieces(line: &str) -> Vec<std::ops::Range<usize>> {
    let mut pieces = Vec::<std::ops::Range<usize>>::new();
    let kind = |c: char| if c.is_ascii_alphanumeric() || "_.$".contains(c) { 1 } else { 2 };
    let mut last = 0;
    for (at, c) in line.char_indices() {
        match pieces.last_mut() {
            _ if c.is_whitespace() => {}
            Some(piece) if piece.end == at && kind(c) == 1 && last == 1 => {
                piece.end += c.len_utf8()
            }
            _ => pieces.push(at..at + c.len_utf8()),
        }
        last = if c.is_whitespace() { 0 } else { kind(c) };
    }
    pieces
}

#[test]
fn lines_with_another_word() {
    let mut records = table("made_lines.tsv");
    let mut seen = BTreeSet::new();
    for (own, text) in programs() {
        let mut said = String::new();
        let options = Options::of(&text, &own.file);
        let dialect = options.dialect;
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.len() < 4 || line.len() > 120 || !seen.insert((dialect.name(), line.to_owned()))
            {
                continue;
            }
            let mut all = format!("begin: s_nop 1\n.set x, 4\n{line}\n");
            for (place, piece) in pieces(line).into_iter().enumerate() {
                let other = OTHERS[(number + place * 3) % OTHERS.len()];
                let _ = writeln!(all, "{}{other}{}", &line[..piece.start], &line[piece.end..]);
            }
            all += "s_endpgm\n";
            let options = Options { target: Some(own.chip), dialect, ..Options::default() };
            let program = assemble(&all, &options, &|_| None, &source::no_checkpoint);
            said += &code(&program);
            said += &diagnostics(&program);
            let (view, whole) = (View::root(&program), TextRange::up_to(TextSize::of(&*all)));
            if view.text() == all {
                let _ = writeln!(said, "{}", converted(view, whole));
                let _ = writeln!(said, "{:?}", formatting::edits(view, whole));
            }
        }
        records.add(&own.file, "lines", &said);
    }
    records.check();
}

#[test]
fn what_made_code_costs() {
    let mut records = table("made_costs.tsv");
    for chip in CHIPS {
        let (target, mut forms) = forms(chip);
        // What reads and writes memory without an end in sight is rarer in real code.
        forms.retain(|(name, _)| !name.starts_with("v_cmp") || name.contains("_f32"));
        let mut numbers = Chance(3);
        for row in 0..20 {
            let mut said = String::new();
            for _ in 0..8 {
                let mut all = Vec::new();
                for place in 0..30_u32 {
                    match numbers.next() % 12 {
                        // Branches both ways, waits, and changes of EXEC.
                        0 => all.push(
                            0xbf84_0000
                                | (numbers.next() % 6) as u32
                                | numbers.one(&[0, 0x1_0000, 0x3_0000]),
                        ),
                        1 => all.push(0xbf84_0000 | (0xffff - numbers.next() as u32 % (place + 1))),
                        2 => all.push(0xbf8c_0000 | numbers.one(&[0, 0x0f70, 0x007f, 0x0f71])),
                        3 => all.extend([0xbefe_0000
                            | numbers.one(&[0x0400, 0x2400, 0x0100, 0x2000])
                            | 0x6a]),
                        4 => all.push(0x7d00_0000 | (numbers.next() as u32 & 0x0006_0703)),
                        _ => {
                            let (_, form) = numbers.one(&forms);
                            let Some(words) = words(&mut numbers, form, target) else { continue };
                            let decoded = Code::from_words(target, &words);
                            let Some(first) = decoded.instructions.first() else { continue };
                            all.extend(first.words());
                        }
                    }
                }
                all.push(0xbf81_0000);
                let code = Code::from_words(target, &all);
                let report =
                    analysis::analyse(&code, &analysis::Options::default(), &source::no_checkpoint);
                let _ = writeln!(
                    said,
                    "{:?}\n{:?}\n{:?}\n{:?}",
                    report.usage, report.occupancy, report.timing, report.cfg
                );
                let (cfg, def_use) = (&report.cfg, &report.def_use[..]);
                let check = analysis::check(
                    &code,
                    def_use,
                    cfg,
                    &report.liveness,
                    None,
                    &source::no_checkpoint,
                );
                let _ = writeln!(said, "{check:?}");
                let count = code.instructions.len();
                let pressure: Vec<_> = (0..count).map(|at| report.liveness.pressure(at)).collect();
                let _ = writeln!(said, "{pressure:?} {:?}", report.liveness.peak());
                let _ = writeln!(said, "{:?}", report.liveness.divergent());
                let _ = writeln!(
                    said,
                    "{:?}",
                    analysis::waits(&code, def_use, cfg, None, &source::no_checkpoint)
                );
                let _ = writeln!(said, "{:?}", analysis::register_use(&code, def_use));
            }
            records.add(&row.to_string(), chip, &said);
        }
    }
    records.check();
}
