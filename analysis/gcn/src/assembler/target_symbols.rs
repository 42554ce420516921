//! Symbols that the LLVM assembler sets from the target before it reads a text.

use super::Abi;

/// The numbers of a processor's name: `gfx90a` is 9, 0, 10. Names of architectures and of
/// generic processors have none.
pub(super) fn version(processor: &str) -> Option<[i64; 3]> {
    let digit = |byte: u8| char::from(byte).to_digit(16).map(i64::from);
    match processor.strip_prefix("gfx")?.as_bytes() {
        [major @ .., minor, stepping] => {
            let major = major.iter().try_fold(0, |sum, byte| Some(sum * 10 + digit(*byte)?))?;
            Some([major, digit(*minor)?, digit(*stepping)?])
        }
        _ => None,
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
pub(super) fn value(name: &str, version: Option<[i64; 3]>) -> Option<i64> {
    let position = |abi| names(abi).iter().position(|it| *it == name);
    let index = position(Abi::V3).or_else(|| position(Abi::V2))?;
    Some(version?[index])
}
