//! Two shaders that a chip runs as one program, with the machine code that both have together.

use diff_exec::{Compiled, Merged, lowered_merged};
use gcn::Target;
use tgsi_interp::inputs::Inputs;

use super::{Compile, Joined, MachineCode, MachineSide, explicit, read, refused};
use crate::shader::ShaderError;

impl Joined {
    /// Prepares two of the shaders of a text, counted from 1, of which a chip runs the second in
    /// one program with the first. The second reads of vertices what the first hands over.
    ///
    /// # Errors
    /// There are no such shaders, the chip runs them as two programs, or they cannot be
    /// interpreted, compiled or launched on the inputs.
    pub fn merged(
        text: &str,
        [first, second]: [(usize, Inputs); 2],
        target: Target,
        compile: &mut Compile<'_>,
    ) -> Result<Joined, ShaderError> {
        let (first, first_ast) = read(text, first.0, first.1)?;
        let (mut second, second_ast) = read(text, second.0, second.1)?;
        let own = lowered_merged(&first_ast, &second_ast, target).map_err(refused)?;
        let MachineCode { assembly, code, edited } = compile(&own).map_err(refused)?;
        let compiled = Compiled { target, entry: &own.entry, assembly: &assembly, code: &code };
        let mut merged = Merged::new(&first_ast, &second_ast, &compiled).map_err(refused)?;
        if let Some(edited) = edited {
            merged.edit(edited);
        }
        let [one, two] = [&first, &second].map(explicit);
        let (one, two) = (one.map_err(refused)?, two.map_err(refused)?);
        let inputs = [&one, &two];
        second.set_vertices(merged.handed_on(inputs).map_err(refused)?);
        let start = merged.start(inputs).map_err(refused)?;
        let side = MachineSide::new(merged.second(), start, merged.check_explicit(inputs));
        Joined::of((vec![first], second), &[&first_ast, &second_ast], target, side)
    }
}
