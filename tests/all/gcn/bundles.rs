//! Bundles that a compressor and a linker wrote: their code objects are those that were put in.

use std::path::{Path, PathBuf};

use expect_test::expect;
use gcn::object::{self, Choice, EntryKind};
use tests::writers::bundles::{bundle, compressed};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/gcn").join(name)
}

fn read(name: &str) -> Vec<u8> {
    std::fs::read(data(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The entries of a file, a line each.
fn list(bytes: &[u8]) -> String {
    let contents = object::contents(bytes).expect("bundles");
    assert!(contents.faults.is_empty(), "{:?}", contents.faults);
    let entries = contents.entries().iter();
    entries.map(|it| format!("{}: {}, {} bytes\n", it.name, it.kind, it.range.len())).collect()
}

#[test]
fn a_bundle_of_zstd_has_the_objects_that_were_put_in() {
    let bytes = read("bundle/three_chips_zstd.hipfb");
    expect![[r#"
        host-x86_64-unknown-linux-gnu-: empty, 0 bytes
        hipv4-amdgcn-amd-amdhsa--gfx900: code for gfx900, 2064 bytes
        hipv4-amdgcn-amd-amdhsa--gfx906:sramecc+:xnack-: code for gfx906, 984 bytes
        hipv4-amdgcn-amd-amdhsa--gfx908: code for gfx908, 2128 bytes
    "#]]
    .assert_eq(&list(&bytes));
    let contents = object::contents(&bytes).expect("a bundle");
    for (number, name) in [(2, "saxpy_gfx900.co"), (3, "dot_gfx906.o"), (4, "mfma_f32_gfx908.co")] {
        let index = contents.choose(Choice::Number(number)).expect("an entry");
        let own = read(&format!("object/{name}"));
        assert!(contents.bytes(&contents.entries()[index]) == own, "{name}");
        let alone = object::listing(&own, None).expect(name).text();
        let beside = contents.code(index, None).expect(name).listing().text();
        assert!(beside.starts_with("// entry ") && beside.ends_with(&alone), "{beside}");
    }
}

#[test]
fn a_hosts_object_has_the_bundles_of_its_section() {
    let bytes = read("bundle/host_program.o");
    expect![[r#"
        host-x86_64-unknown-linux-gnu-: empty, 0 bytes
        hipv4-amdgcn-amd-amdhsa--gfx803: code for gfx803, 2232 bytes
        hipv4-amdgcn-amd-amdhsa--gfx704: code for gfx704, 2072 bytes
        host-x86_64-unknown-linux-gnu-: empty, 0 bytes
        hipv4-amdgcn-amd-amdhsa--gfx900: code for gfx900, 984 bytes
        host-x86_64-unknown-linux-gnu-: empty, 0 bytes
        hipv4-amdgcn-amd-amdhsa--gfx900: code for gfx900, 984 bytes
    "#]]
    .assert_eq(&list(&bytes));
    let contents = object::contents(&bytes).expect("bundles");
    let objects = ["bitonic_gfx803.co", "saxpy_gfx704.co", "shuffle_gfx900.o", "shuffle_gfx900.o"];
    let code = contents.entries().iter().filter(|it| matches!(it.kind, EntryKind::Code(_)));
    let found: Vec<&[u8]> = code.map(|it| contents.bytes(it)).collect();
    assert!(found == objects.map(|name| read(&format!("object/{name}"))));
}

#[test]
fn offload_binaries_have_the_objects_that_were_put_in() {
    let bytes = read("bundle/offload_two.fatbin");
    assert_eq!(
        list(&bytes),
        "openmp-amdgcn-amd-amdhsa--gfx600: code for gfx600, 984 bytes\n\
         hip-amdgcn-amd-amdhsa--gfx906:xnack-: code for gfx906, 984 bytes\n"
    );
    let contents = object::contents(&bytes).expect("images");
    let found: Vec<&[u8]> = contents.entries().iter().map(|it| contents.bytes(it)).collect();
    assert!(found == ["blur_gfx600.o", "dot_gfx906.o"].map(|it| read(&format!("object/{it}"))));
}

/// A small file must not become a large one, nor one of many parts be read in each of them.
#[test]
fn what_is_unpacked_of_a_file_is_bounded() {
    let large = vec![0; object::MAX_UNPACKED / 2 + 1];
    let packed = compressed(3, &large);
    assert!(packed.len() < large.len() / 100);
    let contents = [packed.clone(), packed].concat();
    let contents = object::contents(&contents).expect("the first is read");
    assert_eq!(contents.entries().len(), 1);
    assert!(contents.faults[0].to_string().contains("bytes"), "{}", contents.faults[0]);
    // More entries than are read, without and with anything in them.
    let entries = vec![("", Vec::new()); object::MAX_ENTRIES + 1];
    let contents = bundle(&entries);
    let contents = object::contents(&contents).expect("most are read");
    assert_eq!(contents.entries().len(), object::MAX_ENTRIES);
    assert_eq!(contents.faults.len(), 1);
}
