//! Waves per SIMD against the statistics that a driver reports for its own
//! shaders, and the shapes of their machine code.

use std::io::{BufRead as _, BufReader};

use gcn::Target;
use gcn::encoding::shape;
use gcn::occupancy::{Usage, occupancy};
use serde_json::Value;
use tests::corpora::shared;

fn listings() -> Option<impl Iterator<Item = Value>> {
    let file = std::fs::File::open(shared("data/perf/aco_listings.jsonl.gz")?).unwrap();
    let lines = BufReader::new(flate2::read::GzDecoder::new(file)).lines();
    Some(lines.map(|line| serde_json::from_str(&line.unwrap()).unwrap()))
}

fn figure(listing: &Value, name: &str) -> u32 {
    listing["stats"][name].as_u64().unwrap().try_into().unwrap()
}

#[test]
fn waves_are_the_drivers() {
    let Some(listings) = listings() else { return };
    let (mut by_registers, mut with_memory) = (0, 0);
    for listing in listings {
        let target = Target::find(listing["family"].as_str().unwrap()).unwrap();
        let usage = Usage {
            vgprs: figure(&listing, "VGPRs"),
            sgprs: figure(&listing, "SGPRs"),
            ..Usage::default()
        };
        let expected = figure(&listing, "Subgroups per SIMD");
        let found = occupancy(usage, target);
        // The newer driver takes local memory into account, of whose workgroups
        // and attributes the statistics say nothing: there waves may be fewer.
        if listing["backend"] == "aco25" && found.waves != expected {
            assert!(expected < found.waves, "{}: {:?}", listing["shader"], listing["stats"]);
            with_memory += 1;
            continue;
        }
        assert_eq!(found.waves, expected, "{}: {:?}", listing["shader"], listing["stats"]);
        by_registers += 1;
    }
    eprintln!("{by_registers} by registers alone, {with_memory} fewer for local memory");
    assert!(by_registers > 450 && with_memory < 30, "{by_registers}, {with_memory}");
}

#[test]
fn listed_words_have_the_listed_length() {
    let Some(listings) = listings() else { return };
    let mut checked = 0;
    for listing in listings {
        let target = Target::find(listing["family"].as_str().unwrap()).unwrap();
        for line in listing["asm"].as_str().unwrap().lines() {
            // `v_mov_b32 v0, 1.0    ; 7e0002f2`
            let Some((code, comment)) = line.split_once(';') else { continue };
            let words: Option<Vec<u32>> = comment
                .split_ascii_whitespace()
                .map(|word| u32::from_str_radix(word, 16).ok().filter(|_| word.len() == 8))
                .collect();
            let Some(words) = words.filter(|words| !words.is_empty()) else { continue };
            if code.trim().is_empty() || code.trim_end().ends_with(':') {
                continue;
            }
            let found = shape(&words, target.generation()).map(|shape| usize::from(shape.words));
            assert_eq!(found, Ok(words.len()), "{target}: {line}");
            checked += 1;
        }
    }
    eprintln!("{checked} instructions");
    assert!(checked > 10_000, "{checked}");
}
