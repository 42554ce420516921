//! The waits between instructions of the matrix units of MI100 to MI350, beside those that LLVM
//! puts in: of programs at random nothing is missed in what it compiles, and nearly all that it waits
//! for is missed once it is gone.

use gcn::Target;
use gcn::analysis::{Cfg, Code, DefUse, InstDiagnostic, hazards};
use llvm::{Compiler, Configuration, Job};
use source::Severity;
use tests::bench::libraries;
use tests::random_shaders::Numbers;

/// Programs for each chip.
const PROGRAMS: u64 = 40;

const CHIPS: [&str; 4] = ["gfx908", "gfx90a", "gfx942", "gfx950"];

const FUNCTIONS: &[&str] = &[
    "llvm.amdgcn.mfma.f32.16x16x1f32",
    "llvm.amdgcn.mfma.f32.32x32x1f32",
    "llvm.amdgcn.mfma.f32.4x4x1f32",
];

/// Sides of a product, and how many registers its result takes.
const SHAPES: [(&str, usize); 3] = [("4x4x1f32", 4), ("16x16x1f32", 16), ("32x32x1f32", 32)];

/// A program that multiplies, adds to parts of results, and multiplies by them again.
fn program(numbers: &mut Numbers) -> String {
    let mut body = String::new();
    let mut next = 0;
    let mut name = || {
        next += 1;
        format!("%v{next}")
    };
    let (shape, width) = SHAPES[numbers.below(SHAPES.len())];
    let ty = format!("<{width} x float>");
    let (mut sums, mut floats) = (Vec::new(), vec!["%a".to_owned(), "%b".to_owned()]);
    for _ in 0..2 {
        let sum = name();
        body += &format!("  {sum} = load {ty}, ptr addrspace(1) %p, align 64\n");
        sums.push(sum);
    }
    for _ in 0..3 + numbers.below(6) {
        let sum = sums[numbers.below(sums.len())].clone();
        let [a, b] = [0, 1].map(|_| floats[numbers.below(floats.len())].clone());
        let at = numbers.below(width);
        let result = name();
        match numbers.below(4) {
            0 => {
                let part = name();
                body += &format!("  {part} = extractelement {ty} {sum}, i32 {at}\n");
                body += &format!("  {result} = fadd float {part}, {a}\n");
                floats.push(result);
            }
            1 => {
                body += &format!("  {result} = insertelement {ty} {sum}, float {a}, i32 {at}\n");
                sums.push(result);
            }
            _ => {
                body += &format!(
                    "  {result} = call {ty} @llvm.amdgcn.mfma.f32.{shape}(float {a}, float {b}, \
                     {ty} {sum}, i32 0, i32 0, i32 0)\n"
                );
                sums.push(result);
            }
        }
    }
    let last = &sums[sums.len() - 1];
    format!(
        "target triple = \"amdgcn--\"\n\
         define amdgpu_cs void @main(ptr addrspace(1) inreg %p, float %a, float %b) {{\n{body}  \
         store {ty} {last}, ptr addrspace(1) %p, align 64\n  ret void\n}}\n\
         declare {ty} @llvm.amdgcn.mfma.f32.{shape}(float, float, {ty}, i32, i32, i32)\n"
    )
}

fn found(target: Target, words: &[u32]) -> Vec<InstDiagnostic> {
    let code = Code::from_words(target, words);
    let def_use = DefUse::of_all(&code, &source::no_checkpoint);
    let cfg = Cfg::of(&code, &def_use);
    hazards(&code, &def_use, &cfg, &source::no_checkpoint)
}

/// The waits that LLVM puts into programs for a chip, and how many of them are missed once they
/// are gone.
fn waits(compiler: &mut Compiler, target: Target) -> (usize, usize) {
    const NOP: u32 = 0xbf80_0000;
    let (mut waits, mut missed) = (0, 0);
    for seed in 0..PROGRAMS {
        let ir = program(&mut Numbers::new(seed));
        let job = Job {
            ir: ir.clone(),
            processor: target.name().to_owned(),
            features: String::new(),
            instructions: 0,
        };
        let output = compiler.compile(&job).unwrap_or_else(|error| panic!("{ir}: {error}"));
        let words: Vec<u32> =
            output.code.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
        let errors = found(target, &words);
        let errors: Vec<_> = errors.iter().filter(|it| it.severity == Severity::Error).collect();
        assert!(errors.is_empty(), "{}: {errors:#?} in {}", target.name(), output.assembly);
        let code = Code::from_words(target, &words);
        for instruction in &code.instructions {
            let place = instruction.offset as usize / 4;
            let count = match instruction.words() {
                [word] if word & 0xffff_0000 == NOP => (word & 15) as usize + 1,
                _ => continue,
            };
            // One state less.
            let mut fewer = words.clone();
            if count > 1 {
                fewer[place] -= 1;
            } else {
                fewer.remove(place);
            }
            waits += 1;
            missed += usize::from(!found(target, &fewer).is_empty());
        }
    }
    (waits, missed)
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn waits_of_the_matrix_unit_are_needed_and_enough() {
    let libraries = libraries();
    let major = |version: &str| version.split('.').next().and_then(|it| it.parse().ok());
    let mut compiled = 0;
    for target in CHIPS.map(|chip| Target::find(chip).expect(chip)) {
        let knows = |version: &str| major(version).is_some_and(|it| target.row().llvm_since <= it);
        let Some(library) = libraries.iter().find(|it| knows(&it.version.to_string())) else {
            continue;
        };
        let path = library.path.clone();
        let mut compiler = Compiler::new(Configuration::new(crate::TUNGSTEN, path, FUNCTIONS));
        let (waits, missed) = waits(&mut compiler, target);
        let (name, version) = (target.name(), &library.version);
        eprintln!("LLVM {version}, {name}: {missed} of {waits} waits are missed once gone");
        assert!(waits > 100 && missed * 20 > waits * 19, "{name}: {missed} of {waits}");
        compiled += 1;
    }
    assert!(compiled > 0, "no libLLVM knows a chip with a matrix unit");
}
