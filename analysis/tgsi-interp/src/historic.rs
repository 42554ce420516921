//! Opcodes of the first years that are not another opcode under a second name, whose formulas
//! are those of the opcode table, and what operands could say of themselves.
//!
//! Condition registers hold what they begin with, which is zero: no text ever set one.

use tgsi::Opcode;
use tgsi::ast::{HistoricForm, Instruction, Source};
use tgsi::words::Modifier;

use crate::float::{Computed, ONE, f, in_double};
use crate::operation::Operation::{Each, Replicated, Whole};
use crate::operation::{Table, Words};

/// The opcodes of this file.
pub(crate) const TABLE: Table = &[
    // What every driver that had them returned.
    (Opcode::NOISE1, Replicated(|_| 0)),
    (Opcode::NOISE2, Replicated(|_| 0)),
    (Opcode::NOISE3, Replicated(|_| 0)),
    (Opcode::NOISE4, Replicated(|_| 0)),
    (Opcode::SWZ, Each(|v| v[0])),
    (Opcode::CND0, Each(|v| if f(v[2]) >= 0.0 { v[0] } else { v[1] })),
    (Opcode::SHR, Each(|v| (v[0] as i32).wrapping_shr(v[1]) as u32)),
    (Opcode::SAD, Each(|v| v[0].abs_diff(v[1]).wrapping_add(v[2]))),
    (Opcode::RCC, Replicated(clamped_reciprocal)),
    (
        Opcode::SINCOS,
        Whole(|v| [in_double(v[0][0], f64::cos), in_double(v[0][0], f64::sin), 0, ONE]),
    ),
    (
        Opcode::ARA,
        Whole(|v| {
            let [even, odd] = [0, 1].map(|it| v[0][it].wrapping_add(v[0][it + 2]));
            [even, odd, even, odd]
        }),
    ),
];

/// A reciprocal kept within the limits of its definition, 2^-64 and 1.884467e19.
fn clamped_reciprocal(v: Words) -> u32 {
    let size = (1.0 / f(v[0])).abs().max(f32::from_bits(0x1f80_0000)).min(1.884_467e19);
    if f(v[0]) < 0.0 { (-size).bits() } else { size.bits() }
}

/// The forms of the first years that an instruction is written with.
#[derive(Debug, Default)]
pub(crate) struct Forms {
    sources: Vec<SourceForm>,
    /// The number that results are multiplied by.
    pub(crate) factor: Option<f32>,
    /// Set where a condition keeps every component from being written.
    pub(crate) writes_nothing: bool,
}

/// The forms of one source.
#[derive(Debug)]
struct SourceForm {
    source: usize,
    /// The signs before the register, `-(|2*((1-(-`; empty where they are those of today.
    signs: String,
    /// The components with their constants and signs, `X01-W`; empty where there are none.
    letters: String,
}

impl Forms {
    /// Returns the forms of an instruction.
    pub(crate) fn of(instruction: &Instruction) -> Forms {
        let mut forms = Forms::default();
        for form in &instruction.historic {
            match (form.kind, form.operand.checked_sub(instruction.destinations.len())) {
                (Modifier::Factor, _) => forms.factor = factor(&form.spelling),
                (Modifier::ConditionCode, _) => forms.writes_nothing |= !holds(&form.spelling),
                (_, Some(source)) => forms.add(source, form),
                (_, None) => {}
            }
        }
        forms
    }

    fn add(&mut self, source: usize, form: &HistoricForm) {
        let place = match self.sources.iter().position(|it| it.source == source) {
            Some(place) => place,
            None => {
                let (signs, letters) = (String::new(), String::new());
                self.sources.push(SourceForm { source, signs, letters });
                self.sources.len() - 1
            }
        };
        match form.kind {
            Modifier::ExtendedSwizzle => self.sources[place].letters.clone_from(&form.spelling),
            Modifier::Complement | Modifier::Bias | Modifier::Scale => {
                self.sources[place].signs.clone_from(&form.spelling);
            }
            // It means a sign of today.
            _ => {}
        }
    }

    /// Tells whether a source has any.
    pub(crate) fn any_source(&self) -> bool {
        !self.sources.is_empty()
    }

    /// The value of a source at one of its positions, from the bits of its register; `None`
    /// where it is written as today.
    pub(crate) fn value(
        &self,
        place: usize,
        source: &Source,
        position: usize,
        bits: u32,
    ) -> Option<u32> {
        let form = self.sources.iter().find(|it| it.source == place)?;
        let mut value = extended(&form.letters, position, f(bits));
        let mut rest = form.signs.as_str();
        if rest.is_empty() {
            value = if source.absolute { value.abs() } else { value };
            value = if source.negate { -value } else { value };
        }
        // The sign directly before the register is inside of all.
        if let Some(outer) = rest.strip_suffix('-') {
            value = -value;
            rest = outer;
        }
        type Step = fn(f32) -> f32;
        let steps: [(&str, Step); 5] = [
            ("1-(", |value| 1.0 - value),
            ("2*(", |value| value + value),
            ("-(", |value| -value),
            ("(", |value| value - 0.5),
            ("|", f32::abs),
        ];
        let step = |rest: &str| {
            steps.iter().find_map(|(sign, step)| Some((rest.strip_suffix(sign)?.len(), step)))
        };
        while let Some((left, step)) = step(rest) {
            value = step(value);
            rest = &rest[..left];
        }
        Some(value.bits())
    }
}

/// The component of a swizzle with constants and signs: `X01-W`.
fn extended(letters: &str, position: usize, value: f32) -> f32 {
    let mut negative = false;
    let mut place = 0;
    for letter in letters.chars() {
        if letter == '-' {
            negative = true;
            continue;
        }
        if place == position {
            let value = match letter {
                '0' => 0.0,
                '1' => 1.0,
                _ => value,
            };
            return if negative { -value } else { value };
        }
        place += 1;
        negative = false;
    }
    value
}

/// `_2X`, `_D8`
fn factor(spelling: &str) -> Option<f32> {
    Some(match spelling {
        "_2X" => 2.0,
        "_4X" => 4.0,
        "_8X" => 8.0,
        "_D2" => 0.5,
        "_D4" => 0.25,
        "_D8" => 0.125,
        _ => return None,
    })
}

/// Tells whether a condition holds of a register that is zero: `EQ1.xyzw`.
fn holds(spelling: &str) -> bool {
    ["EQ", "LE", "GE", "TR"].iter().any(|test| spelling.starts_with(test))
}
