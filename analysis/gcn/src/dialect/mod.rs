//! The two assembly languages, and how a text shows which it is.
//!
//! The languages disagree on what `;` and `//` mean, so that one must be chosen
//! before a line can be read. Listings are printed by disassemblers: their
//! comments carry addresses and encodings, and one driver prints CLRX operands
//! in lines that follow LLVM's rules.

mod chip;
mod parts;
pub mod printed;
pub(crate) mod words;

use crate::mnemonics::{self, FormSuffix, op_info};

pub use chip::{NamedChip, Unsupported, target_in};
pub(crate) use chip::{settings_in, target_of_directive};
pub use isa::gcn::names::Dialect;
pub use parts::{Part, PartKind, Statistic, parts};

isa::words! {
    /// The printer of a listing.
    Listing {
        /// radeonsi's shader dumps.
        AmdDebug "AMD_DEBUG dump",
        /// RADV's: block labels, encodings behind `;`.
        Radv "RADV dump",
        /// The Radeon GPU Analyzer and AMD's own compilers.
        Rga "RGA listing",
        /// The disassembler of CLRX: encodings in front, in comments.
        Clrxdisasm "clrxdisasm listing",
        /// llvm-objdump: addresses and encodings behind `//`.
        Objdump "llvm-objdump listing",
        /// The program of Mesa's compiler before it is machine code.
        Aco "ACO program",
    }
}

/// The languages that a text was taken for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detected {
    /// The language of its operands.
    pub dialect: Dialect,
    /// The printer, where nobody wrote it.
    pub listing: Option<Listing>,
    /// The evidence: a sentence part such as "`.amdcl2` in line 3".
    pub why: String,
}

/// So many lines are looked at, beside those of an intermediate program; what is further
/// down is not a header.
const LINES_READ: usize = 4000;

/// Finds the dialect that a text is in. Takes time linear in the lines it looks at.
pub fn detect(text: &str) -> Detected {
    let mut score = Score::default();
    // An intermediate program: more certain than a way to write, less than machine code.
    let mut intermediate = None;
    let mut left = LINES_READ;
    let mut is_nir = false;
    for (index, line) in text.lines().enumerate() {
        match line.as_bytes().first() {
            Some(b'\t' | b'}') | None if is_nir => continue,
            _ if left == 0 => break,
            _ => left -= 1,
        }
        is_nir = line.starts_with("shader: ") || (is_nir && !line.ends_with("disasm:"));
        let marks = Marks::of(line);
        if let Some((listing, what)) = listing_line(line, marks) {
            let why = format!("{what} in line {}", index + 1);
            if listing == Listing::Aco {
                let detected = Detected { dialect: Dialect::Llvm, listing: Some(listing), why };
                intermediate.get_or_insert(detected);
                continue;
            }
            let rest = text.lines().skip(index).take(LINES_READ);
            let dialect = match listing {
                Listing::Clrxdisasm => Dialect::Clrx,
                Listing::Radv | Listing::AmdDebug => operand_dialect(rest),
                Listing::Rga | Listing::Objdump | Listing::Aco => Dialect::Llvm,
            };
            return Detected { dialect, listing: Some(listing), why };
        }
        score.line(line, marks, index + 1);
    }
    if let Some(intermediate) = intermediate {
        return intermediate;
    }
    let (dialect, evidence) = match (score.llvm, score.clrx) {
        (llvm, clrx) if clrx.weight > llvm.weight => (Dialect::Clrx, clrx),
        (llvm, _) => (Dialect::Llvm, llvm),
    };
    let why = match evidence.line {
        0 => "nothing shows another".to_owned(),
        line => format!("{} in line {line}", evidence.what),
    };
    Detected { dialect, listing: None, why }
}

/// The signs that a line has, so that most questions need not be asked of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Marks(u8);

impl Marks {
    const SLASH: u8 = 1;
    const SEMICOLON: u8 = 2;
    const HASH: u8 = 4;
    const EQUALS: u8 = 8;
    const BACKSLASH: u8 = 16;

    fn of(line: &str) -> Marks {
        const TABLE: [u8; 256] = {
            let mut table = [0; 256];
            table[b'/' as usize] = Marks::SLASH;
            table[b';' as usize] = Marks::SEMICOLON;
            table[b'#' as usize] = Marks::HASH;
            table[b'=' as usize] = Marks::EQUALS;
            table[b'\\' as usize] = Marks::BACKSLASH;
            table
        };
        Marks(line.bytes().fold(0, |marks, byte| marks | TABLE[usize::from(byte)]))
    }

    fn has(self, mark: u8) -> bool {
        self.0 & mark != 0
    }
}

/// The listing a line is certain to be of.
fn listing_line(line: &str, marks: Marks) -> Option<(Listing, &'static str)> {
    let trimmed = line.trim_ascii();
    if trimmed.ends_with("file format elf64-amdgpu")
        || trimmed.ends_with("file format ELF64-amdgpu")
    {
        return Some((Listing::Objdump, "`file format elf64-amdgpu`"));
    }
    if trimmed.starts_with("Shader Disassembly:") || trimmed == "*** SHADER CONFIG ***" {
        return Some((Listing::AmdDebug, "radeonsi's heading"));
    }
    if trimmed.starts_with("disasm:") || trimmed.starts_with("DISASM:") {
        return Some((Listing::Radv, "RADV's heading"));
    }
    if line.starts_with("ACO shader stage:") {
        return Some((Listing::Aco, "ACO's heading"));
    }
    if marks.has(Marks::EQUALS)
        && let Some((result, rest)) = trimmed.split_once(" = ")
        && is_aco_registers(result)
        && rest.split(' ').next().is_some_and(|word| op_info(word).is_some())
    {
        return Some((Listing::Aco, "an instruction after its result"));
    }
    if trimmed.starts_with("asic(") || trimmed.starts_with("; -------- Disassembly") {
        return Some((Listing::Rga, "the analyzer's heading"));
    }
    if let Some(rest) = trimmed.strip_prefix("/*") {
        let inside = rest.split("*/").next().unwrap_or_default();
        if rest.contains("*/") && is_encoding(inside, 8) {
            return Some((Listing::Clrxdisasm, "an encoding in front"));
        }
    }
    if marks.has(Marks::SLASH)
        && let Some((_, comment)) = line.rsplit_once("//")
        && let Some((address, encoding)) = comment.trim().split_once(": ")
        && address.len() >= 4
        && address.bytes().all(|byte| byte.is_ascii_hexdigit())
        && is_encoding(encoding, 8)
    {
        return Some((Listing::Objdump, "an address and an encoding"));
    }
    if marks.has(Marks::SEMICOLON)
        && let Some((code, comment)) = line.rsplit_once(';')
        && !code.trim().is_empty()
        && !code.contains(';')
        && is_encoding(comment, 8)
    {
        return Some(match comment.trim().bytes().any(|byte| byte.is_ascii_uppercase()) {
            true => (Listing::AmdDebug, "an encoding after `;`"),
            false => (Listing::Radv, "an encoding after `;`"),
        });
    }
    None
}

/// Tells whether a text is a list of registers as ACO writes them: `s[4-7]`, `vcc, scc`.
fn is_aco_registers(text: &str) -> bool {
    let is_register = |name: &str| {
        let name = name.rsplit(')').next().unwrap_or(name);
        let numbers = name.trim_start_matches(['s', 'v']);
        let numbered = numbers.len() + 1 == name.len()
            && numbers.bytes().any(|byte| byte.is_ascii_digit())
            && numbers.bytes().all(|byte| byte.is_ascii_digit() || b"[-]".contains(&byte));
        numbered || matches!(name, "vcc" | "scc" | "exec" | "m0")
    };
    !text.is_empty() && text.split(", ").all(is_register)
}

/// Tells whether a text is one or more hexadecimal words of so many digits.
fn is_encoding(text: &str, digits: usize) -> bool {
    let mut words = text.split_ascii_whitespace().peekable();
    words.peek().is_some()
        && words.all(|word| word.len() == digits && word.bytes().all(|it| it.is_ascii_hexdigit()))
}

/// LLVM prints vector mnemonics with their encoding where a short one exists, CLRX
/// prints none and pads all to the same width.
fn operand_dialect<'a>(lines: impl Iterator<Item = &'a str>) -> Dialect {
    let mut padded = false;
    for line in lines {
        let line = line.trim_start();
        let word = line.split_ascii_whitespace().next().unwrap_or_default();
        if mnemonics::split_suffix(word).1.is_some() {
            return Dialect::Llvm;
        }
        let rest = &line[word.len()..];
        padded |=
            word.contains('_') && rest.starts_with("  ") && !rest.trim_start().starts_with(';');
    }
    if padded { Dialect::Clrx } else { Dialect::Llvm }
}

#[derive(Debug, Clone, Copy, Default)]
struct Evidence {
    weight: u32,
    /// The line of the heaviest evidence; 0 for none.
    line: usize,
    heaviest: u32,
    what: &'static str,
}

impl Evidence {
    fn add(&mut self, weight: u32, line: usize, what: &'static str) {
        self.weight = self.weight.saturating_add(weight);
        if weight > self.heaviest {
            (self.heaviest, self.line, self.what) = (weight, line, what);
        }
    }
}

#[derive(Debug, Default)]
struct Score {
    llvm: Evidence,
    clrx: Evidence,
}

// `EVIDENCE`: directives of one dialect only, and how much they show.
include!(concat!(env!("OUT_DIR"), "/evidence.rs"));

impl Score {
    fn line(&mut self, line: &str, marks: Marks, number: usize) {
        let code = line.trim_ascii_start();
        let word = code.split([' ', '\t', ';', '#']).next().unwrap_or_default();
        if code.starts_with('.') {
            let found = EVIDENCE.iter().find(|(name, ..)| word.eq_ignore_ascii_case(name));
            match found {
                Some((name, Dialect::Llvm, weight)) => self.llvm.add(*weight, number, name),
                Some((name, Dialect::Clrx, weight)) => self.clrx.add(*weight, number, name),
                None if word.starts_with(".amdhsa_") => self.llvm.add(20, number, ".amdhsa_…"),
                None => {}
            }
            return;
        }
        if code.is_empty() || code.starts_with('#') {
            return;
        }
        if marks.has(Marks::SLASH)
            && let Some(at) = code.find("//")
        {
            // A division of two operands has something in front and behind.
            let comment = at == 0 || code[..at].ends_with([' ', '\t']);
            if comment {
                self.llvm.add(3, number, "a `//` comment");
            }
            return;
        }
        if marks.has(Marks::BACKSLASH) && code.trim_end().ends_with('\\') {
            self.clrx.add(5, number, "a line joined by `\\`");
        }
        if let (_, Some(FormSuffix::Short | FormSuffix::Long)) = mnemonics::split_suffix(word) {
            self.llvm.add(2, number, "an encoding suffix");
        }
        if marks.has(Marks::HASH) && (code.contains(" # ") || code.contains("\t#")) {
            self.clrx.add(3, number, "a `#` comment after code");
        }
        let is_symbol = |sign: &str| code.contains(sign);
        if marks.has(Marks::EQUALS) && ["= %v", "= %s", "=%v", "=%s"].into_iter().any(is_symbol) {
            self.clrx.add(20, number, "a register symbol");
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    fn shown(text: &str) -> String {
        let found = detect(text);
        let listing = found.listing.map_or("written", Listing::name);
        format!("{} {listing}: {}", found.dialect.name(), found.why)
    }

    #[test]
    fn texts_show_their_dialect() {
        let texts = [
            "v_mov_b32 v0, v1 // copy\n",
            "s_nop 0 # clrx\n",
            ".gpu Fiji\n.amdcl2\n",
            ".amdgcn_target \"amdgcn-amd-amdhsa--gfx906\"\n",
            "\ts_load_dword s16, s[0:1], 0x34   // 000000000000: C0020400 00000034\n",
            "/*7e000280        */ v_mov_b32       v0, 0\n",
            "Shader Disassembly:\n\tv_mov_b32_e32 v0, 0 ; 7E000280\n",
            "BB0:\n\tv_mov_b32_e32 v0, 0 ; 7e000280\n",
            "BB0:\n\tv_mov_b32       v0, 0 ; 7e000280\n",
            "v2 = v_mul_f32 s1, v2\n",
            "x = %v[1:2]\n",
            "",
        ];
        let found: Vec<String> = texts.iter().map(|text| shown(text)).collect();
        expect![[r#"
            llvm written: a `//` comment in line 1
            clrx written: a `#` comment after code in line 1
            clrx written: .gpu in line 1
            llvm written: .amdgcn_target in line 1
            llvm llvm-objdump listing: an address and an encoding in line 1
            clrx clrxdisasm listing: an encoding in front in line 1
            llvm AMD_DEBUG dump: radeonsi's heading in line 1
            llvm RADV dump: an encoding after `;` in line 2
            clrx RADV dump: an encoding after `;` in line 2
            llvm ACO program: an instruction after its result in line 1
            clrx written: a register symbol in line 1
            llvm written: nothing shows another"#]]
        .assert_eq(&found.join("\n"));
    }
}
