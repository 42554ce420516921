//! The chip that a text or a file's name names.
//!
//! A chip that is named is believed: where it is none that is supported, nothing is judged
//! for another in its place.

use isa::gcn::UnsupportedChip;
use source::TextRange;
use thiserror::Error;

use super::words::shifted;
use crate::Target;

/// A chip that is named and not supported.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Error)]
pub enum Unsupported {
    /// A chip of the table of those.
    #[error("{0}")]
    Chip(&'static UnsupportedChip),
    /// A processor's name of the usual form that no table has.
    #[error("{0}")]
    Processor(Box<str>),
    /// A chip that an instruction is of, and the first generation that has it.
    #[error("{1} or later (RDNA; only such chips have `{0}`)")]
    Having(Box<str>, &'static str),
}

impl Unsupported {
    /// Its name alone: `gfx1100`.
    pub fn name(&self) -> &str {
        match self {
            Unsupported::Chip(chip) => chip.name,
            Unsupported::Processor(name) => name,
            Unsupported::Having(_, generation) => generation,
        }
    }

    /// A sentence about what is left undone for it.
    pub(crate) fn sentence(&self) -> String {
        format!(
            "{self} is not supported yet: no instruction is checked, and none is assembled; \
             labels, symbols and directives are"
        )
    }

    /// The chip of a name, where that is a processor's or one that users know.
    pub fn find(name: &str) -> Option<Unsupported> {
        let number = name.strip_prefix("gfx").filter(|it| it.len() >= 3);
        let is_number = |it: &str| it.bytes().all(|byte| byte.is_ascii_hexdigit());
        match UnsupportedChip::find(name) {
            Some(chip) => Some(Unsupported::Chip(chip)),
            None => number.filter(|it| is_number(it)).map(|_| Unsupported::Processor(name.into())),
        }
    }
}

/// The chip that a text or its file's name asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedChip {
    /// The chip.
    pub target: Result<Target, Unsupported>,
    /// The evidence: "`.gpu Fiji` in line 2", "the file name".
    pub why: String,
    /// The directive in the text; empty where the file's name says it.
    pub range: TextRange,
}

/// The chip that a directive of the text names, or else the file's name.
pub fn target_in(text: &str, file_name: &str) -> Option<NamedChip> {
    let starts = memchr::memchr_iter(b'\n', text.as_bytes()).map(|end| end + 1);
    for (index, start) in std::iter::once(0).chain(starts).enumerate() {
        let code = text[start..].trim_start_matches([' ', '\t', '\r', '\x0c']);
        let directive = match code.as_bytes().first() {
            Some(b'.') => true,
            Some(b'a') => code.starts_with("asic(") || code.starts_with("amdhsa.target"),
            _ => false,
        };
        if !directive {
            continue;
        }
        let code = code.lines().next().unwrap_or_default().trim_end();
        if let Some(target) = target_of_directive(code) {
            let shown = code.split([';', '#']).next().unwrap_or_default().trim();
            let why = format!("`{shown}` in line {}", index + 1);
            let start = shown.as_ptr() as usize - text.as_ptr() as usize;
            let range = shifted(0, start, start + shown.len());
            return Some(NamedChip { target, why, range });
        }
    }
    let name = file_name.rsplit(['/', '\\']).next().unwrap_or_default();
    let words = || name.split(|letter: char| !letter.is_ascii_alphanumeric());
    // Code names alone are words of the language as well.
    let unsupported = |word: &str| {
        let has_digit = word.bytes().any(|byte| byte.is_ascii_digit());
        has_digit.then(|| Unsupported::find(word)).flatten()
    };
    let supported = |word: &str| Target::find(word).or_else(|| architecture(word));
    let target =
        words().find_map(supported).map(Ok).or_else(|| words().find_map(unsupported).map(Err))?;
    Some(NamedChip { target, why: "the file name".to_owned(), range: TextRange::default() })
}

/// The chip that a directive such as `.gpu Fiji` names.
pub(crate) fn target_of_directive(code: &str) -> Option<Result<Target, Unsupported>> {
    let (word, rest) = match code.split_once([' ', '\t', '(', ':']) {
        Some((word, rest)) => (word, rest.trim()),
        None => return None,
    };
    let first = |ends: &[char]| rest.split(ends).next().unwrap_or_default();
    match word.to_ascii_lowercase().as_str() {
        ".amdgcn_target" | ".amd_amdgpu_isa" | "amdhsa.target" => {
            // Only names of several chips have dashes of their own: `gfx9-4-generic`.
            let is_start = |(at, _): &(usize, &str)| {
                !rest[..*at].ends_with(|letter: char| letter.is_ascii_alphanumeric())
            };
            let (start, _) = rest.match_indices("gfx").find(is_start)?;
            let is_end = |letter: char| !letter.is_ascii_alphanumeric() && letter != '-';
            let name = rest[start..].split(is_end).next().unwrap_or_default();
            processor(name.trim_end_matches('-'))
        }
        ".hsa_code_object_isa" => {
            let mut numbers = rest.split(',').map(|it| it.trim().parse::<u32>());
            match (numbers.next(), numbers.next(), numbers.next()) {
                (Some(Ok(major)), Some(Ok(minor)), Some(Ok(step))) => {
                    processor(&format!("gfx{major}{minor}{step:x}"))
                }
                _ => None,
            }
        }
        ".gpu" => {
            let name = first(&[' ', '\t', ';', '#']);
            clrx_chip(name).map(Ok).or_else(|| processor(name))
        }
        ".arch" | "asic" => {
            let name = first(&[' ', '\t', ';', '#', ')']);
            architecture(name).map(Ok).or_else(|| newer_architecture(name).map(Err))
        }
        _ => None,
    }
}

/// The part of a target id behind the processor's name in a directive that names a chip:
/// `:sramecc+` of `.amdgcn_target "amdgcn-amd-amdhsa--gfx90a:sramecc+"`; `None` for other
/// directives, and for an id that ends early.
pub(crate) fn settings_in(code: &str) -> Option<&str> {
    let (word, rest) = code.split_once([' ', '\t'])?;
    if !matches!(word, ".amdgcn_target" | ".amd_amdgpu_isa") {
        return None;
    }
    let id = rest.trim_start().strip_prefix('"')?.split_once('"')?.0;
    let (_, name) = id.rsplit_once("--")?;
    Some(&name[name.find([':', '+']).unwrap_or(name.len())..])
}

fn processor(name: &str) -> Option<Result<Target, Unsupported>> {
    Target::find(name).map(Ok).or_else(|| Unsupported::find(name).map(Err))
}

/// Chips whose CLRX name is not the usual one.
fn clrx_chip(name: &str) -> Option<Target> {
    let name = match name.to_ascii_lowercase().as_str() {
        "capeverde" => "verde",
        "goose" | "horse" => "fiji",
        "gfx804" => "polaris12",
        "gfx901" => "gfx900",
        "gfx903" => "gfx902",
        "gfx905" => "gfx904",
        "gfx907" => "gfx906",
        _ => return None,
    };
    Target::find(name)
}

/// The first processor of an architecture: `GCN1.2`, `VI`, `GFX8`.
fn architecture(name: &str) -> Option<Target> {
    let processor = match name.to_ascii_lowercase().as_str() {
        "si" | "gfx6" | "gcn1.0" => "gfx600",
        "ci" | "gfx7" | "gcn1.1" => "gfx700",
        "vi" | "gfx8" | "gcn1.2" => "gfx803",
        "vega" | "gfx9" | "gcn1.4" => "gfx900",
        "vega20" | "gcn1.4.1" => "gfx906",
        _ => return None,
    };
    Target::find(processor)
}

/// An architecture behind GCN's, by the names of CLRX, LLVM and AMD.
fn newer_architecture(name: &str) -> Option<Unsupported> {
    let lower = name.to_ascii_lowercase();
    let is_newer = ["gfx10", "gfx11", "gfx12", "gcn1.5", "gcn1.6", "navi", "rdna", "cdna"];
    is_newer
        .iter()
        .any(|start| lower.starts_with(start))
        .then(|| Unsupported::Processor(name.into()))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn targets_are_found_in_directives_then_in_names() {
        let found = |text, name| {
            target_in(text, name).map_or("none".to_owned(), |it| match it.target {
                Ok(target) => format!("{target} by {}", it.why),
                Err(unsupported) => format!("not {unsupported} by {}", it.why),
            })
        };
        let texts = [
            (".amdgcn_target \"amdgcn-amd-amdhsa--gfx906:xnack-\"", "gfx803.s"),
            (".amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"", "gfx803.s"),
            (".amdgcn_target \"amdgcn-amd-amdhsa--gfx9-4-generic:sramecc+\"", ""),
            (".amdgcn_target \"amdgcn-amd-amdhsa--gfx1310\"", ""),
            (".amdgcn_target \"amdgcn-amd-amdhsa--gfx9\"", ""),
            ("amdhsa.target: amdgcn-amd-amdhsa--gfx90a:xnack+", ""),
            (".hsa_code_object_isa 8,0,3,\"AMD\",\"AMDGPU\"", ""),
            (".hsa_code_object_isa 9,0,10,\"AMD\",\"AMDGPU\"", ""),
            ("s_nop 0\n.gpu CapeVerde # first", ""),
            (".gpu Navi31", ""),
            (".gpu nothing", ""),
            (".arch GCN1.4", ""),
            (".arch GCN1.5", ""),
            ("s_nop 0", "kernels/conv_gfx9_fiji.s"),
            ("s_nop 0", "kernels/gfx1030.s"),
            ("s_nop 0", "kernels/gemm_mi300x_v2.s"),
            ("s_nop 0", "kernels/phoenix.s"),
            ("s_nop 0", "kernels/aldebaran_to_vega10.s"),
            (".hsa_code_object_isa", ""),
            ("asic(SI)", ""),
            // Assemblers write it in small letters.
            ("ASIC(SI)", ""),
        ];
        let found: Vec<String> = texts.iter().map(|(text, name)| found(text, name)).collect();
        expect![[r#"
            gfx906 by `.amdgcn_target "amdgcn-amd-amdhsa--gfx906:xnack-"` in line 1
            not gfx1100 (RDNA 3) by `.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"` in line 1
            gfx9-4-generic by `.amdgcn_target "amdgcn-amd-amdhsa--gfx9-4-generic:sramecc+"` in line 1
            not gfx1310 by `.amdgcn_target "amdgcn-amd-amdhsa--gfx1310"` in line 1
            none
            gfx90a by `amdhsa.target: amdgcn-amd-amdhsa--gfx90a:xnack+` in line 1
            gfx803 by `.hsa_code_object_isa 8,0,3,"AMD","AMDGPU"` in line 1
            gfx90a by `.hsa_code_object_isa 9,0,10,"AMD","AMDGPU"` in line 1
            verde by `.gpu CapeVerde` in line 2
            not gfx1100 (RDNA 3) by `.gpu Navi31` in line 1
            none
            gfx900 by `.arch GCN1.4` in line 1
            not GCN1.5 by `.arch GCN1.5` in line 1
            gfx900 by the file name
            not gfx1030 (RDNA 2) by the file name
            mi300 by the file name
            none
            aldebaran by the file name
            none
            gfx600 by `asic(SI)` in line 1
            none"#]].assert_eq(&found.join("\n"));
    }
}
