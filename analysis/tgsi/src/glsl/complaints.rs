//! The complaints of GL compilers, each of which has its own form.

/// One complaint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint {
    /// The line of GLSL, from 1; `None` where none is named.
    pub line: Option<u32>,
    /// The compiler's words behind the place.
    pub message: String,
}

/// Complaints that are read, at most: all behind the first may follow from it.
const MOST: usize = 64;

/// Reads the errors of a compiler's log; warnings are left out.
///
/// Forms: `0:12(1): error: …` of Mesa, `ERROR: 0:12: …` of ANGLE, Qualcomm, Apple and ARM,
/// `0(12) : error C0000: …` of NVIDIA, `0:12: S0001: …` and `0:12: L0001: …` of ARM.
pub fn complaints(log: &str) -> Vec<Complaint> {
    log.lines().filter_map(read).take(MOST).collect()
}

fn read(line: &str) -> Option<Complaint> {
    let line = line.trim();
    let lower = line.to_ascii_lowercase();
    if let Some(rest) = lower.starts_with("error: ").then(|| &line["error: ".len()..]) {
        let (line, message) = placed(rest).map_or((None, rest), |(it, rest)| (Some(it), rest));
        return Some(Complaint { line, message: message.trim().to_owned() });
    }
    let (place, rest) = placed(line)?;
    let rest = rest.trim();
    let grave = rest.to_ascii_lowercase();
    let message = if let Some(message) = grave.strip_prefix("error") {
        // Mesa has a colon behind the word, NVIDIA a number before it.
        let words = &rest[rest.len() - message.len()..];
        words.split_once(": ").map_or(words, |(_, message)| message)
    } else {
        // ARM's number of the error.
        let (code, message) = rest.split_once(": ")?;
        let is_code = code.len() == 5
            && code.starts_with(['S', 'L', 'P', 'E'])
            && code[1..].bytes().all(|it| it.is_ascii_digit());
        is_code.then_some(message)?
    };
    Some(Complaint { line: Some(place), message: message.trim().to_owned() })
}

/// The line that a place names, and what stands behind it: `0:12(1): …`, `0:12: …`,
/// `0(12) : …`.
fn placed(text: &str) -> Option<(u32, &str)> {
    let rest = text.trim_start_matches(|it: char| it.is_ascii_digit());
    if rest.len() == text.len() {
        return None;
    }
    let separator = rest.chars().next().filter(|it| matches!(it, ':' | '('))?;
    let rest = &rest[1..];
    let digits = rest.find(|it: char| !it.is_ascii_digit()).unwrap_or(rest.len());
    let line: u32 = rest[..digits].parse().ok()?;
    let rest = &rest[digits..];
    let rest = match separator {
        '(' => rest.strip_prefix(')')?,
        // The column.
        _ if rest.starts_with('(') => rest.split_once(')')?.1,
        _ => rest,
    };
    Some((line, rest.trim_start().strip_prefix(':')?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> Option<(Option<u32>, String)> {
        let found = complaints(line).pop()?;
        Some((found.line, found.message))
    }

    #[test]
    fn every_compiler_is_understood() {
        for (line, place, message) in [
            (
                "0:12(1): error: illegal use of reserved word `dvec2'",
                Some(12),
                "illegal use of reserved word `dvec2'",
            ),
            (
                "ERROR: 0:7: 'dvec2' : undeclared identifier",
                Some(7),
                "'dvec2' : undeclared identifier",
            ),
            (
                "0(12) : error C1013: function \"f\" is already defined",
                Some(12),
                "function \"f\" is already defined",
            ),
            (
                "0:5: S0001: Extension 'GL_ARB_x' not supported",
                Some(5),
                "Extension 'GL_ARB_x' not supported",
            ),
            ("ERROR: too many uniforms", None, "too many uniforms"),
            (
                "0:3(12): error: extension `GL_ARB_x' unsupported",
                Some(3),
                "extension `GL_ARB_x' unsupported",
            ),
        ] {
            assert_eq!(of(line), Some((place, message.to_owned())), "{line}");
        }
        for line in [
            "0:12(1): warning: unused",
            "WARNING: 0:3: x",
            "",
            "shader failed",
            "12",
            "0:",
            "0:7: note: x",
        ] {
            assert_eq!(of(line), None, "{line}");
        }
    }
}
