//! Memory layouts of vertex attributes: a table of names.
//!
//! The hardware converts most formats by itself, as the descriptor of the vertex
//! buffer says; `vertex.rs` has what it cannot do.

use std::fmt;

/// The word for a format that the hardware converts, whichever it is.
const ANY: &str = "any";

/// The type of one channel of a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    /// A number of 16 or 32 bits, or a double.
    Float,
    /// 16 bits before the point and 16 behind it.
    Fixed,
    /// An integer that stands for 0 to 1.
    Unorm,
    /// An integer that stands for -1 to 1.
    Snorm,
    /// An unsigned integer that is read as a float.
    Uscaled,
    /// A signed one.
    Sscaled,
    /// An unsigned integer.
    Uint,
    /// A signed integer.
    Sint,
}

impl Channel {
    /// Tells whether the shader sees integers.
    pub(crate) fn is_integer(self) -> bool {
        matches!(self, Channel::Uint | Channel::Sint)
    }
}

/// The fetch of an attribute: one of the hardware's, or what makes up for its lack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fetch {
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

include!(concat!(env!("OUT_DIR"), "/vertex_formats.rs"));

/// All names.
static NAMES: [&str; ROWS.len()] = {
    let mut names = [""; ROWS.len()];
    let mut place = 0;
    while place < names.len() {
        names[place] = ROWS[place].0;
        place += 1;
    }
    names
};

/// The memory layout of an attribute: a row of the table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct VertexFormat(u8);

impl VertexFormat {
    /// The format of a name, Mesa's in small letters; `any` is every format that
    /// the hardware converts without help.
    pub fn find(name: &str) -> Option<VertexFormat> {
        let place = ROWS.iter().position(|row| row.0.eq_ignore_ascii_case(name))?;
        u8::try_from(place).ok().map(VertexFormat)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        ROWS.get(usize::from(self.0)).map_or(ANY, |row| row.0)
    }

    /// All names.
    pub fn names() -> &'static [&'static str] {
        &NAMES
    }

    /// Tells whether the shader sees unsigned integers.
    pub fn is_unsigned(self) -> bool {
        self.channel() == Channel::Uint
    }

    /// Tells whether the shader sees signed integers.
    pub fn is_signed(self) -> bool {
        self.channel() == Channel::Sint
    }

    fn channel(self) -> Channel {
        ROWS.get(usize::from(self.0)).map_or(Channel::Float, |row| row.2)
    }

    /// Its fetch.
    pub fn fetch(self) -> Fetch {
        ROWS.get(usize::from(self.0)).map_or(Fetch::Formatted, |row| row.1)
    }
}

impl fmt::Debug for VertexFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
