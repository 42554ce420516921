//! Objects that a real assembler wrote, as listings that assemble again; and files
//! too strange to list.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use gcn::Target;
use gcn::object::{self, ListingLine};
use gcn::program::{self, Options};
use proptest::prelude::*;
use tests::checks::objects::{assembles_again, bytes_of};
use tests::tools::llvm;

/// The object of a text.
fn object_of(assembler: &PathBuf, processor: &str, text: &str) -> Vec<u8> {
    let mut child = Command::new(assembler)
        .args(["-triple=amdgcn-amd-amdhsa", "-filetype=obj", "-o", "-"])
        .arg(format!("-mcpu={processor}"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{processor}");
    output.stdout
}

const TEXT: &str = "
main:
  s_mov_b32 s0, 0x12345678
  s_cbranch_scc1 later
again:
  v_mad_f32 v0, v1, v2, v3
  v_add_f32 v0, 0x40490fdb, v0
  s_waitcnt lgkmcnt(0)
  s_cbranch_execz again
  buffer_store_dword v0, v1, s[4:7], 0 offen offset:16
  image_sample v[0:3], v[4:5], s[8:15], s[16:19] dmask:0xf
  exp mrt0 v0, v1, v2, v3 done vm
later:
  s_endpgm
other:
  s_branch later
";

#[test]
#[cfg_attr(no_llvm_mc, ignore = "no llvm-mc and llvm-objcopy on this machine")]
fn an_objects_listing_assembles_to_its_bytes() {
    let assembler = llvm("llvm-mc");
    let mut checked = 0;
    for processor in
        ["gfx600", "gfx602", "gfx704", "gfx705", "gfx803", "gfx810", "gfx900", "gfx90c"]
    {
        let bytes = object_of(&assembler, processor, TEXT);
        let listing = object::listing(&bytes, None).unwrap_or_else(|e| panic!("{processor}: {e}"));
        assert_eq!(listing.target.name(), processor);
        assert!(listing.is_all_code());
        let text = listing.text();
        for name in ["main:", "again:", "later:", "other:"] {
            assert!(text.contains(name), "{processor}: {text}");
        }
        let own: Vec<u32> = listing
            .lines()
            .filter_map(|(section, line)| match line {
                ListingLine::Instruction { offset, words, .. } => {
                    Some(section.words(*offset, *words).to_vec())
                }
                _ => None,
            })
            .flatten()
            .collect();
        assert!(own.len() > 14, "{text}");
        let options = Options::of(&text, "");
        let again = program::assemble(&text, &options, &|_| None, &source::no_checkpoint);
        assert_eq!(again.target.name(), processor);
        assert!(again.diagnostics.is_empty(), "{processor}: {:?}\n{text}", again.diagnostics);
        let section = again.instructions[0].section;
        let image: Vec<u8> = again.image(section).bytes;
        let own: Vec<u8> = own.into_iter().flat_map(u32::to_le_bytes).collect();
        assert_eq!(image, own, "{processor}: {text}");
        checked += 1;
    }
    eprintln!("{checked} objects");
}

#[test]
fn every_object_of_the_tests_has_a_listing_that_assembles_to_it() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("data/gcn/object");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        assembles_again(&std::fs::read(&path).unwrap(), None, &path.display().to_string());
        count += 1;
    }
    assert!(count >= 8, "{count} objects");
}

/// Random words, most of which are instructions with bits or operands that no assembler
/// writes.
#[test]
fn random_words_have_a_listing_that_assembles_to_them() {
    for target in Target::all() {
        let mut numbers = tests::random_shaders::Numbers::new(0x2545_f491);
        let bytes: Vec<u8> = (0..8_001).map(|_| numbers.below(256) as u8).collect();
        let listing = object::listing(&bytes, Some(target)).unwrap();
        assert_eq!(bytes_of(&listing.sections[0]), bytes, "{target}");
        assembles_again(&bytes, Some(target), target.name());
    }
}

#[test]
fn words_that_no_text_gives_back_stand_there_as_words() {
    let words = [0xdc70_4000, 0x0004_3c80];
    let bytes: Vec<u8> = words.iter().flat_map(|word: &u32| word.to_le_bytes()).collect();
    let listing = object::listing(&bytes, Target::find("gfx803")).unwrap();
    let [ListingLine::Inexact { text, .. }] = &listing.sections[0].lines[..] else {
        panic!("{listing:?}")
    };
    let shown = "flat_store_dword v[128:129], v60";
    assert_eq!(listing.sections[0].text(*text), shown);
    let code = format!(".long {:#010x}, {:#010x} ", words[0], words[1]);
    assert!(listing.text().contains(&code) && listing.text().contains(shown));
    assembles_again(&bytes, Target::find("gfx803"), shown);
}

#[test]
fn literals_that_have_a_short_code_are_marked() {
    for (words, shown) in [
        ([0x860b_ff01_u32, 0x0000_0001], "s_and_b32 s11, s1, lit(0x1)"),
        ([0x860b_ff01, 0xbf80_0000], "s_and_b32 s11, s1, lit(0xbf800000)"),
        ([0x7e00_02ff, 0x3f80_0000], "v_mov_b32_e32 v0, lit(0x3f800000)"),
        ([0xbe80_01ff, 0x0000_0000], "s_mov_b64 s[0:1], lit(0x0)"),
    ] {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let listing = object::listing(&bytes, Target::find("gfx900")).unwrap();
        let [ListingLine::Instruction { text, .. }] = &listing.sections[0].lines[..] else {
            panic!("{shown}: {listing:?}")
        };
        assert_eq!(listing.sections[0].text(*text), shown);
        assembles_again(&bytes, Target::find("gfx900"), shown);
    }
}

/// A small ELF file: its header and one row of sections that say what they like.
fn header(rest: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x7fELF\x02\x01\x01\x40\x02".to_vec();
    bytes.resize(64, 0);
    bytes[16] = 1;
    bytes[18] = 224;
    bytes[40] = 64;
    bytes[48] = 0x2a;
    bytes[58] = 64;
    bytes[60] = (rest.len() / 64) as u8;
    bytes.extend(rest);
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_bytes_are_too_strange_to_list(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        for name in ["gfx600", "gfx700", "gfx803", "gfx900", "gfx908"] {
            let listing = object::listing(&bytes, Target::find(name)).unwrap();
            // Every byte is in the listing once.
            prop_assert_eq!(bytes_of(&listing.sections[0]), &*bytes);
            let text = listing.text();
            prop_assert!(text.len() <= 200 + bytes.len() * 64);
        }
    }

    #[test]
    fn no_headers_are_too_strange_to_read(
        small in proptest::collection::vec(prop_oneof![0_u8..8, any::<u8>()], 0..640),
        changes in proptest::collection::vec((0_usize..704, any::<u8>()), 0..8),
    ) {
        let mut bytes = header(&small);
        for (at, value) in changes {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = value;
            }
        }
        if let Ok(listing) = object::listing(&bytes, Target::find("gfx803")) {
            prop_assert!(listing.text().len() <= 4_000 + bytes.len() * 128);
        }
    }
}
