//! The TGSI tables against the facts: the counts of each list, and which component of a
//! coordinate means what.

use std::collections::BTreeSet;

use tgsi::ast::Component;
use tgsi::coordinates::Coordinates;
use tgsi::words::TextureTarget;
use tgsi::{Opcode, word_rows};

#[test]
fn lists_have_as_many_words_as_mesa_of_2021() {
    /// The day of the snapshot that was counted.
    const DAY: &str = "2021-01-05";
    let words = |list: &str| {
        let lives = |row: &&word_rows::WordRow| {
            row.list == list && row.since <= DAY && (row.until.is_empty() || row.until > DAY)
        };
        word_rows::all().iter().filter(lives).count()
    };
    assert_eq!(words("file"), 15);
    assert_eq!(words("semantic"), 47);
    assert_eq!(words("property"), 28);
    assert_eq!(words("target"), 19);
    assert_eq!((words("interpolation"), words("location")), (4, 3));
    assert_eq!(words("primitive"), 15);
    assert_eq!(words("qualifier"), 4);
    assert_eq!(words("immediate"), 6);
    assert_eq!(words("stage"), 6);
    assert_eq!(words("return"), 5);

    let numbered: BTreeSet<u8> = Opcode::all().filter_map(|opcode| opcode.row().number).collect();
    assert_eq!(numbered.len(), 252, "opcode numbers");
    let live = |day: &str| {
        let lives = |opcode: &Opcode| {
            let row = opcode.row();
            let lives = row.since <= day && (row.until.is_empty() || row.until > day);
            row.number.is_some() && !opcode.is_gap() && lives
        };
        Opcode::all().filter(lives).count()
    };
    assert_eq!(live(DAY), 244);
    assert_eq!(live("2024-03-30"), 243);
}

#[test]
fn every_target_says_what_each_component_means() {
    use Component::{W, Z};
    /// Components of the position, of the place with its layer, the reference
    /// and the sample.
    type Row = (&'static str, usize, usize, Option<Component>, bool);
    let rows: [Row; 19] = [
        ("BUFFER", 1, 1, None, false),
        ("1D", 1, 1, None, false),
        ("2D", 2, 2, None, false),
        ("3D", 3, 3, None, false),
        ("CUBE", 3, 3, None, false),
        ("RECT", 2, 2, None, false),
        ("SHADOW1D", 1, 1, Some(Z), false),
        ("SHADOW2D", 2, 2, Some(Z), false),
        ("SHADOWRECT", 2, 2, Some(Z), false),
        ("1D_ARRAY", 1, 2, None, false),
        ("2D_ARRAY", 2, 3, None, false),
        ("SHADOW1D_ARRAY", 1, 2, Some(Z), false),
        ("SHADOW2D_ARRAY", 2, 3, Some(W), false),
        ("SHADOWCUBE", 3, 3, Some(W), false),
        ("2D_MSAA", 2, 2, None, true),
        ("2D_ARRAY_MSAA", 2, 3, None, true),
        ("CUBEARRAY", 3, 4, None, false),
        ("SHADOWCUBEARRAY", 3, 4, None, false),
        ("UNKNOWN", 4, 4, None, false),
    ];
    assert_eq!(rows.len(), TextureTarget::ALL.len());
    for (word, position, place, reference, samples) in rows {
        let target = TextureTarget::from_word(word).expect("a target");
        let found = Coordinates::of(target);
        assert_eq!((found.position, found.place), (position, place), "{word}");
        assert_eq!((found.reference, found.samples), (reference, samples), "{word}");
        let compares = word.starts_with("SHADOW");
        assert_eq!(found.compares, compares, "{word}");
        // Where no component is left, the reference is in an operand of its own.
        assert_eq!(compares && reference.is_none(), word == "SHADOWCUBEARRAY", "{word}");
    }
}
