//! Integer opcodes on known bits, selections, and where integer results are undefined.

use open_bits::{KnownBits, Rule, Rules, Word};
use tgsi::Opcode;

/// Returns what an opcode gives on words of which only bits are known, and of a selection;
/// `None` where its formula decides.
pub(super) fn lifted(opcode: Opcode, sources: &[&Word]) -> Option<Word> {
    use Opcode as Op;
    let rules = sources.iter().fold(Rules::NONE, |all, it| all.plus(it.rules()));
    match opcode {
        Op::MOV | Op::UARL | Op::SWZ | Op::INTERP_CENTROID | Op::INTERP_SAMPLE => {
            return sources.first().map(|it| (*it).clone());
        }
        Op::CMP => return Some(selected(sources, |bits| f32::from_bits(bits) < 0.0)),
        Op::UCMP => return Some(selected(sources, |bits| bits != 0)),
        _ => {}
    }
    // Lists are exact.
    if sources.iter().all(|it| it.members(16).is_some()) {
        return None;
    }
    let bits =
        |number: usize| sources.get(number).map_or(KnownBits::exactly(0), |it| it.known_bits());
    let count = |number: usize| sources.get(number).and_then(|it| it.bits());
    let known = match opcode {
        Op::AND => bits(0).and(bits(1)),
        Op::OR => bits(0).or(bits(1)),
        Op::XOR => bits(0).xor(bits(1)),
        Op::NOT => bits(0).complement(),
        Op::UADD => bits(0).plus(bits(1)),
        Op::INEG => bits(0).negate(),
        Op::UMUL => bits(0).multiply(bits(1)),
        Op::UMAD => bits(0).multiply(bits(1)).plus(bits(2)),
        Op::BREV => bits(0).reverse(),
        Op::SHL => bits(0).shift_left(count(1)?),
        Op::USHR => bits(0).shift_right(count(1)?),
        Op::ISHR | Op::SHR => bits(0).shift_right_signed(count(1)?),
        Op::UBFE | Op::IBFE => {
            let (offset, width) = (count(1)?, count(2)?);
            if !is_inside(offset, width) {
                return None;
            }
            let up = bits(0).shift_left(32 - offset - width);
            match opcode {
                Op::UBFE => up.shift_right(32 - width),
                _ => up.shift_right_signed(32 - width),
            }
        }
        Op::BFI => {
            let (offset, width) = (count(2)?, count(3)?);
            if !is_inside(offset, width) {
                return None;
            }
            let mask = KnownBits::exactly((u32::MAX >> (32 - width)) << offset);
            bits(1).shift_left(offset).and(mask).or(bits(0).and(mask.complement()))
        }
        Op::USEQ | Op::USNE => {
            if !bits(0).is_apart(bits(1)) {
                return Some(Word::of_bits(vec![0, u32::MAX], rules));
            }
            KnownBits::exactly(if opcode == Op::USNE { u32::MAX } else { 0 })
        }
        _ => return None,
    };
    Some(Word::known(known, rules))
}

/// Tells whether a bit field has bits, and ends within the register.
fn is_inside(offset: u32, width: u32) -> bool {
    width > 0 && offset.checked_add(width).is_some_and(|end| end <= 32)
}

/// One of two words, or both where the condition is open.
fn selected(sources: &[&Word], holds: fn(u32) -> bool) -> Word {
    let [condition, one, two] = sources else { return Word::default() };
    match condition.outcomes(holds) {
        [true, false] => (*one).clone(),
        [false, true] => (*two).clone(),
        _ => one.join(two).by(condition.rules()),
    }
}

/// Returns the rule by which an integer result is undefined.
pub(super) fn undefined(opcode: Opcode, arguments: &[u32]) -> Option<Rule> {
    use Opcode as Op;
    let at = |place: usize| arguments.get(place).copied().unwrap_or(0);
    let beyond = |offset: u32, width: u32| offset.checked_add(width).is_none_or(|end| end > 32);
    match opcode {
        Op::IDIV | Op::MOD => {
            let overflows = at(0) == 0x8000_0000 && at(1) == u32::MAX;
            (at(1) == 0 || overflows).then_some(Rule::Quotient)
        }
        Op::UBFE | Op::IBFE => beyond(at(1), at(2)).then_some(Rule::BitField),
        Op::BFI => beyond(at(2), at(3)).then_some(Rule::BitField),
        _ => None,
    }
}
