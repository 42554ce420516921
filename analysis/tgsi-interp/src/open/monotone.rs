//! Opcodes that are monotone, and the places at which they are not.

use open_bits::Word;
use tgsi::Opcode;

/// Tells whether an opcode is monotone in each argument between zero, the ends of the others and
/// its [`places`].
pub(super) fn is_monotone(opcode: Opcode) -> bool {
    use Opcode as Op;
    matches!(
        opcode,
        Op::MOV
            | Op::ADD
            | Op::SUB
            | Op::MUL
            | Op::DIV
            | Op::MIN
            | Op::MAX
            | Op::ABS
            | Op::NEGATE
            | Op::CLAMP
            | Op::SSG
            | Op::FRC
            | Op::FLR
            | Op::CEIL
            | Op::TRUNC
            | Op::ROUND
            | Op::LDEXP
            | Op::SLT
            | Op::SGE
            | Op::SGT
            | Op::SLE
            | Op::SEQ
            | Op::SNE
            | Op::FSLT
            | Op::FSGE
            | Op::FSEQ
            | Op::FSNE
            | Op::RCP
            | Op::RSQ
            | Op::SQRT
            | Op::EX2
            | Op::LG2
            | Op::POW
            | Op::SIN
            | Op::COS
            | Op::SCS
            | Op::SINCOS
            | Op::LIT
            | Op::EXP
            | Op::LOG
            | Op::RCC
            | Op::F2I
            | Op::F2U
            | Op::I2F
            | Op::U2F
            | Op::ARL
            | Op::ARR
            | Op::IMIN
            | Op::IMAX
            | Op::UMIN
            | Op::UMAX
            | Op::ISLT
            | Op::ISGE
            | Op::USLT
            | Op::USGE
            | Op::UDIV
            | Op::IABS
            | Op::ISSG
            | Op::UMSB
    )
}

/// Multiples of so much of a turn are where sine and cosine turn.
const QUARTER: f64 = std::f64::consts::FRAC_PI_2;

/// Floats of this size and beyond are whole.
const WHOLE: f32 = 8_388_608.0;

/// The places between the ends of intervals at which an opcode is not monotone.
pub(super) fn places(opcode: Opcode, sources: &[&Word]) -> Vec<u32> {
    use Opcode as Op;
    let Some((least, greatest)) = sources.first().and_then(|it| it.interval()) else {
        return Vec::new();
    };
    match opcode {
        Op::FRC | Op::EXP => {
            // A whole number and the float before it: the nearer to zero it is, the more of the
            // fraction is left. Beyond all that have one there is none.
            let whole = [least.max(-WHOLE).ceil(), greatest.min(WHOLE).floor(), 0.0, 1.0];
            let near = whole.iter().flat_map(|it| [*it, from_order(*it, -1)]);
            // The fraction of what is hardly below zero is rounded to one.
            near.chain([-f32::MIN_POSITIVE]).map(f32::to_bits).collect()
        }
        Op::LOG => {
            let power = |it: f32| (f64::from(it.abs()).log2().ceil().exp2()) as f32;
            let all = [power(least), power(greatest), power(greatest) / 2.0];
            let all =
                all.into_iter().flat_map(|it| [it, from_order(it, -1), -it, -from_order(it, -1)]);
            all.map(f32::to_bits).collect()
        }
        Op::SIN | Op::COS | Op::SCS | Op::SINCOS => {
            let first = (f64::from(least) / QUARTER).ceil();
            // More than a turn holds every value of either function.
            let turns = (0..5).map(|it| ((first + f64::from(it)) * QUARTER) as f32);
            turns.map(f32::to_bits).collect()
        }
        Op::CLAMP | Op::SSG => vec![1.0_f32.to_bits()],
        // Its limit has the sign of the smallest numbers.
        Op::RCC => [f32::MIN_POSITIVE, -f32::MIN_POSITIVE].map(f32::to_bits).to_vec(),
        Op::LIT => [-128.0_f32, 128.0, 1.0].map(f32::to_bits).to_vec(),
        _ => Vec::new(),
    }
}

fn from_order(value: f32, steps: i32) -> f32 {
    let key = open_bits::float_key(value.to_bits()).wrapping_add_signed(steps);
    f32::from_bits(open_bits::from_key(key))
}
