//! What the compiler notes about a shader beside its instructions: the pairs of
//! `.AMDGPU.config` and the comments of verbose assembly.

use crate::listing::{StatementKind, statements};

/// The compiler's own figures. What it does not say is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Remarks {
    /// Vector registers, those of inputs included.
    pub(crate) vgprs: u32,
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

/// Numbers in the place of register addresses in `.AMDGPU.config` that stand for
/// counts of spilled registers.
const SPILLED_SGPRS: u32 = 4;
const SPILLED_VGPRS: u32 = 8;

impl Remarks {
    /// Reads them.
    ///
    /// # Errors
    /// A sentence, where a figure is no number.
    pub(crate) fn read(assembly: &str) -> Result<Remarks, String> {
        let mut remarks = Remarks::default();
        remarks.read_comments(assembly)?;
        remarks.read_config(assembly);
        Ok(remarks)
    }

    fn read_comments(&mut self, assembly: &str) -> Result<(), String> {
        for line in assembly.lines() {
            let comment = line.strip_prefix(';').and_then(|rest| rest.split_once(':'));
            let Some((name, value)) = comment else { continue };
            let figure = match name.trim() {
                "NumVgprs" => &mut self.vgprs,
                // LLVM 20 renamed it.
                "NumSgprs" | "TotalNumSgprs" => &mut self.sgprs,
                "ScratchSize" => &mut self.scratch,
                "LDSByteSize" => &mut self.lds,
                _ => continue,
            };
            // `0 bytes/workgroup (compile time only)`
            let number = value.split_ascii_whitespace().next().unwrap_or_default();
            let number: u32 = number
                .parse()
                .map_err(|_| format!("the compiler's figure `{}` is no number", line.trim()))?;
            *figure = (*figure).max(number);
        }
        Ok(())
    }

    /// The section holds pairs of a register's address and its value; values may
    /// be expressions, which are of no interest here.
    fn read_config(&mut self, assembly: &str) {
        let mut in_config = false;
        let mut address: Option<&mut u32> = None;
        let mut is_value = false;
        let mut ignored = 0;
        for statement in statements(assembly) {
            if statement.kind != StatementKind::Directive {
                continue;
            }
            match &*statement.name {
                ".section" => in_config = statement.rest.starts_with(".AMDGPU.config"),
                ".text" | ".data" | ".bss" => in_config = false,
                ".long" if in_config => {
                    let value: Option<u32> = statement.rest.parse().ok();
                    if is_value {
                        if let (Some(place), Some(value)) = (address.take(), value) {
                            *place = (*place).max(value);
                        }
                    } else {
                        address = Some(match value {
                            Some(SPILLED_SGPRS) => &mut self.spilled_sgprs,
                            Some(SPILLED_VGPRS) => &mut self.spilled_vgprs,
                            _ => &mut ignored,
                        });
                    }
                    is_value = !is_value;
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_old_and_new_compilers() {
        let old = "; NumSgprs: 12\n; NumVgprs: 7\n; LDSByteSize: 64 bytes/workgroup (compile time only)\n";
        let new = "; TotalNumSgprs: 12\n; NumVgprs: 7\n; LDSByteSize: 64 bytes/workgroup\n";
        for text in [old, new] {
            let found = Remarks::read(text).expect("numbers");
            assert_eq!((found.sgprs, found.vgprs, found.lds), (12, 7, 64));
        }
        assert!(Remarks::read("; NumVgprs: main.num_vgpr\n").is_err());
    }

    #[test]
    fn spills_are_pairs_of_the_configuration() {
        let text = ".section .AMDGPU.config\n.long 45096\n.long 4\n.long 4\n.long 48\n.long 8\n\
                    .long 5\n.text\n.long 4\n.long 99\n";
        let found = Remarks::read(text).expect("numbers");
        assert_eq!((found.spilled_sgprs, found.spilled_vgprs), (48, 5));
    }
}
