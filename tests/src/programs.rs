//! GCN programs of the literate suites.
//!
//! A case has an `asm` block whose arguments are a chip, `clrx` for the other
//! dialect, and `NAME=VALUE` for symbols of the command line. `include NAME` blocks
//! are the files beside it. `diagnostics`, `fixed CODE`, `words` and `kernels` say what
//! comes of it; `costs NAME…` what it costs, on other chips too, `cost-diagnostics` and
//! `cost-fixed CODE` what is found in that, `hover LINE:COLUMN NAME…` what a hover tells.

use std::fmt::Write as _;
use std::sync::Arc;

use gcn::Target;
use gcn::assembler::Dialect;
use gcn::program::{Options, Program};

use crate::literate::{Block, Case};

/// Assembles the program of a case.
///
/// # Errors
/// Where an argument of the block is not understood.
pub fn assemble(case: &Case, source: &Block) -> Result<Program, String> {
    let mut options = Options::default();
    for argument in &source.arguments {
        if let Some((name, value)) = argument.split_once('=') {
            let value = value.parse().map_err(|_| format!("{argument}: no number"))?;
            options.symbols.push((name.to_owned(), value));
        } else if let Some(dialect) = Dialect::find(argument) {
            options.dialect = dialect;
        } else {
            let target = Target::find(argument).ok_or_else(|| format!("no target {argument}"))?;
            options.target = Some(target);
        }
    }
    let includes = |name: &str| {
        let wanted = |block: &&Block| {
            block.kind == "include" && block.arguments.first().is_some_and(|it| it == name)
        };
        case.blocks.iter().find(wanted).map(|block| Arc::from(block.text.as_str()))
    };
    Ok(gcn::program::assemble(&source.text, &options, &includes, &source::no_checkpoint))
}

/// The instructions with their places and words; `?` stands for those of a wrong one.
pub fn words(program: &Program) -> String {
    let mut shown = String::new();
    for instruction in &program.instructions {
        let words = match &instruction.assembled {
            Some(assembled) => {
                assembled.words().iter().map(|word| format!("{word:08x}")).collect::<Vec<_>>()
            }
            None => vec!["?".to_owned()],
        };
        let text = program.text(instruction).trim();
        let _ = writeln!(shown, "{:x}: {}  {text}", instruction.offset, words.join(" "));
    }
    shown
}

/// The pieces of code with their numbers of instructions.
pub fn kernels(program: &Program) -> String {
    let mut shown = String::new();
    for kernel in &program.kernels {
        let _ = writeln!(shown, "{}: {}", kernel.name, kernel.instructions.len());
    }
    shown
}
