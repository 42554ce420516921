//! Lines of C's preprocessor between string literals: of each condition one branch is read, the
//! first, and of equal conditions the same one.

/// The conditions of a run of literals, as they were decided.
#[derive(Debug, Default)]
pub(super) struct Conditions {
    /// Each without its negation, and whether it holds.
    decided: Vec<(String, bool)>,
    /// The first one of which another branch may be compiled, by the offset of its line.
    pub(super) first: Option<usize>,
    /// Set where a condition may be at odds with one that was decided.
    pub(super) unsure: bool,
    /// Conditions whose branch is being read.
    open: usize,
}

/// The most conditions of one run that are remembered.
const MOST: usize = 64;

/// The line of the preprocessor at an offset.
enum Directive {
    /// Begins a branch that is read if its condition holds.
    If,
    /// Ends a branch, and begins another one.
    Else,
    /// Ends the last branch.
    End,
    /// Decides something else.
    Other,
}

/// Returns the kind of the line at an offset; `None` of all but C. After a sign that stands apart
/// from its word, most words begin a comment of another language: `is_inside` tells that a
/// condition is open, whose other lines may be spelt so.
fn directive(rest: &[u8], is_inside: bool) -> Option<Directive> {
    const OTHERS: [&[u8]; 5] = [b"define", b"undef", b"include", b"pragma", b"line"];
    const CERTAIN: [&[u8]; 3] = [b"ifdef ", b"ifndef ", b"if defined"];
    let behind = rest.strip_prefix(b"#")?;
    let word = behind.trim_ascii_start();
    let is_apart = word.len() < behind.len();
    if is_apart && !is_inside && !CERTAIN.iter().any(|certain| word.starts_with(certain)) {
        return None;
    }
    match word {
        _ if word.starts_with(b"if") => Some(Directive::If),
        _ if word.starts_with(b"el") => Some(Directive::Else),
        _ if word.starts_with(b"endif") => Some(Directive::End),
        _ if OTHERS.iter().any(|other| word.starts_with(other)) => Some(Directive::Other),
        _ => None,
    }
}

/// The next text behind a line of the preprocessor.
pub(super) enum Step {
    /// The line is none of the preprocessor.
    None,
    /// The offset where reading goes on.
    Behind(usize),
    /// Nobody knows.
    Unknown,
}

impl Conditions {
    /// Goes over the line of the preprocessor at an offset, and over a branch that is not read.
    pub(super) fn step(&mut self, bytes: &[u8], at: usize) -> Step {
        let end = line_end(bytes, at);
        let next = match directive(&bytes[at..], self.open > 0) {
            None => return Step::None,
            Some(Directive::Other) => None,
            Some(Directive::End) => {
                self.open = self.open.saturating_sub(1);
                Some(end)
            }
            Some(Directive::Else) => {
                self.open = self.open.saturating_sub(1);
                behind_last_branch(bytes, end)
            }
            Some(Directive::If) if self.holds(&bytes[at..end], at) => {
                self.open += 1;
                Some(end)
            }
            Some(Directive::If) => next_end(bytes, end).map(|(end, found)| {
                self.open += usize::from(matches!(found, Directive::Else));
                end
            }),
        };
        next.map_or(Step::Unknown, Step::Behind)
    }

    /// Decides whether a condition holds.
    fn holds(&mut self, line: &[u8], at: usize) -> bool {
        let Some((condition, is_negated)) = condition(line) else { return false };
        if condition == "1" {
            return !is_negated;
        }
        self.first.get_or_insert(at);
        let known = self.decided.iter().find(|(known, _)| *known == condition);
        if let Some((_, holds)) = known {
            return *holds != is_negated;
        }
        let is_about =
            |other: &str| names(&condition).any(|name| names(other).any(|it| it == name));
        let full = self.decided.len() >= MOST;
        self.unsure |= full || self.decided.iter().any(|(known, _)| is_about(known));
        if !full {
            self.decided.push((condition, !is_negated));
        }
        true
    }
}

/// A condition without its negation, and whether it has one; `None` of zero.
fn condition(line: &[u8]) -> Option<(String, bool)> {
    let line = std::str::from_utf8(line).unwrap_or_default();
    let line = line.split("//").next().unwrap_or_default();
    let line = line.split("/*").next().unwrap_or_default().trim_end();
    let line = line.trim_start_matches('#').trim_start();
    let (word, rest) = line.split_at(line.find([' ', '\t', '(', '!']).unwrap_or(line.len()));
    let rest = rest.trim();
    let (rest, is_negated) = match rest.strip_prefix('!') {
        Some(rest) if !rest.contains(['&', '|']) => (rest.trim(), true),
        _ => (rest, false),
    };
    let is_alone = |name: &str| name.bytes().all(is_part);
    let asked = rest.strip_prefix("defined").map(|it| it.trim().trim_matches(['(', ')']).trim());
    let asked = asked.filter(|name| is_alone(name));
    Some(match (word, asked) {
        ("ifdef", _) => (rest.to_owned(), false),
        ("ifndef", _) => (rest.to_owned(), true),
        (_, Some(name)) => (name.to_owned(), is_negated),
        _ if rest == "0" => return None,
        _ => (format!("({rest})").replace("(1)", "1"), is_negated),
    })
}

/// The names in a condition.
fn names(condition: &str) -> impl Iterator<Item = &str> {
    let words = condition.split(|it: char| !it.is_ascii_alphanumeric() && it != '_');
    words.filter(|word| word.starts_with(|it: char| !it.is_ascii_digit()) && *word != "defined")
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The end of the line at an offset, with those that it goes on in.
fn line_end(bytes: &[u8], at: usize) -> usize {
    let mut at = at;
    while let Some(length) = memchr::memchr(b'\n', &bytes[at..]) {
        let is_whole = !bytes[..at + length].trim_ascii_end().ends_with(b"\\");
        if is_whole {
            return at + length;
        }
        at += length + 1;
    }
    bytes.len()
}

/// The end of the next line of the preprocessor that ends a branch, and whether it begins another
/// one.
fn next_end(bytes: &[u8], from: usize) -> Option<(usize, Directive)> {
    let (mut at, mut depth) = (from, 0_usize);
    loop {
        at += memchr::memchr(b'#', bytes.get(at..)?)?;
        let before = bytes[..at].iter().rev().find(|byte| !matches!(byte, b' ' | b'\t'));
        let is_first = before == Some(&b'\n');
        match directive(&bytes[at..], true).filter(|_| is_first) {
            Some(Directive::If) => depth += 1,
            Some(Directive::End) if depth > 0 => depth -= 1,
            Some(found @ (Directive::Else | Directive::End)) if depth == 0 => {
                return Some((line_end(bytes, at), found));
            }
            _ => {}
        }
        at += 1;
    }
}

/// The offset behind all further branches.
fn behind_last_branch(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        let (end, found) = next_end(bytes, at)?;
        if matches!(found, Directive::End) {
            return Some(end);
        }
        at = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text that is read of one with conditions.
    fn read(text: &str) -> Option<(String, bool)> {
        let mut conditions = Conditions::default();
        let (mut out, mut at) = (String::new(), 0);
        while at < text.len() {
            match conditions.step(text.as_bytes(), at) {
                Step::Behind(next) => at = next + 1,
                Step::Unknown => return None,
                Step::None => {
                    let end = line_end(text.as_bytes(), at);
                    out += &text[at..end];
                    at = end + 1;
                }
            }
        }
        Some((out, conditions.unsure))
    }

    #[test]
    fn one_branch_is_read() {
        let some = |text: &str, unsure: bool| Some((text.to_owned(), unsure));
        assert_eq!(read("a\n#ifdef X\nb\n#else\nc\n#endif\nd\n"), some("abd", false));
        assert_eq!(read("#if X > 1\na\n#elif X\nb\n#else\nc\n#endif\nd\n"), some("ad", false));
        assert_eq!(read("#if 0\na\n#else\nb\n#endif\n"), some("b", false));
        assert_eq!(read("#if 1\na\n#else\nb\n#endif\n"), some("a", false));
        assert_eq!(
            read("#if A\na\n#else\n#if B\nb\n#else\nc\n#endif\n#endif\nd\n"),
            some("ad", false)
        );
    }

    /// GNU's style indents behind the sign; other languages begin comments with it.
    #[test]
    fn a_sign_may_stand_apart_from_its_word() {
        let some = |text: &str| Some((text.to_owned(), false));
        assert_eq!(read("a\n# ifdef X\nb\n# else\nc\n# endif\nd\n"), some("abd"));
        assert_eq!(read("#if 0\na\n# else\nb\n#\tendif\nc\n"), some("bc"));
        let comments = "# if it is so\na\n# else\nb\n# endif of it\n";
        let kept = comments.replace('\n', "");
        assert_eq!(read(comments), some(&kept));
    }

    #[test]
    fn equal_conditions_are_decided_alike() {
        let two = |one: &str, other: &str| {
            read(&format!("{one}\na\n#else\nb\n#endif\n{other}\nc\n#else\nd\n#endif\n"))
        };
        let some = |text: &str, unsure: bool| Some((text.to_owned(), unsure));
        assert_eq!(two("#ifdef X", "#ifdef X"), some("ac", false));
        assert_eq!(two("#ifdef X", "#ifndef X // not"), some("ad", false));
        assert_eq!(two("#ifndef X", "#if defined(X)"), some("ad", false));
        assert_eq!(two("#if !defined X", "#ifdef X"), some("ad", false));
        assert_eq!(two("#if X > 1", "#if X > 1"), some("ac", false));
        // One may exclude the other.
        assert_eq!(two("#if X > 1", "#if X == 0"), some("ac", true));
        assert_eq!(two("#if X > 1", "#if Y == 0"), some("ac", false));
    }

    #[test]
    fn what_has_no_end_is_unknown() {
        assert_eq!(read("#if 0\na\n"), None);
        assert_eq!(read("#else\na\n"), None);
        assert_eq!(read("#define X\n"), None);
    }
}
