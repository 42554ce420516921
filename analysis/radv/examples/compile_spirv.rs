//! Compiles modules of SPIR-V, which name their stages as in `a.vert.spv`, for a chip, and
//! prints the driver's figures. Also its own worker.

#![expect(clippy::print_stdout, reason = "the output is what it is for")]

use std::error::Error;

use radv::{Compiler, Configuration, Job, Module, Priority, Stage, State};

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let chip = words.next().ok_or("usage: compile_spirv CHIP MODULE...")?;
    if chip == radv::worker::COMMAND {
        radv::worker::run(words);
    }
    let modules = words.map(|name| module(&name)).collect::<Result<Vec<_>, _>>()?;
    let job = Job { modules, state: State::default() };
    let driver = radv::library::choose().ok_or("there is no RADV")?;
    let executable = std::env::current_exe()?;
    let mut compiler =
        Compiler::new(Configuration { executable, driver, priority: Priority::Normal });
    let (version, road) = compiler.version(&chip)?;
    println!("Mesa {version}, {}", road.name());
    for made in compiler.compile(&chip, &job)?.executables {
        println!("{} {:#x}: {} words, {:?}", made.name, made.stages, made.code.len(), made.figures);
    }
    let lines = compiler.compile_with_lines(&chip, &job)?;
    let dump = compiler.compile_with_registers(&chip, &job)?.dump;
    if std::env::var_os("SHOW").is_some() {
        for made in &lines.executables {
            println!("{}\n{}", made.name, made.text("ACO IR").unwrap_or_default());
        }
        println!("{dump}");
    }
    Ok(())
}

fn module(name: &str) -> Result<Module, Box<dyn Error>> {
    let stage = match name.trim_end_matches(".spv").rsplit_once('.') {
        Some((_, "vert")) => Stage::Vertex,
        Some((_, "tesc")) => Stage::TessellationControl,
        Some((_, "tese")) => Stage::TessellationEvaluation,
        Some((_, "geom")) => Stage::Geometry,
        Some((_, "frag")) => Stage::Fragment,
        Some((_, "comp")) => Stage::Compute,
        _ => return Err("its stage is none of vert, tesc, tese, geom, frag, comp".into()),
    };
    let bytes = std::fs::read(name)?;
    let words = bytes.as_chunks().0.iter().map(|it| u32::from_le_bytes(*it)).collect();
    Ok(Module { stage, words })
}
