//! The names of all TGSI diagnostics, and their pages.
//!
//! The pages stand in `data/diagnostics.md`, one section per code; a test
//! holds the two together.

source::codes! {
    /// A text or a part of it that has statements but no header.
    MISSING_HEADER = "tgsi::missing-header";
    /// A header that no reader knows.
    BAD_HEADER = "tgsi::bad-header";
    /// A second header inside of a shader.
    SECOND_HEADER = "tgsi::second-header";
    /// `FRAG1.1`
    HISTORIC_HEADER = "tgsi::historic-header";
    /// Comments.
    COMMENT = "tgsi::comment";
    /// `/*` without `*/`.
    UNCLOSED_COMMENT = "tgsi::unclosed-comment";
    /// Carriage returns and other white space than blank, tab and line feed.
    WHITE_SPACE = "tgsi::white-space";
    /// Characters or words where a statement is expected.
    UNEXPECTED_TEXT = "tgsi::unexpected-text";
    /// A word in an opcode's place that is none.
    UNKNOWN_OPCODE = "tgsi::unknown-opcode";
    /// An opcode that left the language.
    HISTORIC_OPCODE = "tgsi::historic-opcode";
    /// `_SSAT`, or modifiers in the wrong order.
    OPCODE_MODIFIER = "tgsi::opcode-modifier";
    /// An opcode number without meaning, `UNK67`.
    GAP_OPCODE = "tgsi::gap-opcode";
    /// An operand too few.
    MISSING_OPERAND = "tgsi::missing-operand";
    /// An operand too many.
    EXTRA_OPERAND = "tgsi::extra-operand";
    /// A property or semantic under a name that is not today's.
    HISTORIC_WORD = "tgsi::historic-word";
    /// A form of an operand that only the first years had.
    HISTORIC_FORM = "tgsi::historic-form";
    /// An operand that opcodes of old texts lack.
    HISTORIC_OPERANDS = "tgsi::historic-operands";
    /// Two operands without a comma.
    MISSING_COMMA = "tgsi::missing-comma";
    /// A sign that the grammar wants and that is not there.
    MISSING_SIGN = "tgsi::missing-sign";
    /// Text where a register is expected.
    BAD_OPERAND = "tgsi::bad-operand";
    /// A word in a register file's place that is none.
    UNKNOWN_FILE = "tgsi::unknown-file";
    /// A register file that left the language.
    HISTORIC_FILE = "tgsi::historic-file";
    /// Text between brackets that is not a register number.
    BAD_INDEX = "tgsi::bad-index";
    /// A register number above 65535.
    LARGE_INDEX = "tgsi::large-index";
    /// A negative register number.
    NEGATIVE_INDEX = "tgsi::negative-index";
    /// Blanks around the sign in `ADDR[0].x + 1`.
    BLANK_IN_INDEX = "tgsi::blank-in-index";
    /// A write mask that is none.
    BAD_MASK = "tgsi::bad-mask";
    /// A swizzle that is none.
    BAD_SWIZZLE = "tgsi::bad-swizzle";
    /// A swizzle of fewer than four letters.
    SHORT_SWIZZLE = "tgsi::short-swizzle";
    /// A word in a texture target's place that is none.
    UNKNOWN_TARGET = "tgsi::unknown-target";
    /// `CUBE_ARRAY`
    TARGET_SPELLING = "tgsi::target-spelling";
    /// A word that is not a memory qualifier, target or format.
    UNKNOWN_QUALIFIER = "tgsi::unknown-qualifier";
    /// A format that is not known.
    UNKNOWN_FORMAT = "tgsi::unknown-format";
    /// A label that is not a number.
    BAD_LABEL = "tgsi::bad-label";
    /// `(PRED[0].x)`
    PREDICATE = "tgsi::predicate";
    /// `3..0`
    REVERSED_RANGE = "tgsi::reversed-range";
    /// `[]` where nothing implies a size.
    EMPTY_BRACKET = "tgsi::empty-bracket";
    /// A word that no declaration of this file can have.
    UNKNOWN_ATTRIBUTE = "tgsi::unknown-attribute";
    /// Attributes in an order that no reader takes.
    ATTRIBUTE_ORDER = "tgsi::attribute-order";
    /// A semantic or interpolation on a vertex shader's input.
    VERTEX_INPUT_ATTRIBUTE = "tgsi::vertex-input-attribute";
    /// An interpolation without a semantic.
    INTERPOLATION_WITHOUT_SEMANTIC = "tgsi::interpolation-without-semantic";
    /// A location without an interpolation.
    LOCATION_WITHOUT_INTERPOLATION = "tgsi::location-without-interpolation";
    /// `CYLWRAP_XY`
    CYLINDRICAL_WRAP = "tgsi::cylindrical-wrap";
    /// A number that its field cannot hold.
    LARGE_VALUE = "tgsi::large-value";
    /// Something wrong in an `IMM` statement.
    BAD_IMMEDIATE = "tgsi::bad-immediate";
    /// An immediate whose number is not its place.
    IMMEDIATE_ORDER = "tgsi::immediate-order";
    /// `IMM FLT32` without a number.
    IMMEDIATE_WITHOUT_INDEX = "tgsi::immediate-without-index";
    /// An immediate that some readers refuse or read otherwise.
    IMMEDIATE_PORTABILITY = "tgsi::immediate-portability";
    /// A property that is not known.
    UNKNOWN_PROPERTY = "tgsi::unknown-property";
    /// A value that a property cannot have.
    BAD_PROPERTY_VALUE = "tgsi::bad-property-value";
    /// More errors than are shown.
    TOO_MANY_ERRORS = "tgsi::too-many-errors";
    /// A register that no declaration covers.
    UNDECLARED_REGISTER = "tgsi::undeclared-register";
    /// A register declared twice.
    DUPLICATE_DECLARATION = "tgsi::duplicate-declaration";
    /// A declaration or immediate after the first instruction.
    LATE_DECLARATION = "tgsi::late-declaration";
    /// No `END`.
    MISSING_END = "tgsi::missing-end";
    /// More than one `END`.
    SECOND_END = "tgsi::second-end";
    /// `IF`, loops, `SWITCH` or subroutines that do not close or open.
    UNBALANCED = "tgsi::unbalanced";
    /// `BRK` or `CONT` outside of a loop.
    OUTSIDE_LOOP = "tgsi::outside-loop";
    /// A label that is not the number of the matching instruction.
    WRONG_LABEL = "tgsi::wrong-label";
    /// A register of the file `NULL`.
    NULL_FILE = "tgsi::null-file";
    /// A write to a file that is only read.
    READ_ONLY_FILE = "tgsi::read-only-file";
    /// A read of an output where outputs are only written.
    OUTPUT_READ = "tgsi::output-read";
    /// An operand of a file that the opcode cannot use.
    OPERAND_FILE = "tgsi::operand-file";
    /// An index out of a file that holds no numbers.
    INDEX_FILE = "tgsi::index-file";
    /// An opcode in a stage that it is not for.
    OPCODE_STAGE = "tgsi::opcode-stage";
    /// A file or kind of memory in a stage that does not have it.
    FILE_STAGE = "tgsi::file-stage";
    /// A texture target that the opcode cannot take.
    TEXTURE_TARGET = "tgsi::texture-target";
    /// Offsets where there can be none.
    TEXTURE_OFFSET = "tgsi::texture-offset";
    /// `TEX` and `SAMPLE` in one shader.
    MIXED_SAMPLING = "tgsi::mixed-sampling";
    /// A sampler without its view, while others have theirs.
    MISSING_VIEW = "tgsi::missing-view";
    /// A semantic in a file or stage that does not have it.
    SEMANTIC_PLACE = "tgsi::semantic-place";
    /// An index that a semantic cannot have.
    SEMANTIC_INDEX = "tgsi::semantic-index";
    /// Two registers with one semantic.
    DUPLICATE_SEMANTIC = "tgsi::duplicate-semantic";
    /// An interpolation of something other than a fragment input.
    INTERPOLATION_PLACE = "tgsi::interpolation-place";
    /// No `POSITION` before the rasteriser.
    MISSING_POSITION = "tgsi::missing-position";
    /// A property in a stage that does not have it.
    PROPERTY_STAGE = "tgsi::property-stage";
    /// A value outside of what a property means.
    PROPERTY_VALUE = "tgsi::property-value";
    /// A property with two values.
    PROPERTY_REPEATED = "tgsi::property-repeated";
    /// A property without another that it needs.
    PROPERTY_DEPENDENCY = "tgsi::property-dependency";
    /// A property that the stage cannot do without.
    MISSING_PROPERTY = "tgsi::missing-property";
    /// Half of a 64-bit value written.
    HALF_PAIR = "tgsi::half-pair";
    /// `_SAT` or `|…|` on integers.
    INTEGER_MODIFIER = "tgsi::integer-modifier";
    /// An array number that no declaration has.
    UNKNOWN_ARRAY = "tgsi::unknown-array";
    /// Too many or too few brackets.
    REGISTER_DIMENSION = "tgsi::register-dimension";
    /// A temporary that is read before anything can have written it.
    UNWRITTEN_TEMPORARY = "tgsi::unwritten-temporary";
    /// A temporary that is read where some path has not written it.
    MAYBE_UNWRITTEN = "tgsi::maybe-unwritten";
    /// An instruction that no path reaches.
    UNREACHABLE = "tgsi::unreachable";
    /// A declaration that no instruction names.
    UNUSED_DECLARATION = "tgsi::unused-declaration";
    /// An output that no instruction writes.
    UNWRITTEN_OUTPUT = "tgsi::unwritten-output";
    /// An integer input that is interpolated.
    INTEGER_INTERPOLATION = "tgsi::integer-interpolation";
    /// More distances enabled than written.
    CLIP_DISTANCES = "tgsi::clip-distances";
    /// A float read as an integer, or the reverse.
    VALUE_TYPE = "tgsi::value-type";
    /// An address register loaded otherwise than by its opcodes.
    ADDRESS_LOAD = "tgsi::address-load";
    /// An immediate outside of what the operand means.
    OPERAND_VALUE = "tgsi::operand-value";
    /// An access with another target or format than the image.
    IMAGE_MISMATCH = "tgsi::image-mismatch";
    /// A write to an image that is declared for reading.
    IMAGE_ACCESS = "tgsi::image-access";
    /// A look-up with another target than the view.
    VIEW_TARGET = "tgsi::view-target";
    /// A view that cannot return what is declared.
    VIEW_TYPE = "tgsi::view-type";
    /// A loop that nothing leaves.
    ENDLESS_LOOP = "tgsi::endless-loop";
    /// A subroutine that calls itself.
    RECURSION = "tgsi::recursion";
    /// A call to what is not a subroutine.
    CALL_TARGET = "tgsi::call-target";
    /// A component that the declaration leaves out.
    UNDECLARED_COMPONENT = "tgsi::undeclared-component";
    /// A component that a declaration names and nothing uses.
    UNUSED_COMPONENT = "tgsi::unused-component";
    /// A component of which a semantic has none.
    SEMANTIC_COMPONENT = "tgsi::semantic-component";
    /// A scalar source that names several components.
    SCALAR_SOURCE = "tgsi::scalar-source";
    /// A `LOCAL` temporary that is passed to or from a subroutine.
    LOCAL_REGISTER = "tgsi::local-register";
    /// A computed number without the array that it stays in.
    MISSING_ARRAY = "tgsi::missing-array";
    /// `_PRECISE` where nothing could be imprecise.
    IDLE_PRECISE = "tgsi::idle-precise";
    /// A format that atomics do not have.
    IMAGE_FORMAT = "tgsi::image-format";
    /// A vertex that the primitive or patch does not have.
    VERTEX_NUMBER = "tgsi::vertex-number";
    /// An offset behind the array that is named.
    ARRAY_RANGE = "tgsi::array-range";
    /// Two arrays with one number.
    DUPLICATE_ARRAY = "tgsi::duplicate-array";
    /// A fragment input that does not say how it is interpolated.
    MISSING_INTERPOLATION = "tgsi::missing-interpolation";
    /// A barrier that only some threads reach.
    DIVERGENT_BARRIER = "tgsi::divergent-barrier";
    /// A derivative where only some pixels are.
    DIVERGENT_DERIVATIVE = "tgsi::divergent-derivative";
    /// Two cases of one value.
    DUPLICATE_CASE = "tgsi::duplicate-case";
    /// An address within a word.
    UNALIGNED_ACCESS = "tgsi::unaligned-access";
    /// An output of the vertex before.
    STALE_OUTPUT = "tgsi::stale-output";
    /// Shared memory that is read before others are waited for.
    MISSING_BARRIER = "tgsi::missing-barrier";
    /// String literals of one shader between lines of C's preprocessor.
    CONDITIONAL_TEXT = "tgsi::conditional-text";
    /// Two stages that contradict each other.
    LINK_STAGES = "tgsi::link-stages";
    /// An output that the next stage does not read.
    LINK_OUTPUT = "tgsi::link-output";
    /// An input that the stage before does not write.
    LINK_INPUT = "tgsi::link-input";
    /// Text that the chosen reader does not read.
    DIALECT = "tgsi::dialect";
    /// Use beyond the chosen driver profile.
    CAPABILITY = "tgsi::capability";
}

static PAGES: &str = include_str!("../data/diagnostics.md");

/// The page of a code: what it means, an example, how to fix it, as Markdown
/// without the heading. `None` for a code of another crate.
pub fn explain(code: &str) -> Option<&'static str> {
    source::page(PAGES, code)
}

/// A text that has a diagnostic, and one like it that does not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// The diagnostic's code.
    pub code: &'static str,
    /// Set where a fix is offered, which corrects the wrong text.
    pub has_fix: bool,
    /// The wrong text.
    pub wrong: &'static str,
    /// The right text.
    pub right: &'static str,
}

/// The examples, one for each code but [`TOO_MANY_ERRORS`], whose text is long.
/// They are whole shaders: tests run them.
pub fn examples() -> impl Iterator<Item = Example> {
    EXAMPLES.iter().cloned()
}

include!(concat!(env!("OUT_DIR"), "/diagnostic_examples.rs"));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_pages_agree() {
        for code in ALL {
            assert!(explain(code.0).is_some_and(|page| page.len() > 40), "no page: {}", code.0);
        }
        let headings = PAGES.lines().filter_map(|line| line.strip_prefix("## "));
        for heading in headings {
            assert!(ALL.iter().any(|code| code.0 == heading), "no code: {heading}");
        }
        assert_eq!(PAGES.matches("\n## ").count(), ALL.len());
    }
}
