//! Reasons for which a request is not done.

use debugger::expression::ExpressionError;

/// The reason for which a request is not done, in a sentence for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal(pub String);

impl From<String> for Refusal {
    fn from(reason: String) -> Refusal {
        Refusal(reason)
    }
}

impl From<&str> for Refusal {
    fn from(reason: &str) -> Refusal {
        Refusal(reason.to_owned())
    }
}

impl From<ExpressionError> for Refusal {
    fn from(error: ExpressionError) -> Refusal {
        Refusal(error.0)
    }
}
