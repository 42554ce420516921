//! The registers that operands name, and how many a shader therefore needs.

use crate::Target;
use crate::mnemonics::{Opcode, base_name};

/// The registers that a shader's instructions name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RegisterUse {
    /// One more than the highest vector register.
    pub vgprs: u32,
    /// One more than the highest numbered scalar register.
    pub numbered_sgprs: u32,
    /// Tells whether VCC is named, or read by the mnemonic itself.
    pub vcc: bool,
    /// Tells whether FLAT_SCRATCH is named.
    pub flat_scratch: bool,
    /// Tells whether XNACK_MASK is named.
    pub xnack_mask: bool,
    /// One more than the highest interpolated attribute.
    pub interpolants: u32,
}

/// The highest register number that an operand may have.
const HIGHEST: u32 = 255;

impl RegisterUse {
    /// Adds the registers of an instruction.
    ///
    /// # Errors
    /// A sentence, where a register's number makes no sense.
    pub fn add(&mut self, mnemonic: &str, operands: &str) -> Result<(), String> {
        self.vcc |= reads_vcc(mnemonic);
        let mut rest = operands;
        while let Some(start) = rest.find(is_word) {
            let word = &rest[start..];
            let end = word.find(|c| !is_word(c)).unwrap_or(word.len());
            let (word, after) = word.split_at(end);
            rest = after;
            self.add_word(word, after)?;
        }
        Ok(())
    }

    fn add_word(&mut self, word: &str, after: &str) -> Result<(), String> {
        match word {
            "vcc" | "vcc_lo" | "vcc_hi" => self.vcc = true,
            "flat_scratch" | "flat_scratch_lo" | "flat_scratch_hi" => self.flat_scratch = true,
            "xnack_mask" | "xnack_mask_lo" | "xnack_mask_hi" => self.xnack_mask = true,
            _ => {}
        }
        if let Some(number) = word.strip_prefix("attr").and_then(leading_number) {
            self.interpolants = self.interpolants.max(number.min(HIGHEST) + 1);
        }
        let (file, number) = match word.as_bytes().first() {
            Some(b'v') => (&mut self.vgprs, &word[1..]),
            Some(b's') => (&mut self.numbered_sgprs, &word[1..]),
            _ => return Ok(()),
        };
        let last = if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) {
            number.parse().ok()
        } else if number.is_empty() && after.starts_with('[') {
            last_of_range(after)
        } else {
            // Another word: `src0_sel`, a label.
            return Ok(());
        };
        match last {
            Some(last) if last <= HIGHEST => {
                *file = (*file).max(last + 1);
                Ok(())
            }
            _ => Err(format!("no register is called `{word}{}`", bracketed(after))),
        }
    }

    /// The scalar registers to allocate: the numbered ones, and above them room for
    /// the special ones. VCC, the page-fault mask and FLAT_SCRATCH have fixed places
    /// below the end of the allocation, so the largest of their needs counts once.
    /// A chip that retries page faults needs its room in every shader.
    pub fn sgprs(&self, target: Target) -> u32 {
        let row = target.row();
        let limits = &row.limits;
        let need = |used: bool, amount: u32| if used { amount } else { 0 };
        let special = need(self.vcc, limits.extra_vcc)
            .max(need(self.xnack_mask || row.xnack, limits.extra_xnack))
            .max(need(self.flat_scratch, limits.extra_flat_scratch));
        self.numbered_sgprs + special
    }
}

/// Tells whether an instruction reads VCC without naming it.
fn reads_vcc(mnemonic: &str) -> bool {
    matches!(
        Opcode::named(base_name(mnemonic)),
        Some(
            Opcode::s_cbranch_vccz
                | Opcode::s_cbranch_vccnz
                | Opcode::v_div_fmas_f32
                | Opcode::v_div_fmas_f64
        )
    )
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn leading_number(text: &str) -> Option<u32> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().ok()
}

/// The number after the last of `[first:last]`, or the only one of `[number]`.
fn last_of_range(after: &str) -> Option<u32> {
    let inside = bracketed(after).strip_prefix('[')?.strip_suffix(']')?;
    let (first, last) = inside.split_once(':').unwrap_or((inside, inside));
    let (first, last): (u32, u32) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
    (first <= last).then_some(last)
}

fn bracketed(after: &str) -> &str {
    match after.find(']') {
        Some(end) if after.starts_with('[') => &after[..=end],
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(lines: &[(&str, &str)]) -> RegisterUse {
        let mut found = RegisterUse::default();
        for (mnemonic, operands) in lines {
            found.add(mnemonic, operands).expect(operands);
        }
        found
    }

    #[test]
    fn the_highest_register_counts() {
        let found = used(&[
            ("image_sample", "v[8:11], v[0:1], s[8:15], s[0:3] dmask:0xf"),
            ("v_add_f32_e64", "v2, -v3, |v[20]| clamp"),
            ("v_mov_b32_sdwa", "v1, v2 dst_sel:WORD_1 src0_sel:BYTE_0"),
            ("v_mov_b32_dpp", "v1, v2 quad_perm:[0,1,2,3] row_mask:0xf"),
        ]);
        assert_eq!((found.vgprs, found.numbered_sgprs, found.vcc), (21, 16, false));
    }

    #[test]
    fn special_registers_are_added_once() {
        let found = used(&[("v_cmp_lt_f32_e32", "vcc, 0.5, v0"), ("s_mov_b64", "exec, s[0:1]")]);
        let sgprs = |name| found.sgprs(Target::find(name).expect(name));
        assert_eq!((sgprs("tahiti"), sgprs("polaris10"), sgprs("vega10")), (4, 4, 4));
        // Retry of page faults takes its room whether or not anything names it.
        assert_eq!(sgprs("raven"), 6);
        let found = used(&[("s_mov_b64", "flat_scratch, s[0:1]"), ("s_cbranch_vccz", "BB0_1")]);
        let sgprs = |name| found.sgprs(Target::find(name).expect(name));
        assert!(found.vcc && found.flat_scratch);
        assert_eq!((sgprs("bonaire"), sgprs("polaris10")), (6, 8));
    }

    #[test]
    fn attributes_are_counted() {
        assert_eq!(used(&[("v_interp_p1_f32", "v0, v0, attr5.x")]).interpolants, 6);
    }

    #[test]
    fn nonsense_is_refused() {
        for operands in ["v256", "s[3:1]", "v[", "v[1:99999999999]", "s4294967295", "v[a]"] {
            assert!(RegisterUse::default().add("v_nop", operands).is_err(), "{operands}");
        }
        assert_eq!(used(&[("s_branch", "v_label"), ("exp", "mrt0, off, off")]).vgprs, 0);
    }
}
