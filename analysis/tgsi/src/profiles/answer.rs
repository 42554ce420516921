//! An answer of a driver, in a table or in a user's own profile. The build script reads the
//! tables with this file too.

/// One answer of a driver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Answer {
    /// The number; for answers about three directions one for each, else the
    /// same thrice. [`Answer::UNLIMITED`] where there is no limit.
    pub parts: [i64; 3],
    /// Set where it depends on a host, a device or a board that was assumed.
    pub uncertain: bool,
}

impl Answer {
    /// The number that stands for no limit.
    pub const UNLIMITED: i64 = i64::MAX;

    /// Reads a number, `unlimited`, a yes or no, or three numbers; a `?` behind
    /// it marks what was assumed.
    pub(crate) fn parse(text: &str) -> Option<Answer> {
        let (text, uncertain) = match text.strip_suffix('?') {
            Some(text) => (text.trim_end(), true),
            None => (text, false),
        };
        let mut numbers = text.split(',').map(|part| number(part.trim()));
        let first = numbers.next()??;
        let parts = match (numbers.next(), numbers.next(), numbers.next()) {
            (None, ..) => [first; 3],
            (Some(second), Some(third), None) => [first, second?, third?],
            _ => return None,
        };
        Some(Answer { parts, uncertain })
    }
}

impl std::fmt::Display for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let part = |part: i64| match part {
            Answer::UNLIMITED => "unlimited".to_owned(),
            part => part.to_string(),
        };
        match self.parts {
            [first, second, third] if first == second && second == third => {
                f.write_str(&part(first))?;
            }
            parts => f.write_str(&parts.map(part).join(","))?,
        }
        f.write_str(if self.uncertain { "?" } else { "" })
    }
}

fn number(text: &str) -> Option<i64> {
    match text.to_ascii_lowercase().as_str() {
        "yes" | "true" => Some(1),
        "no" | "false" => Some(0),
        "unlimited" | "-1" | "2147483647" | "4294967295" => Some(Answer::UNLIMITED),
        text => match text.strip_prefix("0x") {
            Some(digits) => i64::from_str_radix(digits, 16).ok(),
            None => text.parse().ok(),
        },
    }
}
