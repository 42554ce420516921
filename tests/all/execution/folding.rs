//! LLVM's constant folding, with arithmetic of its own, beside the emulator. The same
//! operations are compiled once on numbers that it knows and once on registers; the machine
//! code of the second, executed, must give the results that the first contains.

use std::fmt::Write as _;

use gcn::Target;
use gcn_emu::{Limits, Machine, NoImages, Program, Wave};
use llvm::{Compiler, Configuration, Job};
use tests::bench::libraries;
use tests::random_shaders::Numbers;

const TARGETS: [&str; 3] = ["tahiti", "polaris10", "vega10"];

/// Sets of numbers that are tried on each chip.
const SETS: u64 = 4;

/// Operations in one shader: their operands are its arguments, of which LLVM takes some
/// 130.
const AT_ONCE: usize = 22;

/// The type of an operand or a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A float of moderate size, so that no result is a denormal.
    Single,
    Double,
    Word,
    /// A count below 32.
    Count,
    /// A small whole number.
    Small,
    Wide,
}
use Kind::{Count, Double, Single, Small, Wide, Word};

impl Kind {
    fn ir(self) -> &'static str {
        match self {
            Single => "float",
            Double => "double",
            Word | Count | Small => "i32",
            Wide => "i64",
        }
    }

    fn words(self) -> usize {
        if matches!(self, Double | Wide) { 2 } else { 1 }
    }

    fn any(self, numbers: &mut Numbers) -> u64 {
        let word = |numbers: &mut Numbers| {
            let any = (numbers.below(1 << 16) << 16 | numbers.below(1 << 16)) as u64;
            [any, any, any & 0xff, u64::from(u32::MAX), 1 << 31][numbers.below(5)]
        };
        match self {
            Single => {
                let fraction = numbers.below(1 << 23) as u64;
                let sign = (numbers.below(2) as u64) << 31;
                let exponent = 127 - 12 + numbers.below(30) as u64;
                sign | exponent << 23 | if numbers.once_in(3) { 0 } else { fraction }
            }
            Double => {
                let fraction = word(numbers) << 20 | numbers.below(1 << 20) as u64;
                let sign = (numbers.below(2) as u64) << 63;
                sign | (1023 - 20 + numbers.below(50) as u64) << 52 | fraction & ((1 << 52) - 1)
            }
            Word => word(numbers),
            Count => numbers.below(32) as u64,
            Small => (numbers.below(40) as i64 - 20) as u32 as u64,
            Wide => word(numbers) << 32 | word(numbers),
        }
    }

    /// A number as a constant of the IR.
    fn constant(self, bits: u64) -> String {
        match self {
            // Floats of 32 bits are written as the doubles that they are.
            Single => format!("0x{:016X}", f64::from(f32::from_bits(bits as u32)).to_bits()),
            Double => format!("0x{bits:016X}"),
            Word | Count | Small => (bits as u32 as i32).to_string(),
            Wide => (bits as i64).to_string(),
        }
    }
}

/// An operation: result, operands, and its IR, where `$0` to `$2` are the operands and
/// `%r` the result.
type Operation = (Kind, &'static [Kind], &'static str);

const OPERATIONS: &[Operation] = &[
    (Single, &[Single, Single], "%r = fadd float $0, $1"),
    (Single, &[Single, Single], "%r = fsub float $0, $1"),
    (Single, &[Single, Single], "%r = fmul float $0, $1"),
    (Single, &[Single, Single], "%r = fdiv float $0, $1"),
    (
        Single,
        &[Single, Single, Single],
        "%r = call float @llvm.fma.f32(float $0, float $1, float $2)",
    ),
    (Single, &[Single, Single], "%r = call float @llvm.minnum.f32(float $0, float $1)"),
    (Single, &[Single, Single], "%r = call float @llvm.maxnum.f32(float $0, float $1)"),
    (Single, &[Single, Single], "%r = call float @llvm.copysign.f32(float $0, float $1)"),
    (Single, &[Single], "%r = call float @llvm.floor.f32(float $0)"),
    (Single, &[Single], "%r = call float @llvm.ceil.f32(float $0)"),
    (Single, &[Single], "%r = call float @llvm.trunc.f32(float $0)"),
    (Single, &[Single], "%r = call float @llvm.rint.f32(float $0)"),
    (Single, &[Single], "%r = call float @llvm.amdgcn.fract.f32(float $0)"),
    (Single, &[Single], "%r = call float @llvm.amdgcn.rcp.f32(float $0)"),
    (Single, &[Single], "%r = call float @llvm.amdgcn.frexp.mant.f32(float $0)"),
    (Word, &[Single], "%r = call i32 @llvm.amdgcn.frexp.exp.i32.f32(float $0)"),
    (
        Single,
        &[Single, Single, Single],
        "%r = call float @llvm.amdgcn.fmed3.f32(float $0, float $1, float $2)",
    ),
    (Single, &[Single, Single], "%r = call float @llvm.amdgcn.fmul.legacy(float $0, float $1)"),
    (
        Single,
        &[Single, Single, Single],
        "%r = call float @llvm.amdgcn.cubeid(float $0, float $1, float $2)",
    ),
    (
        Single,
        &[Single, Single, Single],
        "%r = call float @llvm.amdgcn.cubesc(float $0, float $1, float $2)",
    ),
    (
        Single,
        &[Single, Single, Single],
        "%r = call float @llvm.amdgcn.cubetc(float $0, float $1, float $2)",
    ),
    (
        Single,
        &[Single, Single, Single],
        "%r = call float @llvm.amdgcn.cubema(float $0, float $1, float $2)",
    ),
    (
        Word,
        &[Single, Single],
        "%h = call <2 x half> @llvm.amdgcn.cvt.pkrtz(float $0, float $1)\n%r = bitcast <2 x half> %h to i32",
    ),
    (
        Word,
        &[Single, Word],
        "%c = call i1 @llvm.amdgcn.class.f32(float $0, i32 $1)\n%r = zext i1 %c to i32",
    ),
    (Word, &[Word, Count, Count], "%r = call i32 @llvm.amdgcn.ubfe.i32(i32 $0, i32 $1, i32 $2)"),
    (Word, &[Word, Count, Count], "%r = call i32 @llvm.amdgcn.sbfe.i32(i32 $0, i32 $1, i32 $2)"),
    (Double, &[Double, Count], "%r = call double @llvm.amdgcn.trig.preop.f64(double $0, i32 $1)"),
    (Word, &[Single], "%r = fptosi float $0 to i32"),
    (Word, &[Double], "%r = fptosi double $0 to i32"),
    (Single, &[Word], "%r = sitofp i32 $0 to float"),
    (Single, &[Word], "%r = uitofp i32 $0 to float"),
    (Double, &[Word], "%r = sitofp i32 $0 to double"),
    (Double, &[Wide], "%r = uitofp i64 $0 to double"),
    (Single, &[Wide], "%r = sitofp i64 $0 to float"),
    (Single, &[Double], "%r = fptrunc double $0 to float"),
    (Double, &[Single], "%r = fpext float $0 to double"),
    (
        Word,
        &[Single],
        "%h = fptrunc float $0 to half\n%b = bitcast half %h to i16\n%r = zext i16 %b to i32",
    ),
    (Double, &[Double, Double], "%r = fadd double $0, $1"),
    (Double, &[Double, Double], "%r = fmul double $0, $1"),
    (Double, &[Double, Double], "%r = fdiv double $0, $1"),
    (
        Double,
        &[Double, Double, Double],
        "%r = call double @llvm.fma.f64(double $0, double $1, double $2)",
    ),
    (Double, &[Double], "%r = call double @llvm.floor.f64(double $0)"),
    (Double, &[Double], "%r = call double @llvm.trunc.f64(double $0)"),
    (Double, &[Double], "%r = call double @llvm.rint.f64(double $0)"),
    (
        Double,
        &[Double],
        "%a = call double @llvm.fabs.f64(double $0)\n%r = call double @llvm.sqrt.f64(double %a)",
    ),
    (Word, &[Word, Word], "%r = mul i32 $0, $1"),
    (Word, &[Word, Small], "%d = or i32 $1, 1\n%r = udiv i32 $0, %d"),
    (Word, &[Word, Small], "%d = or i32 $1, 1\n%r = urem i32 $0, %d"),
    (Word, &[Word, Small], "%n = lshr i32 $0, 1\n%d = or i32 $1, 1\n%r = sdiv i32 %n, %d"),
    (Word, &[Word, Small], "%n = lshr i32 $0, 1\n%d = or i32 $1, 1\n%r = srem i32 %n, %d"),
    (Word, &[Word, Count], "%r = shl i32 $0, $1"),
    (Word, &[Word, Count], "%r = ashr i32 $0, $1"),
    (Word, &[Word], "%r = call i32 @llvm.ctpop.i32(i32 $0)"),
    (Word, &[Word], "%r = call i32 @llvm.ctlz.i32(i32 $0, i1 false)"),
    (Word, &[Word], "%r = call i32 @llvm.cttz.i32(i32 $0, i1 false)"),
    (Word, &[Word], "%r = call i32 @llvm.bitreverse.i32(i32 $0)"),
    (Word, &[Word, Word, Count], "%r = call i32 @llvm.fshr.i32(i32 $0, i32 $1, i32 $2)"),
    (Word, &[Word, Word], "%r = call i32 @llvm.uadd.sat.i32(i32 $0, i32 $1)"),
    (Word, &[Word, Word], "%r = call i32 @llvm.ssub.sat.i32(i32 $0, i32 $1)"),
    (Word, &[Word, Word], "%r = call i32 @llvm.smax.i32(i32 $0, i32 $1)"),
    (Wide, &[Wide, Wide], "%r = add i64 $0, $1"),
    (Wide, &[Wide, Wide], "%r = mul i64 $0, $1"),
    (Wide, &[Wide, Count], "%c = zext i32 $1 to i64\n%r = ashr i64 $0, %c"),
    (Wide, &[Wide], "%r = call i64 @llvm.ctpop.i64(i64 $0)"),
    (Wide, &[Wide, Wide], "%d = or i64 $1, 1\n%r = udiv i64 $0, %d"),
];

/// Names of functions in the IR, with the types of each call.
fn declarations() -> Vec<String> {
    let calls = OPERATIONS.iter().flat_map(|(_, _, ir)| ir.lines()).filter_map(|line| {
        let (_, call) = line.split_once("call ")?;
        let (head, arguments) = call.split_once('(')?;
        let types: Vec<&str> = arguments
            .trim_end_matches(')')
            .split(", ")
            .filter_map(|it| it.rsplit_once(' '))
            .map(|it| it.0)
            .collect();
        Some(format!("declare {head}({})", types.join(", ")))
    });
    let mut all: Vec<String> = calls.collect();
    all.sort();
    all.dedup();
    all
}

/// A shader of all operations. `constants`: the numbers where they are known.
fn shader(operations: &[Operation], given: &[Vec<u64>], constants: bool) -> String {
    let (mut body, mut parameters, mut results) = (String::new(), Vec::new(), Vec::new());
    for (place, (result, kinds, ir)) in operations.iter().enumerate() {
        let mut ir = (*ir).to_owned();
        for (number, kind) in kinds.iter().enumerate() {
            let name = format!("%p{place}_{number}");
            let operand =
                if constants { kind.constant(given[place][number]) } else { name.clone() };
            ir = ir.replace(&format!("${number}"), &operand);
            if !constants {
                parameters.push(format!("{} {name}", kind.ir()));
            }
        }
        // Names of values are those of one operation.
        for name in ["r", "h", "c", "b", "a", "n", "d"] {
            for after in [" ", ",", ")", "\n"] {
                ir = ir.replace(&format!("%{name}{after}"), &format!("%{name}{place}{after}"));
            }
            if ir.ends_with(&format!("%{name}")) {
                let _ = write!(ir, "{place}");
            }
        }
        let _ = writeln!(body, "{ir}");
        let words = result.words();
        let _ =
            writeln!(body, "%w{place} = bitcast {} %r{place} to <{words} x float>", result.ir());
        for word in 0..words {
            let _ = writeln!(
                body,
                "%e{place}_{word} = extractelement <{words} x float> %w{place}, i32 {word}"
            );
            results.push(format!("%e{place}_{word}"));
        }
    }
    for (number, four) in results.chunks(4).enumerate() {
        let part = |place: usize| four.get(place).map_or("0.0", String::as_str);
        let _ = writeln!(
            body,
            "call void @llvm.amdgcn.exp.f32(i32 {}, i32 15, float {}, float {}, float {}, float {}, i1 false, i1 false)",
            32 + number,
            part(0),
            part(1),
            part(2),
            part(3)
        );
    }
    format!(
        "define amdgpu_vs void @main({}) #0 {{\n{body}ret void\n}}\n{}\n\
         declare void @llvm.amdgcn.exp.f32(i32, i32, float, float, float, float, i1, i1)\n\
         attributes #0 = {{ \"denormal-fp-math-f32\"=\"preserve-sign,preserve-sign\" }}\n",
        parameters.join(", "),
        declarations().join("\n")
    )
}

/// The words that a program exports, given the numbers in registers, and how many of its
/// instructions compute something.
fn exported(
    target: Target,
    code: &[u8],
    operations: &[Operation],
    given: &[Vec<u64>],
) -> (Vec<u32>, usize) {
    let words: Vec<u32> = code
        .chunks_exact(4)
        .map(|word| u32::from_le_bytes(word.try_into().expect("four")))
        .collect();
    let program = Program::prepare(target, &words);
    let mut wave = Wave::new(1);
    let mut register = 0;
    for (numbers, (_, kinds, _)) in given.iter().zip(operations) {
        for (bits, kind) in numbers.iter().zip(*kinds) {
            for word in 0..kind.words() {
                wave.set_lane(register, 0, (bits >> (32 * word)) as u32);
                register += 1;
            }
        }
    }
    let mut machine = Machine { waves: vec![wave], ..Machine::default() };
    machine
        .run(&program, &mut NoImages, Limits::default())
        .unwrap_or_else(|stop| panic!("{target}: {} at {}", stop.reason, stop.instruction));
    let mut exports = machine.exports;
    exports.sort_by_key(|export| export.sent.target);
    let moves = ["_mov", "_brev", "_bfrev", "_not", "exp", "s_endpgm", "s_waitcnt", "s_nop"];
    let computes = |name: &str| !moves.iter().any(|part| name.contains(part));
    let work = program.instructions.iter().filter_map(|it| it.opcode);
    let work = work.filter(|opcode| computes(opcode.name())).count();
    (exports.iter().flat_map(|export| export.values.map(|lanes| lanes[0])).collect(), work)
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn executed_results_are_those_that_llvm_folds_to() {
    let library = libraries().pop().expect("a libLLVM");
    let configuration = Configuration::new(crate::TUNGSTEN, library.path.clone(), &["llvm.*"]);
    let mut compiler = Compiler::new(configuration);
    let mut compared = 0;
    for target in TARGETS.iter().filter_map(|name| Target::find(name)) {
        for (set, operations) in
            (0..SETS).flat_map(|set| OPERATIONS.chunks(AT_ONCE).map(move |it| (set, it)))
        {
            let mut numbers = Numbers::new(set + 1);
            let given: Vec<Vec<u64>> = operations
                .iter()
                .map(|(_, kinds, _)| kinds.iter().map(|kind| kind.any(&mut numbers)).collect())
                .collect();
            let mut run = |constants: bool| {
                let job = Job {
                    ir: shader(operations, &given, constants),
                    processor: target.row().processor.to_owned(),
                    features: target.row().llvm_features.to_owned(),
                    instructions: 400,
                };
                let output = compiler
                    .compile(&job)
                    .unwrap_or_else(|error| panic!("{target}: {error}\n{}", job.ir));
                let registers = if constants { Vec::new() } else { given.clone() };
                exported(target, &output.code, operations, &registers)
            };
            let ((folded, folded_work), (executed, work)) = (run(true), run(false));
            assert!(folded_work * 3 < work, "{target}: {folded_work} of {work}: little was folded");
            let mut word = 0;
            for ((kind, _, ir), given) in operations.iter().zip(&given) {
                let part = |words: &[u32]| {
                    let own = &words[word..word + kind.words()];
                    own.iter().rev().fold(0_u64, |all, word| all << 32 | u64::from(*word))
                };
                let (one, two) = (part(&folded), part(&executed));
                let nan = |bits: u64| match kind {
                    Single => f32::from_bits(bits as u32).is_nan(),
                    Double => f64::from_bits(bits).is_nan(),
                    _ => false,
                };
                assert!(
                    one == two || nan(one) && nan(two),
                    "{target}: {ir} of {given:x?}: LLVM folds to {one:x}, executed it is {two:x}"
                );
                word += kind.words();
                compared += 1;
            }
        }
    }
    eprintln!("LLVM {}: {compared} results are as it folds them", library.version);
}
