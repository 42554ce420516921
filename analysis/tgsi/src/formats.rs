//! The names of image formats, from `data/formats.tsv`.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

static TABLE: &str = include_str!("../data/formats.tsv");

static NAMES: LazyLock<FxHashSet<&'static str>> = LazyLock::new(|| names().collect());

/// Every format, with its `PIPE_FORMAT_` prefix.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    TABLE.lines().skip(1).filter_map(|row| row.split('\t').next())
}

/// Whether the table has a format; its prefix is part of the name, letter case
/// does not count.
pub(crate) fn is_known(name: &str) -> bool {
    NAMES.contains(name) || NAMES.contains(name.to_ascii_uppercase().as_str())
}

/// Whether a name is built like one of a format, so that another year's table
/// may have it: channels with widths, then a type.
pub(crate) fn is_plausible(name: &str) -> bool {
    const PREFIX: &str = "PIPE_FORMAT_";
    if name.len() <= PREFIX.len() || !name.is_char_boundary(PREFIX.len()) {
        return false;
    }
    let upper = name[PREFIX.len()..].to_ascii_uppercase();
    let types = ["_UNORM", "_SNORM", "_UINT", "_SINT", "_FLOAT", "_SRGB", "_USCALED", "_SSCALED"];
    let channel = |byte: u8| b"RGBAXLISZEYUV".contains(&byte);
    types.iter().any(|ty| upper.ends_with(ty))
        && upper.as_bytes().windows(2).any(|pair| channel(pair[0]) && pair[1].is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_from_others() {
        assert_eq!(NAMES.len(), names().count(), "a name stands twice");
        assert!(names().all(|name| name.starts_with("PIPE_FORMAT_")));
        assert!(is_known("PIPE_FORMAT_R32_UINT") && is_known("pipe_format_none"));
        assert!(!is_known("PIPE_FORMAT_FOO") && !is_plausible("PIPE_FORMAT_FOO"));
        assert!(!is_known("PIPE_FORMAT_R1G2_UINT") && is_plausible("PIPE_FORMAT_R1G2_UINT"));
    }
}
