//! Damaged shaders: lowering answers, whatever the parser could make of them.

use lower::Generation;
use tests::corpora;

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

#[test]
fn damaged_shaders_are_answered() {
    let Some(programs) = corpora::tgsi_programs() else { return };
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let (mut lowered, mut refused) = (0, 0);
    for program in &programs {
        for _ in 0..4 {
            let text = damaged(&program.text, &mut numbers);
            let Some(shader) = tgsi::parser::parse(&text, &text::no_checkpoint).shader else {
                continue;
            };
            match lower::lower(&shader, Generation::Gfx9) {
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
    assert!(lowered > 100 && refused > 1000);
}
