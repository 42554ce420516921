//! Waves of kernels beside what LLVM's compiler says of them.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;

use gcn::occupancy::{Limiter, Occupancy, Usage, occupancy};
use gcn::{Generation, Target};

/// Tells whether a reason holds for a row: the chip, what the kernel uses, our figures, LLVM's.
type Fits = fn(Target, Usage, &Occupancy, u32) -> bool;

/// The reasons for which LLVM's comment is not what the granules say.
const EXCEPTIONS: [(&str, Fits); 3] = [
    (
        "LLVM counts some numbers of scalar registers as if they were not of granules",
        |_, _, it, waves| it.limiter == Limiter::Sgprs && it.waves < waves,
    ),
    ("LLVM does not round local data share up to its granule", |_, usage, it, waves| {
        it.limiter == Limiter::Lds && usage.lds < it.allocated_lds && it.waves < waves
    }),
    (
        "a compute unit of GCN 1.0 has 64 KiB, of which a workgroup gets half; LLVM takes that for all",
        |target, usage, it, waves| {
            target.generation() == Generation::Gfx6 && usage.lds > 0 && it.waves > waves
        },
    ),
];

#[test]
fn kernels_have_the_waves_that_llvm_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/judged/gcn-waves.tsv.gz");
    let mut text = String::new();
    let compressed = std::fs::read(path).unwrap();
    flate2::read::GzDecoder::new(&compressed[..]).read_to_string(&mut text).unwrap();
    let (mut wrong, mut rows) = (Vec::new(), 0);
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    let mut limits: BTreeMap<&str, usize> = BTreeMap::new();
    for row in text.lines().filter(|line| !line.starts_with('#')).skip(1) {
        let (chip, figures) = row.split_once('\t').unwrap();
        let figures: Vec<u32> = figures.split('\t').map(|it| it.parse().unwrap()).collect();
        let [threads, vgprs, agprs, sgprs, lds, waves] = figures[..] else { panic!("{row}") };
        let target = Target::find(chip).unwrap();
        let waves_per_group = threads.div_ceil(64);
        let usage = Usage { vgprs, agprs, sgprs, lds, waves_per_group, interpolants: 0 };
        let found = occupancy(usage, target);
        rows += 1;
        *limits.entry(found.limiter.name()).or_default() += 1;
        if found.waves != waves {
            match EXCEPTIONS.iter().find(|(_, fits)| fits(target, usage, &found, waves)) {
                Some((reason, _)) => *reasons.entry(reason).or_default() += 1,
                None => wrong.push(format!("{row}: {found:?}")),
            }
        }
    }
    assert_eq!(wrong, [""; 0]);
    assert!(rows >= 500, "{rows}");
    assert_eq!(limits.len(), Limiter::ALL.len(), "{limits:?}");
    assert_eq!(reasons.len(), EXCEPTIONS.len(), "{reasons:?}");
}
