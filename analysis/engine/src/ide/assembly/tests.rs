//! Names across the files of assembly programs.

use std::sync::Arc;

use gcn::Target;
use text::{TextEdit, TextSize};

use crate::ide;
use crate::{FileId, Host, Language, Settings};

fn settings() -> Settings {
    Settings { targets: vec![Target::default()], compile: true }
}

/// Two programs that include one file, and a rename in one of the three.
fn renamed(
    (first, second, inner): (&str, &str, &str),
    (asked, word): (usize, &str),
    new: &str,
) -> Result<[String; 3], String> {
    let mut host = Host::new(settings());
    let texts = [first, second, inner];
    let names = ["first.s", "second.s", "inner.inc"];
    let files: Vec<FileId> = names
        .into_iter()
        .zip(texts)
        .map(|(name, text)| host.set_file(name, Arc::from(text), Language::Gcn))
        .collect();
    for includer in &files[..2] {
        host.set_includes(*includer, vec![("inner.inc".to_owned(), Some(files[2]))]);
    }
    let offset = TextSize::new(texts[asked].find(word).expect("the word") as u32);
    let snapshot = host.snapshot();
    let edits = snapshot.rename(files[asked], offset, new).unwrap()?;
    let result = [0, 1, 2].map(|index| {
        let own = edits.iter().filter(|it| it.file.unwrap_or(files[asked]) == files[index]);
        let own: Vec<TextEdit> = own.map(|it| it.edit.clone()).collect();
        text::apply_edits(texts[index], &own).expect("edits that do not touch")
    });
    Ok(result)
}

#[test]
fn a_name_is_renamed_in_every_file_that_reads_it() {
    let inner =
        "size = 4\n.macro step reg\n v_add_u32 v\\reg, vcc, size, v\\reg\n s_branch out\n.endm\n";
    let first = ".include \"inner.inc\"\nstep 1\n s_mov_b32 s0, size\nout:\n s_endpgm\n";
    let second = ".include \"inner.inc\"\nstep 2\nout:\n s_endpgm\n";
    let texts = (first, second, inner);
    let swap = |from: &str, to: &str| Ok([first, second, inner].map(|it| it.replace(from, to)));
    // A macro and a symbol of the included file, wherever they are asked about.
    for asked in [(0, "step 1"), (1, "step 2"), (2, "step reg")] {
        assert_eq!(renamed(texts, asked, "stride"), swap("step", "stride"), "{asked:?}");
    }
    for asked in [(0, "size"), (2, "size =")] {
        assert_eq!(renamed(texts, asked, "bytes"), swap("size", "bytes"), "{asked:?}");
    }
    // A label of the includers that the macro jumps to.
    for asked in [(0, "out:"), (1, "out:"), (2, "out")] {
        assert_eq!(renamed(texts, asked, "end"), swap("out", "end"), "{asked:?}");
    }
    // The name is taken in the other includer, where it would change the meaning.
    let taken = format!("stride = 1\n{second}");
    let refused = renamed((first, &taken, inner), (0, "size"), "stride").unwrap_err();
    assert!(refused.contains("second.s") && refused.contains("already"), "{refused}");
}

#[test]
fn names_lead_from_includer_to_included_file_and_back() {
    let mut host = Host::new(settings());
    let inner_text = "size = 4\n s_branch out\n";
    let main_text = ".include \"inner.inc\"\n s_mov_b32 s0, size\nout:\n s_endpgm\n";
    let main = host.set_file("main.s", Arc::from(main_text), Language::Gcn);
    let inner = host.set_file("inner.inc", Arc::from(inner_text), Language::Gcn);
    host.set_includes(main, vec![("inner.inc".to_owned(), Some(inner))]);
    let snapshot = host.snapshot();
    let at = |text: &str, word: &str| TextSize::new(text.find(word).expect("the word") as u32);
    let defined = |file, offset| {
        let found = snapshot.definitions(file, offset).unwrap().expect("a definition");
        (found.destinations[0].file, found.destinations[0].selection.start())
    };
    assert_eq!(defined(main, at(main_text, "size")), (Some(inner), TextSize::new(0)));
    assert_eq!(defined(inner, at(inner_text, "out")), (Some(main), at(main_text, "out:")));
    let places = |file, offset| {
        let found = snapshot.references(file, offset, ide::References::All).unwrap();
        let place = |it: &ide::Place| (it.file.unwrap_or(file), it.range.start());
        let mut places: Vec<_> = found.iter().map(place).collect();
        places.sort();
        places
    };
    let of_size = [(main, at(main_text, "size")), (inner, TextSize::new(0))];
    assert_eq!(places(main, at(main_text, "size")), of_size);
    assert_eq!(places(inner, TextSize::new(0)), of_size);
    let of_out = [(main, at(main_text, "out:")), (inner, at(inner_text, "out"))];
    assert_eq!(places(inner, at(inner_text, "out")), of_out);
}

#[test]
fn a_name_is_found_in_every_program_that_reads_its_file() {
    let mut host = Host::new(settings());
    let inner_text = ".macro step\n s_branch out\n.endm\n";
    let texts = ["step\nout:\n s_endpgm\n", " s_nop 0\nout:\nstep\n s_endpgm\n"]
        .map(|text| format!(".include \"inner.inc\"\n{text}"));
    let inner = host.set_file("inner.inc", Arc::from(inner_text), Language::Gcn);
    // In either order the first by name is the one that the included file is seen from.
    let second = host.set_file("second.s", Arc::from(&*texts[1]), Language::Gcn);
    let first = host.set_file("first.s", Arc::from(&*texts[0]), Language::Gcn);
    for includer in [second, first] {
        host.set_includes(includer, vec![("inner.inc".to_owned(), Some(inner))]);
    }
    let at = |text: &str, word: &str| TextSize::new(text.find(word).expect("the word") as u32);
    let places = |host: &Host, file: FileId, offset| {
        let found = host.snapshot().references(file, offset, ide::References::All).unwrap();
        let places = found.iter().map(|it| (it.file.unwrap_or(file), it.range.start()));
        places.collect::<Vec<_>>()
    };
    let own = [(inner, at(inner_text, "step"))];
    let of_first = [(first, at(&texts[0], "step"))];
    let of_second = [(second, at(&texts[1], "step"))];
    for (file, offset) in [own[0], of_first[0], of_second[0]] {
        let mut found = places(&host, file, offset);
        found.sort();
        assert_eq!(found, [own, of_second, of_first].concat(), "{file:?}");
    }
    // Each program has a label of its own, which the macro of both jumps to.
    let of_out = [(first, at(&texts[0], "out:")), (inner, at(inner_text, "out"))];
    let mut found = places(&host, inner, at(inner_text, "out"));
    found.sort_by_key(|it| it.0 != first);
    assert_eq!(found, of_out);
    // Without the first, the second is the one that counts.
    host.remove_file(first);
    let of_out = [(inner, at(inner_text, "out")), (second, at(&texts[1], "out:"))];
    let mut found = places(&host, inner, at(inner_text, "out"));
    found.sort();
    assert_eq!(found, of_out);
}

#[test]
fn the_references_of_a_register_are_its_reads_and_writes_in_its_kernel() {
    let text = "one:\n  v_mov_b32 v1, v2\n  v_add_f32 v3, v1, v1\n  s_endpgm\n";
    let mut host = Host::new(settings());
    let file = host.set_file("a.s", Arc::from(text), Language::Gcn);
    let offset = TextSize::new(text.find("v1").expect("a register") as u32);
    let snapshot = host.snapshot();
    let found = snapshot.references(file, offset, ide::References::All).unwrap();
    let starts: Vec<usize> = found.iter().map(|place| place.range.start().into()).collect();
    let expected: Vec<usize> = text.match_indices("v1").map(|(at, _)| at).collect();
    assert_eq!(starts, expected);
    let mnemonic = TextSize::new(text.find("v_mov").expect("a mnemonic") as u32 + 2);
    assert_eq!(snapshot.references(file, mnemonic, ide::References::All), Ok(Vec::new()));
}
