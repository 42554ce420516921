//! Files made by hand, byte by byte.

use super::*;
use crate::instruction::{InstructionSet, NoSymbols, assemble_line};
use expect_test::expect;

pub(super) fn code(target: &str, lines: &[&str]) -> Vec<u8> {
    let set = InstructionSet::of(Target::find(target).expect(target));
    let assemble = |line: &&str| assemble_line(line, set, &NoSymbols).expect(line);
    lines.iter().flat_map(|line| assemble(line).bytes().collect::<Vec<_>>()).collect()
}

/// An object with one section of code, its names and its symbols.
pub(super) fn file(flags: u32, text: &[u8], symbols: &[(&str, u8, u64)]) -> Vec<u8> {
    let section_names = b"\0.text\0.strtab\0.symtab\0";
    let mut names = vec![0_u8];
    let mut table = vec![0_u8; 24];
    for (name, kind, value) in symbols {
        table.extend((names.len() as u32).to_le_bytes());
        table.extend([*kind, 0, 1, 0]);
        table.extend(value.to_le_bytes());
        table.extend(0_u64.to_le_bytes());
        names.extend(name.bytes().chain([0]));
    }
    let mut bytes = b"\x7fELF\x02\x01\x01\x40\x02".to_vec();
    bytes.resize(64, 0);
    let mut place = |part: &[u8]| {
        let at = bytes.len() as u64;
        bytes.extend(part);
        (at, part.len() as u64)
    };
    let text = place(text);
    let section_names = place(section_names);
    let names = place(&names);
    let table = place(&table);
    let headers = bytes.len() as u64;
    for (name, kind, flags, (offset, size), link) in [
        (0_u32, 0_u32, 0_u64, (0, 0), 0_u32),
        (1, 1, 6, text, 0),
        (7, 3, 0, section_names, 0),
        (7, 3, 0, names, 0),
        (15, 2, 0, table, 3),
    ] {
        bytes.extend([name.to_le_bytes(), kind.to_le_bytes()].concat());
        bytes.extend([flags, 0, offset, size].map(u64::to_le_bytes).concat());
        bytes.extend([link.to_le_bytes(), 0_u32.to_le_bytes()].concat());
        bytes.extend([0_u64; 2].map(u64::to_le_bytes).concat());
    }
    let mut put = |at: usize, value: &[u8]| bytes[at..at + value.len()].copy_from_slice(value);
    put(16, &1_u16.to_le_bytes());
    put(18, &224_u16.to_le_bytes());
    put(40, &headers.to_le_bytes());
    put(48, &flags.to_le_bytes());
    put(58, &64_u16.to_le_bytes());
    put(60, &5_u16.to_le_bytes());
    put(62, &2_u16.to_le_bytes());
    bytes
}

const LOOP: [&str; 6] = [
    "v_mov_b32 v0, 0x12345678",
    "v_add_f32 v0, v0, v1",
    "s_cbranch_scc1 0xfffe",
    "s_branch 1",
    "s_nop 0",
    "s_endpgm",
];

#[test]
fn an_object_is_a_listing_with_labels() {
    let mut text = code("gfx803", &LOOP);
    text.extend([0xff, 0xff, 0xff, 0xff, 1, 2]);
    let bytes = file(0x2a, &text, &[("main", 2, 0), ("not a name", 2, 4), ("end", 0, 28)]);
    let listing = listing(&bytes, None).expect("an object");
    assert_eq!(listing.target.name(), "gfx803");
    assert!(!listing.is_all_code());
    expect![[r#"
        	.amdgcn_target "amdgcn-amd-amdhsa--gfx803"
        	.text
        	.type main,@function
        main:
        	v_mov_b32_e32 v0, 0x12345678                                 // 000000000000: 7E0002FF 12345678
        L_0008:
        	v_add_f32_e32 v0, v0, v1                                     // 000000000008: 02000300
        	s_cbranch_scc1 L_0008                                        // 00000000000C: BF85FFFE
        	s_branch L_0018                                              // 000000000010: BF820001
        	s_nop 0                                                      // 000000000014: BF800000
        L_0018:
        	s_endpgm                                                     // 000000000018: BF810000
        end:
        	.long 0xffffffff                                             // 00000000001C: FFFFFFFF
        	.byte 0x01, 0x02                                             // 000000000020
    "#]].assert_eq(&listing.text());
}

#[test]
fn headers_of_kernels_are_not_code() {
    let mut text = vec![0_u8; 256];
    text[16] = 0;
    text[17] = 1;
    text.extend(code("gfx700", &["s_endpgm"]));
    let bytes = file(0x22, &text, &[("kernel", 10, 0)]);
    let listing = listing(&bytes, None).expect("an object");
    assert!(listing.is_all_code());
    expect![[r#"
        	.amdgcn_target "amdgcn-amd-amdhsa--gfx700"
        	.text
        kernel:
        	// 000000000000: the header of the kernel, amd_kernel_code_t
        	.long 0x00000000, 0x00000000, 0x00000000, 0x00000000
        	.long 0x00000100, 0x00000000, 0x00000000, 0x00000000
        	.long 0x00000000, 0x00000000, 0x00000000, 0x00000000
        	.long 0x00000000, 0x00000000, 0x00000000, 0x00000000
        	.long 0x00000000, 0x00000000, 0x00000000, 0x00000000
        	.long 0x00000000, 0x00000000, 0x00000000, 0x00000000
        	.long 0x00000000, 0x00000000, 0x00000000, 0x00000000
        	.long 0x00000000, 0x00000000, 0x00000000, 0x00000000
        	.long 0x00000000, 0x00000000, 0x00000000, 0x00000000
        	.long 0x00000000, 0x00000000, 0x00000000, 0x00000000
        	.long 0x00000000, 0x00000000, 0x00000000, 0x00000000
        	.long 0x00000000, 0x00000000, 0x00000000, 0x00000000
        	.long 0x00000000, 0x00000000, 0x00000000, 0x00000000
        	.long 0x00000000, 0x00000000, 0x00000000, 0x00000000
        	.long 0x00000000, 0x00000000, 0x00000000, 0x00000000
        	.long 0x00000000, 0x00000000, 0x00000000, 0x00000000
        	s_endpgm                                                     // 000000000100: BF810000
    "#]]
    .assert_eq(&listing.text());
}

/// A shader of the PlayStation 4: code that says how far its footer is, a table, the footer.
fn console_shader(stage: u32) -> Vec<u8> {
    let mut code = code("gfx700", &["s_mov_b32 vcc_hi, 0x12345678", "s_endpgm"]);
    let length = code.len() as u32;
    code.extend([1, 2, 3, 4]);
    // The distance is in pairs of words, the first instruction not counted.
    code[4..8].copy_from_slice(&1_u32.to_le_bytes());
    code.extend(b"OrbShdr\x07");
    code.extend((1 | stage << 2 | length << 8).to_le_bytes());
    code.extend([0; 16]);
    code
}

#[test]
fn shaders_of_a_console_name_their_footer() {
    let bytes = console_shader(1);
    let listing = listing(&bytes, None).expect("a shader");
    assert_eq!(listing.target.name(), "liverpool");
    assert!(listing.is_all_code());
    expect![[r#"
        .amdgcn_target "amdgcn-amd-amdhsa--gfx700"
        s_mov_b32 vcc_hi, lit(0x1)                                   // 000000000000: BEEB03FF 00000001
        s_endpgm                                                     // 000000000008: BF810000
        // 00000000000C: OrbShdr, the footer of a shader of the PlayStation 4: vertex shader, 12 bytes of code
        .long 0x04030201, 0x5362724f, 0x07726468, 0x00000c05
        .long 0x00000000, 0x00000000, 0x00000000, 0x00000000
    "#]].assert_eq(&listing.text().replace('\t', ""));
}

#[test]
fn a_footer_may_be_cut_and_a_header_may_stand_before() {
    let lines = |bytes: &[u8]| {
        let listing = listing(bytes, None).expect("a shader");
        listing
            .text()
            .lines()
            .filter(|it| !it.contains(".long"))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let whole = console_shader(0);
    let wrapped = [b"Shdr\x07\0\x02\0".as_slice(), &whole].concat();
    let found = lines(&wrapped);
    assert!(found[1].ends_with("the header of a shader of the PlayStation 4"), "{found:#?}");
    assert!(found.iter().any(|it| it.starts_with("\ts_endpgm")), "{found:#?}");
    assert!(found.iter().any(|it| it.ends_with("pixel shader, 12 bytes of code")), "{found:#?}");
    for end in 0..whole.len() {
        let _ = super::listing(&whole[..end], Target::find("liverpool"));
    }
    let found = lines(b"OrbShdr\x07\0\0\0\x01\x02\x03\x04");
    assert_eq!(found.len(), 3, "{found:#?}");
    assert!(found[1].ends_with("the footer of a shader of the PlayStation 4, cut"), "{found:#?}");
}

#[test]
fn bare_bytes_need_a_target() {
    let bytes = code("gfx600", &["s_endpgm"]);
    assert_eq!(listing(&bytes, None), Err(Error::NoTarget));
    let found = listing(&bytes, Target::find("tahiti")).expect("bytes");
    assert!(found.text().contains("\ts_endpgm "), "{}", found.text());
    assert_eq!(listing(&[], Target::find("tahiti")).map(|it| it.sections[0].lines.len()), Ok(0));
}

#[test]
fn other_files_say_what_they_are() {
    let good = file(0x2a, &code("gfx803", &LOOP), &[]);
    let changed = |at: usize, value: u8| {
        let mut bytes = good.clone();
        bytes[at] = value;
        listing(&bytes, None).map(|_| ())
    };
    assert_eq!(changed(4, 1), Err(Error::Format));
    assert_eq!(changed(18, 62), Err(Error::Machine(62)));
    assert_eq!(changed(48, 0xf3), Err(Error::Chip(0xf3)));
    let named = changed(48, 0x41).map_err(|error| error.to_string());
    assert_eq!(named, Err("made for gfx1100 (RDNA 3), which is not supported yet".to_owned()));
    assert_eq!(changed(48, 0), Err(Error::NoTarget));
    assert_eq!(changed(41, 0xff), Err(Error::Truncated));
    // The user knows better.
    let mut unnamed = good.clone();
    unnamed[48] = 0;
    let target = Target::find("gfx900");
    assert_eq!(listing(&unnamed, target).map(|it| it.target), Ok(target.expect("gfx900")));
    for end in 0..good.len() {
        let _ = listing(&good[..end], None);
        let _ = listing(&good[..end], target);
    }
}

#[test]
fn sections_that_claim_the_whole_file_are_refused() {
    let mut bytes = file(0x2a, &[0; 64], &[]);
    let headers = bytes.len() - 5 * 64;
    // The other sections too are code, of all the file.
    for section in 1..5 {
        let row = headers + section * 64;
        let size = bytes.len() as u64;
        bytes[row + 4] = 1;
        bytes[row + 8] = 4;
        bytes[row + 24..row + 32].copy_from_slice(&0_u64.to_le_bytes());
        bytes[row + 32..row + 40].copy_from_slice(&size.to_le_bytes());
    }
    assert_eq!(listing(&bytes, None).map(|_| ()), Err(Error::Overlap));
}

#[test]
fn jumps_with_the_same_words_have_places_of_their_own() {
    let bytes = code("gfx803", &["s_nop 0", "s_branch 65534", "s_nop 0", "s_branch 65534"]);
    let listing = listing(&bytes, Target::find("gfx803")).unwrap();
    let lines: Vec<_> = listing.text().lines().skip(1).map(str::to_owned).collect();
    let starts: Vec<_> = lines.iter().map(|it| it.split("//").next().unwrap().trim()).collect();
    let expected =
        ["L_0000:", "s_nop 0", "s_branch L_0000", "L_0008:", "s_nop 0", "s_branch L_0008"];
    assert_eq!(starts, expected);
}

/// Words that come again, near and far, are listed as they are alone.
#[test]
fn words_that_come_again_are_listed_as_they_are_alone() {
    let target = Target::find("gfx900");
    // Moves of literals, some of which are words of their own that fall short.
    let bits = |number: u32| number.wrapping_mul(0x9e37_79b9) % 3_000;
    let pairs: Vec<[u32; 2]> = (0..4_000).map(|it| [0x7e00_02ff, bits(it)]).collect();
    let bytes =
        |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>();
    let text = |words: &[u32]| {
        let listing = listing(&bytes(words), target).unwrap();
        let texts = listing.lines().map(|(section, line)| match line {
            ListingLine::Instruction { text, .. } => section.text(*text).to_owned(),
            other => format!("{other:?}"),
        });
        texts.collect::<Vec<_>>()
    };
    let alone: Vec<String> = pairs.iter().flat_map(|pair| text(pair)).collect();
    assert_eq!(text(pairs.as_flattened()), alone);
    assert!(alone.iter().any(|it| it == "v_mov_b32_e32 v0, lit(0x1)"), "a literal is marked");
}
