//! Waves of the chips whose vector and accumulation registers share a file, against tables of
//! what LLVM 22 says of kernels.

use std::collections::BTreeMap;

use gcn::Target;
use gcn::occupancy::{Usage, occupancy};
use tests::corpora::shared;

/// The rows of a table, by the names of their columns.
fn rows(path: &str) -> Vec<BTreeMap<String, String>> {
    let text = std::fs::read_to_string(shared("data/cdna").join(path)).unwrap();
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next().unwrap().split('\t').collect();
    let row = |line: &str| {
        head.iter().map(|it| (*it).to_owned()).zip(line.split('\t').map(str::to_owned)).collect()
    };
    lines.map(row).collect()
}

fn number(row: &BTreeMap<String, String>, column: &str) -> u32 {
    row[column].parse().unwrap_or_else(|_| panic!("{column}: {row:?}"))
}

#[test]
fn vector_registers_give_the_waves_that_llvm_says() {
    let rows = rows("occupancy-llvm22.tsv");
    for row in &rows {
        let target = Target::find(&row["cpu"]).unwrap();
        let usage = Usage {
            vgprs: number(row, "NumVgprs"),
            agprs: number(row, "NumAgprs"),
            ..Usage::default()
        };
        let found = occupancy(usage, target);
        assert_eq!(found.waves, number(row, "Occupancy"), "{row:?}: {found:?}");
        assert_eq!(usage.shared_vgprs(target), Some(number(row, "TotalNumVgprs")), "{row:?}");
        assert_eq!(found.allocated_vgprs / 8, number(row, "VGPRBlocks") + 1, "{row:?}");
    }
    eprintln!("{} rows", rows.len());
    assert_eq!(rows.len(), 1_275);
}

#[test]
fn workgroups_and_local_data_share_give_the_waves_of_the_rule() {
    let rows = rows("occupancy-lds-llvm22.tsv");
    let mut differs = 0;
    for row in &rows {
        let target = Target::find(&row["cpu"]).unwrap();
        let waves_per_group = number(row, "workgroup").div_ceil(64);
        let usage = Usage {
            vgprs: number(row, "NumVgprs"),
            agprs: number(row, "NumAgprs"),
            sgprs: number(row, "TotalNumSgprs"),
            lds: number(row, "LDSByteSize"),
            waves_per_group,
            interpolants: 0,
        };
        let found = occupancy(usage, target);
        assert_eq!(found.waves, number(row, "waves_by_rule"), "{row:?}: {found:?}");
        let whole = f64::from(found.groups * waves_per_group) / 4.0;
        assert_eq!(format!("{whole:.2}"), row["waves_when_groups_are_whole"], "{row:?}: {found:?}");
        let told = found.whole_groups(&usage).map_or(found.waves, |it| it.waves);
        assert_eq!(told, whole.ceil() as u32, "{row:?}: {found:?}");
        differs += usize::from(number(row, "Occupancy_llvm22") != found.waves);
    }
    eprintln!("{} rows, of which LLVM's comment says otherwise in {differs}", rows.len());
    assert!(rows.len() >= 199 && differs > 0, "{}", rows.len());
}
