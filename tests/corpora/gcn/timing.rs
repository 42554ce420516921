//! The clocks of machine code against what Mesa's ACO back end counts for its own
//! shaders.

use tests::aco::Agreement;
use tests::listings::listings;

#[test]
fn clocks_are_those_of_aco() {
    let listings = listings();
    let mut agreement = Agreement::default();
    for listing in &listings {
        agreement.add(listing);
    }
    eprint!("{agreement}");
    assert!(agreement.instructions.0 > 40_000, "{}", agreement.instructions.0);
    assert!(agreement.equal_instructions() >= 0.999);
    assert_eq!(agreement.unmatched, [""; 0]);
    let straight = &agreement.straight;
    assert!(straight.pairs.len() >= 150, "{}", straight.pairs.len());
    assert_eq!(straight.equal(), straight.pairs.len());
    assert!(agreement.branching.median_error() <= 0.05);
    assert!(agreement.throughput.median_error() <= 0.01);
    let by_clocks = agreement.latency.rank_correlation();
    let by_count = agreement.counts.rank_correlation();
    assert!(by_clocks >= 0.97 && by_clocks > by_count, "{by_clocks}, {by_count}");
}
