//! The analyses of costs on code that compilers made and people tested: it is
//! correct, so nothing in it may be called wrong for certain.

use std::collections::BTreeMap;
use std::io::Read as _;

use gcn::assembler::Dialect;
use gcn::cost::{
    AddressCounts, Code, Effects, Finding, Flow, Instruction, KernelCode, Liveness, check,
};
use gcn::program::{Options, assemble};
use proptest::prelude::*;
use tests::corpora::shared;
use tests::kernels::kernels;
use tests::listings::{Listing, listings};
use text::Severity;

fn decompress(bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    flate2::read::GzDecoder::new(bytes).read_to_end(&mut text).unwrap();
    text
}

/// Findings counted by code and severity, with the first of each.
#[derive(Default)]
struct Tally {
    programs: usize,
    instructions: usize,
    unknown: usize,
    counts: BTreeMap<(&'static str, Severity), (usize, String)>,
}

impl Tally {
    fn add(&mut self, name: &str, code: &Code) -> Vec<Finding> {
        let effects = Effects::of_all(code);
        let flow = Flow::of(code, &effects);
        let liveness = Liveness::of(code, &effects, &flow);
        let findings = check(code, &effects, &flow, &liveness, None);
        self.programs += 1;
        self.instructions += code.instructions.len();
        self.unknown += effects.iter().filter(|effects| effects.recipe.is_none()).count();
        for finding in &findings {
            let place = self.counts.entry((finding.code.0, finding.severity)).or_default();
            if place.0 == 0 {
                place.1 = format!("{name}, {}: {}", finding.instruction, finding.message);
            }
            place.0 += 1;
        }
        findings
    }

    fn say(&self, what: &str) {
        eprintln!(
            "{what}: {} programs, {} instructions, {} unknown",
            self.programs, self.instructions, self.unknown
        );
        for ((code, severity), (count, first)) in &self.counts {
            eprintln!("  {code} {severity:?}: {count}, the first: {first}");
        }
    }

    fn count(&self, severity: Severity) -> usize {
        self.counts.iter().filter(|((_, own), _)| *own == severity).map(|(_, (n, _))| n).sum()
    }
}

fn words(listing: &Listing) -> Vec<u32> {
    listing.lines.iter().flat_map(|(_, words)| words.iter().copied()).collect()
}

#[test]
fn drivers_listings_have_no_errors() {
    let Some(listings) = listings(decompress) else { return };
    let mut tally = Tally::default();
    for listing in &listings {
        let code = Code::from_words(listing.target, &words(listing));
        let name = format!("{} {} {:?}", listing.shader, listing.target.name(), listing.backend);
        tally.add(&name, &code);
    }
    tally.say("drivers' listings");
    assert!(tally.programs >= 480 && tally.instructions > 60_000);
    assert_eq!((tally.unknown, tally.count(Severity::Error)), (0, 0));
    assert_eq!(tally.count(Severity::Warning), 0, "compilers wait on every path");
}

/// What a check that finds nothing in correct code is worth: waits and wait states are
/// taken out of it one by one.
#[test]
fn what_is_taken_out_of_them_is_missed() {
    let Some(listings) = listings(decompress) else { return };
    let (mut waits, mut missed_waits, mut pauses, mut missed_pauses) = (0, 0, 0, 0);
    for listing in listings.iter().step_by(7) {
        let code = Code::from_words(listing.target, &words(listing));
        let effects = Effects::of_all(&code);
        let name = |index: usize| effects[index].recipe.map_or("", |recipe| recipe.name);
        for index in 0..code.instructions.len() {
            let is_wait = name(index) == "s_waitcnt";
            if !is_wait && name(index) != "s_nop" {
                continue;
            }
            let mut other = code.clone();
            let instruction = &code.instructions[index];
            // One state is left of a pause, and all of the distance of a wait: jumps keep
            // their targets.
            other.instructions[index] = Instruction::new(instruction.offset, &[0xbf80_0000], None);
            if !is_wait {
                // Another mnemonic that does nothing takes no longer than its word.
                other.instructions.remove(index);
            }
            let found = Tally::default().add("", &other);
            let wanted = if is_wait { "gcn::missing-wait" } else { "gcn::missing-wait-states" };
            let missed = !found.iter().any(|finding| finding.code.0 == wanted);
            if is_wait {
                (waits, missed_waits) = (waits + 1, missed_waits + usize::from(missed));
            } else {
                (pauses, missed_pauses) = (pauses + 1, missed_pauses + usize::from(missed));
            }
        }
    }
    eprintln!("{waits} waits taken out, {missed_waits} not missed");
    eprintln!("{pauses} pauses taken out, {missed_pauses} not missed");
    assert!(waits > 400);
    // What is left waits for stores, or for what nothing reads.
    assert!(missed_waits * 20 <= waits, "{missed_waits} of {waits}");
    assert!(missed_pauses * 2 <= pauses, "{missed_pauses} of {pauses}");
}

#[test]
fn real_kernels_have_no_errors() {
    let Some(root) = shared("corpora/gcn") else { return };
    let mut tally = Tally::default();
    for kernel in kernels(&root).iter().filter(|kernel| kernel.assembles()) {
        let options = Options {
            target: Some(kernel.target),
            dialect: Dialect::Llvm,
            symbols: kernel.symbols.clone(),
            abi: kernel.abi,
            ..Options::default()
        };
        let text = kernel.text();
        let include = |name: &str| kernel.include(name);
        let program = assemble(&text, &options, &include, &text::no_checkpoint);
        for piece in &program.kernels {
            let own = KernelCode::of(&program, piece, AddressCounts::Named);
            assert_eq!(own.missing, 0, "{}", kernel.file);
            let findings = tally.add(&kernel.file, &own.code);
            for finding in findings.iter().filter(|finding| finding.severity != Severity::Hint) {
                let index = own.instructions[finding.instruction as usize];
                let instruction = &program.instructions[index as usize];
                eprintln!("{}: {}: {finding:?}", kernel.file, program.text(instruction));
            }
        }
    }
    tally.say("real kernels");
    assert!(tally.programs > 60 && tally.instructions > 180_000);
    assert_eq!(tally.count(Severity::Error), 0);
}

/// A word of random code: any, or a branch that leads somewhere near, or a wait.
fn word() -> impl Strategy<Value = u32> {
    prop_oneof![
        6 => any::<u32>(),
        2 => (2_u32..10, -20_i16..20).prop_map(|(op, to)| 0xbf80_0000 | op << 16 | u32::from(to as u16)),
        1 => any::<u16>().prop_map(|counters| 0xbf8c_0000 | u32::from(counters)),
        1 => any::<u16>().prop_map(|low| 0x7e00_0000 | u32::from(low)),
        1 => any::<u16>().prop_map(|low| 0xbe80_2000 | u32::from(low)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Any words have costs, and the findings name instructions that there are.
    #[test]
    fn any_words_are_survived(words in prop::collection::vec(word(), 0..300), chip in 0_usize..4) {
        let target = ["tahiti", "bonaire", "polaris10", "vega10"][chip];
        let target = gcn::Target::find(target).unwrap();
        let code = Code::from_words(target, &words);
        let findings = Tally::default().add("", &code);
        for finding in findings {
            prop_assert!((finding.instruction as usize) < code.instructions.len());
            if let Some((other, _)) = finding.related {
                prop_assert!((other as usize) < code.instructions.len());
            }
        }
        let effects = Effects::of_all(&code);
        let flow = Flow::of(&code, &effects);
        let liveness = Liveness::of(&code, &effects, &flow);
        let middle = code.instructions.len() / 2;
        let crossing = liveness.crossing(&flow, &effects, middle);
        for value in crossing {
            prop_assert!(value.definitions.iter().all(|it| (*it as usize) < effects.len()));
        }
    }
}

/// A hundred thousand instructions of branches that lead everywhere take no more than
/// a fair multiple of ten thousand.
#[test]
fn long_tangles_take_linear_time() {
    let time = |count: u32| {
        let mut state = 7_u32;
        let words: Vec<u32> = (0..count)
            .map(|index| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                match state >> 28 {
                    0..3 => 0xbf84_0000 | u32::from(((state >> 8) as i16 / 64) as u16),
                    3 => 0xbe80_0000 | 0x7e << 8,
                    4 => 0xd860_0000,
                    _ => 0x7e00_0300 | (index % 200) << 17,
                }
            })
            .collect();
        let code = Code::from_words(gcn::Target::find("bonaire").unwrap(), &words);
        let start = std::time::Instant::now();
        Tally::default().add("", &code);
        start.elapsed().as_secs_f64() / f64::from(count)
    };
    // The tables are read at the first use.
    time(100);
    let (short, long) = (time(10_000), time(100_000));
    eprintln!("{:.2} and {:.2} microseconds an instruction", short * 1e6, long * 1e6);
    assert!(long < 12.0 * short, "{short} {long}");
}
