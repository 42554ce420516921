//! What of a listing is code.
//!
//! Whoever prints code prints other things beside it: statistics, addresses of
//! functions, headings, notes about repetitions. None of that is assembly, and
//! none of it is wrong. It becomes blanks of the same length, so an offset in
//! what is left is an offset in the listing.

use std::borrow::Cow;

use super::dialect::Listing;
use crate::mnemonics;

/// The text of a listing with everything that is no code blanked. Takes time
/// linear in its length.
///
/// LLVM prints some labels without the prefix that jumps to them have: the prefix
/// becomes blanks too.
pub fn code_of(text: &str, listing: Listing) -> Cow<'_, str> {
    let mut copy: Option<String> = None;
    let mut start = 0;
    let bare_labels = text.starts_with("BB0_") || text.contains("\nBB0_");
    for line in text.split_inclusive('\n') {
        let kept = is_code(line, listing);
        let prefixed = bare_labels && line.contains(LOCAL_BLOCK);
        if (!kept || prefixed) && copy.is_none() {
            let mut before = String::with_capacity(text.len());
            before.push_str(text.get(..start).unwrap_or(""));
            copy = Some(before);
        }
        if let Some(copy) = &mut copy {
            if prefixed {
                copy.push_str(&line.replace(LOCAL_BLOCK, "  BB"));
            } else if kept {
                copy.push_str(line);
            } else {
                let blank = |byte| if byte == b'\n' || byte == b'\r' { byte } else { b' ' };
                copy.extend(line.bytes().map(|byte| char::from(blank(byte))));
            }
        }
        start += line.len();
    }
    copy.map_or(Cow::Borrowed(text), Cow::Owned)
}

/// How the name of a block begins that only its file sees.
const LOCAL_BLOCK: &str = ".LBB";

/// Whether a line of a listing is an instruction, a label or a directive.
fn is_code(line: &str, listing: Listing) -> bool {
    if listing == Listing::Aco {
        // A language of its own: results stand in front.
        return line.trim().is_empty();
    }
    let line = behind_comment(line.trim());
    let word_end = line
        .find(|letter: char| !letter.is_ascii_alphanumeric() && !matches!(letter, '_' | '.' | '$'))
        .unwrap_or(line.len());
    let (word, rest) = line.split_at(word_end);
    if word.is_empty() {
        // A comment, or nothing.
        return line.is_empty() || line.starts_with([';', '#']) || line.starts_with("//");
    }
    if let Some(rest) = rest.strip_prefix(':') {
        let rest = rest.trim_start();
        let alone = rest.is_empty() || rest.starts_with([';', '#']) || rest.starts_with("//");
        return alone && !word.starts_with(|first: char| first.is_ascii_digit());
    }
    if word.starts_with('.') {
        // Drivers print symbols of their own so; their values are in no assembly.
        return matches!(listing, Listing::Clrxdisasm | Listing::AmdDebug);
    }
    let ends = rest.is_empty() || rest.starts_with([' ', '\t', ';', '/']);
    ends && (mnemonics::mnemonic_info(word).is_some() || is_like_mnemonic(word))
}

/// What stands behind a comment in front, such as an encoding.
fn behind_comment(line: &str) -> &str {
    match line.strip_prefix("/*").and_then(|rest| rest.split_once("*/")) {
        Some((_, rest)) => rest.trim_start(),
        None => line,
    }
}

/// Whether a word has the form of a mnemonic, so that it is worth a message where
/// no chip has it.
fn is_like_mnemonic(word: &str) -> bool {
    const UNITS: [&str; 11] = [
        "s_", "v_", "ds_", "buffer_", "tbuffer_", "image_", "flat_", "global_", "scratch_", "exp_",
        "gds_",
    ];
    let lower = !word.bytes().any(|byte| byte.is_ascii_uppercase());
    lower && UNITS.iter().any(|unit| word.starts_with(unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_stays_and_the_rest_becomes_blanks() {
        let text = "atax.co:\tfile format ELF64-amdgpu\n\
                    Disassembly of section .text:\n\
                    0000000000001000 <atax>:\n\
                    BB0_1:\n\
                    \ts_nop 0 // 000000001000: BF800000\r\n\
                    \t(then repeated 12 times)\n\
                    *** SHADER STATS ***\n\
                    SGPRS: 24\n\
                    Größe: 3\n\
                    /*bf810000*/ s_endpgm\n\
                    \ts_bogus_b32 s0\n\
                    s[4-7] = s_load_dwordx4 s[2-3], 0x180";
        let code = code_of(text, Listing::Objdump);
        assert_eq!(code.len(), text.len());
        let kept: Vec<&str> = code.lines().map(str::trim).filter(|it| !it.is_empty()).collect();
        assert_eq!(
            kept,
            [
                "BB0_1:",
                "s_nop 0 // 000000001000: BF800000",
                "/*bf810000*/ s_endpgm",
                "s_bogus_b32 s0"
            ]
        );
        let jump = "\ts_branch .LBB0_1\nBB0_1:\n";
        assert_eq!(code_of(jump, Listing::Radv), "\ts_branch   BB0_1\nBB0_1:\n");
        let plain = "BB0:\n\ts_nop 0 ; bf800000\n";
        assert!(matches!(code_of(plain, Listing::Radv), Cow::Borrowed(_)));
    }
}
