//! Places and events at which a run stops.

use crate::expression::{Expression, ExpressionError};

/// A condition on how often a breakpoint was come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HitCondition {
    /// Exactly the time of this number, from 1.
    Exactly(u64),
    /// From this time on.
    From(u64),
    /// Later than this time.
    After(u64),
    /// Before this time.
    Before(u64),
    /// Each time that is a multiple.
    Every(u64),
}

impl HitCondition {
    /// Reads `3`, `== 3`, `>= 3`, `> 3`, `< 3` or `% 3`.
    ///
    /// # Errors
    /// The text is none of these.
    pub fn parse(text: &str) -> Result<HitCondition, ExpressionError> {
        type Make = fn(u64) -> HitCondition;
        const FORMS: [(&str, Make); 6] = [
            ("==", HitCondition::Exactly),
            (">=", HitCondition::From),
            (">", HitCondition::After),
            ("<", HitCondition::Before),
            ("%", HitCondition::Every),
            ("", HitCondition::Exactly),
        ];
        let text = text.trim();
        let form = FORMS.iter().find_map(|(word, make)| Some((text.strip_prefix(word)?, make)));
        let number = form.and_then(|(rest, make)| Some((rest.trim().parse::<u64>().ok()?, make)));
        match number.filter(|(number, _)| *number > 0) {
            Some((number, make)) => Ok(make(number)),
            None => Err(ExpressionError(format!(
                "`{text}`: a number of hits is expected, or one after ==, >=, >, < or %"
            ))),
        }
    }

    /// Tells whether it holds the time of a number.
    pub fn holds(self, hits: u64) -> bool {
        match self {
            HitCondition::Exactly(number) => hits == number,
            HitCondition::From(number) => hits >= number,
            HitCondition::After(number) => hits > number,
            HitCondition::Before(number) => hits < number,
            HitCondition::Every(number) => hits.is_multiple_of(number),
        }
    }
}

/// A part of a log message.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum LogPart {
    Text(String),
    Value(Expression),
}

/// A message that is written in place of a stop: text with expressions in braces.
#[derive(Debug, Clone, PartialEq)]
pub struct LogMessage {
    pub(crate) parts: Vec<LogPart>,
}

impl LogMessage {
    /// Reads a message: what stands in braces is an expression.
    ///
    /// # Errors
    /// A brace that is not closed, or the first mistake in an expression.
    pub fn parse(text: &str) -> Result<LogMessage, ExpressionError> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some((before, behind)) = rest.split_once('{') {
            let Some((expression, behind)) = behind.split_once('}') else {
                return Err(ExpressionError("`{` without `}`".to_owned()));
            };
            if !before.is_empty() {
                parts.push(LogPart::Text(before.to_owned()));
            }
            parts.push(LogPart::Value(Expression::parse(expression)?));
            rest = behind;
        }
        if !rest.is_empty() {
            parts.push(LogPart::Text(rest.to_owned()));
        }
        Ok(LogMessage { parts })
    }
}

/// A breakpoint.
#[derive(Debug, Clone, PartialEq)]
pub struct Breakpoint {
    /// Its number.
    pub id: u64,
    /// The instruction, from 0.
    pub instruction: usize,
    /// The condition: it holds where it is true in an active lane.
    pub condition: Option<Expression>,
    /// The condition on the number of hits.
    pub hit_condition: Option<HitCondition>,
    /// The message to write in place of stopping.
    pub log: Option<LogMessage>,
    /// The number of times that it was come to, going forward, with its condition true.
    pub hits: u64,
}

/// A value at whose change the run stops.
#[derive(Debug, Clone, PartialEq)]
pub struct Watch {
    /// Its number.
    pub id: u64,
    /// The text that names it.
    pub name: String,
    /// The value.
    pub expression: Expression,
    /// The thread whose value it is.
    pub thread: usize,
    /// The condition: it holds where it is true in an active lane.
    pub condition: Option<Expression>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hit_conditions_are_read() {
        let holds = |text: &str| {
            let condition = HitCondition::parse(text).expect("a condition");
            (1..=6).filter(|hits| condition.holds(*hits)).collect::<Vec<u64>>()
        };
        assert_eq!(holds("3"), [3]);
        assert_eq!(holds(" == 2 "), [2]);
        assert_eq!(holds(">=5"), [5, 6]);
        assert_eq!(holds("> 5"), [6]);
        assert_eq!(holds("< 3"), [1, 2]);
        assert_eq!(holds("% 2"), [2, 4, 6]);
        assert!(HitCondition::parse("often").is_err() && HitCondition::parse("% 0").is_err());
    }

    #[test]
    fn log_messages_hold_expressions() {
        let message = LogMessage::parse("x is {TEMP[0].x}, {lane}!").expect("a message");
        assert_eq!(message.parts.len(), 5);
        assert_eq!(message.parts[4], LogPart::Text("!".to_owned()));
        assert_eq!(LogMessage::parse("{1").unwrap_err().0, "`{` without `}`");
        assert!(LogMessage::parse("{1 +}").is_err());
    }
}
