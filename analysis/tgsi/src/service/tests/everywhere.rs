//! Every service at every place of whole, cut and broken texts: no panic, and
//! every range inside of the text and on character boundaries.

use text::{TextRange, TextSize};

use super::SHADER;
use crate::parser::parse;
use crate::service::completion::{Surroundings, complete, complete_outside};
use crate::service::{
    accesses, folding, form, navigation, refactor, rename, selection, signature, tokens,
};

fn inside(text: &str, range: TextRange, what: &str) {
    assert!(text.get(std::ops::Range::<usize>::from(range)).is_some(), "{what}: {range:?}\n{text}");
}

/// Asks everything at one place.
fn ask(text: &str, offset: TextSize) {
    let completion = complete_outside(text, offset);
    inside(text, completion.replace, "completion");
    signature::signature(text, offset);
    let Some(shader) = parse(text, &text::no_checkpoint).shader else { return };
    let completion = complete(Surroundings { text, shader: &shader }, offset);
    inside(text, completion.replace, "completion");
    assert!(completion.replace.contains_inclusive(offset));
    let mut last: Option<TextRange> = None;
    for range in selection::selections(text, &shader, offset) {
        inside(text, range, "selection");
        assert!(range.contains_inclusive(offset));
        assert!(last.is_none_or(|last| range.contains_range(last)));
        last = Some(range);
    }
    for mention in navigation::highlights(text, &shader, offset) {
        inside(text, mention.range, "highlight");
    }
    for mention in navigation::references(text, &shader, offset) {
        inside(text, mention.range, "reference");
    }
    if let Some(found) = navigation::definitions(text, &shader, offset) {
        inside(text, found.origin, "origin");
        for destination in found.destinations {
            inside(text, destination.statement, "statement");
            inside(text, destination.name, "name");
        }
    }
    for edit in rename::rename(text, &shader, offset, "77").unwrap_or_default() {
        inside(text, edit.range, "edit");
    }
    for refactoring in refactor::Refactoring::ALL {
        let edits = refactor::edits(text, &shader, offset, refactoring).unwrap_or_default();
        assert!(edits.is_empty() || text::apply_edits(text, &edits).is_some());
    }
}

/// Asks what has no place.
fn ask_all(text: &str) {
    let all = TextRange::up_to(TextSize::of(text));
    let mut end = TextSize::new(0);
    for token in tokens::tokens(text, all) {
        inside(text, token.range, "token");
        assert!(token.range.start() >= end && !text[token.range].contains('\n'));
        end = token.range.end();
    }
    let Some(shader) = parse(text, &text::no_checkpoint).shader else { return };
    for access in accesses::accesses(text, &shader) {
        inside(text, access.range, "access");
    }
    for fold in folding::folds(text, &shader) {
        inside(text, fold.range, "fold");
    }
    for instruction in shader.instructions() {
        form::form(&shader, instruction);
    }
}

fn offsets(text: &str) -> impl Iterator<Item = TextSize> {
    (0..=text.len()).filter(|at| text.is_char_boundary(*at)).map(|at| TextSize::new(at as u32))
}

const ODD: [&str; 7] = [
    "FRAG\r\nDCL IN[0], GENERIC[0], LINEAR\r\nMOV TEMP[0], IN[0]\r\n",
    "FRAG\n/* \u{e9}\u{1f980} */ MOV OUT[0], |-IN[\u{1f980}0].xq\nIMM FLT32 {1,2\nDCL TEMP[0..99999999999]\n",
    "GEOM\nDCL IN[][0], POSITION\nDCL IN[][1], ARRAY(1), GENERIC\nMOV OUT[0], IN[ADDR[0].x+4294967295][0](1)\n",
    "VERT\n(!PRED[0].x) MOV TEMP[ 0 ] , IN [ 0 ]\nIF\nELSE\nENDIF\nENDIF\nBGNSUB :\nCAL :99999999999",
    "FRAG\nIMM [0] FLT32 {1, 2, 3, 4}\nIMM[0]FLT64{1,2}\nDADD TEMP[0].xy, IMM[1].xxxx, IMM[9]\n",
    "FRAG\nDCL TEMP[4294967295]\nMOV TEMP[4294967295].x, -TEMP[-5]\nTEX , , SAMP[0], 2D\nEMIT\n",
    "\u{feff}FRAG1.1\nDCL IN[0]\nMOV",
];

#[test]
fn every_place_of_a_shader() {
    for offset in offsets(SHADER) {
        ask(SHADER, offset);
    }
    for text in ODD {
        offsets(text).for_each(|offset| ask(text, offset));
    }
}

#[test]
fn every_beginning_of_a_shader() {
    for text in ODD.into_iter().chain([SHADER]) {
        for offset in offsets(text) {
            let cut = &text[..usize::from(offset)];
            ask_all(cut);
            ask(cut, offset);
        }
    }
}

#[test]
fn every_shader_with_a_part_missing() {
    for text in ODD.into_iter().chain([SHADER]) {
        let places: Vec<TextSize> = offsets(text).collect();
        for pair in places.windows(4).step_by(7) {
            let (before, after) = (usize::from(pair[0]), usize::from(pair[3]));
            let broken = format!("{}{}", &text[..before], &text[after..]);
            ask_all(&broken);
            ask(&broken, pair[0]);
        }
    }
}

/// The files of a folder and those below, in order.
fn files(folder: &std::path::Path, found: &mut Vec<std::path::PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|it| it == "tgsi" || it == "txt") {
            found.push(path);
        }
    }
}

#[test]
fn real_shaders() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpora/tgsi");
    let mut paths = Vec::new();
    files(std::path::Path::new(folder), &mut paths);
    if paths.is_empty() {
        eprintln!("skipped: no corpus of shaders beside the repository");
        return;
    }
    let (mut instructions, mut spelled) = (0, 0);
    for path in paths.iter().step_by(29) {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        if text.len() > 100_000 {
            continue;
        }
        ask_all(&text);
        let offsets: Vec<TextSize> = offsets(&text).collect();
        for offset in offsets.iter().step_by(offsets.len() / 8 + 1) {
            ask(&text, *offset);
        }
        let Some(shader) = parse(&text, &text::no_checkpoint).shader else { continue };
        for statement in shader.statements.iter().filter(|statement| !statement.broken) {
            let crate::ast::StatementKind::Instruction(instruction) = &statement.kind else {
                continue;
            };
            instructions += 1;
            spelled += usize::from(form::form(&shader, instruction).is_some());
        }
    }
    // `EMIT` without its stream, as old texts have it, names no operand.
    assert!(instructions > 0 && spelled * 100 >= instructions * 99, "{spelled} of {instructions}");
}
