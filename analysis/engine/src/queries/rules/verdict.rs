//! One verdict on a shader: what compiling refuses is an error at its place, and what has one
//! cause is told once.

use lower::{Failure, FailureKind};
use source::{Code, Diagnostic, Severity, TextRange};
use tgsi::ast::Shader;
use tgsi::codes;

use crate::queries::codes::{INVALID, UNSUPPORTED};

fn is_error(diagnostic: &Diagnostic) -> bool {
    diagnostic.severity == Severity::Error
}

/// The failure that a shader is refused for: a fault of its own, if there is one.
pub(crate) fn worst(failures: &[Failure]) -> Option<&Failure> {
    let invalid = failures.iter().find(|failure| failure.kind == FailureKind::Invalid);
    invalid.or(failures.first())
}

/// Rules that tell why a statement is not compiled.
const REASONS: [Code; 15] = [
    codes::CALL_TARGET,
    codes::FILE_STAGE,
    codes::IMAGE_ACCESS,
    codes::INDEX_FILE,
    codes::MISSING_PROPERTY,
    codes::NEGATIVE_INDEX,
    codes::OPCODE_STAGE,
    codes::OPERAND_FILE,
    codes::OPERAND_VALUE,
    codes::PROPERTY_VALUE,
    codes::READ_ONLY_FILE,
    codes::RECURSION,
    codes::REGISTER_DIMENSION,
    codes::TEXTURE_TARGET,
    codes::VERTEX_NUMBER,
];

/// Adds what keeps a shader from being compiled. Where a rule tells the reason already, it is an
/// error instead, or enough.
pub(crate) fn add_failures(
    shader: Option<&Shader>,
    failures: &[Failure],
    diagnostics: &mut Vec<Diagnostic>,
) {
    let invalid = |failure: &&Failure| failure.kind == FailureKind::Invalid;
    for failure in failures.iter().filter(invalid) {
        let place = statement(shader, failure.range);
        let here = diagnostics.iter_mut().filter(|it| place.contains_range(it.range));
        let reason = here.min_by_key(|it| (!REASONS.contains(&it.code), it.severity));
        match reason.filter(|it| REASONS.contains(&it.code) || it.severity == Severity::Error) {
            Some(reason) => reason.severity = Severity::Error,
            None => {
                diagnostics.push(Diagnostic::error(INVALID, failure.range, &failure.message));
            }
        }
    }
    for failure in failures.iter().filter(|failure| !invalid(failure)) {
        let place = statement(shader, failure.range);
        let is_told = |it: &Diagnostic| {
            place.contains_range(it.range) && (is_error(it) || REASONS.contains(&it.code))
        };
        if !diagnostics.iter().any(is_told) {
            diagnostics.push(Diagnostic::hint(UNSUPPORTED, failure.range, &failure.message));
        }
    }
}

/// The statement that a range lies in, or the range itself.
fn statement(shader: Option<&Shader>, range: TextRange) -> TextRange {
    let statements = shader.map(|shader| shader.statements.as_slice()).unwrap_or_default();
    let next = statements.partition_point(|statement| statement.range.start() <= range.start());
    let last = next.checked_sub(1).map(|place| statements[place].range);
    last.filter(|last| last.contains_range(range)).unwrap_or(range)
}

/// Codes with others that have the same cause where both stand at one place: the first is told.
const ONE_CAUSE: [(Code, Code); 5] = [
    (codes::REGISTER_DIMENSION, codes::UNDECLARED_REGISTER),
    (codes::NEGATIVE_INDEX, codes::UNDECLARED_REGISTER),
    (codes::SEMANTIC_INDEX, codes::LARGE_VALUE),
    (codes::PREDICATE, codes::HISTORIC_FILE),
    (codes::CALL_TARGET, codes::WRONG_LABEL),
];

/// Leaves one diagnostic of each cause, with the severity and the fixes of all.
pub(crate) fn merge_causes(diagnostics: &mut Vec<Diagnostic>) {
    for (told, implied) in ONE_CAUSE {
        let tells = |it: &Diagnostic, place| it.code == told && meet(it.range, place);
        let told: Vec<_> = diagnostics.iter().filter(|it| it.code == told).cloned().collect();
        let is_told = |it: &Diagnostic| {
            it.code == implied && told.iter().any(|told| meet(told.range, it.range))
        };
        let (same, others) = std::mem::take(diagnostics).into_iter().partition(is_told);
        *diagnostics = others;
        let same: Vec<Diagnostic> = same;
        for implied in same {
            if let Some(kept) = diagnostics.iter_mut().find(|it| tells(it, implied.range)) {
                kept.severity = kept.severity.min(implied.severity);
                kept.fixes.extend(implied.fixes);
            }
        }
    }
}

/// Tells whether two ranges are one place for a reader.
fn meet(one: TextRange, other: TextRange) -> bool {
    one.start() == other.start() || one.intersect(other).is_some_and(|it| !it.is_empty())
}

#[cfg(test)]
mod tests {
    use source::{TextEdit, TextSize};

    use super::*;

    fn at(start: u32, end: u32) -> TextRange {
        TextRange::new(TextSize::new(start), TextSize::new(end))
    }

    #[test]
    fn one_cause_is_told_once_with_the_worst_severity_and_every_fix() {
        let near = Diagnostic::warning(codes::REGISTER_DIMENSION, at(4, 9), "two brackets");
        let same = Diagnostic::error(codes::UNDECLARED_REGISTER, at(4, 9), "not declared")
            .with_fix("Declare it", at(0, 0), "DCL");
        let far = Diagnostic::error(codes::UNDECLARED_REGISTER, at(14, 19), "not declared");
        let mut all = vec![same, near, far.clone()];
        merge_causes(&mut all);
        assert_eq!(all.len(), 2);
        assert_eq!((all[0].code, all[0].severity), (codes::REGISTER_DIMENSION, Severity::Error));
        assert_eq!(all[0].fixes[0].edits, [TextEdit::replace(at(0, 0), "DCL")]);
        assert_eq!(all[1], far);
    }

    #[test]
    fn a_rule_that_tells_the_reason_is_the_error_itself() {
        let failure = |kind, range| Failure {
            range,
            construct: String::new(),
            kind,
            message: "refused".to_owned(),
        };
        let rule = Diagnostic::warning(codes::OPERAND_VALUE, at(4, 9), "no such stream");
        let mut all = vec![rule];
        let refused = [
            failure(FailureKind::Invalid, at(4, 9)),
            failure(FailureKind::Unsupported, at(4, 9)),
            failure(FailureKind::Invalid, at(14, 19)),
            failure(FailureKind::Unsupported, at(24, 29)),
        ];
        add_failures(None, &refused, &mut all);
        let told: Vec<_> = all.iter().map(|it| (it.code, it.severity)).collect();
        let expected = [
            (codes::OPERAND_VALUE, Severity::Error),
            (INVALID, Severity::Error),
            (UNSUPPORTED, Severity::Hint),
        ];
        assert_eq!(told, expected);
        assert_eq!(worst(&refused[1..]).map(|it| it.range), Some(at(14, 19)));
    }
}
