//! Code objects, damaged at random: a listing or a reason, of bounded length, whose
//! instructions have the bytes that they were made from.

use std::path::Path;

use gcn::Target;
use gcn::instruction::{InstructionSet, NoSymbols, assemble_line};
use gcn::object::{self, Code, CodeLine, Listing, ListingLine, Section};
use gcn::program;

use crate::random_shaders::Numbers;
use crate::search::search;
use crate::writers::bundles::Bundles;
use crate::writers::objects::Objects;

/// Checks that the code that a listing was made from has its instructions when it is read line by
/// line.
///
/// # Panics
/// It has others.
fn lines_are_those_of(listing: &Listing, bytes: &[u8]) {
    let code = object::code(bytes, Some(listing.target)).expect("what has a listing has code");
    let mut listed = listing.lines().filter_map(|(section, line)| match line {
        ListingLine::Instruction { offset, words, text, .. }
        | ListingLine::Inexact { offset, words, text } => {
            Some((*offset, section.words(*offset, *words), section.text(*text)))
        }
        _ => None,
    });
    let mut lines = code.lines();
    while let Some(line) = lines.next_line() {
        if let CodeLine::Instruction { offset, words, text } = line {
            assert_eq!(listed.next(), Some((offset, words, text)));
        }
    }
    assert_eq!(listed.next(), None, "an instruction that is not read");
}

/// An inline constant that is read on every chip, and written where the chip has it.
const NOT_EVERYWHERE: &str = "0.15915494";

/// Checks a listing.
///
/// # Panics
/// Where something does not hold.
fn check(bytes: &[u8], listing: &Listing) {
    let text = listing.text();
    assert!(text.len() <= 20_000 + 200 * bytes.len(), "{} bytes of text", text.len());
    assert!(text.lines().all(|line| line.len() < 4_000), "a line without an end");
    let set = InstructionSet::of(listing.target);
    let mut covered = 0;
    for section in &listing.sections {
        for line in &section.lines {
            covered += match line {
                ListingLine::Instruction { words, .. } | ListingLine::Inexact { words, .. } => {
                    4 * usize::from(*words)
                }
                ListingLine::Word { .. } => 4,
                ListingLine::Rest { bytes, .. } | ListingLine::Data { bytes, .. } => bytes.len(),
                ListingLine::Label(_)
                | ListingLine::Directive(_)
                | ListingLine::Relocation { .. } => 0,
            };
        }
    }
    assert!(covered <= bytes.len(), "more code than bytes");
    lines_are_those_of(listing, bytes);
    for decoded in bytes.chunks_exact(4).take(200) {
        let word = u32::from_le_bytes([decoded[0], decoded[1], decoded[2], decoded[3]]);
        let Ok(found) = gcn::instruction::decode(&[word, 0x1234_5678], set) else { continue };
        // What cannot be written says which bits mean nothing.
        if let Ok(again) = assemble_line(&found.text, set, &NoSymbols)
            && found.ignored == 0
            && !found.text.contains(NOT_EVERYWHERE)
        {
            assert_eq!(again.words().len(), found.words, "{}", found.text);
        }
    }
}

/// Checks that a listing assembles to the bytes that it was made from, section by section.
///
/// # Panics
/// Where it does not.
pub fn assembles_again(bytes: &[u8], target: Option<Target>, name: &str) {
    let listing = object::listing(bytes, target).unwrap_or_else(|error| panic!("{name}: {error}"));
    lines_are_those_of(&listing, bytes);
    let text = listing.text();
    let options =
        program::Options { target: Some(listing.target), ..program::Options::of(&text, "") };
    let again = program::assemble(&text, &options, &|_| None, &source::no_checkpoint);
    let sections = 0..again.expansion.sections.len() as u32;
    let images = sections.map(|section| again.image(section));
    let images: Vec<Vec<u8>> = images.map(|it| it.bytes).filter(|it| !it.is_empty()).collect();
    let own: Vec<Vec<u8>> = listing.sections.iter().map(bytes_of).collect();
    // What the listing has behind its code are the descriptors.
    let code = &images[..own.len().min(images.len())];
    let first = text.lines().find(|line| line.contains("//")).unwrap_or_default();
    assert!(own == code, "{name} {:?}: {first}", again.diagnostics.first());
}

/// Returns the bytes of the lines of a section.
pub fn bytes_of(section: &Section) -> Vec<u8> {
    let bytes = |line: &ListingLine| match line {
        ListingLine::Instruction { offset, words, .. }
        | ListingLine::Inexact { offset, words, .. } => {
            section.words(*offset, *words).iter().flat_map(|it| it.to_le_bytes()).collect()
        }
        ListingLine::Word { word, .. } => word.to_le_bytes().to_vec(),
        ListingLine::Rest { bytes, .. } | ListingLine::Data { bytes, .. } => bytes.to_vec(),
        ListingLine::Label(_) | ListingLine::Directive(_) | ListingLine::Relocation { .. } => {
            Vec::new()
        }
    };
    section.lines.iter().flat_map(bytes).collect()
}

/// Damages the objects of a folder for so many seconds.
///
/// # Panics
/// Where something does not hold.
pub fn damaged_objects_are_listed(folder: &Path, seconds: f64) {
    let objects = Objects::of(folder);
    let damaged = |random: &mut Numbers| objects.file(random);
    search("code objects", seconds, damaged, |bytes| {
        for target in [None, Target::find("gfx803")] {
            if let Ok(listing) = object::listing(bytes, target) {
                check(bytes, &listing);
            }
        }
        object::listing(bytes, None).is_ok()
    });
}

/// Damages bundles of code objects, made of those of a folder and found in another, for so many
/// seconds.
///
/// # Panics
/// Where something does not hold.
pub fn damaged_bundles_are_read(objects: &Path, bundles: &Path, seconds: f64) {
    let bundles = Bundles::of(objects, bundles);
    let damaged = |random: &mut Numbers| bundles.file(random);
    search("bundles of code objects", seconds, damaged, |bytes| {
        let Ok(contents) = object::contents(bytes) else { return false };
        assert!(contents.entries().len() <= object::MAX_ENTRIES);
        let mut listed = 0;
        for (index, entry) in contents.entries().iter().enumerate() {
            let own = contents.bytes(entry);
            assert_eq!(own.len(), entry.range.len(), "an entry that is not in the file");
            if let Ok(listing) = contents.code(index, None).map(Code::listing) {
                assert!(matches!(entry.kind, object::EntryKind::Code(_)), "{:?}", entry.kind);
                // The names of the entries beside it are in the listing too.
                let notes: usize = listing.notes.iter().map(String::len).sum();
                assert!(notes <= 100_000, "{notes} bytes of notes");
                check(own, &Listing { notes: Vec::new(), ..listing });
                listed += 1;
            }
        }
        listed > 0
    });
}
