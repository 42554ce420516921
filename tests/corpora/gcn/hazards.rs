//! Wait states against LLVM 22's hazard recognizer: for pairs of instructions, the states that
//! are missing between them.

use std::collections::BTreeMap;

use gcn::Target;
use gcn::analysis::{Cfg, Change, DefUse, hazards};
use gcn::mnemonics::{self, OpInfo, op_info};
use isa::gcn::matrix::{MatrixKind, MatrixProduct};
use tests::code_lines::from_lines;
use tests::corpora::shared;

/// The pairs of the table.
const PAIRS: usize = 2972;

/// A matrix product on a chip.
#[derive(Clone, Copy)]
struct Product {
    info: &'static OpInfo,
    row: &'static MatrixProduct,
}

impl Product {
    /// Finds the product of a name of any chip, under the name that this chip has for it.
    fn find(name: &str, target: Target) -> Option<Product> {
        let of = |info: &'static OpInfo, target: Target| {
            let row = info.opcode.matrix_product(target.row().subtarget)?;
            (!info.forms(target).is_empty()).then_some(Product { info, row })
        };
        let processors = Target::all().filter(|it| it.name() == it.row().processor);
        let known = processors.filter_map(|it| of(op_info(name)?, it)).next()?.row;
        let same = |it: &Product| {
            let key = |row: &MatrixProduct| (row.side, row.depth, row.blocks, row.a, row.b, row.d);
            key(it.row) == key(known) && it.row.is_sparse() == known.is_sparse()
        };
        mnemonics::all().iter().filter_map(|info| of(info, target)).find(same)
    }

    /// Writes it with the first registers of D, A, B and of C or the indexes.
    fn text(self, [d, a, b, c]: [u8; 4]) -> String {
        let [wide_a, wide_b, wide_d] = self.row.registers;
        let range = |first: u8, count: u8| match count {
            1 => format!("v{first}"),
            _ => format!("v[{first}:{}]", first + count - 1),
        };
        let last = if self.row.is_sparse() { 1 } else { wide_d };
        let [d, a, b, c] = [range(d, wide_d), range(a, wide_a), range(b, wide_b), range(c, last)];
        format!("{} {d}, {a}, {b}, {c}", self.info.name)
    }
}

/// The registers of the producer's D, A, B, C, and those of a consumer that have no part in it.
const FIRST: [u8; 4] = [32, 128, 136, 64];
const OTHER: [u8; 4] = [160, 144, 152, 192];

/// Writes the consumer of a dependency that is a product; `None` where its registers cannot be.
fn product_consumer(dependency: &str, first: Product, then: Product) -> Option<String> {
    let [d, a, b, c] = OTHER;
    let width = then.row.registers[2];
    let overlapping = if width <= 2 { 34 } else { 30 };
    let registers = match dependency {
        "no dependency" => OTHER,
        "MFMA reads D as A" | "SMFMAC reads D as A" => [d, FIRST[0], b, c],
        "MFMA reads D as B" => [d, a, FIRST[0], c],
        "SMFMAC reads D as index" => [d, a, b, FIRST[0]],
        "MFMA writes D, other C" => [FIRST[0], a, b, c],
        "SMFMAC accumulates on D" => [FIRST[0], a, b, c],
        "MFMA reads D as C, same registers"
        | "MFMA reads D as C, same first register, other width" => [FIRST[0], a, b, FIRST[0]],
        "MFMA reads D as C, same registers, writes elsewhere"
        | "MFMA reads D as C, other width, writes elsewhere" => [d, a, b, FIRST[0]],
        "MFMA reads D as C, overlapping" if width <= 2 && first.row.registers[2] <= 2 => {
            return None;
        }
        "MFMA reads D as C, overlapping" => [overlapping, a, b, overlapping],
        other => panic!("{other}"),
    };
    Some(then.text(registers))
}

/// Writes the pair of a row on a chip; `None` where the chip has not both.
fn pair(row: &[&str], target: Target) -> Option<(String, String)> {
    let (first, then, dependency) = (row[0], row[1], row[2]);
    let is_product = |name: &str| name.starts_with("v_mfma") || name.starts_with("v_smfmac");
    if is_product(first) {
        let first = Product::find(first, target)?;
        let one = first.text(FIRST);
        let d = FIRST[0];
        let other = match dependency {
            "VALU reads D" => format!("v_mov_b32 v250, v{d}"),
            "VALU writes D" => format!("v_mov_b32 v{d}, v250"),
            "VALU writes C" => format!("v_mov_b32 v{}, v250", FIRST[3]),
            "VALU writes A" => format!("v_mov_b32 v{}, v250", FIRST[1]),
            "ds_write reads D" => format!("ds_write_b32 v250, v{d}"),
            "ds_read writes D" => format!("ds_read_b32 v{d}, v250"),
            "global_store reads D" => format!("global_store_dword v[250:251], v{d}, off"),
            "v_accvgpr_write writes agpr (no dependency)" => "v_accvgpr_write_b32 a0, v250".into(),
            "dependency" | "LDS reads f64 result" => panic!("{row:?}"),
            _ => product_consumer(dependency, first, Product::find(then, target)?)?,
        };
        return Some((one, other));
    }
    if is_product(then) {
        let then = Product::find(then, target)?;
        let mut registers = OTHER;
        let one = match (first, dependency) {
            ("v_cmpx", _) => "v_cmpx_eq_u32 vcc, v250, v251",
            ("v_mov_b32", "MFMA reads VALU result as A") => {
                registers[1] = 32;
                "v_mov_b32 v32, v250"
            }
            ("v_mov_b32", _) => {
                registers[3] = 32;
                "v_mov_b32 v32, v250"
            }
            ("ds_read_b32", _) => {
                registers[1] = 32;
                "ds_read_b32 v32, v250"
            }
            other => panic!("{other:?}"),
        };
        return Some((one.to_owned(), then.text(registers)));
    }
    let of = |name: &str, dependency: &str| match (name, dependency) {
        ("v_rcp_f32", _) => "v_rcp_f32 v1, v0",
        ("v_mov_b32", "VALU writes VGPR, v_readlane reads it")
        | ("v_mov_b32", "VALU writes VGPR, v_readfirstlane reads it")
        | ("v_mov_b32", "VALU writes VGPR, permlane swap reads it") => "v_mov_b32 v1, v0",
        ("v_readfirstlane_b32", "VALU writes SGPR, VALU reads it")
        | ("v_readfirstlane_b32", "VALU writes SGPR, SALU reads it")
        | ("v_readfirstlane_b32", "VALU writes SGPR, VMEM reads it") => {
            "v_readfirstlane_b32 s4, v0"
        }
        ("s_mov_b32", "SALU writes SGPR, VMEM reads it") => "s_mov_b32 s4, 0",
        ("s_mov_b32 m0", _) => "s_mov_b32 m0, 0",
        ("s_setreg", _) => "s_setreg_b32 hwreg(HW_REG_MODE, 0, 8), s0",
        ("s_setreg mode", _) => "s_setreg_b32 hwreg(HW_REG_MODE, 0, 8), s0",
        ("v_mov_b32 dpp src", _) => "v_mov_b32 v1, v0",
        ("s_mov_b64 exec", _) => "s_mov_b64 exec, s[0:1]",
        ("v_cmpx", _) => "v_cmpx_eq_u32 vcc, v8, v9",
        ("v_permlane16_swap", _) => "v_permlane16_swap_b32 v1, v2",
        ("global_store_dwordx4", _) => "global_store_dwordx4 v[4:5], v[0:3], off",
        ("v_fma_f64", _) => "v_fma_f64 v[0:1], v[2:3], v[4:5], v[6:7]",
        ("v_cvt_pk_fp8 opsel", _) => "v_cvt_pk_fp8_f32 v1, v2, v3 op_sel:[0,0,1]",
        ("v_lshlrev_b64", _) => "v_lshlrev_b64 v[0:1], v4, v[2:3]",
        other => panic!("{other:?}"),
    };
    let consumer = match dependency {
        "VALU reads transcendental result" => "v_mov_b32 v5, v1",
        "VALU writes VGPR, v_readlane reads it" => "v_readlane_b32 s5, v1, s6",
        "VALU writes VGPR, v_readfirstlane reads it" => "v_readfirstlane_b32 s5, v1",
        "VALU writes SGPR, VALU reads it" => "v_mov_b32 v5, s4",
        "VALU writes SGPR, SALU reads it" => "s_mov_b32 s5, s4",
        "VALU writes SGPR, VMEM reads it" | "SALU writes SGPR, VMEM reads it" => {
            "buffer_load_dword v5, off, s[4:7], 0"
        }
        "SALU writes M0, s_sendmsg" => "s_sendmsg sendmsg(MSG_INTERRUPT)",
        "s_setreg, s_getreg of the same" => "s_getreg_b32 s5, hwreg(HW_REG_MODE)",
        "s_setreg MODE, VALU" => "v_add_f32 v5, v6, v7",
        "VALU writes VGPR, DPP reads it" | "SALU writes EXEC, DPP" | "VALU writes EXEC, DPP" => {
            "v_mov_b32_dpp v5, v1 row_shr:1 row_mask:0xf bank_mask:0xf"
        }
        "VALU writes EXEC, v_readlane" => "v_readlane_b32 s5, v1, s6",
        "VALU writes EXEC, v_readfirstlane" => "v_readfirstlane_b32 s5, v1",
        "VALU writes EXEC, permlane swap" | "VALU writes VGPR, permlane swap reads it" => {
            "v_permlane16_swap_b32 v1, v2"
        }
        "permlane swap writes, VALU reads" => "v_mov_b32 v5, v1",
        "permlane swap writes, v_readlane reads" => "v_readlane_b32 s5, v1, s6",
        "VALU writes data of a 128-bit store" => "v_mov_b32 v2, v6",
        "LDS reads f64 result" => "ds_write_b64 v8, v[0:1]",
        "VALU reads a half-written register (op_sel dst)" => "v_mov_b32 v5, v1",
        "v_lshlrev_b64 result read" => "v_mov_b32 v5, v1",
        "SALU writes M0, GDS" => "ds_add_u32 v0, v1 gds",
        other => panic!("{other}"),
    };
    Some((of(first, dependency).to_owned(), consumer.to_owned()))
}

/// Returns the states that are missing between two instructions.
fn missing(target: Target, one: &str, other: &str) -> usize {
    let text = format!("{one}\n{other}\ns_endpgm");
    let code =
        from_lines(target, &text).unwrap_or_else(|error| panic!("{target}: {text}: {error}"));
    let def_use = DefUse::of_all(&code, &source::no_checkpoint);
    let cfg = Cfg::of(&code, &def_use);
    let found = hazards(&code, &def_use, &cfg, &source::no_checkpoint);
    let states = |text: &str| {
        let counts = text.lines().map(|line| line.strip_prefix("s_nop ").expect(line));
        counts.map(|count| count.parse::<usize>().expect("a number") + 1).sum()
    };
    found.iter().find(|it| it.instruction == 1).map_or(0, |it| {
        match it.fix.as_ref().map(|it| &it.change) {
            Some(Change::InsertBefore(text)) => states(text),
            other => panic!("{one} {other:?}"),
        }
    })
}

/// Says by which note of what is known of LLVM 22 a row is not followed.
fn note(row: &[&str], chip: &str, own: usize, theirs: usize) -> Option<&'static str> {
    let target = Target::find(chip).expect(chip);
    let [first, then] = [row[0], row[1]].map(|name| Product::find(name, target));
    if chip == "gfx950" && own == 20 && theirs == 19 {
        return Some("a producer exactly 19 back is missed");
    }
    let same = row[2].starts_with("MFMA reads D as C, same registers")
        || row[2] == "SMFMAC accumulates on D";
    if let (Some(first), Some(then), true) = (first, then, same)
        && first.info.name != then.info.name
        && first.row.registers[2] == then.row.registers[2]
        && first.row.kind != MatrixKind::Double
        && chip == "gfx950"
        && own > theirs
    {
        return Some("two opcodes share C");
    }
    None
}

#[test]
fn states_are_those_of_llvms_recognizer() {
    let text = std::fs::read_to_string(shared("data/cdna/hazards-llvm22.tsv")).expect("the table");
    let mut lines = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let head = lines.next().expect("a head");
    let rows: Vec<_> = lines.collect();
    assert_eq!(rows.len(), PAIRS);
    let mut counts = BTreeMap::<String, usize>::new();
    let mut wrong = BTreeMap::<String, Vec<String>>::new();
    for row in &rows {
        for (chip, cell) in head[3..].iter().zip(&row[3..]) {
            let Ok(theirs) = cell.parse::<usize>() else { continue };
            let target = Target::find(chip).expect(chip);
            let Some((one, other)) = pair(row, target) else {
                *counts
                    .entry(format!("{chip}: not written: {} {}", row[0], row[2]))
                    .or_default() += 1;
                continue;
            };
            let own = missing(target, &one, &other);
            let verdict = match note(row, chip, own, theirs) {
                _ if own == theirs => "agree",
                Some(note) => note,
                None => {
                    let list =
                        wrong.entry(format!("{chip} {}: {own} not {theirs}", row[2])).or_default();
                    list.push(format!("{one} / {other}"));
                    "differ"
                }
            };
            *counts.entry(format!("{chip}: {verdict}")).or_default() += 1;
        }
    }
    for (what, count) in &counts {
        println!("{count}\t{what}");
    }
    let first: Vec<String> =
        wrong.iter().map(|(what, list)| format!("{}\t{what}: {}", list.len(), list[0])).collect();
    assert!(wrong.is_empty(), "{}", first.join("\n"));
}
