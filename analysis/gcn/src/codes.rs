//! The names of all GCN diagnostics, and their pages.
//!
//! The pages stand in `data/diagnostics.md`, one section per code, each with an
//! example that is wrong and one that is right; a test assembles both.

source::codes! {
    /// Text that is not an operand at all.
    SYNTAX = "gcn::syntax";
    /// A mnemonic that no chip has, and no macro of this name.
    UNKNOWN_MNEMONIC = "gcn::unknown-mnemonic";
    /// An instruction or encoding that the target lacks.
    UNAVAILABLE = "gcn::unavailable";
    /// A register that the target lacks, or that is not aligned.
    REGISTER = "gcn::register";
    /// An operand of the wrong kind or size.
    OPERAND = "gcn::operand";
    /// An operand too few.
    MISSING_OPERAND = "gcn::missing-operand";
    /// An operand too many.
    EXTRA_OPERAND = "gcn::extra-operand";
    /// A number that does not fit.
    RANGE = "gcn::range";
    /// More scalar values than the path to the vector units carries.
    CONSTANT_BUS = "gcn::constant-bus";
    /// A literal where none fits.
    LITERAL = "gcn::literal";
    /// A modifier that the instruction or target does not have.
    MODIFIER = "gcn::modifier";
    /// Data registers that do not match what moves.
    DATA_SIZE = "gcn::data-size";
    /// An address of fewer registers than any image has.
    IMAGE_ADDRESS = "gcn::image-address";
    /// A jump further than its field can say.
    JUMP_DISTANCE = "gcn::jump-distance";
    /// A register beyond those that the kernel's descriptor asks for.
    REGISTER_COUNT = "gcn::register-count";
    /// Machine code in a listing that is not that of its line.
    LISTED_WORDS = "gcn::listed-words";
    /// A name without a definition.
    UNDEFINED_SYMBOL = "gcn::undefined-symbol";
    /// A value that does not follow from the text alone.
    UNKNOWN_VALUE = "gcn::unknown-value";
    /// A name that is defined twice.
    REDEFINITION = "gcn::redefinition";
    /// An expression that cannot be read.
    EXPRESSION = "gcn::expression";
    /// A directive whose arguments cannot be read.
    DIRECTIVE = "gcn::directive";
    /// A directive that is not known.
    UNKNOWN_DIRECTIVE = "gcn::unknown-directive";
    /// A directive that opens or closes what nothing closes or opened.
    UNMATCHED_DIRECTIVE = "gcn::unmatched-directive";
    /// A chip that is not known.
    UNKNOWN_TARGET = "gcn::unknown-target";
    /// A target id that no assembler takes, or that is not of the chip that was asked for.
    TARGET_ID = "gcn::target-id";
    /// A field of a kernel's descriptor that is missing, not of the chip, or too large.
    DESCRIPTOR = "gcn::descriptor";
    /// A macro whose definition cannot be read.
    MACRO_DEFINITION = "gcn::macro-definition";
    /// A call that does not fit its macro.
    MACRO_CALL = "gcn::macro-call";
    /// An expansion that does not end, or ends too late.
    EXPANSION_LIMIT = "gcn::expansion-limit";
    /// An included file that is not there.
    INCLUDE = "gcn::include";
    /// `/*` without `*/`.
    UNTERMINATED_COMMENT = "gcn::unterminated-comment";
    /// Deeds of an assembler that its reader would not expect.
    ASSEMBLER_QUIRK = "gcn::assembler-quirk";
    /// A result that is used before it has arrived.
    MISSING_WAIT = "gcn::missing-wait";
    /// Shared memory that is written before a barrier and may arrive behind it.
    UNORDERED_SHARE = "gcn::unordered-share";
    /// A wait for something that nothing needs yet.
    TOO_STRICT_WAIT = "gcn::too-strict-wait";
    /// Two instructions that violate a hazard.
    MISSING_WAIT_STATES = "gcn::missing-wait-states";
    /// A branch on VCC that does not see the last write of it.
    STALE_VCCZ = "gcn::stale-vccz";
    /// A 64-bit shift whose amount is in a register that the chip reads wrongly.
    SHIFT_AMOUNT = "gcn::shift-amount";
    /// A register that is read before anything was written to it.
    UNINITIALISED_REGISTER = "gcn::uninitialised-register";
    /// A result that nothing reads.
    DEAD_WRITE = "gcn::dead-write";
    /// Instructions that control never reaches.
    UNREACHABLE_CODE = "gcn::unreachable-code";
    /// `.error` and its kin.
    USER_ERROR = "gcn::user-error";
    /// `.warning` and its kin.
    USER_WARNING = "gcn::user-warning";
    /// A file that is too large to be read.
    TOO_LARGE = "gcn::too-large";
    /// More diagnostics than are shown.
    MORE_DIAGNOSTICS = "gcn::more-diagnostics";
}

static PAGES: &str = include_str!("../data/diagnostics.md");

/// The page of a code: what it means, an example that is wrong and one that is
/// right, as Markdown without a heading.
pub fn explain(code: &str) -> Option<&'static str> {
    source::page(PAGES, code)
}

#[cfg(test)]
mod tests {
    use source::Code;

    use super::*;
    use crate::Target;
    use crate::assembler::Dialect;
    use crate::dialect::detect;
    use crate::program::{Options, Program, assemble};
    use crate::{analysis, program};

    /// Pages whose examples would be too long.
    const WITHOUT_EXAMPLES: [Code; 2] = [TOO_LARGE, MORE_DIAGNOSTICS];

    /// Codes of the analyses of costs, which begin where a program is assembled.
    const OF_COSTS: [Code; 10] = [
        IMAGE_ADDRESS,
        MISSING_WAIT,
        UNORDERED_SHARE,
        TOO_STRICT_WAIT,
        MISSING_WAIT_STATES,
        STALE_VCCZ,
        SHIFT_AMOUNT,
        UNINITIALISED_REGISTER,
        DEAD_WRITE,
        UNREACHABLE_CODE,
    ];

    fn costs(program: &Program) -> Vec<(&'static str, String)> {
        let check = |kernel| {
            let own = program::KernelCode::of(
                program,
                kernel,
                analysis::AddressCounts::Named,
                &source::no_checkpoint,
            );
            let def_use = analysis::DefUse::of_all(&own.code, &source::no_checkpoint);
            let cfg = analysis::Cfg::of(&own.code, &def_use);
            let liveness =
                analysis::Liveness::of(&own.code, &def_use, &cfg, &source::no_checkpoint);
            analysis::check(&own.code, &def_use, &cfg, &liveness, None, &source::no_checkpoint)
        };
        let diagnostics = program.kernels.iter().flat_map(check);
        diagnostics.map(|it| (it.code.0, it.message)).collect()
    }

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

    /// The wrong example of a page has its diagnostic, the right one has none.
    #[test]
    fn examples_are_judged_as_their_pages_say() {
        let mut failures = Vec::new();
        for code in ALL.iter().filter(|code| !WITHOUT_EXAMPLES.contains(code)) {
            let page = explain(code.0).unwrap_or_default();
            let mut seen = [0, 0];
            for block in page.split("```gcn ").skip(1) {
                let (head, rest) = block.split_once('\n').unwrap_or_default();
                let text = rest.split("```").next().unwrap_or_default();
                let words: Vec<&str> = head.split(' ').collect();
                let is_clrx = words.contains(&"clrx");
                let options = Options {
                    target: Target::find(words[0]),
                    dialect: if is_clrx { Dialect::Clrx } else { Dialect::Llvm },
                    listing: detect(text).listing,
                    ..Options::default()
                };
                let program = assemble(text, &options, &|_| None, &source::no_checkpoint);
                let mut found: Vec<(&str, String)> =
                    program.diagnostics.iter().map(|it| (it.code.0, it.message.clone())).collect();
                if OF_COSTS.contains(code) {
                    found.extend(costs(&program));
                }
                let is_right = words.contains(&"right");
                seen[usize::from(is_right)] += 1;
                let fits = match is_right {
                    true => found.is_empty(),
                    false => found.iter().any(|(found, _)| *found == code.0),
                };
                if !fits {
                    failures.push(format!("{} {head}: {found:?}", code.0));
                }
            }
            if seen[0] == 0 || seen[1] == 0 {
                failures.push(format!("{}: {seen:?} examples", code.0));
            }
        }
        assert!(failures.is_empty(), "{failures:#?}");
    }
}
