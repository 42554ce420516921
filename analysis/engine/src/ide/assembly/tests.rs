//! Names across the files of assembly programs.

use std::sync::Arc;

use gcn::Target;
use source::{TextEdit, TextSize};

use crate::ide;
use crate::{FileId, Host, Language, Settings};

fn settings() -> Settings {
    Settings { targets: vec![Target::default()], compile: true, ..Settings::default() }
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
    let edits = snapshot.rename(files[asked], offset, new).unwrap();
    let edits = edits.map_err(|reason| reason.to_string())?;
    let result = [0, 1, 2].map(|index| {
        let own = edits.iter().filter(|it| it.file.unwrap_or(files[asked]) == files[index]);
        let own: Vec<TextEdit> = own.map(|it| it.edit.clone()).collect();
        source::apply_edits(texts[index], &own).expect("edits that do not touch")
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
    assert!(refused.to_string().contains("second.s") && refused.contains("already"), "{refused}");
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
        let place = |it: &ide::Location| (it.file.unwrap_or(file), it.range.start());
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
fn the_references_of_a_register_are_the_reads_and_writes_of_its_value() {
    let text = "one:\n  v_mov_b32 v1, v2\n  v_add_f32 v3, v1, v1\n  v_mov_b32 v1, v3\n  s_endpgm\n";
    let mut host = Host::new(settings());
    let file = host.set_file("a.s", Arc::from(text), Language::Gcn);
    let offset = TextSize::new(text.find("v1").expect("a register") as u32);
    let snapshot = host.snapshot();
    let starts = |offset, wanted| -> Vec<usize> {
        let found = snapshot.references(file, offset, wanted).unwrap();
        found.iter().map(|place| place.range.start().into()).collect()
    };
    let all: Vec<usize> = text.match_indices("v1").map(|(at, _)| at).collect();
    assert_eq!(starts(offset, ide::References::All), all[..3]);
    assert_eq!(starts(offset, ide::References::Uses), all[1..3]);
    let mnemonic = TextSize::new(text.find("v_mov").expect("a mnemonic") as u32 + 2);
    assert_eq!(snapshot.references(file, mnemonic, ide::References::All), Ok(Vec::new()));
    let read = TextSize::new(all[1] as u32);
    let found = snapshot.definitions(file, read).unwrap().expect("a definition");
    let places: Vec<(&str, &str)> =
        found.destinations.iter().map(|it| (&text[it.range], &text[it.selection])).collect();
    assert_eq!(places, [("v_mov_b32 v1, v2", "v1")]);
}

#[test]
fn a_register_of_an_included_file_is_followed_into_its_program() {
    let inner_text = "  v_mov_b32 v1, 0\n  v_add_f32 v2, v1, v1\n";
    let main_text =
        "main:\n  .include \"inner.inc\"\n  exp mrt0 v2, v1, v1, v1 done vm\n  s_endpgm\n";
    let mut host = Host::new(settings());
    let main = host.set_file("main.s", Arc::from(main_text), Language::Gcn);
    let inner = host.set_file("inner.inc", Arc::from(inner_text), Language::Gcn);
    host.set_includes(main, vec![("inner.inc".to_owned(), Some(inner))]);
    let snapshot = host.snapshot();
    let at = |text: &str, word: &str| TextSize::new(text.find(word).expect("the word") as u32);
    let found = snapshot.definitions(main, at(main_text, "v1, v1")).unwrap();
    let destinations = found.expect("a definition").destinations;
    assert_eq!(destinations.len(), 1);
    assert_eq!(
        (destinations[0].file, destinations[0].selection.start()),
        (Some(inner), at(inner_text, "v1"))
    );
    let uses = snapshot.references(inner, at(inner_text, "v2"), ide::References::All).unwrap();
    let files: Vec<_> = uses.iter().map(|place| place.file.unwrap_or(inner)).collect();
    assert_eq!(files, [inner, main]);
    // Other programs may include the file too.
    let offset = at(main_text, "v1, v1");
    let refused = snapshot.rename(main, offset, "v5").unwrap().expect_err("it is refused");
    assert!(refused.to_string().contains("included file"), "{refused}");
}

#[test]
fn a_register_is_renamed_with_all_that_shares_its_words() {
    let text = "main:\n  s_load_dwordx2 s[4:5], s[0:1], 0x0\n  s_waitcnt lgkmcnt(0)\n  s_add_u32 s5, s4, s5\n\
                  v_mov_b32 v1, s5\n  exp mrt0 v1, v1, v1, v1 done vm\n  s_endpgm\n";
    let mut host = Host::new(settings());
    let file = host.set_file("a.s", Arc::from(text), Language::Gcn);
    let snapshot = host.snapshot();
    let offset = TextSize::new(text.find("s4, s5").expect("a register") as u32);
    let prepared = snapshot.prepare_rename(file, offset).unwrap().expect("it can be renamed");
    assert_eq!((prepared.name.as_str(), &text[prepared.range]), ("s4", "s4"));
    let edits = snapshot.rename(file, offset, "s8").unwrap().expect("edits");
    let edits: Vec<TextEdit> = edits.into_iter().map(|it| it.edit).collect();
    let expected = text.replace("s[4:5]", "s[8:9]").replace("s5, s4, s5", "s5, s8, s9");
    assert_eq!(source::apply_edits(text, &edits), Some(expected));
    let refused = snapshot.rename(file, offset, "s7").unwrap().expect_err("a pair begins even");
    assert!(refused.to_string().contains("multiple of 2"), "{refused}");
}
