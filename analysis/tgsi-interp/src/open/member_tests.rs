//! Members of sets at random, through every opcode that computes: the set of results holds theirs.

use open_bits::{KnownBits, Rule, Rules, Word, float_key, from_key};
use tgsi::Opcode;
use tgsi::opcodes::ValueType;

use crate::action::{Action, action};
use crate::launch::{QuadInputs, run_quad};
use crate::open::{OpenRegister, Script};
use crate::registers::{EMPTY, LANES, Register};
use crate::{Denormals, Limits, Program, Resources};

/// Sources of an opcode, at most.
const SOURCES: usize = 5;
/// Sets of operands that each opcode is tried on, and members of each.
const SETS: u64 = 24;
const MEMBERS: usize = 6;

/// Numbers of a seed.
struct Numbers(u64);

impl Numbers {
    fn word(&mut self) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 32) as u32
    }

    fn below(&mut self, count: u32) -> u32 {
        self.word() % count
    }

    /// A float that is a number, or an integer.
    fn value(&mut self, ty: ValueType) -> u32 {
        const SPECIAL: [u32; 9] =
            [0, 1 << 31, 1, 0x7f80_0000, 0xff80_0000, 0x3f80_0000, 0xbf00_0000, 8, 0x8040_0000];
        match (self.below(4), ty) {
            (0, _) => SPECIAL[self.below(9) as usize],
            (1, _) => self.below(40),
            (2, ValueType::Float) => (self.below(1 << 12) as f32 / 256.0 - 8.0).to_bits(),
            (_, ValueType::Float) => self.word() & 0xbfff_ffff,
            (2, _) => self.below(16).wrapping_neg(),
            _ => self.word(),
        }
    }

    /// A set, and members of it.
    fn set(&mut self, ty: ValueType) -> (Word, Vec<u32>) {
        let rules = Rules::of(Rule::Approximation);
        let value = self.value(ty);
        match self.below(6) {
            0 | 1 => (Word::exactly(value), vec![value]),
            2 => {
                let values: Vec<u32> = (0..3).map(|_| self.value(ty)).collect();
                (Word::of_bits(values.clone(), rules), values)
            }
            3 if ty == ValueType::Float => {
                let other = self.value(ty);
                let mut keys = [value, other].map(float_key);
                keys.sort_unstable();
                let [least, greatest] = keys;
                let mut inside = || from_key(least + self.below((greatest - least).max(1)));
                let mut values: Vec<u32> = (0..MEMBERS).map(|_| inside()).collect();
                values.extend([value, other]);
                // Whole numbers and those beside them are where functions turn.
                let whole = (self.below(9) as f32 - 4.0).to_bits();
                let near = [whole, from_key(float_key(whole) - 1), 0, 1 << 31];
                values
                    .extend(near.iter().filter(|it| (least..=greatest).contains(&float_key(**it))));
                (Word::spanned(&[value, other], false, rules), values)
            }
            4 => (Word::any(rules), (0..MEMBERS).map(|_| self.value(ty)).collect()),
            _ => {
                let open = self.word() >> self.below(31);
                let set = KnownBits { value: value & !open, open };
                let members = (0..MEMBERS).map(|_| value & !open | self.word() & open);
                (Word::known(set, rules), members.collect())
            }
        }
    }
}

fn program(opcode: Opcode, denormals: Denormals) -> Option<Program> {
    let row = opcode.row();
    let sources: Vec<String> = (0..row.sources).map(|it| format!("IN[{it}]")).collect();
    let text = format!(
        "VERT\nDCL IN[0..4]\nDCL OUT[0], GENERIC[0]\n{} OUT[0], {}\nEND\n",
        opcode.mnemonic(),
        sources.join(", ")
    );
    let shader = tgsi::parser::parse(&text, &source::no_checkpoint).shader?;
    let mut program = Program::prepare(&shader).ok()?;
    program.denormals = denormals;
    program.ops.iter().any(|op| op.instruction.opcode.value == opcode).then_some(program)
}

fn inputs(registers: Vec<Register>) -> QuadInputs {
    QuadInputs { inputs: vec![registers], mask: 0xf, ..QuadInputs::default() }
}

/// Tries an opcode on sets of a seed; what is not held is told.
fn misses(opcode: Opcode, seed: u64) -> Vec<String> {
    let denormals = [Denormals::Kept, Denormals::Flushed][seed as usize % 2];
    let Some(program) = program(opcode, denormals) else { return Vec::new() };
    let mut numbers = Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ opcode as u64);
    let mut words = vec![OpenRegister::default(); SOURCES];
    let mut choices: Vec<Vec<Register>> = vec![vec![EMPTY; SOURCES]; MEMBERS];
    for (source, own) in words.iter_mut().enumerate() {
        let types = opcode.row().source_types;
        let ty = types.get(source).copied().unwrap_or(ValueType::Float);
        for component in 0..4 {
            for lane in 0..LANES {
                let (word, members) = numbers.set(ty);
                own[component][lane] = Some(word);
                for choice in &mut choices {
                    let number = numbers.below(members.len() as u32);
                    choice[source][component][lane] = members[number as usize];
                }
            }
        }
    }
    let ran = |inputs: &QuadInputs| {
        run_quad(&program, &mut Resources::default(), inputs, Limits::default()).expect("a run")
    };
    let first = inputs(choices[0].clone());
    let open =
        QuadInputs { input_words: vec![words.clone()], open: Some(Script::default()), ..first };
    let sets = ran(&open).words.expect("a shadow").outputs;
    let mut misses = Vec::new();
    for choice in choices {
        let left = ran(&inputs(choice.clone())).outputs;
        for component in 0..4 {
            for lane in 0..LANES {
                let (bits, set) = (left[0][component][lane], &sets[0][component][lane]);
                if !set.holds(bits) {
                    let own = |source: usize| {
                        let all = 0..4;
                        let all = all.map(|it| match &words[source][it][lane] {
                            Some(word) => format!("{:#x} of {word}", choice[source][it][lane]),
                            None => String::new(),
                        });
                        all.collect::<Vec<_>>().join(", ")
                    };
                    let sources: Vec<String> = (0..opcode.row().sources).map(own).collect();
                    misses.push(format!(
                        "{} {component}: {bits:#x} is not in {set}: {}",
                        opcode.mnemonic(),
                        sources.join("; ")
                    ));
                }
            }
        }
    }
    misses
}

#[test]
fn results_of_members_are_held() {
    let computes =
        |it: &Opcode| matches!(action(*it), Some(Action::Compute(_))) && it.row().destinations == 1;
    let mut found = Vec::new();
    let mut tried = 0;
    for opcode in Opcode::all().filter(computes) {
        let own: Vec<String> = (0..SETS).flat_map(|seed| misses(opcode, seed)).collect();
        tried += 1;
        found.extend(own.into_iter().next());
    }
    assert!(tried > 150, "{tried}");
    assert!(found.is_empty(), "{}", found.join("\n"));
}
