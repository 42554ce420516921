//! Compiles the shaders of the corpora for the places in a pipeline that they
//! do not have by default, and reads the machine code: vertex and evaluation
//! shaders before other stages, copy shaders, control shaders of each domain.
//!
//! `cargo run --release -p tests --example compile_places -- [--every N] [--llvm MAJOR]`
//!
//! Exit status 1 if one that is lowered does not compile, or compiles to what
//! our own reader does not understand.

use std::collections::BTreeMap;
use std::process::ExitCode;

use gcn::Target;
use llvm::{Compiler, Configuration, Job};
use lower::Environment;
use lower::environment::{GeometryPart, NextStage, TessellationDomain};
use tests::bench::{libraries, serve_if_worker};
use tests::corpora::{Program, tgsi_programs};

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

fn generation(target: Target) -> lower::Generation {
    match target.row().generation {
        gcn::Generation::Gfx6 => lower::Generation::Gfx6,
        gcn::Generation::Gfx7 => lower::Generation::Gfx7,
        gcn::Generation::Gfx8 => lower::Generation::Gfx8,
        gcn::Generation::Gfx9 => lower::Generation::Gfx9,
    }
}

/// Lowers, compiles and reads; `Ok(false)` where lowering says what it lacks.
fn compile(
    compiler: &mut Compiler,
    program: &Program,
    target: Target,
    environment: Environment,
) -> Result<bool, String> {
    let parse = tgsi::parser::parse(&program.text, &text::no_checkpoint);
    let shader = parse.shader.ok_or("no shader")?;
    let Ok(module) = lower::lower_for(&shader, generation(target), environment) else {
        return Ok(false);
    };
    let job = Job {
        ir: module.ir,
        processor: target.row().processor.to_owned(),
        features: target.row().features.to_owned(),
        instructions: module.instructions,
    };
    let output = compiler.compile(&job).map_err(|error| error.to_string())?;
    gcn::compiled::read(&output.assembly, &output.code, target)?;
    Ok(true)
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
    let Some(programs) = tgsi_programs() else { return ExitCode::SUCCESS };
    let mut good = true;
    for library in libraries() {
        let version = library.version.to_string();
        if major.as_deref().is_some_and(|major| version.split('.').next() != Some(major)) {
            continue;
        }
        let executable = std::env::current_exe().unwrap_or_default();
        let mut compiler =
            Compiler::new(Configuration::new(executable, library.path, engine::INTRINSICS));
        let mut counts: BTreeMap<(&str, &str, &str), [usize; 3]> = BTreeMap::new();
        for program in programs.iter().filter(|one| one.accepted_by_mesa_21).step_by(every) {
            for (place, environment) in places(&program.stage) {
                for target in &targets {
                    let outcome = compile(&mut compiler, program, *target, environment);
                    let key = (program.stage.as_str(), place, target.name());
                    let counts = counts.entry(key).or_default();
                    counts[1] += 1;
                    match outcome {
                        Ok(true) => counts[0] += 1,
                        Ok(false) => counts[2] += 1,
                        Err(error) => {
                            good = false;
                            let name = &program.name;
                            println!("FAILED {name} {place} {}: {error}", target.name());
                        }
                    }
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
