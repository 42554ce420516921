//! The rules by which results are open, each with its document.

macro_rules! rules {
    ($($(#[$doc:meta])* $name:ident, $word:literal, $what:literal, $source:literal;)*) => {
        /// A rule by which a language leaves bits of a result open.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Rule {
            $($(#[$doc])* $name,)*
        }

        impl Rule {
            /// All rules.
            pub const ALL: &[Rule] = &[$(Rule::$name,)*];

            /// Returns the name in reports.
            pub const fn name(self) -> &'static str {
                match self { $(Rule::$name => $word,)* }
            }

            /// Returns a sentence that says which results are open, and which words they may be.
            pub const fn explanation(self) -> &'static str {
                match self { $(Rule::$name => $what,)* }
            }

            /// Returns the document that leaves them open.
            pub const fn source(self) -> &'static str {
                match self { $(Rule::$name => $source,)* }
            }
        }
    };
}

rules! {
    /// Zeros of either sign.
    ZeroSign, "zero-sign", "A zero that arithmetic reads or gives may have either sign.",
        "GLSL 4.60, 4.7.1; Vulkan, SignedZeroInfNanPreserve";
    /// Denormals and the zeros that they may become.
    Denormal, "denormal", "A denormal that arithmetic reads or gives may become zero.",
        "GLSL 4.60, 4.7.1: any denormal may be flushed to 0";
    /// NaN with any bits.
    NanPayload, "nan-payload", "A NaN that arithmetic gives may have any sign and any payload.",
        "IEEE 754, 6.2.3; GLSL 4.60, 4.7.1";
    /// Comparisons with NaN that choose a result.
    NanOperand, "nan-operand",
        "MIN, MAX and CLAMP of a NaN give any of their operands, and saturation 0, 1 or a NaN.",
        "GLSL 4.60, 4.7.1 and 8.3; SPIR-V, GLSL.std.450 FMin and FClamp: which operand is undefined";
    /// Functions that are not exact.
    Approximation, "approximation",
        "A result of an opcode that is not exact lies within its bound; outside of the opcode's \
         domain it may be any word.",
        "the rows of precision.tsv, each with its document";
    /// A product and a sum in one rounding or two.
    Contraction, "contraction", "A product and a sum in one opcode round once or twice.",
        "GLSL 4.60, 4.7.1 and 8.3: what is not precise may be fused";
    /// Sums of products in any order.
    SumOrder, "sum-order", "The products of a dot product are added in any order.",
        "GLSL 4.60, 4.7.1: dot has no order of its own";
    /// Either row or column of a quad.
    DerivativeRow, "derivative-row", "A derivative is that of either row or column of the quad.",
        "GLSL 4.60, 8.14.1: dFdx may be coarse or fine";
    /// Values of lanes that do not run.
    InactiveLane, "inactive-lane",
        "A derivative that needs a lane which has left may be any word, and so may a look-up \
         whose level follows from it.",
        "GLSL 4.60, 8.14: derivatives in non-uniform control flow are undefined";
    /// Conversions of what does not fit.
    Conversion, "conversion", "A number that does not fit the type it is converted to may become any word.",
        "GLSL 4.60, 5.4.1: undefined";
    /// The rounding of halves.
    HalfRounding, "half-rounding", "A half that is packed is rounded to the nearest or towards zero.",
        "GLSL 4.60, 4.7.1: the rounding mode is undefined";
    /// Bit fields that end beyond the register.
    BitField, "bit-field", "A bit field that ends beyond the register may be any word.",
        "GLSL 4.60, 8.8: undefined";
    /// Signed quotients that are none.
    Quotient, "quotient", "A signed quotient by 0, or of the least number by -1, may be any word.",
        "Gallium documentation, IDIV and MOD; GLSL 4.60, 5.9: undefined";
    /// Indices that lead out of what is declared.
    OutOfBounds, "out-of-bounds",
        "An index beyond what is declared reads any word, and what it writes may be anywhere. A load \
         that goes on after the last address finds there what the first one holds, or 0.",
        "GLSL 4.60, 5.11: undefined without robust access; ARB_robust_buffer_access_behavior: 0 or \
         what is in the buffer";
    /// Numbers of resources that differ among invocations.
    NonUniform, "non-uniform",
        "A constant buffer, buffer, image or sampler whose number invocations may not share gives \
         any word, and what is written to it may be anywhere.",
        "GLSL 4.60, 4.1.7 and 4.3.9: the index must be dynamically uniform";
    /// Limits of which the lower one is above the upper one.
    Limits, "limits", "A number that is clamped between limits the wrong way round becomes either.",
        "the TGSI specification of 2009 compares, Mesa's table of 2012 takes MAX and MIN";
    /// Registers that nothing wrote.
    Unwritten, "unwritten",
        "A register that nothing was written to holds any word, and so does a component that a \
         system value does not have.",
        "Gallium documentation, TEMP, OUT and the semantics of which only x is used; GLSL 4.60, 4.3: \
         undefined";
    /// The order of invocations.
    InvocationOrder, "invocation-order", "What depends on which invocation comes first may be any word.",
        "GLSL 4.60, 7.5: the order of invocations is undefined";
    /// Look-ups where no document says what they give.
    LookUp, "look-up", "A look-up with operands that no document gives a meaning may give any word.",
        "GLSL 4.60, 8.9; each place in the interpreter's documentation";
    /// Values of lanes of a subgroup.
    Subgroup, "subgroup", "What lanes of a subgroup ask each other depends on which lanes it has.",
        "ARB_shader_ballot: the size of a subgroup is the implementation's";
    /// Clocks.
    Clock, "clock", "A clock counts what it will.", "Gallium documentation, CLOCK";
    /// More open decisions than are followed.
    Condition, "condition",
        "A branch on an open condition is followed both ways; after more of them than are \
         followed a result may be any word.",
        "the limit of this model";
}

/// Returns the page on sets of words and on the rules, in Markdown.
pub fn page() -> String {
    let mut page = include_str!("../data/model.md").to_owned();
    for rule in Rule::ALL {
        page += &format!("- `{}`: {} ({})\n", rule.name(), rule.explanation(), rule.source());
    }
    page
}

/// A set of rules.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Rules(u32);

impl Rules {
    /// No rule.
    pub const NONE: Rules = Rules(0);

    /// One rule.
    pub const fn of(rule: Rule) -> Rules {
        Rules(1 << rule as u32)
    }

    /// The rules of both.
    #[must_use]
    pub const fn plus(self, other: Rules) -> Rules {
        Rules(self.0 | other.0)
    }

    /// Adds one rule.
    #[must_use]
    pub const fn with(self, rule: Rule) -> Rules {
        self.plus(Rules::of(rule))
    }

    /// Tells whether a rule is among them.
    pub const fn has(self, rule: Rule) -> bool {
        self.0 >> rule as u32 & 1 == 1
    }

    /// The rules in their order.
    pub fn iter(self) -> impl Iterator<Item = Rule> {
        Rule::ALL.iter().copied().filter(move |rule| self.has(*rule))
    }
}

impl std::fmt::Display for Rules {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (place, rule) in self.iter().enumerate() {
            let comma = if place == 0 { "" } else { ", " };
            write!(f, "{comma}{}", rule.name())?;
        }
        Ok(())
    }
}

impl std::fmt::Debug for Rules {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
