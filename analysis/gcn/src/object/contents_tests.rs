//! Bundles made by hand.

use expect_test::expect;

use super::tests::{code, file};
use super::*;

/// A bundle of entries, each aligned as the bundler does.
fn bundle(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let table: usize = entries.iter().map(|(name, _)| 24 + name.len()).sum();
    let mut bytes = b"__CLANG_OFFLOAD_BUNDLE__".to_vec();
    bytes.extend((entries.len() as u64).to_le_bytes());
    let mut at = 32 + table;
    let mut places = Vec::new();
    for (name, contents) in entries {
        at = at.next_multiple_of(64);
        places.push(at);
        bytes.extend(
            [at, contents.len(), name.len()].map(|it| it as u64).map(u64::to_le_bytes).concat(),
        );
        bytes.extend(name.as_bytes());
        at += contents.len();
    }
    for ((_, contents), place) in entries.iter().zip(places) {
        bytes.resize(place, 0);
        bytes.extend(*contents);
    }
    bytes
}

/// A bundle, compressed with zlib, by a version of the header.
fn compressed(version: u16, bundle: &[u8]) -> Vec<u8> {
    let packed = miniz_oxide::deflate::compress_to_vec_zlib(bundle, 6);
    wrapped(version, 0, bundle.len(), &packed)
}

/// Compressed bytes behind a header.
fn wrapped(version: u16, method: u16, unpacked: usize, packed: &[u8]) -> Vec<u8> {
    let mut bytes = b"CCOB".to_vec();
    bytes.extend([version, method].map(u16::to_le_bytes).concat());
    let header = [0, 20, 24, 32][usize::from(version.min(3))];
    let sizes = [header + packed.len(), unpacked];
    for size in &sizes[usize::from(version < 2)..] {
        match version {
            3 => bytes.extend((*size as u64).to_le_bytes()),
            _ => bytes.extend((*size as u32).to_le_bytes()),
        }
    }
    bytes.extend([7; 8]);
    bytes.extend(packed);
    bytes
}

/// The bundle of a host's empty entry and three chips, one of them not supported.
fn three() -> Vec<u8> {
    let own = |flags, chip| file(flags, &code(chip, &["s_nop 1", "s_endpgm"]), &[("main", 2, 0)]);
    bundle(&[
        ("host-x86_64-unknown-linux-gnu-", b""),
        ("hipv4-amdgcn-amd-amdhsa--gfx1100", &own(0x41, "gfx900")),
        ("hipv4-amdgcn-amd-amdhsa--gfx906:xnack-", &own(0x22f, "gfx906")),
        ("hipv4-amdgcn-amd-amdhsa--gfx803", &own(0x2a, "gfx803")),
    ])
}

/// The entries of a file, a line each.
fn list(bytes: &[u8]) -> String {
    let found = match contents(bytes) {
        Ok(found) => found,
        Err(error) => return format!("{error}\n"),
    };
    let entry =
        |it: &Entry| format!("{}: {} ({} bytes)\n", it.name, it.kind, found.bytes(it).len());
    let faults = found.faults.iter().map(|fault| format!("{fault}\n"));
    found.entries().iter().map(entry).chain(faults).collect()
}

#[test]
fn a_bundle_has_an_entry_for_each_chip() {
    let bytes = three();
    expect![[r#"
        host-x86_64-unknown-linux-gnu-: empty (0 bytes)
        hipv4-amdgcn-amd-amdhsa--gfx1100: code for gfx1100 (RDNA 3), which is not supported yet (469 bytes)
        hipv4-amdgcn-amd-amdhsa--gfx906:xnack-: code for gfx906 (469 bytes)
        hipv4-amdgcn-amd-amdhsa--gfx803: code for gfx803 (469 bytes)
    "#]]
    .assert_eq(&list(&bytes));
    let found = contents(&bytes).expect("a bundle");
    assert!(!found.is_single());
    let chip = |name| found.choose(Choice::Chip(Target::find(name).expect(name)));
    assert_eq!(found.choose(Choice::First), Some(2));
    assert_eq!((chip("polaris10"), chip("gfx906"), chip("gfx900")), (Some(3), Some(2), None));
    let number = |number| found.choose(Choice::Number(number));
    assert_eq!((number(0), number(1), number(4), number(5)), (None, Some(0), Some(3), None));
    expect![[r#"
        // entry 4 of 4: hipv4-amdgcn-amd-amdhsa--gfx803
        // beside it:
        //   1 host-x86_64-unknown-linux-gnu-: empty
        //   2 hipv4-amdgcn-amd-amdhsa--gfx1100: code for gfx1100 (RDNA 3), which is not supported yet
        //   3 hipv4-amdgcn-amd-amdhsa--gfx906:xnack-: code for gfx906
        	.amdgcn_target "amdgcn-amd-amdhsa--gfx803"
        	.text
        	.type main,@function
        main:
        	s_nop 1                                                      // 000000000000: BF800001
        	s_endpgm                                                     // 000000000004: BF810000
    "#]]
    .assert_eq(&found.code(3, None).expect("code").listing().text());
    assert_eq!(found.code(0, None).err(), Some(Error::NoCode));
}

#[test]
fn compressed_bundles_are_unpacked() {
    let bundle = three();
    let whole = list(&bundle);
    for version in 1..=3 {
        assert_eq!(list(&compressed(version, &bundle)), whole, "version {version}");
    }
    // A frame of zstd with one block that is not compressed, behind one that is skipped.
    let mut frame = b"\x50\x2a\x4d\x18\x03\0\0\0abc\x28\xb5\x2f\xfd\xa0".to_vec();
    frame.extend((bundle.len() as u32).to_le_bytes());
    frame.extend(&((bundle.len() as u32) << 3 | 1).to_le_bytes()[..3]);
    frame.extend(&bundle);
    assert_eq!(list(&wrapped(3, 1, bundle.len(), &frame)), whole);
    assert_eq!(list(&wrapped(2, 1, bundle.len(), &frame)), whole);
    // Several, one behind the other, and within each other.
    let two = [compressed(2, &bundle), vec![0; 9], bundle.clone(), compressed(1, &bundle)].concat();
    assert_eq!(list(&two), whole.repeat(3));
    assert_eq!(list(&compressed(3, &compressed(2, &two))), whole.repeat(3));
    // Versions of the first kind end where the next one begins.
    let first = compressed(1, &bundle);
    assert_eq!(list(&[first.clone(), first.clone(), first].concat()), whole.repeat(3));
}

#[test]
fn a_hosts_file_holds_bundles_in_a_section() {
    let bundle = three();
    let whole = list(&bundle);
    let inner = [bundle.clone(), vec![0; 100], compressed(2, &bundle)].concat();
    // The one section of the file, with another name and for another machine.
    let mut host = file(0, &inner, &[]);
    host[18] = 62;
    assert_eq!(contents(&host).map(|_| ()), Err(Error::Machine(62)));
    let mut host = [host.as_slice(), b"\0.hip_fatbin\0"].concat();
    let names = host.len() - 13;
    // The name moves behind the file, where the table of names is made to end.
    let headers = host.len() - 13 - 5 * 64;
    let table = headers + 2 * 64;
    let start = u64::from_le_bytes(host[table + 24..table + 32].try_into().expect("8 bytes"));
    let size = host.len() as u64 - start;
    host[table + 32..table + 40].copy_from_slice(&size.to_le_bytes());
    let name = (names + 1) as u64 - start;
    host[headers + 64..headers + 68].copy_from_slice(&(name as u32).to_le_bytes());
    assert_eq!(list(&host), whole.repeat(2));
    // Programs of Windows and archives are searched.
    for begin in [b"MZ\x90\0".as_slice(), b"!<arch>\n"] {
        assert_eq!(list(&[begin, &inner].concat()), whole.repeat(2));
        assert_eq!(list(begin), "no bundle of code objects is in the file\n");
    }
}

/// An offload binary with one image.
fn offload_binary(chip: &str, image: &[u8]) -> Vec<u8> {
    let strings = format!("\0arch\0triple\0amdgcn-amd-amdhsa\0{chip}\0");
    let start = (104 + strings.len()).next_multiple_of(8);
    let long = |number: usize| (number as u64).to_le_bytes();
    let mut bytes = b"\x10\xff\x10\xad\x01\0\0\0".to_vec();
    bytes.extend([start + image.len(), 32, 40].map(long).concat());
    bytes.extend([0, 0, 4, 0, 0, 0, 0, 0]);
    bytes.extend([72, 2, start, image.len()].map(long).concat());
    let at = |word: &str| 104 + strings.find(word).expect("a word");
    bytes.extend([at("arch"), at(chip), at("triple"), at("amdgcn")].map(long).concat());
    bytes.extend(strings.bytes());
    bytes.resize(start, 0);
    bytes.extend(image);
    bytes
}

#[test]
fn offload_binaries_follow_one_another() {
    let object = file(0x2a, &code("gfx803", &["s_endpgm"]), &[]);
    let first = offload_binary("gfx803", &object);
    let all = [first.clone(), vec![0; 8], offload_binary("gfx90a:xnack+", b"BC\xc0\xde")].concat();
    let size = first.len() as u64;
    let changed = |at: usize, value: u64| {
        let mut bytes = first.clone();
        bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
        list(&bytes)
    };
    let told = [
        list(&all),
        changed(8, size + 1),
        changed(8, 0),
        changed(16, size),
        changed(40 + 8, size),
        changed(40 + 24, size),
        changed(40 + 32, u64::MAX),
        changed(72, size),
    ];
    expect![[r#"
        hip-amdgcn-amd-amdhsa--gfx803: code for gfx803 (436 bytes)
        hip-amdgcn-amd-amdhsa--gfx90a:xnack+: LLVM bitcode (4 bytes)
        the bundle at 0x0 cannot be read: the file ends before it does, by the size in its header
        the bundle at 0x0 cannot be read: its table of entries does not end within the file
        the bundle at 0x0 cannot be read: its table of entries does not end within the file
        the bundle at 0x0 cannot be read: its table of entries does not end within the file
        the bundle at 0x0 cannot be read: its entry 1 lies outside of the file
        the bundle at 0x0 cannot be read: its table of entries does not end within the file
        the bundle at 0x0 cannot be read: its table of entries does not end within the file
    "#]]
    .assert_eq(&told.concat());
    for end in 0..all.len() {
        list(&all[..end]);
    }
}

#[test]
fn damaged_bundles_say_where_and_why() {
    let good = three();
    let changed = |at: usize, value: u64| {
        let mut bytes = good.clone();
        bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
        list(&bytes)
    };
    let second = 32 + 24 + "host-x86_64-unknown-linux-gnu-".len();
    let third = second + 24 + "hipv4-amdgcn-amd-amdhsa--gfx1100".len();
    let (offset, size) = (
        u64::from_le_bytes(good[third..third + 8].try_into().expect("8 bytes")),
        u64::from_le_bytes(good[third + 8..third + 16].try_into().expect("8 bytes")),
    );
    let large = wrapped(3, 0, 1 << 40, b"");
    let deep = (0..6).fold(good.clone(), |inner, _| compressed(2, &inner));
    let packed = compressed(2, &good);
    let told = [
        changed(24, u64::MAX),
        changed(24, 5),
        changed(second, u64::MAX),
        changed(second + 8, u64::MAX),
        changed(second + 16, 1 << 20),
        changed(second, 40),
        changed(second, offset),
        changed(second + 8, size + offset),
        list(&good[..40]),
        list(&large),
        list(&deep),
        list(&packed[..packed.len() - 1]),
        list(&wrapped(2, 0, good.len(), b"junk")),
        list(&wrapped(2, 1, good.len(), b"junk")),
        list(&wrapped(1, 0, good.len() + 1, &packed[24..])),
        list(&wrapped(1, 0, good.len() - 1, &packed[24..])),
        list(b"CCOB\x01\0\0\0"),
    ];
    expect![[r#"
        the bundle at 0x0 cannot be read: its table of entries does not end within the file
        host-x86_64-unknown-linux-gnu-: empty (0 bytes)
        hipv4-amdgcn-amd-amdhsa--gfx1100: code for gfx1100 (RDNA 3), which is not supported yet (469 bytes)
        hipv4-amdgcn-amd-amdhsa--gfx906:xnack-: code for gfx906 (469 bytes)
        hipv4-amdgcn-amd-amdhsa--gfx803: code for gfx803 (469 bytes)
        : empty (0 bytes)
        the bundle at 0x0 cannot be read: its entry 2 lies outside of the file
        the bundle at 0x0 cannot be read: its entry 2 lies outside of the file
        the bundle at 0x0 cannot be read: its table of entries does not end within the file
        the bundle at 0x0 cannot be read: its entry 2 overlaps the table of entries
        the bundle at 0x0 cannot be read: its entries 2 and 3 overlap
        the bundle at 0x0 cannot be read: its entries 2 and 3 overlap
        the bundle at 0x0 cannot be read: its table of entries does not end within the file
        the bundle at 0x0 cannot be read: it would be 1099511627776 bytes, and no more than 67108864 of a file are unpacked
        the bundle at 0x0 cannot be read: too many bundles are within each other
        the bundle at 0x0 cannot be read: the file ends before it does, by the size in its header
        the bundle at 0x0 cannot be read: its compressed bytes are damaged
        the bundle at 0x0 cannot be read: its compressed bytes are damaged
        the bundle at 0x0 cannot be read: its compressed bytes are damaged
        the bundle at 0x0 cannot be read: its compressed bytes are damaged
        the bundle at 0x0 cannot be read: its header does not end within the file
    "#]].assert_eq(&told.concat());
    for end in 0..good.len() {
        list(&good[..end]);
    }
    // What is sound is read beside what is not.
    let both = list(&[changed_bytes(&good, second), good.clone()].concat());
    assert!(both.contains("code for gfx803") && both.contains("cannot be read"), "{both}");
}

fn changed_bytes(good: &[u8], at: usize) -> Vec<u8> {
    let mut bytes = good.to_vec();
    bytes[at..at + 8].copy_from_slice(&u64::MAX.to_le_bytes());
    bytes
}
