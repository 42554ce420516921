//! Symbols that the LLVM assembler sets from the target before it reads a text.

use super::Abi;
use crate::Target;

/// The numbers of a processor's name: `gfx90a` is 9, 0, 10.
pub(super) fn version(target: Target) -> [i64; 3] {
    let digits = target.row().processor.trim_start_matches("gfx").as_bytes();
    let digit = |byte: u8| char::from(byte).to_digit(16).map_or(0, i64::from);
    match digits {
        [major @ .., minor, stepping] => {
            let major = major.iter().fold(0, |sum, byte| sum * 10 + digit(*byte));
            [major, digit(*minor), digit(*stepping)]
        }
        _ => [0; 3],
    }
}

/// The predefined names of a processor's version, in one generation of descriptors.
pub(super) fn names(abi: Abi) -> [&'static str; 3] {
    match abi {
        Abi::V2 => [
            ".option.machine_version_major",
            ".option.machine_version_minor",
            ".option.machine_version_stepping",
        ],
        Abi::V3 => [
            ".amdgcn.gfx_generation_number",
            ".amdgcn.gfx_generation_minor",
            ".amdgcn.gfx_generation_stepping",
        ],
    }
}

/// The value of a predefined name of either generation.
pub(super) fn value(name: &str, target: Target) -> Option<i64> {
    let position = |abi| names(abi).iter().position(|it| *it == name);
    let index = position(Abi::V3).or_else(|| position(Abi::V2))?;
    Some(version(target)[index])
}
