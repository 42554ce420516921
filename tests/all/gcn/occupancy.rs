//! Registers and waves of compute shaders beside what Mesa's driver RADV says of them.

use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::Path;

use gcn::analysis::{Code, Declared, DefUse, usage};
use gcn::occupancy::{Arithmetic, Limiter, Occupancy, Usage, occupancy, occupancy_by};
use gcn::{Generation, Target};

/// A shader as a version of the driver compiles it for a chip.
struct Row {
    name: String,
    arithmetic: Arithmetic,
    target: Target,
    /// The registers that the driver allocates, and the memory that the shader asks for.
    usage: Usage,
    /// The memory that the driver allocates.
    lds: u32,
    waves: u32,
    bytes: u32,
    /// The code, where the driver prints it.
    words: Vec<u32>,
}

fn rows() -> Vec<Row> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/judged/gcn-radv.tsv.gz");
    let mut text = String::new();
    let compressed = std::fs::read(path).unwrap();
    flate2::read::GzDecoder::new(&compressed[..]).read_to_string(&mut text).unwrap();
    let rows = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    rows.map(|row| {
        let cells: Vec<&str> = row.split('\t').collect();
        let [mesa, chip, figures @ .., code] = &cells[..] else { panic!("{row}") };
        let figures: Vec<u32> = figures.iter().map(|it| it.parse().unwrap()).collect();
        let [invocations, _, _, asked, _, vgprs, sgprs, lds, _, waves, bytes] = figures[..] else {
            panic!("{row}")
        };
        let words = code.split(' ').filter(|word| !word.is_empty());
        Row {
            name: row.strip_suffix(code).unwrap().replace('\t', " "),
            arithmetic: if *mesa == "22.3" { Arithmetic::Mesa22 } else { Arithmetic::Mesa25 },
            target: Target::find(chip).unwrap(),
            usage: Usage {
                agprs: 0,
                vgprs,
                sgprs,
                lds: asked,
                waves_per_group: group(invocations, mesa, chip).div_ceil(64),
                interpolants: 0,
            },
            lds,
            waves,
            bytes,
            words: words.map(|word| u32::from_str_radix(word, 16).unwrap()).collect(),
        }
    })
    .collect()
}

/// The invocations of a workgroup as it is run. New drivers run one of many invocations as
/// one of 256, which loop, where the chip may hang otherwise (Mesa's `ac_gpu_info`,
/// `has_cs_regalloc_hang_bug`).
fn group(invocations: u32, mesa: &str, chip: &str) -> u32 {
    let old = Target::find(chip).unwrap().generation() == Generation::Gfx6;
    let hangs = old || matches!(chip, "bonaire" | "kabini");
    if hangs && mesa != "22.3" { invocations.min(256) } else { invocations }
}

#[test]
fn waves_are_counted_as_the_driver_counts_them() {
    let rows = rows();
    let differs =
        |row: &&Row| occupancy_by(row.arithmetic, row.usage, row.target).waves != row.waves;
    let wrong: Vec<&str> = rows.iter().filter(differs).map(|row| row.name.as_str()).collect();
    assert_eq!(wrong, [""; 0]);
    let seen: BTreeSet<u32> = rows.iter().map(|row| row.waves).collect();
    assert_eq!(seen, (1..=10).collect());
}

/// Tells whether a reason holds for a row, by our figures and what they were made of.
type Fits = fn(&Row, &Occupancy, Usage) -> bool;

/// The reasons for which a chip has other waves than its driver says, with the rows they are for.
const EXCEPTIONS: [(&str, Fits); 3] = [
    (
        "a compute unit has barriers for 16 workgroups (LLVM's AMDGPUBaseInfo); the driver \
         does not count groups",
        |row, found, _| found.limiter == Limiter::Groups && found.waves < row.waves,
    ),
    (
        "a compute unit of GCN 1.0 has 64 KiB, of which a workgroup gets half; the driver \
         takes that for all",
        |row, found, _| {
            row.target.generation() == Generation::Gfx6 && row.lds > 0 && found.waves > row.waves
        },
    ),
    (
        "a workgroup runs as a whole; the driver of Mesa 22.3 counts waves, each with its \
         part of the memory (later ones count groups)",
        |row, found, _| {
            row.arithmetic == Arithmetic::Mesa22
                && found.limiter == Limiter::Lds
                && found.waves < row.waves
        },
    ),
];

#[test]
fn chips_have_the_waves_that_their_driver_says() {
    let (mut wrong, mut needed) = (Vec::new(), BTreeSet::new());
    let rows = rows();
    for row in &rows {
        let found = occupancy(row.usage, row.target);
        if found.waves == row.waves {
            continue;
        }
        match EXCEPTIONS.iter().find(|(_, fits)| fits(row, &found, row.usage)) {
            Some((reason, _)) => drop(needed.insert(*reason)),
            None => wrong.push(format!("{}: {found:?}", row.name)),
        }
    }
    assert_eq!(wrong, [""; 0]);
    let all: BTreeSet<&str> = EXCEPTIONS.iter().map(|(reason, _)| *reason).collect();
    assert_eq!(needed, all, "an exception that no row needs");
}

#[test]
fn what_is_asked_for_is_allocated_as_the_driver_does() {
    let (mut wrong, mut bare) = (Vec::new(), 0);
    for row in rows() {
        let found = occupancy(row.usage, row.target);
        let mut ours = (found.allocated_vgprs, found.allocated_sgprs, found.allocated_lds);
        // No granule: the registers that a shader is started with and three more, which is
        // the driver's least. Where it counts waves it rounds that up.
        if row.usage.sgprs == 9 && ours.1 == 16 {
            ours.1 = 9;
            bare += 1;
        }
        if ours != (row.usage.vgprs, row.usage.sgprs, row.lds) {
            wrong.push(format!("{}: {ours:?}", row.name));
        }
    }
    assert_eq!(wrong, [""; 0]);
    assert!(bare > 0, "an exception that no row needs");
}

/// The reasons for which the driver allocates other registers than its code uses, with the
/// rows they are for.
const OTHER_REGISTERS: [(&str, Fits); 3] = [
    ("the driver of Mesa 22.3 compiles for retry of page faults here", |row, ours, _| {
        row.arithmetic == Arithmetic::Mesa22
            && matches!(row.target.name(), "carrizo" | "stoney")
            && (ours.allocated_vgprs, ours.allocated_sgprs + 16)
                == (row.usage.vgprs, row.usage.sgprs)
    }),
    ("later drivers do not compile for it here", |row, ours, _| {
        row.arithmetic == Arithmetic::Mesa25
            && matches!(row.target.name(), "raven" | "raven2" | "renoir")
            && (ours.allocated_vgprs, ours.allocated_sgprs - 16)
                == (row.usage.vgprs, row.usage.sgprs)
    }),
    ("later drivers allocate VCC, whether or not it is used", |row, ours, own| {
        row.arithmetic == Arithmetic::Mesa25
            && (ours.allocated_vgprs, (own.sgprs + 2).next_multiple_of(16))
                == (row.usage.vgprs, row.usage.sgprs)
    }),
];

#[test]
fn registers_of_machine_code_are_the_drivers() {
    let (mut wrong, mut needed, mut read) = (Vec::new(), BTreeSet::new(), 0);
    for row in rows().iter().filter(|row| !row.words.is_empty()) {
        let code = Code::from_words(row.target, &row.words);
        let def_use = DefUse::of_all(&code, &source::no_checkpoint);
        let own = usage(&code, &def_use, &Declared::NOTHING);
        let found = occupancy(own, row.target);
        let ours = (found.allocated_vgprs, found.allocated_sgprs);
        assert_eq!(code.instructions.last().map(|it| it.end()), Some(row.bytes), "{}", row.name);
        read += 1;
        if ours == (row.usage.vgprs, row.usage.sgprs) {
            continue;
        }
        match OTHER_REGISTERS.iter().find(|(_, fits)| fits(row, &found, own)) {
            Some((reason, _)) => drop(needed.insert(*reason)),
            None => wrong.push(format!("{}: {ours:?}", row.name)),
        }
    }
    assert_eq!(wrong, [""; 0]);
    let all: BTreeSet<&str> = OTHER_REGISTERS.iter().map(|(reason, _)| *reason).collect();
    assert_eq!(needed, all, "an exception that no row needs");
    assert!(read > 1000, "{read}");
}
