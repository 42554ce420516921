//! Liveness against cases that were reasoned out.

use gcn::Target;
use gcn::analysis::{Cfg, Code, DefUse, Liveness};
use serde_json::Value;
use tests::code_lines::from_lines;
use tests::corpora::shared;

fn analyse(target: Target, text: &str) -> (Code, Cfg, Liveness) {
    let code = from_lines(target, text).unwrap_or_else(|problem| panic!("{problem:?} in\n{text}"));
    let def_use = DefUse::of_all(&code, &source::no_checkpoint);
    let cfg = Cfg::of(&code, &def_use);
    let liveness = Liveness::of(&code, &def_use, &cfg, &source::no_checkpoint);
    (code, cfg, liveness)
}

#[test]
fn cases_that_others_get_wrong() {
    let path = shared("data/perf/liveness_cases.json");
    let text = std::fs::read_to_string(path).unwrap();
    let cases: Vec<Value> = serde_json::from_str(&text).unwrap();
    for case in &cases {
        let target = Target::find(match case["gfx"].as_str().unwrap() {
            "gfx7" => "bonaire",
            // The last chips that have the instruction.
            _ if case["case"] == "movreld_indirect" => "polaris10",
            _ => "vega10",
        });
        let words = |key: &str| -> Vec<String> {
            let list = case[key].as_array().unwrap();
            list.iter().map(|word| word.as_str().unwrap().to_owned()).collect()
        };
        let (_, _, liveness) = analyse(target.unwrap(), &words("asm").join("\n"));
        let vector = case["regs"] == "vgpr";
        let found: Vec<String> = liveness
            .before(0)
            .registers()
            .filter(|register| (register.bank == gcn::instruction::Bank::Vector) == vector)
            .filter(|register| vector || register.first < 102)
            .map(|register| format!("{}{}", if vector { 'v' } else { 's' }, register.first))
            .collect();
        assert_eq!(found, words("live_in"), "{}: {}", case["case"], case["why"]);
    }
    eprintln!("{} cases", cases.len());
    assert!(cases.len() >= 15);
}
