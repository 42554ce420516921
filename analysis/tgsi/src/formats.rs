//! Image formats: one row per format, from `data/formats.tsv`.
//!
//! A format says how a texel lies in memory and what its components become
//! when a shader reads them. Hovers, completion and the parser read the same
//! row.

/// A row of the table of formats.
#[derive(Debug)]
pub struct Format {
    /// The word, with its `PIPE_FORMAT_` prefix.
    pub name: &'static str,
    /// The layout of texels in memory: `plain`, or the family of the compression.
    pub layout: &'static str,
    /// Texels of a block along x, y and z; 1 each in plain formats.
    pub block: [u8; 3],
    /// The fields of a block, the lowest bits first.
    pub channels: &'static [Channel],
    /// The sources of x, y, z and w: the number of a field as `x` to `w`, `0`, `1`, or `_` where
    /// there is nothing.
    pub swizzle: &'static str,
    /// The meaning of colours: `rgb`, `srgb`, `yuv` or `zs`.
    pub color_space: &'static str,
    /// The source of the facts.
    pub source: &'static str,
}

impl Format {
    /// Returns the bits that each component reads as, where the format does not store it. Of no
    /// format, of what only a decoder understands, and of wide fields nothing is said.
    pub fn absent(&self) -> [Option<u32>; 4] {
        let is_plain = self.layout == "plain" && self.color_space != "zs";
        let is_wide = self.channels.iter().any(|channel| channel.bits > 32);
        if !is_plain || is_wide || self.name == "PIPE_FORMAT_NONE" {
            return [None; 4];
        }
        let integer = |kind| matches!(kind, ChannelKind::Signed | ChannelKind::Unsigned);
        let one = match self.channels.iter().any(|channel| integer(channel.kind)) {
            true => 1,
            false => 1.0_f32.to_bits(),
        };
        let mut letters = self.swizzle.bytes();
        std::array::from_fn(|_| match letters.next() {
            Some(b'0') => Some(0),
            Some(b'1') => Some(one),
            _ => None,
        })
    }
}

/// A field of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Channel {
    /// The meaning of its bits.
    pub kind: ChannelKind,
    /// The number of bits.
    pub bits: u16,
}

/// The meaning of the bits of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum ChannelKind {
    /// Nothing, or bits that only the layout's decoder understands.
    Padding,
    Float,
    /// Signed, with 16 bits behind the point.
    Fixed,
    /// An integer that is read as one.
    Signed,
    SignedNormalized,
    /// An integer that is read as a float of the same value.
    SignedScaled,
    /// An integer that is read as one.
    Unsigned,
    UnsignedNormalized,
    /// An integer that is read as a float of the same value.
    UnsignedScaled,
}

/// Every format, in the order of the file.
pub fn all() -> &'static [Format] {
    &ROWS
}

/// Finds the format that a word names; its prefix is part of the name, letter case
/// does not count.
pub fn find(name: &str) -> Option<&'static Format> {
    let exact = tables::find(&INDEX, name.as_bytes(), |place| ROWS[place].name);
    exact.or_else(|| in_capitals(name)).map(|place| &ROWS[place])
}

/// Finds the format that a word names by both names in capitals: some have small letters of
/// their own.
fn in_capitals(name: &str) -> Option<usize> {
    let mut buffer = [0; LONGEST_NAME];
    let key = buffer.get_mut(..name.len())?;
    key.copy_from_slice(name.as_bytes());
    key.make_ascii_uppercase();
    tables::find_as(&UPPER, key, |place| ROWS[place].name.as_bytes().eq_ignore_ascii_case(key))
}

/// Longer than the name of any format.
const LONGEST_NAME: usize = 64;

/// Every format's name.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    all().iter().map(|format| format.name)
}

/// Tells whether the table has a format.
pub(crate) fn is_known(name: &str) -> bool {
    find(name).is_some()
}

/// Tells whether a name is built like one of a format, so that another year's table may have it:
/// channels with widths, then a type.
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

include!(concat!(env!("OUT_DIR"), "/formats.rs"));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_from_others() {
        assert!(all().iter().all(|format| format.name.len() <= LONGEST_NAME));
        assert!(names().all(|name| name.starts_with("PIPE_FORMAT_")));
        assert!(is_known("PIPE_FORMAT_R32_UINT") && is_known("pipe_format_none"));
        assert!(is_known("PIPE_FORMAT_ASTC_4X4") && is_known("PIPE_FORMAT_ASTC_4x4"));
        assert!(!is_known("PIPE_FORMAT_FOO") && !is_plausible("PIPE_FORMAT_FOO"));
        assert!(!is_known("PIPE_FORMAT_R1G2_UINT") && is_plausible("PIPE_FORMAT_R1G2_UINT"));
    }

    #[test]
    fn rows_are_complete() {
        for format in all() {
            let planar = format.layout.starts_with("planar");
            assert!(planar || !format.channels.is_empty(), "{format:?}");
            assert!(format.channels.len() <= 4, "{format:?}");
            assert_eq!(format.swizzle.len(), 4, "{format:?}");
            for letter in format.swizzle.bytes() {
                let field = b"xyzw".iter().position(|it| *it == letter);
                // Of packed layouts the decoder knows the fields.
                let packed = format.layout != "plain";
                let exists = field.is_none_or(|at| packed || at < format.channels.len());
                assert!(exists && b"xyzw01_".contains(&letter), "{format:?}");
            }
            assert!(["rgb", "srgb", "yuv", "zs"].contains(&format.color_space), "{format:?}");
            assert!(!format.source.is_empty(), "{format:?}");
        }
    }

    #[test]
    fn components_that_a_format_does_not_store_are_0_or_1() {
        let one = Some(1.0_f32.to_bits());
        for (name, absent) in [
            ("PIPE_FORMAT_R32_UINT", [None, Some(0), Some(0), Some(1)]),
            ("PIPE_FORMAT_R8G8_SINT", [None, None, Some(0), Some(1)]),
            ("PIPE_FORMAT_R16_FLOAT", [None, Some(0), Some(0), one]),
            ("PIPE_FORMAT_B8G8R8X8_UNORM", [None, None, None, one]),
            ("PIPE_FORMAT_A8_UNORM", [Some(0), Some(0), Some(0), None]),
            ("PIPE_FORMAT_R8G8B8A8_UNORM", [None; 4]),
            ("PIPE_FORMAT_NONE", [None; 4]),
        ] {
            let format = find(name).expect(name);
            assert_eq!(format.absent(), absent, "{name}");
        }
    }

    #[test]
    fn kinds_agree_with_the_names() {
        let endings = [
            ("_UNORM", ChannelKind::UnsignedNormalized),
            ("_SNORM", ChannelKind::SignedNormalized),
            ("_UINT", ChannelKind::Unsigned),
            ("_SINT", ChannelKind::Signed),
            ("_USCALED", ChannelKind::UnsignedScaled),
            ("_SSCALED", ChannelKind::SignedScaled),
            ("_FIXED", ChannelKind::Fixed),
        ];
        let mut checked = 0;
        // Depth and stencil have a kind each.
        let colors = |format: &&Format| format.layout == "plain" && format.color_space == "rgb";
        for format in all().iter().filter(colors) {
            // In a name such as `R10SG10SB10SA2U` the kinds are mixed.
            let ending = endings.iter().find(|(ending, _)| format.name.ends_with(ending));
            let Some((_, kind)) = ending else { continue };
            for channel in format.channels.iter().filter(|it| it.kind != ChannelKind::Padding) {
                assert_eq!(channel.kind, *kind, "{}", format.name);
            }
            checked += 1;
        }
        assert!(checked > 200, "only {checked} formats have a kind in their name");
    }
}
