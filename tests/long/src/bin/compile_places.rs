//! Compiles the shaders of the corpora for the places in a pipeline that they
//! do not have by default, and reads the machine code: vertex and evaluation
//! shaders before other stages, copy shaders, control shaders of each domain, and
//! both halves of the programs that gfx9 runs, beside a plain other half.
//!
//! `cargo run --release -p long-tests --bin compile_places -- [--every N] [--llvm MAJOR]`
//!
//! Exit status 1 if one that is lowered does not compile, or compiles to what
//! our own reader does not understand.

use std::collections::BTreeMap;
use std::process::ExitCode;

use gcn::Target;
use llvm::{Compiler, Configuration, Job};
use lower::environment::{GeometryPart, NextStage, TessellationDomain};
use lower::{Environment, Module};
use tests::bench::{libraries, own_program, serve_if_worker};
use tests::corpora::programs_with_verdicts;
use tests::corpus::Program;

/// The states that a stage's shaders are compiled for, with their names.
fn places(stage: &str) -> Vec<(&'static str, Environment)> {
    let usual = Environment::default();
    let before = |next_stage| Environment { next_stage, ..usual };
    let domain = |domain| Environment { tessellation_domain: Some(domain), ..usual };
    match stage {
        "VERT" => vec![
            ("before tessellation", before(NextStage::Tessellation)),
            ("before geometry", before(NextStage::Geometry)),
        ],
        "TESS_EVAL" => vec![("before geometry", before(NextStage::Geometry))],
        "GEOM" => {
            vec![("copy shader", Environment { geometry_part: GeometryPart::Copy, ..usual })]
        }
        "TESS_CTRL" => vec![
            ("isolines", domain(TessellationDomain::Isolines)),
            ("triangles", domain(TessellationDomain::Triangles)),
            ("quads", domain(TessellationDomain::Quads)),
            ("factors read", Environment { tessellation_factors_read: true, ..usual }),
        ],
        _ => Vec::new(),
    }
}

/// A plain vertex shader.
const VERTEX: &str = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n";
/// A plain geometry shader.
const GEOMETRY: &str = "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\n\
    PROPERTY GS_OUTPUT_PRIMITIVE POINTS\nPROPERTY GS_MAX_OUTPUT_VERTICES 1\n\
    DCL IN[][0], POSITION\nDCL OUT[0], POSITION\nIMM[0] UINT32 {0, 0, 0, 0}\n\
    MOV OUT[0], IN[0][0]\nEMIT IMM[0].xxxx\nEND\n";

/// The two shaders of the program that gfx9 makes of a program and a plain one.
fn halves(program: &Program) -> Option<[&str; 2]> {
    match program.stage.as_str() {
        "VERT" | "TESS_EVAL" => Some([&program.text, GEOMETRY]),
        "TESS_CTRL" | "GEOM" => Some([VERTEX, &program.text]),
        _ => None,
    }
}

/// Lowers both halves of a program, compiles and reads; `Ok(false)` where lowering
/// says what it lacks.
fn compile_together(
    compiler: &mut Compiler,
    halves: [&str; 2],
    target: Target,
) -> Result<bool, String> {
    let [first, second] =
        halves.map(|text| tgsi::parser::parse(text, &source::no_checkpoint).shader);
    let (first, second) = (first.ok_or("no shader")?, second.ok_or("no shader")?);
    let usual = Environment::default();
    let module = lower::lower_merged((&first, usual), (&second, usual), target.generation());
    module.map_or(Ok(false), |module| finish(compiler, module, target))
}

/// Lowers, compiles and reads; `Ok(false)` where lowering says what it lacks.
fn compile(
    compiler: &mut Compiler,
    program: &Program,
    target: Target,
    environment: Environment,
) -> Result<bool, String> {
    let parse = tgsi::parser::parse(&program.text, &source::no_checkpoint);
    let shader = parse.shader.ok_or("no shader")?;
    let module = lower::lower_for(&shader, target.generation(), environment);
    module.map_or(Ok(false), |module| finish(compiler, module, target))
}

/// Compiles and reads a module.
fn finish(compiler: &mut Compiler, module: Module, target: Target) -> Result<bool, String> {
    let job = Job {
        ir: module.ir,
        processor: target.row().processor.to_owned(),
        features: target.row().llvm_features.to_owned(),
        instructions: module.instructions,
    };
    let output = compiler.compile(&job).map_err(|error| error.to_string())?;
    gcn::compiled::read(&output.assembly, &output.code, target)
        .map_err(|error| error.to_string())?;
    Ok(true)
}

/// The compiled, tried and refused of a stage, place and chip.
type Counts<'a> = BTreeMap<(&'a str, &'static str, &'static str), [usize; 3]>;

/// Counts what became of a program, and prints what failed.
#[allow(clippy::print_stdout)]
fn count<'a>(
    counts: &mut Counts<'a>,
    good: &mut bool,
    program: &'a Program,
    (place, target): (&'static str, Target),
    outcome: Result<bool, String>,
) {
    let counts = counts.entry((program.stage.as_str(), place, target.name())).or_default();
    counts[1] += 1;
    match outcome {
        Ok(true) => counts[0] += 1,
        Ok(false) => counts[2] += 1,
        Err(error) => {
            *good = false;
            println!("FAILED {} {place} {}: {error}", program.name, target.name());
        }
    }
}

#[allow(clippy::print_stdout)]
fn main() -> ExitCode {
    serve_if_worker();
    let mut arguments = std::env::args().skip(1);
    let (mut every, mut major) = (1, None);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--every" => {
                every = arguments.next().and_then(|number| number.parse().ok()).unwrap_or(1).max(1);
            }
            "--llvm" => major = arguments.next(),
            _ => {
                eprintln!("no option {argument}");
                return ExitCode::from(2);
            }
        }
    }
    let names = ["tahiti", "bonaire", "polaris10", "vega10"];
    let targets: Vec<Target> = names.iter().filter_map(|name| Target::find(name)).collect();
    let merging = targets.iter().copied().find(|it| it.generation() == gcn::Generation::Gfx9);
    let mut programs = programs_with_verdicts();
    programs.retain(|entry| entry.accepted_by_mesa_21);
    let programs: Vec<Program> = programs.into_iter().map(|entry| entry.program).collect();
    let mut good = true;
    for library in libraries() {
        let version = library.version.to_string();
        if major.as_deref().is_some_and(|major| version.split('.').next() != Some(major)) {
            continue;
        }
        let mut compiler =
            Compiler::new(Configuration::new(own_program(), library.path, engine::INTRINSICS));
        let mut counts = Counts::new();
        for program in programs.iter().step_by(every) {
            if let (Some(halves), Some(target)) = (halves(program), merging) {
                let outcome = compile_together(&mut compiler, halves, target);
                count(&mut counts, &mut good, program, ("both halves", target), outcome);
            }
            for (place, environment) in places(&program.stage) {
                for target in &targets {
                    let outcome = compile(&mut compiler, program, *target, environment);
                    count(&mut counts, &mut good, program, (place, *target), outcome);
                }
            }
        }
        println!("LLVM {version} ({})", library.origin);
        for ((stage, place, target), [compiled, all, refused]) in counts {
            println!(
                "  {stage:<10} {place:<20} {target:<10} {compiled} of {all}, {refused} refused"
            );
        }
    }
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
