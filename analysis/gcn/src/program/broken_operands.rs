//! The registers that the operands of a line may stand for which is not an instruction yet:
//! operands that can be read stand for themselves, all others for any register.

use crate::analysis::{FLAT_SCRATCH, FLAT_SCRATCH_GFX7, M0, RegisterSet, SCC, VCC};
use crate::instruction::Register;
use crate::instruction::form::{InstDesc, Role};

/// Words in an operand's place that name no register.
const NO_REGISTERS: [&str; 4] = ["off", "lds", "null", "vmcnt"];

/// The operands of most instructions, at least: one that stands alone may be what is left.
const LEAST: usize = 2;

/// Registers that instructions access though no operand names them.
const UNNAMED: [(u16, u8); 5] =
    [(VCC, 2), (SCC, 1), (M0, 1), (FLAT_SCRATCH, 2), (FLAT_SCRATCH_GFX7, 2)];

/// The registers that operands may stand for.
pub(super) struct BrokenOperands {
    pub(super) reads: RegisterSet,
    pub(super) writes: RegisterSet,
    /// The registers that they name.
    pub(super) named: RegisterSet,
    /// True if each is read for certain and none lacks.
    pub(super) is_whole: bool,
}

impl BrokenOperands {
    /// Reads operands of a mnemonic with these forms, none of one that is not known.
    pub(super) fn of(operands: &str, forms: &[&'static InstDesc]) -> BrokenOperands {
        let wanted = forms.iter().map(|form| form.operands().len()).max();
        let mut words: Vec<&str> =
            operands.split(',').map(|it| it.split_whitespace().next().unwrap_or("")).collect();
        if wanted.is_some_and(|wanted| words.len() > wanted) {
            // A comma too much.
            words.retain(|word| !word.is_empty());
        }
        if let Some(wanted) = wanted.filter(|wanted| words.len() > *wanted) {
            // What stands behind as many as the mnemonic takes is too much where it is no
            // register.
            while words.len() > wanted && words.last().is_some_and(|it| registers(it).is_none()) {
                words.pop();
            }
        }
        let unnamed = UNNAMED.map(|(first, dwords)| Register::scalar(first, dwords));
        let mut named: RegisterSet = unnamed.into_iter().collect();
        let (mut reads, mut writes) = (named, named);
        let mut is_whole = words.len() >= wanted.unwrap_or(LEAST);
        // Whoever types goes from the left to the right: what lacks is behind.
        let lacking = wanted.unwrap_or(0).saturating_sub(words.len());
        for (place, word) in words.iter().copied().chain(vec![""; lacking]).enumerate() {
            let own = registers(word);
            let (is_read, is_written) = roles(place, forms);
            is_whole &= own.is_some();
            named.add_all(&own.unwrap_or_default());
            let own = own.unwrap_or(RegisterSet::ALL);
            if is_read {
                reads.add_all(&own);
            }
            if is_written {
                writes.add_all(&own);
            }
        }
        if wanted.is_none() && !is_whole {
            (reads, writes) = (RegisterSet::ALL, RegisterSet::ALL);
        }
        BrokenOperands { reads, writes, named, is_whole }
    }

    /// Tells whether they may be those of a branch: a label, or an address in two registers.
    pub(super) fn may_steer(&self, operands: &str) -> bool {
        let is_pair = |it: &str| it.contains(':');
        !self.is_whole || operands.split(',').count() <= LEAST && operands.split(',').any(is_pair)
    }
}

/// Tells whether some form reads the operand at a place, and whether one writes it.
fn roles(place: usize, forms: &[&'static InstDesc]) -> (bool, bool) {
    let (mut is_read, mut is_written) = (forms.is_empty(), forms.is_empty());
    for form in forms {
        let slot = form.slots().iter().filter(|slot| slot.is_positional()).nth(place);
        let role = slot.and_then(|slot| form.operands().iter().find(|(own, _)| own == slot));
        match role.map(|(_, role)| role) {
            Some(Role::Read) => is_read = true,
            Some(Role::Write) => is_written = true,
            Some(Role::ReadWrite | Role::Exchange) => (is_read, is_written) = (true, true),
            // A number, which a register may become in another form.
            None => is_read = true,
        }
    }
    (is_read, is_written)
}

/// The registers that an operand names; `None` where that is not certain.
pub(super) fn registers(word: &str) -> Option<RegisterSet> {
    let word = word.trim_start_matches(['-', '|']).trim_end_matches('|');
    let first = word.chars().next()?;
    if first.is_ascii_digit() {
        return word
            .chars()
            .all(|it| it.is_ascii_alphanumeric() || it == '.')
            .then(RegisterSet::default);
    }
    if NO_REGISTERS.contains(&word) || word.starts_with("vcc") {
        return Some(RegisterSet::default());
    }
    let make = match first {
        'v' => Register::vector,
        's' => Register::scalar,
        _ => return None,
    };
    let rest = &word[1..];
    let range = rest.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    let (low, high) = match range {
        Some(range) => range.split_once(':').unwrap_or((range, range)),
        None => (rest, rest),
    };
    let (low, high): (u16, u16) = (low.parse().ok()?, high.parse().ok()?);
    let dwords = u8::try_from(high.checked_sub(low)?.checked_add(1)?).ok()?;
    Some(RegisterSet::of(make(low, dwords)))
}
