//! The interpreter against the runs of Mesa's that are recorded beside the
//! project, where they exist.

use std::path::Path;

use super::comparison::{Tolerance, Verdict, agree};
use super::records;

#[test]
fn words_agree_by_bits_by_class_or_by_distance() {
    let exact = Tolerance { ulps: 0 };
    assert!(agree(1, 1, exact) && agree(0x7fc0_0000, 0xffff_ffff, exact));
    assert!(!agree(0, 0x8000_0000, exact) && !agree(1, 2, exact));
    assert!(agree(0x3f80_0000, 0x3f80_0002, Tolerance { ulps: 2 }));
    assert!(agree(0, 0x8000_0000, Tolerance { ulps: 1 }));
    assert!(!agree(0x3f80_0000, 0xbf80_0000, Tolerance { ulps: 2 }));
}

/// Runs that come out otherwise, and why that is right.
const EXCEPTIONS: &[(&str, u32, &str)] = &[
    ("mesa-python-tests/frag-ex2.tgsi", 7, MESA_EX2),
    ("mesa22-virgl-piglit/glsl-1.30_fs-isinf-vec4.frag.tgsi", 7, MESA_EX2),
    ("mesa-graw/frag-ucmp.tgsi", 2, NEGATIVE_F2U),
    ("mesa-graw/frag-ucmp.tgsi", 7, NEGATIVE_F2U),
];
const MESA_EX2: &str = "Mesa's EX2 is a table that knows neither infinity nor zero";
const NEGATIVE_F2U: &str = "F2U of a negative number is undefined; ours clamps as GCN does";

#[test]
fn recorded_runs_are_repeated() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/corpora/tgsi"));
    let Ok(files) = std::fs::read_dir(root.join("exec")) else {
        eprintln!("skipped: no recorded runs beside the project");
        return;
    };
    let mut counts = [0usize; 3];
    let mut others = Vec::new();
    for path in files.flatten().map(|file| file.path()) {
        if path.extension().is_none_or(|extension| extension != "jsonl") {
            continue;
        }
        for line in std::fs::read_to_string(&path).unwrap().lines() {
            let record = records::read(line).unwrap();
            let (verdict, detail) = records::repeat(&record, root, None);
            counts[verdict as usize] += 1;
            let known = EXCEPTIONS.iter().find(|it| it.0 == record.file && it.1 == record.set);
            if let Some((file, set, reason)) = known {
                assert_eq!(verdict, Verdict::Differs, "{file} {set} is no exception");
                eprintln!("{file} {set} differs: {reason}");
            } else if verdict != Verdict::Same {
                others.push(format!("{} {} {} {detail}", record.file, record.set, verdict.word()));
            }
        }
    }
    eprintln!("recorded runs: same, differ, skipped: {counts:?}");
    assert_eq!(counts, [880, EXCEPTIONS.len(), 0], "{}", others.join("\n"));
    assert!(others.is_empty());
}
