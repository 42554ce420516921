//! Registers and waves per SIMD against the statistics that a driver reports for
//! its own shaders, and the shapes of their machine code.

use gcn::encoding::shape;
use tests::driver_registers::RegisterAgreement;
use tests::listings::{Backend, listings};

#[test]
fn registers_and_waves_are_the_drivers() {
    let listings = listings();
    let (mut aco, mut llvm) = (RegisterAgreement::default(), RegisterAgreement::default());
    for listing in &listings {
        let agreement = if listing.backend == Backend::Llvm15 { &mut llvm } else { &mut aco };
        agreement.add(listing);
    }
    eprint!("ACO: {aco}LLVM: {llvm}");
    assert!(aco.listings >= 300 && llvm.listings >= 150);
    for agreement in [&aco, &llvm] {
        assert_eq!(agreement.wrong_waves, [""; 0]);
        assert_eq!(agreement.waves, agreement.listings);
        assert_eq!(agreement.own_waves, agreement.listings);
        assert_eq!(agreement.vgprs, agreement.listings);
    }
    assert_eq!(aco.sgprs, aco.listings);
    // What differs is LLVM's granule of 8 on chips that allocate 16.
    let rounded = |what: &String| what.contains("LLVM rounds");
    assert!(llvm.different.keys().all(rounded), "{:?}", llvm.different);
}

#[test]
fn listed_words_have_the_listed_length() {
    let listings = listings();
    let mut checked = 0;
    for listing in &listings {
        for (line, words) in &listing.lines {
            let target = listing.target;
            let found = shape(words, target.generation()).map(|shape| usize::from(shape.words));
            assert_eq!(found, Ok(words.len()), "{target}: {line}");
            checked += 1;
        }
    }
    eprintln!("{checked} instructions");
    assert!(checked > 10_000, "{checked}");
}
