//! Kernels, damaged at random, are assembled: no panic, an end, diagnostics within the text.

use std::sync::Arc;
use std::time::{Duration, Instant};

use gcn::Target;
use gcn::assembler::{Dialect, Limits};
use gcn::program::{Options, Program, assemble};

const SMALL: Limits =
    Limits { depth: 40, lines: 20_000, bytes: 1 << 20, work: 1 << 22, problems: 50 };

/// A text as a program, within small limits.
pub fn read(text: &str, dialect: Dialect) -> Program {
    let options =
        Options { target: Target::find("gfx803"), dialect, limits: SMALL, ..Options::default() };
    let own: Arc<str> = Arc::from(text);
    let includes = |name: &str| (name == "self").then(|| Arc::clone(&own));
    assemble(text, &options, &includes, &text::no_checkpoint)
}

/// Checks what holds of every program.
///
/// # Panics
/// Where it does not.
pub fn check(text: &str, program: &Program) {
    for diagnostic in &program.diagnostics {
        let places = diagnostic.related.iter().map(|related| related.range);
        for range in places.chain([diagnostic.range]) {
            let range = std::ops::Range::<usize>::from(range);
            assert!(text.get(range).is_some(), "{diagnostic:?}");
        }
        for edit in diagnostic.fixes.iter().flat_map(|fix| &fix.edits) {
            let range = std::ops::Range::<usize>::from(edit.range);
            assert!(text.get(range).is_some(), "{diagnostic:?}");
        }
    }
    assert!(program.diagnostics.len() <= 2 * text::MAX_DIAGNOSTICS);
    let count = program.instructions.len() as u32;
    let covered: u32 =
        program.kernels.iter().map(|it| it.instructions.end - it.instructions.start).sum();
    assert_eq!(covered, count, "each instruction is in one kernel");
    for offset in (0..=text.len() as u32).step_by(11) {
        let found = program.instruction_at(offset.into());
        assert!(found.is_none_or(|index| index < count));
    }
    for label in &program.labels {
        assert!(label.instruction <= count);
    }
}

/// A generator of numbers that needs no more than to be uneven.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end.max(1)
    }
}

/// Damages kernels at random for some seconds; `TUNGSTEN_FUZZ_SECONDS` makes it longer.
///
/// # Panics
/// Where something does not hold.
pub fn damaged_kernels_are_assembled(mut texts: Vec<String>, seconds: f64) {
    texts.retain(|text| text.len() < 60_000);
    let mut numbers = Numbers(7);
    let asked = std::env::var("TUNGSTEN_FUZZ_SECONDS").ok().and_then(|it| it.parse().ok());
    let end = Instant::now() + Duration::from_secs_f64(asked.unwrap_or(seconds));
    let mut count = 0;
    while Instant::now() < end {
        let mut bytes = texts[numbers.below(texts.len())].clone().into_bytes();
        for _ in 0..=numbers.below(8) {
            let at = numbers.below(bytes.len());
            let length = numbers.below(40).min(bytes.len() - at);
            match numbers.below(4) {
                0 => bytes[at] = b" ,:.()[]\\\"\n;x0-"[numbers.below(15)],
                1 => drop(bytes.drain(at..at + length)),
                2 => {
                    let piece = bytes[at..at + length].to_vec();
                    let to = numbers.below(bytes.len());
                    bytes.splice(to..to, piece);
                }
                _ => bytes.truncate(at.max(100)),
            }
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let start = Instant::now();
        let program = read(&text, Dialect::Llvm);
        check(&text, &program);
        // The same bytes as machine code: every word is an instruction or none.
        let target = Target::all().nth(numbers.below(Target::all().len()));
        let listing = gcn::object::listing(&bytes, target).expect("bare bytes");
        let sections = listing.sections.iter().map(|section| section.lines.len());
        assert!(sections.sum::<usize>() <= 2 * bytes.len() / 4 + 2);
        assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
        count += 1;
    }
    eprintln!("{count} damaged kernels");
    assert!(count > 5, "{count}");
}
