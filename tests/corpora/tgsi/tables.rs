//! The TGSI tables against the facts: every opcode and enumerator that ever was.

use tests::corpora;
use tgsi::{Opcode, word_rows};

/// Enumerators that are called otherwise in text, or not at all: the default
/// tessellation levels were never given a word, and `VERTICES` went on the day
/// it came.
const OTHER_NAMES: [(&str, &str, &str); 24] = [
    ("file", "ADDRESS", "ADDR"),
    ("file", "CONSTANT", "CONST"),
    ("file", "HW_ATOMIC", "HWATOMIC"),
    ("file", "IMMEDIATE", "IMM"),
    ("file", "IMMEDIATE_ARRAY", "IMMX"),
    ("file", "INPUT", "IN"),
    ("file", "OUTPUT", "OUT"),
    ("file", "PREDICATE", "PRED"),
    ("file", "RESOURCE", "RES"),
    ("file", "SAMPLER", "SAMP"),
    ("file", "SAMPLER_VIEW", "SVIEW"),
    ("file", "SYSTEM_VALUE", "SV"),
    ("file", "TEMPORARY", "TEMP"),
    ("file", "TEMPORARY_ARRAY", "TEMPX"),
    ("immediate", "FLOAT32", "FLT32"),
    ("immediate", "FLOAT64", "FLT64"),
    ("semantic", "PRIMID", "PRIM_ID"),
    ("semantic", "VERTICES", ""),
    ("semantic", "TESS_DEFAULT_OUTER_LEVEL", ""),
    ("semantic", "TESS_DEFAULT_INNER_LEVEL", ""),
    ("target", "CUBE_ARRAY", "CUBEARRAY"),
    ("target", "SHADOWCUBE_ARRAY", "SHADOWCUBEARRAY"),
    ("property", "GS_INPUT_PRIM", "GS_INPUT_PRIMITIVE"),
    ("property", "GS_OUTPUT_PRIM", "GS_OUTPUT_PRIMITIVE"),
];

/// The list that an enumerator belongs to, and its name there.
fn place(name: &str) -> Option<(&'static str, &str)> {
    let prefixes = [
        ("TGSI_FILE_", "file"),
        ("TGSI_IMM_", "immediate"),
        ("TGSI_INTERPOLATE_LOC_", "location"),
        ("TGSI_INTERPOLATE_", "interpolation"),
        ("TGSI_MEMORY_TYPE_", "memory"),
        ("TGSI_MEMORY_", "qualifier"),
        ("TGSI_OPCODE_", "opcode"),
        ("TGSI_PROPERTY_", "property"),
        ("TGSI_SEMANTIC_", "semantic"),
        ("TGSI_TEXTURE_", "target"),
    ];
    prefixes.iter().find_map(|(prefix, list)| Some((*list, name.strip_prefix(prefix)?)))
}

#[test]
fn every_enumerator_that_ever_was_has_its_row() {
    let root = corpora::shared("data/tgsi");
    let history = std::fs::read_to_string(root.join("HISTORY.tsv")).expect("a history");
    let mut wrong = Vec::new();
    let (mut rows, mut unnamed) = (0, 0);
    for (list, enumerator, _) in OTHER_NAMES {
        let ours = history.lines().filter_map(|line| place(line.split('\t').next()?));
        assert!(ours.into_iter().any(|it| it == (list, enumerator)), "{enumerator}: not in use");
    }
    for line in history.lines().skip(1) {
        let (name, events) = line.split_once('\t').expect("two columns");
        let (list, enumerator) = place(name).unwrap_or_else(|| panic!("{name}: of no list"));
        rows += 1;
        // How many there are is no word.
        if ["COUNT", "LAST", "TYPE_COUNT"].contains(&enumerator) {
            unnamed += 1;
            continue;
        }
        let other = OTHER_NAMES.iter().find(|it| it.0 == list && it.1 == enumerator);
        let word = other.map_or(enumerator, |it| it.2);
        if word.is_empty() {
            unnamed += 1;
            continue;
        }
        let dates = match list {
            "opcode" => Opcode::find(word).map(|it| (it.row().since, it.row().until)),
            list => word_rows::find(list, word).map(|row| (row.since, row.until)),
        };
        let Some((since, until)) = dates else {
            wrong.push(format!("{name}: no {list} `{word}`"));
            continue;
        };
        // `-` also takes a name away that comes back under another number.
        let gone =
            events.split(' ').rfind(|it| !it.starts_with('~')).filter(|it| it.starts_with('-'));
        let day = |event: &str| event[1..].split('(').next().unwrap_or_default().to_owned();
        let agrees =
            events.contains(&format!("+{since}")) && gone.map_or(String::new(), day) == until;
        if !agrees {
            wrong.push(format!("{name}: {events}, ours {since} to {until:?}"));
        }
    }
    eprintln!("{rows} enumerators, {unnamed} without a word, {} wrong", wrong.len());
    assert!(rows > 490, "the history was not read");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
