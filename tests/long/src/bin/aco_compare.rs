//! Prints how our model of Mesa's ACO back end agrees with its own statistics:
//! `cargo run --release -p long-tests --bin aco_compare`.

#![allow(clippy::print_stdout)]

use tests::aco::Agreement;
use tests::driver_registers::RegisterAgreement;
use tests::listings::{Backend, listings};

fn main() {
    let listings = listings();
    let mut agreement = Agreement::default();
    for listing in &listings {
        agreement.add(listing);
    }
    print!("{agreement}");
    for backend in [Backend::Aco22, Backend::Aco25, Backend::Llvm15] {
        let mut registers = RegisterAgreement::default();
        listings
            .iter()
            .filter(|listing| listing.backend == backend)
            .for_each(|listing| registers.add(listing));
        print!("{backend:?}: {registers}");
    }
}
