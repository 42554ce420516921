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
