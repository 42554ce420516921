//! The closed word lists of the language as enums: stages, register files,
//! semantics, properties, texture targets and the rest.
//!
//! The build makes them of `data/words.tsv`, the only place that spells a word: the reader,
//! the writer and completion all go through [`from_word`](File::from_word) and
//! [`word`](File::word). What a word means, and since when, is its [`row`](File::row).

use crate::word_rows::{self, WordRow};

/// A closed list of words, for code that treats all lists alike.
pub(crate) trait WordList: Copy {
    /// The name of the list in `data/words.tsv` and `data/token_numbers.tsv`.
    const LIST: &'static str;

    /// Returns its spelling in the language.
    fn word(self) -> &'static str;

    /// Finds the entry that a word names; letter case does not count.
    fn from_word(word: &str) -> Option<Self>;

    /// Returns what is known of it.
    fn row(self) -> &'static WordRow;
}

/// Defines an enum whose variants are words of the language.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident in $list:literal from $first:literal {
        $($variant:ident = $word:literal),* $(,)?
    }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(missing_docs)]
        pub enum $name { $($variant),* }

        impl $name {
            /// The name of the list in `data/words.tsv`.
            pub const LIST: &'static str = $list;

            /// Every word of the list, in the order of its numbers.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];

            /// Its spelling in the language.
            pub const fn word(self) -> &'static str {
                match self { $($name::$variant => $word),* }
            }

            /// The entry that a word names; letter case does not count.
            pub fn from_word(word: &str) -> Option<$name> {
                // Read for nearly every token: length and first letter settle
                // most comparisons without touching the rest.
                const WORDS: &[&[u8]] = &[$($word.as_bytes()),*];
                let word = word.as_bytes();
                let first = word.first()?.to_ascii_uppercase();
                let place = WORDS.iter().position(|entry| {
                    entry.len() == word.len()
                        && entry[0].to_ascii_uppercase() == first
                        && entry.eq_ignore_ascii_case(word)
                })?;
                Some(Self::ALL[place])
            }

            /// Returns what is known of it.
            pub const fn row(self) -> &'static WordRow {
                word_rows::row($first + self as usize)
            }
        }

        impl WordList for $name {
            const LIST: &'static str = $list;

            fn word(self) -> &'static str {
                $name::word(self)
            }

            fn from_word(word: &str) -> Option<$name> {
                $name::from_word(word)
            }

            fn row(self) -> &'static WordRow {
                $name::row(self)
            }
        }

        impl Default for $name {
            /// Returns the first of the list.
            fn default() -> $name {
                $name::ALL[0]
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.word())
            }
        }
    };
}

include!(concat!(env!("OUT_DIR"), "/words.rs"));

impl ImmediateType {
    /// Tells whether a value takes two words.
    pub(crate) fn is_wide(self) -> bool {
        matches!(self, ImmediateType::Float64 | ImmediateType::Unsigned64 | ImmediateType::Signed64)
    }
}

impl PropertyName {
    /// Returns the list that its value is a word of; `None` where it is a number.
    pub(crate) fn value_list(self) -> Option<&'static str> {
        match self {
            PropertyName::GeometryInputPrimitive | PropertyName::GeometryOutputPrimitive => {
                Some(Primitive::LIST)
            }
            PropertyName::CoordinateOrigin => Some(CoordinateOrigin::LIST),
            PropertyName::CoordinatePixelCenter => Some(PixelCenter::LIST),
            PropertyName::NextShader => Some(Stage::LIST),
            _ => None,
        }
    }
}

impl Stage {
    /// Tells whether the registers of a file belong to one of several vertices.
    pub(crate) fn is_per_vertex(self, file: File) -> bool {
        match file {
            File::Input => matches!(
                self,
                Stage::TessellationControl | Stage::TessellationEvaluation | Stage::Geometry
            ),
            File::Output => self == Stage::TessellationControl,
            _ => false,
        }
    }
}

impl File {
    /// Tells whether its registers hold no value, but name something that is bound.
    pub(crate) fn is_name(self) -> bool {
        matches!(
            self,
            File::Sampler
                | File::SamplerView
                | File::Image
                | File::Buffer
                | File::Memory
                | File::ConstantBuffer
                | File::HardwareAtomic
        )
    }
}

impl SemanticName {
    /// Tells whether it is a number or a mask of the lane in its subgroup, or the subgroup's size.
    pub fn is_of_subgroup(self) -> bool {
        use SemanticName::*;
        matches!(
            self,
            SubgroupSize
                | SubgroupInvocation
                | SubgroupEqualMask
                | SubgroupGreaterEqualMask
                | SubgroupGreaterMask
                | SubgroupLessEqualMask
                | SubgroupLessMask
        )
    }

    /// Returns whether a patch or primitive has it once, not each of its vertices.
    pub(crate) fn is_per_patch(self) -> bool {
        matches!(
            self,
            SemanticName::Patch
                | SemanticName::TessellationOuter
                | SemanticName::TessellationInner
                | SemanticName::PrimitiveId
        )
    }
}

impl Primitive {
    /// Returns the vertices that a geometry shader takes of one primitive, those beside it
    /// included. Whatever has no number of its own there counts as triangles.
    pub fn geometry_vertices(self) -> u32 {
        match self {
            Primitive::Points => 1,
            Primitive::Lines | Primitive::LineLoop | Primitive::LineStrip => 2,
            Primitive::Triangles
            | Primitive::TriangleStrip
            | Primitive::TriangleFan
            | Primitive::Quads
            | Primitive::QuadStrip
            | Primitive::Polygon
            | Primitive::Patches => 3,
            Primitive::LinesAdjacency | Primitive::LineStripAdjacency => 4,
            Primitive::TrianglesAdjacency | Primitive::TriangleStripAdjacency => 6,
        }
    }
}
