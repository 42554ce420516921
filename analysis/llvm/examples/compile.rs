//! Compiles a file of LLVM IR: `compile LIBRARY PROCESSOR FEATURES FILE`, for
//! work on the lowering. Prints the assembly and the size of the code.

use std::process::ExitCode;

use llvm::{Compiler, Configuration, Job};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).peekable();
    if arguments.next_if_eq("compile-worker").is_some() {
        llvm::worker::run(arguments)
    }
    let arguments: Vec<String> = arguments.collect();
    let [library, processor, features, file] = arguments.as_slice() else {
        eprintln!("usage: compile LIBRARY PROCESSOR FEATURES FILE");
        return ExitCode::from(2);
    };
    match compile(library, processor, features, file) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn compile(
    library: &str,
    processor: &str,
    features: &str,
    file: &str,
) -> Result<(), Box<dyn std::error::Error>> {
    let ir = std::fs::read_to_string(file)?;
    let instructions = u32::try_from(ir.lines().count())?;
    let configuration = Configuration::new(std::env::current_exe()?, library, &["llvm.*"]);
    let mut compiler = Compiler::new(configuration);
    eprintln!("LLVM {}", compiler.version()?);
    let output = compiler.compile(&Job {
        ir,
        processor: processor.to_owned(),
        features: features.to_owned(),
        instructions,
    })?;
    std::io::Write::write_all(&mut std::io::stdout(), output.assembly.as_bytes())?;
    eprintln!("{} bytes of code", output.code.len());
    Ok(())
}
