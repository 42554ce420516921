//! Conditionals: `.if` and its kin.

use source::Severity;

use super::directives::{Action, Condition};
use super::expand::{Expander, Here};
use super::sources::{NodeId, Span};
use crate::codes;
use crate::dialect::target_of_directive;
use crate::expression::Value;

/// An open conditional.
#[derive(Debug)]
pub(super) struct Branch {
    /// Tells whether statements count now.
    active: bool,
    /// Tells whether a branch was taken, or none may be.
    taken: bool,
    /// Tells whether `.else` came.
    last: bool,
    own: ConditionUncertainty,
    /// Tells whether a branch was taken because nothing is known of its condition, though another
    /// may count.
    chosen_by_guess: bool,
    /// The doubts of any branch around it.
    around: ConditionUncertainty,
    /// The directive that opened it.
    span: Span,
    node: NodeId,
}

/// Reasons to doubt a branch.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ConditionUncertainty {
    /// Tells whether the branch was taken because nothing is known of its condition.
    guessed: bool,
    /// Tells whether a condition asked for a name that is not defined: a command line may define
    /// it.
    lacks_name: bool,
}

impl Branch {
    fn uncertainty(&self) -> ConditionUncertainty {
        ConditionUncertainty {
            guessed: self.own.guessed || self.around.guessed,
            lacks_name: self.own.lacks_name || self.around.lacks_name,
        }
    }
}

impl Expander<'_> {
    /// Returns the doubts here: each branch knows of those around it, so that depth costs
    /// nothing.
    fn uncertainty(&self) -> ConditionUncertainty {
        self.conditions.last().map(Branch::uncertainty).unwrap_or_default()
    }

    /// Tells whether statements count here.
    pub(super) fn is_active(&self) -> bool {
        self.conditions.last().is_none_or(|branch| branch.active)
    }

    /// Reads a directive where statements do not count.
    pub(super) fn skipped_directive(&mut self, action: Action, here: &Here<'_>) {
        match action {
            Action::If(condition) => {
                let strings = matches!(condition, Condition::SameString | Condition::OtherString);
                if strings && self.dialect == super::Dialect::Llvm {
                    let message = "LLVM looks at this even here, in a branch that is not taken";
                    let span = here.name_span();
                    self.tell(codes::ASSEMBLER_QUIRK, Severity::Hint, span, here.node, message);
                }
                self.conditions.push(self.skipped_branch(here));
            }
            Action::ElseIf(condition) => self.else_if(condition, here),
            Action::Else => self.else_(here),
            Action::EndIf => self.end_if(here),
            _ => {}
        }
    }

    /// Tells whether an open branch is a guess: what ends or refuses the text counts there for
    /// nothing.
    pub(super) fn is_guess(&self) -> bool {
        self.uncertainty().guessed
    }

    /// Tells whether an open branch counts because a name is not defined: the text may demand it
    /// of the command line.
    pub(super) fn lacks_name(&self) -> bool {
        self.uncertainty().lacks_name
    }

    pub(super) fn if_(&mut self, condition: Condition, here: &Here<'_>) {
        let holds = self.holds(condition, here);
        self.conditions.push(Branch {
            active: holds,
            taken: holds,
            own: self.asked,
            chosen_by_guess: self.asked.guessed,
            ..self.skipped_branch(here)
        });
    }

    /// Returns a conditional none of whose branches counts.
    fn skipped_branch(&self, here: &Here<'_>) -> Branch {
        Branch {
            active: false,
            taken: true,
            last: false,
            own: ConditionUncertainty::default(),
            chosen_by_guess: false,
            around: self.uncertainty(),
            span: here.whole(),
            node: here.node,
        }
    }

    pub(super) fn else_if(&mut self, condition: Condition, here: &Here<'_>) {
        match self.conditions.last() {
            Some(branch) if !branch.last => {
                let holds = !branch.taken && self.holds(condition, here);
                let ConditionUncertainty { guessed, lacks_name } = self.asked;
                if let Some(branch) = self.conditions.last_mut() {
                    branch.active = holds;
                    branch.taken |= holds;
                    branch.own.guessed = holds && guessed;
                    branch.chosen_by_guess |= holds && guessed;
                    branch.own.lacks_name |= lacks_name;
                }
            }
            _ => self.unmatched(here, "`.if` before it"),
        }
    }

    pub(super) fn else_(&mut self, here: &Here<'_>) {
        match self.conditions.last_mut() {
            Some(branch) if !branch.last => {
                branch.active = !branch.taken;
                (branch.taken, branch.last) = (true, true);
            }
            _ => self.unmatched(here, "`.if` before it"),
        }
    }

    pub(super) fn end_if(&mut self, here: &Here<'_>) {
        match self.conditions.pop() {
            Some(branch) if branch.chosen_by_guess => self.leave_unread(),
            Some(_) => {}
            None => self.unmatched(here, "`.if` before it"),
        }
    }

    pub(super) fn unmatched(&mut self, here: &Here<'_>, wanted: &str) {
        let message = format!("`{}` has no {wanted}", here.name());
        self.error(codes::UNMATCHED_DIRECTIVE, here, here.name_span(), message);
    }

    /// Tells the conditionals that are still open at the end.
    pub(super) fn end_of_conditions(&mut self) {
        if let Some(branch) = self.conditions.pop() {
            let message = "this conditional has no matching `.endif`";
            self.tell(
                codes::UNMATCHED_DIRECTIVE,
                Severity::Error,
                branch.span,
                branch.node,
                message,
            );
        }
    }

    /// Tells whether a condition holds. Where that is not known it is guessed to: more is read
    /// so.
    fn holds(&mut self, condition: Condition, here: &Here<'_>) -> bool {
        self.asked = ConditionUncertainty::default();
        let rest = here.rest();
        match condition {
            Condition::NotZero => self.compare(here, |value| value != 0),
            Condition::Zero => self.compare(here, |value| value == 0),
            Condition::AtLeastZero => self.compare(here, |value| value >= 0),
            Condition::AboveZero => self.compare(here, |value| value > 0),
            Condition::AtMostZero => self.compare(here, |value| value <= 0),
            Condition::BelowZero => self.compare(here, |value| value < 0),
            Condition::Blank => rest.is_empty(),
            Condition::NotBlank => !rest.is_empty(),
            Condition::SameText => self.same_text(here),
            Condition::OtherText => !self.same_text(here),
            Condition::SameString => self.same_string(here),
            Condition::OtherString => !self.same_string(here),
            Condition::Defined => self.is_defined(here),
            Condition::NotDefined => !self.is_defined(here),
            // What the command line chooses of the output is not known here:
            // the usual answers.
            Condition::Bits32 => false,
            Condition::Bits64 => true,
            Condition::Architecture => self.is_architecture(rest),
            Condition::OtherArchitecture => !self.is_architecture(rest),
            Condition::Chip => self.is_chip(rest),
            Condition::OtherChip => !self.is_chip(rest),
            Condition::Format | Condition::OtherFormat => {
                self.out.incomplete = true;
                self.asked.guessed = true;
                true
            }
        }
    }

    fn compare(&mut self, here: &Here<'_>, holds: impl Fn(i64) -> bool) -> bool {
        match self.absolute(here, here.rest.0) {
            Some((value, end)) => {
                self.expect_end(here, end);
                holds(value)
            }
            None => {
                self.asked.guessed = true;
                true
            }
        }
    }

    fn same_text(&mut self, here: &Here<'_>) -> bool {
        match here.rest().split_once(',') {
            Some((left, right)) => left.trim() == right.trim(),
            None => {
                let message = "two texts with a comma between were expected";
                self.error(codes::DIRECTIVE, here, here.whole(), message);
                false
            }
        }
    }

    fn same_string(&mut self, here: &Here<'_>) -> bool {
        let mut strings = super::blocks::strings(here.rest());
        match (strings.next(), strings.next()) {
            (Some(left), Some(right)) => left == right,
            _ => {
                let message = "two strings with a comma between were expected";
                self.error(codes::DIRECTIVE, here, here.whole(), message);
                false
            }
        }
    }

    /// A name that is set or is a label before this place.
    fn is_defined(&mut self, here: &Here<'_>) -> bool {
        let name = here.rest().trim_matches('"');
        let counts = match self.abi {
            super::Abi::V2 => ".kernel.",
            super::Abi::V3 => ".amdgcn.",
        };
        if name.starts_with(counts) && self.counted(name).is_some() {
            return true;
        }
        let found = self.out.symbols.find(name);
        let setting = found.and_then(|id| self.out.symbols.get(id).values.last());
        let defined =
            setting.is_some_and(|it| it.value != Value::Undefined || it.expression.is_some());
        self.asked.lacks_name = !defined;
        defined
    }

    fn is_architecture(&self, name: &str) -> bool {
        let named = target_of_directive(&format!(".arch {name}"));
        let target = self.target();
        matches!((named, target), (Some(Ok(it)), Some(target)) if it.generation() == target.generation())
    }

    fn is_chip(&self, name: &str) -> bool {
        let named = target_of_directive(&format!(".gpu {name}"));
        named.and_then(Result::ok).is_some_and(|it| self.target() == Some(it))
    }

    /// The chip, where it is one that is supported.
    pub(super) fn target(&self) -> Option<crate::Target> {
        let is_supported = self.out.unsupported.is_none()
            && (self.out.target.is_some() || self.options.unsupported.is_none());
        is_supported.then(|| self.out.target.map_or(self.options.target, |(target, _)| target))
    }
}
