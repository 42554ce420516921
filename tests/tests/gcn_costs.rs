//! The analyses of costs on code that compilers made: it is correct, so nothing in
//! it may be called wrong for certain.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};

use gcn::Target;
use gcn::cost::{Code, Effects, Flow, Waits, hazards};
use serde_json::Value;
use tests::corpora::shared;

fn listings() -> Option<impl Iterator<Item = Value>> {
    let file = std::fs::File::open(shared("data/perf/aco_listings.jsonl.gz")?).unwrap();
    let lines = BufReader::new(flate2::read::GzDecoder::new(file)).lines();
    Some(lines.map(|line| serde_json::from_str(&line.unwrap()).unwrap()))
}

/// The words that a listing writes behind its instructions.
fn words(listing: &str) -> Vec<u32> {
    let mut words: Vec<u32> = Vec::new();
    let mut last = 0..0;
    for line in listing.lines() {
        if let Some(count) = line.trim().strip_prefix("(then repeated ") {
            let count: usize = count.split(' ').next().unwrap().parse().unwrap();
            for _ in 0..count {
                words.extend_from_within(last.clone());
            }
            continue;
        }
        let Some((_, hex)) = line.rsplit_once(';') else { continue };
        let start = words.len();
        words.extend(hex.split_whitespace().map(|word| u32::from_str_radix(word, 16).unwrap()));
        last = start..words.len();
    }
    words
}

#[test]
fn drivers_listings_have_no_certain_errors() {
    let Some(listings) = listings() else { return };
    let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut first: BTreeMap<String, String> = BTreeMap::new();
    let (mut files, mut instructions, mut undecodable) = (0, 0, 0);
    for listing in listings {
        let target = Target::find(listing["family"].as_str().unwrap()).unwrap();
        let code = Code::from_words(target, &words(listing["asm"].as_str().unwrap()));
        files += 1;
        instructions += code.instructions.len();
        let effects = Effects::of_all(&code);
        undecodable += effects.iter().filter(|effects| effects.recipe.is_none()).count();
        let flow = Flow::of(&code, &effects);
        let mut findings = Waits::of(&code, &effects, &flow).findings;
        findings.extend(hazards(&code, &effects, &flow));
        for finding in &findings {
            let severity = format!("{:?}", finding.severity);
            let backend = listing["backend"].as_str().unwrap();
            let key = (format!("{} {severity}", finding.code.0), backend.to_owned());
            *counts.entry(key).or_default() += 1;
            first.entry(format!("{backend} {} {severity}", finding.code.0)).or_insert_with(|| {
                format!("{} {} {finding:?}", listing["shader"], listing["family"])
            });
        }
    }
    eprintln!("{files} listings, {instructions} instructions, {undecodable} undecodable");
    for ((what, backend), count) in &counts {
        eprintln!("{what}, {backend}: {count}");
    }
    for (what, first) in &first {
        eprintln!("first {what}: {first}");
    }
    assert!(files >= 480);
    assert_eq!(undecodable, 0);
    let errors: usize =
        counts.iter().filter(|((what, _), _)| what.ends_with("Error")).map(|(_, n)| n).sum();
    assert_eq!(errors, 0);
}
