//! Lowering of whole programs: how many are lowered, and what the others contain; and that
//! damaged ones are answered.

use std::collections::BTreeMap;

use lower::{FailureKind, Generation};

use crate::corpus::Program;

/// Lowers every program for every generation; returns, by stage and generation, how many are
/// lowered of how many.
///
/// # Panics
/// Where an answer is not what it must be.
pub fn lowered(programs: &[Program]) -> BTreeMap<(&str, Generation), [usize; 2]> {
    let mut lowered: BTreeMap<(&str, Generation), [usize; 2]> = BTreeMap::new();
    let mut constructs: BTreeMap<String, usize> = BTreeMap::new();
    for program in programs {
        let Some(found) = tgsi::parser::parse(&program.text, &source::no_checkpoint).shader else {
            panic!("{}: no shader", program.name)
        };
        for generation in Generation::ALL {
            let result = lower::lower(&found, generation);
            let check = lower::check(&found, generation);
            assert_eq!(result.as_ref().err().unwrap_or(&Vec::new()), &check, "{}", program.name);
            let counts = lowered.entry((&program.stage, generation)).or_default();
            counts[1] += 1;
            match result {
                Ok(module) => {
                    counts[0] += 1;
                    for line in module.ir.lines().filter(|line| line.starts_with("declare ")) {
                        let name = line.split(['@', '(']).nth(1).unwrap_or_default();
                        assert!(lower::INTRINSICS.contains(&name), "{}: {name}", program.name);
                    }
                }
                Err(failures) => {
                    assert!(!failures.is_empty(), "{}", program.name);
                    let inside = failures.iter().all(|failure| {
                        usize::from(failure.range.end()) <= program.text.len()
                            && failure.kind == FailureKind::Unsupported
                    });
                    assert!(inside, "{}: {failures:?}", program.name);
                    let mut names: Vec<String> =
                        failures.into_iter().map(|failure| failure.construct).collect();
                    names.sort();
                    names.dedup();
                    if generation == Generation::Gfx8 {
                        for name in names {
                            *constructs.entry(name).or_default() += 1;
                        }
                    }
                }
            }
        }
    }
    for ((stage, generation), [count, all]) in &lowered {
        eprintln!("{stage} {generation:?}: {count} of {all} lowered");
    }
    for (construct, files) in &constructs {
        eprintln!("not compiled yet: {construct}: {files} files");
    }
    lowered
}

/// A small generator of numbers, the same on every machine.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

/// The lines of a shader after some were dropped, doubled, moved, or had two
/// of their words exchanged with those of another.
fn damaged(text: &str, numbers: &mut Numbers) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..=numbers.below(4) {
        if lines.len() < 3 {
            break;
        }
        let place = 1 + numbers.below(lines.len() - 1);
        let other = 1 + numbers.below(lines.len() - 1);
        match numbers.below(4) {
            0 => {
                lines.remove(place);
            }
            1 => lines.insert(place, lines[other].clone()),
            2 => lines.swap(place, other),
            _ => {
                let from: Vec<String> = lines[other].split(' ').map(str::to_owned).collect();
                let mut words: Vec<&str> = lines[place].split(' ').collect();
                let at = numbers.below(words.len());
                words[at] = &from[numbers.below(from.len())];
                lines[place] = words.join(" ");
            }
        }
    }
    lines.join("\n")
}

/// Damages every program some times; returns how many were lowered, and how many refused.
///
/// # Panics
/// Any refusal without a reason or a place, and any check that says something else.
pub fn damaged_programs_are_answered(programs: &[Program]) -> (usize, usize) {
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let (mut lowered, mut refused) = (0, 0);
    for program in programs {
        for _ in 0..4 {
            let text = damaged(&program.text, &mut numbers);
            let Some(shader) = tgsi::parser::parse(&text, &source::no_checkpoint).shader else {
                continue;
            };
            let result = lower::lower(&shader, Generation::Gfx9);
            let check = lower::check(&shader, Generation::Gfx9);
            assert_eq!(result.as_ref().err().unwrap_or(&Vec::new()), &check, "{text}");
            match result {
                Ok(_) => lowered += 1,
                Err(failures) => {
                    assert!(!failures.is_empty());
                    assert!(failures.is_sorted_by_key(|failure| failure.range.start()));
                    for failure in &failures {
                        assert!(usize::from(failure.range.end()) <= text.len());
                        assert!(!failure.construct.is_empty() && !failure.message.is_empty());
                    }
                    refused += 1;
                }
            }
        }
    }
    eprintln!("{lowered} damaged shaders lowered, {refused} refused");
    (lowered, refused)
}
