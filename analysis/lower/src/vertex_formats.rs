//! How the attributes of vertices lie in memory: a table of names.
//!
//! The hardware converts most formats by itself, as the descriptor of the vertex
//! buffer says; `vertex.rs` has what it cannot do.

use std::fmt;
use std::sync::LazyLock;

const TEXT: &str = include_str!("../data/vertex_formats.tsv");

/// The word for a format that the hardware converts, whichever it is.
const ANY: &str = "any";

/// What one channel of a format is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Channel {
    Float,
    /// 16 bits before the point and 16 behind it.
    Fixed,
    Unorm,
    Snorm,
    /// An unsigned integer that is read as a float.
    Uscaled,
    Sscaled,
    Uint,
    Sint,
}

impl Channel {
    fn find(word: &str) -> Option<Channel> {
        Some(match word {
            "float" => Channel::Float,
            "fixed" => Channel::Fixed,
            "unorm" => Channel::Unorm,
            "snorm" => Channel::Snorm,
            "uscaled" => Channel::Uscaled,
            "sscaled" => Channel::Sscaled,
            "uint" => Channel::Uint,
            "sint" => Channel::Sint,
            _ => return None,
        })
    }

    /// Whether the shader sees integers.
    pub(crate) fn is_integer(self) -> bool {
        matches!(self, Channel::Uint | Channel::Sint)
    }
}

/// How an attribute is fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fetch {
    /// The hardware does it all.
    Formatted,
    /// The hardware takes the two bits of the last channel for unsigned.
    SignedAlpha(Channel),
    /// There is no format of three such channels: one fetch each, so many bytes
    /// apart.
    Triple(Channel, u32),
    /// Words of 32 bits that the hardware does not convert, so many of them.
    Words(Channel, u32),
    /// Doubles, so many of them.
    Doubles(u32),
}

struct Row {
    name: &'static str,
    fetch: Fetch,
}

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let rows = TEXT.lines().filter(|line| !line.starts_with('#')).filter_map(read);
    std::iter::once(Row { name: ANY, fetch: Fetch::Formatted }).chain(rows).collect()
});

fn read(line: &'static str) -> Option<Row> {
    let [name, bits, channels, kind] = line.split('\t').collect::<Vec<_>>().try_into().ok()?;
    let (channels, kind): (u32, _) = (channels.parse().ok()?, Channel::find(kind)?);
    let signed = matches!(kind, Channel::Snorm | Channel::Sscaled | Channel::Sint);
    let whole = kind.is_integer() || kind == Channel::Float;
    let fetch = match bits {
        "8" | "16" if channels == 3 => Fetch::Triple(kind, bits.parse::<u32>().ok()? / 8),
        "32" if !whole => Fetch::Words(kind, channels),
        "64" => Fetch::Doubles(channels),
        "10_10_10_2" if signed => Fetch::SignedAlpha(kind),
        _ => Fetch::Formatted,
    };
    Some(Row { name, fetch })
}

static NAMES: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| ROWS.iter().map(|row| row.name).collect());

/// How an attribute lies in memory: a row of the table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct VertexFormat(u8);

impl VertexFormat {
    /// The format of a name, Mesa's in small letters; `any` is every format that
    /// the hardware converts without help.
    pub fn find(name: &str) -> Option<VertexFormat> {
        let place = ROWS.iter().position(|row| row.name.eq_ignore_ascii_case(name))?;
        u8::try_from(place).ok().map(VertexFormat)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        ROWS.get(usize::from(self.0)).map_or(ANY, |row| row.name)
    }

    /// All names.
    pub fn names() -> &'static [&'static str] {
        &NAMES
    }

    pub(crate) fn fetch(self) -> Fetch {
        ROWS.get(usize::from(self.0)).map_or(Fetch::Formatted, |row| row.fetch)
    }
}

impl fmt::Debug for VertexFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_read_and_the_odd_ones_are_fetched_in_their_own_way() {
        let rows = TEXT.lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(ROWS.len(), rows + 1);
        assert!(ROWS.len() <= 256);
        for row in ROWS.iter() {
            assert_eq!(VertexFormat::find(row.name).map(VertexFormat::name), Some(row.name));
        }
        let fetch = |name: &str| VertexFormat::find(name).map(VertexFormat::fetch);
        assert_eq!(fetch("R8G8B8A8_UNORM"), Some(Fetch::Formatted));
        assert_eq!(fetch("r16g16b16_float"), Some(Fetch::Triple(Channel::Float, 2)));
        assert_eq!(fetch("r32g32_fixed"), Some(Fetch::Words(Channel::Fixed, 2)));
        assert_eq!(fetch("r64g64b64a64_float"), Some(Fetch::Doubles(4)));
        assert_eq!(fetch("b10g10r10a2_sint"), Some(Fetch::SignedAlpha(Channel::Sint)));
        assert_eq!(fetch("b10g10r10a2_uint"), Some(Fetch::Formatted));
        assert_eq!(fetch("rgba8"), None);
        assert_eq!(VertexFormat::default().name(), ANY);
    }
}
