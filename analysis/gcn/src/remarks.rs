//! Notes of the compiler about a shader beside its instructions: the pairs of `.AMDGPU.config`
//! and the comments of verbose assembly.

use thiserror::Error;

use crate::service::statement::Statement;

/// A line of the compiler whose figure is not a number.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the compiler's figure `{0}` is not a number")]
pub struct NoFigure(String);

/// The compiler's own figures. What it does not say is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Remarks {
    /// Vector registers, those of inputs included.
    pub(crate) vgprs: u32,
    /// Accumulation registers.
    pub(crate) agprs: u32,
    /// Scalar registers, those of inputs and the implicit ones included.
    pub(crate) sgprs: u32,
    /// Bytes of local data share.
    pub(crate) lds: u32,
    /// Bytes of scratch memory per lane.
    pub(crate) scratch: u32,
    /// Vector registers spilled.
    pub(crate) spilled_vgprs: u32,
    /// Scalar registers spilled.
    pub(crate) spilled_sgprs: u32,
}

impl Remarks {
    /// Reads the comments of a verbose assembly text.
    ///
    /// # Errors
    /// The first line whose figure is not a number.
    pub(crate) fn read_comments(&mut self, assembly: &str) -> Result<(), NoFigure> {
        for line in assembly.lines() {
            let comment = line.strip_prefix(';').and_then(|rest| rest.split_once(':'));
            let Some((name, value)) = comment else { continue };
            let figure = match name.trim() {
                "NumVgprs" => &mut self.vgprs,
                "NumAgprs" => &mut self.agprs,
                // LLVM 20 renamed it.
                "NumSgprs" | "TotalNumSgprs" => &mut self.sgprs,
                "ScratchSize" => &mut self.scratch,
                "LDSByteSize" => &mut self.lds,
                _ => continue,
            };
            // `0 bytes/workgroup (compile time only)`
            let number = value.split_ascii_whitespace().next().unwrap_or_default();
            let number: u32 = number.parse().map_err(|_| NoFigure(line.trim().to_owned()))?;
            *figure = (*figure).max(number);
        }
        Ok(())
    }
}

/// Reads the directives of `.AMDGPU.config`: pairs of a register's address and
/// its value. Two numbers that are not address stand for spilled registers.
#[derive(Debug, Default)]
pub(crate) struct Configuration {
    inside: bool,
    /// The address, where a value comes next; `None` inside for an expression.
    address: Option<Option<u32>>,
}

const SPILLED_SGPRS: u32 = 4;
const SPILLED_VGPRS: u32 = 8;

impl Configuration {
    /// Takes the next statement of the text.
    pub(crate) fn read(&mut self, statement: &Statement<'_>, remarks: &mut Remarks) {
        match statement.word() {
            ".section" => self.inside = statement.operands().starts_with(".AMDGPU.config"),
            ".text" | ".data" | ".bss" => self.inside = false,
            ".long" if self.inside => {
                let value: Option<u32> = statement.operands().parse().ok();
                let Some(address) = self.address.take() else {
                    self.address = Some(value);
                    return;
                };
                let count = match address {
                    Some(SPILLED_SGPRS) => &mut remarks.spilled_sgprs,
                    Some(SPILLED_VGPRS) => &mut remarks.spilled_vgprs,
                    _ => return,
                };
                *count = (*count).max(value.unwrap_or_default());
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::service::statement::statements;

    #[test]
    fn figures_of_old_and_new_compilers() {
        let old = "; NumSgprs: 12\n; NumVgprs: 7\n; LDSByteSize: 64 bytes/workgroup (compile time only)\n";
        let new = "; TotalNumSgprs: 12\n; NumVgprs: 7\n; LDSByteSize: 64 bytes/workgroup\n";
        for text in [old, new] {
            let mut found = Remarks::default();
            assert_eq!(found.read_comments(text), Ok(()));
            assert_eq!((found.sgprs, found.vgprs, found.lds), (12, 7, 64));
        }
        assert!(Remarks::default().read_comments("; NumVgprs: main.num_vgpr\n").is_err());
    }

    #[test]
    fn spills_are_pairs_of_the_configuration() {
        let text = ".section .AMDGPU.config\n.long 45096\n.long 4\n.long 4\n.long 48\n.long 8\n\
                    .long 5\n.text\n.long 4\n.long 99\n";
        let mut found = Remarks::default();
        let mut configuration = Configuration::default();
        for statement in statements(text, Dialect::Llvm) {
            configuration.read(&statement, &mut found);
        }
        assert_eq!((found.spilled_sgprs, found.spilled_vgprs), (48, 5));
    }
}
