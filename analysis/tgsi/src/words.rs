//! The closed word lists of the language as enums: stages, register files,
//! semantics, properties, texture targets and the rest.
//!
//! The enum is the only place that spells a word; the reader, the writer and
//! completion all go through [`from_word`](File::from_word) and
//! [`word`](File::word). What a word means, and since when, is its
//! [`row`](File::row) of `data/words.tsv`.

use crate::word_rows::{self, WordRow};

/// Defines an enum whose variants are words of the language.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident in $list:literal {
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

            /// How the language spells it.
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

            /// What is known of it.
            pub fn row(self) -> &'static WordRow {
                word_rows::row(Self::LIST, self.word())
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.word())
            }
        }
    };
}

words! {
    /// The pipeline stage that a shader's header names.
    Stage in "stage" {
        Vertex = "VERT", TessellationControl = "TESS_CTRL", TessellationEvaluation = "TESS_EVAL",
        Geometry = "GEOM", Fragment = "FRAG", Compute = "COMP",
    }
}

words! {
    /// A register file. The last five are historic.
    File in "file" {
        Null = "NULL", Constant = "CONST", Input = "IN", Output = "OUT", Temporary = "TEMP",
        Sampler = "SAMP", Address = "ADDR", Immediate = "IMM", SystemValue = "SV", Image = "IMAGE",
        SamplerView = "SVIEW", Buffer = "BUFFER", Memory = "MEMORY", ConstantBuffer = "CONSTBUF",
        HardwareAtomic = "HWATOMIC",
        Predicate = "PRED", Loop = "LOOP", Resource = "RES", ImmediateArray = "IMMX",
        TemporaryArray = "TEMPX",
    }
}

words! {
    /// What a declared register carries between stages or from the hardware.
    SemanticName in "semantic" {
        Position = "POSITION", Color = "COLOR", BackColor = "BCOLOR", Fog = "FOG", PointSize = "PSIZE",
        Generic = "GENERIC", Normal = "NORMAL", Face = "FACE", EdgeFlag = "EDGEFLAG",
        PrimitiveId = "PRIM_ID", InstanceId = "INSTANCEID", VertexId = "VERTEXID", Stencil = "STENCIL",
        ClipDistance = "CLIPDIST", ClipVertex = "CLIPVERTEX", GridSize = "GRID_SIZE",
        BlockId = "BLOCK_ID", BlockSize = "BLOCK_SIZE", ThreadId = "THREAD_ID",
        TextureCoordinate = "TEXCOORD", PointCoordinate = "PCOORD", ViewportIndex = "VIEWPORT_INDEX",
        Layer = "LAYER", SampleId = "SAMPLEID", SamplePosition = "SAMPLEPOS", SampleMask = "SAMPLEMASK",
        InvocationId = "INVOCATIONID", VertexIdNoBase = "VERTEXID_NOBASE", BaseVertex = "BASEVERTEX",
        Patch = "PATCH", TessellationCoordinate = "TESSCOORD", TessellationOuter = "TESSOUTER",
        TessellationInner = "TESSINNER", VerticesIn = "VERTICESIN",
        HelperInvocation = "HELPER_INVOCATION", BaseInstance = "BASEINSTANCE", DrawId = "DRAWID",
        WorkDimension = "WORK_DIM", SubgroupSize = "SUBGROUP_SIZE",
        SubgroupInvocation = "SUBGROUP_INVOCATION", SubgroupEqualMask = "SUBGROUP_EQ_MASK",
        SubgroupGreaterEqualMask = "SUBGROUP_GE_MASK", SubgroupGreaterMask = "SUBGROUP_GT_MASK",
        SubgroupLessEqualMask = "SUBGROUP_LE_MASK", SubgroupLessMask = "SUBGROUP_LT_MASK",
        ComputeUserData = "CS_USER_DATA_AMD", ViewportMask = "VIEWPORT_MASK",
        CullDistance = "CULLDIST",
    }
}

words! {
    /// A property of the whole shader.
    PropertyName in "property" {
        GeometryInputPrimitive = "GS_INPUT_PRIMITIVE", GeometryOutputPrimitive = "GS_OUTPUT_PRIMITIVE",
        GeometryMaxOutputVertices = "GS_MAX_OUTPUT_VERTICES", CoordinateOrigin = "FS_COORD_ORIGIN",
        CoordinatePixelCenter = "FS_COORD_PIXEL_CENTER",
        Color0WritesAllBuffers = "FS_COLOR0_WRITES_ALL_CBUFS", DepthLayout = "FS_DEPTH_LAYOUT",
        ProhibitUserClipPlanes = "VS_PROHIBIT_UCPS", GeometryInvocations = "GS_INVOCATIONS",
        WindowSpacePosition = "VS_WINDOW_SPACE_POSITION", ControlVerticesOut = "TCS_VERTICES_OUT",
        EvaluationPrimitiveMode = "TES_PRIM_MODE", EvaluationSpacing = "TES_SPACING",
        EvaluationClockwise = "TES_VERTEX_ORDER_CW", EvaluationPointMode = "TES_POINT_MODE",
        ClipDistancesEnabled = "NUM_CLIPDIST_ENABLED", CullDistancesEnabled = "NUM_CULLDIST_ENABLED",
        EarlyDepthStencil = "FS_EARLY_DEPTH_STENCIL", PostDepthCoverage = "FS_POST_DEPTH_COVERAGE",
        NextShader = "NEXT_SHADER", BlockWidth = "CS_FIXED_BLOCK_WIDTH",
        BlockHeight = "CS_FIXED_BLOCK_HEIGHT", BlockDepth = "CS_FIXED_BLOCK_DEPTH",
        MultiplyZeroWins = "MUL_ZERO_WINS", BlitSgprs = "VS_BLIT_SGPRS_AMD",
        UserDataComponents = "CS_USER_DATA_COMPONENTS_AMD",
        LayerViewportRelative = "LAYER_VIEWPORT_RELATIVE",
        BlendEquationAdvanced = "FS_BLEND_EQUATION_ADVANCED", LegacyMathRules = "LEGACY_MATH_RULES",
        SeparableProgram = "SEPARABLE_PROGRAM", GeometryMaxVertices = "GS_MAX_VERTICES",
    }
}

words! {
    /// The shape of the texture that a sampling instruction reads.
    TextureTarget in "target" {
        Buffer = "BUFFER", Texture1D = "1D", Texture2D = "2D", Texture3D = "3D", Cube = "CUBE",
        Rectangle = "RECT", Shadow1D = "SHADOW1D", Shadow2D = "SHADOW2D", ShadowRectangle = "SHADOWRECT",
        Array1D = "1D_ARRAY", Array2D = "2D_ARRAY", ShadowArray1D = "SHADOW1D_ARRAY",
        ShadowArray2D = "SHADOW2D_ARRAY", ShadowCube = "SHADOWCUBE", Multisample2D = "2D_MSAA",
        MultisampleArray2D = "2D_ARRAY_MSAA", CubeArray = "CUBEARRAY",
        ShadowCubeArray = "SHADOWCUBEARRAY", Unknown = "UNKNOWN",
    }
}

words! {
    /// How a fragment input is interpolated over the primitive.
    Interpolation in "interpolation" {
        Constant = "CONSTANT", Linear = "LINEAR", Perspective = "PERSPECTIVE", Color = "COLOR",
    }
}

words! {
    /// Where in the pixel a fragment input is interpolated.
    InterpolationLocation in "location" { Center = "CENTER", Centroid = "CENTROID", Sample = "SAMPLE" }
}

words! {
    /// The type of an immediate's values.
    ImmediateType in "immediate" {
        Float32 = "FLT32", Unsigned32 = "UINT32", Signed32 = "INT32", Float64 = "FLT64",
        Unsigned64 = "UINT64", Signed64 = "INT64",
    }
}

words! {
    /// What a sampler view returns.
    ReturnType in "return" { Unorm = "UNORM", Snorm = "SNORM", Sint = "SINT", Uint = "UINT", Float = "FLOAT" }
}

words! {
    /// The kind of memory that a `MEMORY` register stands for.
    MemoryKind in "memory" { Global = "GLOBAL", Shared = "SHARED", Private = "PRIVATE", Input = "INPUT" }
}

words! {
    /// A promise about a memory access.
    MemoryQualifier in "qualifier" {
        Coherent = "COHERENT", Restrict = "RESTRICT", Volatile = "VOLATILE",
        StreamCachePolicy = "STREAM_CACHE_POLICY",
    }
}

words! {
    /// A primitive type, as geometry properties name it.
    Primitive in "primitive" {
        Points = "POINTS", Lines = "LINES", LineLoop = "LINE_LOOP", LineStrip = "LINE_STRIP",
        Triangles = "TRIANGLES", TriangleStrip = "TRIANGLE_STRIP", TriangleFan = "TRIANGLE_FAN",
        Quads = "QUADS", QuadStrip = "QUAD_STRIP", Polygon = "POLYGON",
        LinesAdjacency = "LINES_ADJACENCY", LineStripAdjacency = "LINE_STRIP_ADJACENCY",
        TrianglesAdjacency = "TRIANGLES_ADJACENCY", TriangleStripAdjacency = "TRIANGLE_STRIP_ADJACENCY",
        Patches = "PATCHES",
    }
}

words! {
    /// Where the pixel at coordinate (0, 0) lies.
    CoordinateOrigin in "origin" { UpperLeft = "UPPER_LEFT", LowerLeft = "LOWER_LEFT" }
}

words! {
    /// Which coordinate a pixel's centre has.
    PixelCenter in "center" { HalfInteger = "HALF_INTEGER", Integer = "INTEGER" }
}

impl TextureTarget {
    /// Spellings that are no words of today's language and what they stand
    /// for: the names in C, which people write, and those of 2011 and 2012.
    pub const OTHER_SPELLINGS: &'static [(&'static str, TextureTarget)] = &[
        ("CUBE_ARRAY", TextureTarget::CubeArray),
        ("SHADOWCUBE_ARRAY", TextureTarget::ShadowCubeArray),
        ("1DARRAY", TextureTarget::Array1D),
        ("2DARRAY", TextureTarget::Array2D),
        ("SHADOW1DARRAY", TextureTarget::ShadowArray1D),
        ("SHADOW2DARRAY", TextureTarget::ShadowArray2D),
    ];

    /// The target that an [other spelling](Self::OTHER_SPELLINGS) stands for.
    pub fn from_other_spelling(word: &str) -> Option<TextureTarget> {
        let found = Self::OTHER_SPELLINGS.iter().find(|(old, _)| old.eq_ignore_ascii_case(word));
        found.map(|(_, target)| *target)
    }
}

words! {
    /// What may be put on an opcode or an operand. Those in small letters are
    /// names for signs of the grammar, not words of it.
    Modifier in "modifier" {
        Saturate = "_SAT", Precise = "_PRECISE", Swizzle = "swizzle", WriteMask = "write mask",
        Absolute = "absolute", Negate = "negate", Indirect = "indirect", Dimension = "dimension",
        ArrayId = "array id", Label = "label", TextureOffset = "texture offset",
        SignedSaturate = "_SATNV", Factor = "factor", ConditionCode = "condition code",
        Complement = "complement", Bias = "bias", Scale = "scale", Group = "group",
        ExtendedSwizzle = "extended swizzle", Predicate = "predicate",
    }
}

words! {
    /// Words that begin a statement, and attributes of declarations that
    /// belong to no other list.
    Keyword in "keyword" {
        Declaration = "DCL", Immediate = "IMM", Property = "PROPERTY", Array = "ARRAY",
        Local = "LOCAL", Stream = "STREAM", Invariant = "INVARIANT", Writable = "WR", Raw = "RAW",
        Atomic = "ATOMIC",
    }
}
