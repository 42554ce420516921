//! Directives in the other dialect.

use std::fmt::Write as _;

use super::NoCounterpart;
use crate::dialect::words::is_word;
use crate::dialect::{Dialect, target_of_directive};

/// Directives that mean the same in both dialects, where their arguments are plain.
const COMMON: [&str; 31] = [
    ".align", ".ascii", ".asciz", ".balign", ".bss", ".byte", ".data", ".double", ".equ", ".fill",
    ".float", ".global", ".globl", ".int", ".local", ".long", ".octa", ".p2align", ".quad",
    ".rodata", ".section", ".set", ".short", ".single", ".size", ".skip", ".space", ".string",
    ".text", ".weak", ".equiv",
];

/// Directives of LLVM's dialect alone that put nothing into code or data: CLRX reads them as
/// comments.
const SILENT: [&str; 14] = [
    ".addrsig",
    ".addrsig_sym",
    ".amdgpu_hsa_kernel",
    ".amdhsa_code_object_version",
    ".file",
    ".hidden",
    ".hsa_code_object_isa",
    ".hsa_code_object_version",
    ".ident",
    ".internal",
    ".loc",
    ".no_dead_strip",
    ".protected",
    ".type",
];

/// The directives of LLVM's dialect that name the chip.
const LLVM_CHIP: [&str; 3] = [".amdgcn_target", ".amd_amdgpu_isa", ".hsa_code_object_isa"];

/// Debug information of frames, which CLRX does not write.
const FRAMES: &str = ".cfi_";

/// The chips that both dialects can name in a directive.
const CHIPS: [(&str, &str); 10] = [
    ("gfx600", "tahiti"),
    ("gfx601", "pitcairn"),
    ("gfx602", "hainan"),
    ("gfx701", "hawaii"),
    ("gfx704", "bonaire"),
    ("gfx801", "carrizo"),
    ("gfx802", "tonga"),
    ("gfx803", "fiji"),
    ("gfx900", "gfx900"),
    ("gfx906", "gfx906"),
];

/// A directive in the other dialect. `value` is what its own line defines or puts there.
pub(super) fn directive(
    word: &str,
    arguments: &str,
    to: Dialect,
    value: impl FnOnce() -> Option<String>,
) -> Result<String, NoCounterpart> {
    let lower = word.to_ascii_lowercase();
    let names_chip = match to {
        Dialect::Clrx => LLVM_CHIP.contains(&&*lower),
        Dialect::Llvm => lower == ".gpu",
    };
    if names_chip && !arguments.trim().is_empty() {
        let target = target_of_directive(&format!("{lower} {}", arguments.trim()));
        let processor = target.and_then(Result::ok).map(|target| target.row().processor);
        let chip = CHIPS.into_iter().find(|(known, _)| Some(*known) == processor);
        let (llvm, clrx) = chip.ok_or(NoCounterpart::Chip(to))?;
        return Ok(match to {
            Dialect::Clrx => format!(".gpu {clrx}"),
            Dialect::Llvm => format!(".amdgcn_target \"amdgcn-amd-amdhsa--{llvm}\""),
        });
    }
    if to == Dialect::Clrx && (SILENT.contains(&&*lower) || lower.starts_with(FRAMES)) {
        return Ok(format!("# {word} {}", arguments.trim()).trim_end().to_owned());
    }
    if lower == ".section" {
        return section(arguments);
    }
    let plain = match COMMON.contains(&&*lower) {
        true => plain(arguments),
        false => Err(NoCounterpart::Directive(word.to_owned())),
    };
    match plain {
        Ok(()) => Ok(format!("{word} {}", arguments.trim()).trim_end().to_owned()),
        Err(reason) => value().ok_or(reason),
    }
}

/// A section by its name, the flags that both know, and its type.
fn section(arguments: &str) -> Result<String, NoCounterpart> {
    let mut arguments = arguments.split(',').map(str::trim);
    let name = arguments.next().unwrap_or_default().trim_matches('"');
    if name.is_empty() || !name.bytes().all(|byte| is_word(byte) || byte == b'-') {
        return Err(NoCounterpart::Directive(".section".to_owned()));
    }
    // CLRX writes a name with other signs as a string.
    let mut text = match name.contains('-') {
        true => format!(".section \"{name}\""),
        false => format!(".section {name}"),
    };
    if let Some(flags) = arguments.next() {
        let flags = flags.trim_matches('"').chars().filter(|flag| "awx".contains(*flag));
        let _ = write!(text, ",\"{}\"", flags.collect::<String>());
    }
    if let Some(kind) = arguments.next().filter(|kind| kind.starts_with('@')) {
        let _ = write!(text, ",{kind}");
    }
    Ok(text)
}

/// Bytes as a directive of both dialects.
pub(super) fn bytes(bytes: &[u8]) -> String {
    let bytes: Vec<String> = bytes.iter().map(|byte| format!("{byte:#04x}")).collect();
    format!(".byte {}", bytes.join(", "))
}

/// Tells whether arguments mean the same in both dialects.
pub(super) fn plain(arguments: &str) -> Result<(), NoCounterpart> {
    let mut in_string = false;
    for letter in arguments.chars() {
        if letter == '"' {
            in_string = !in_string;
        }
        let known = match in_string {
            true => letter != '\\',
            false => letter.is_ascii_alphanumeric() || "\"_.$, \t+-*".contains(letter),
        };
        if !known {
            return Err(NoCounterpart::Sign(letter));
        }
    }
    Ok(())
}
