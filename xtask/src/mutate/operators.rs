//! The mutations of code: which tokens of a source can be changed, and into what.

use super::lexer::Kind;
use super::source::Source;

/// A change of a file: bytes replaced by a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Change {
    /// The name of the operator, for the report.
    pub(super) operator: &'static str,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) new: String,
}

/// Signs between two operands and what each becomes.
const BINARY: [(&str, &str, &[&str]); 31] = [
    ("==", "comparison", &["!="]),
    ("!=", "comparison", &["=="]),
    ("<", "comparison", &["<=", ">="]),
    ("<=", "comparison", &["<", ">"]),
    (">", "comparison", &[">=", "<="]),
    (">=", "comparison", &[">", "<"]),
    ("&&", "boolean", &["||"]),
    ("||", "boolean", &["&&"]),
    ("+", "arithmetic", &["-"]),
    ("-", "arithmetic", &["+"]),
    ("*", "arithmetic", &["/", "+"]),
    ("/", "arithmetic", &["*"]),
    ("%", "arithmetic", &["/"]),
    ("&", "arithmetic", &["|"]),
    ("|", "arithmetic", &["&"]),
    ("^", "arithmetic", &["&", "|"]),
    ("<<", "arithmetic", &[">>"]),
    (">>", "arithmetic", &["<<"]),
    ("+=", "arithmetic", &["-="]),
    ("-=", "arithmetic", &["+="]),
    ("*=", "arithmetic", &["/="]),
    ("/=", "arithmetic", &["*="]),
    ("%=", "arithmetic", &["/="]),
    ("&=", "arithmetic", &["|="]),
    ("|=", "arithmetic", &["&="]),
    ("^=", "arithmetic", &["|="]),
    ("<<=", "arithmetic", &[">>="]),
    (">>=", "arithmetic", &["<<="]),
    // The ends of ranges stand close to their operands.
    ("..", "range end", &["..="]),
    ("..=", "range end", &[".."]),
    ("!", "boolean", &[""]),
];

/// Words that begin a statement which cannot be left out alone.
const NOT_LEFT_OUT: [&str; 18] = [
    "let",
    "return",
    "use",
    "if",
    "else",
    "match",
    "for",
    "while",
    "loop",
    "fn",
    "static",
    "const",
    "pub",
    "mod",
    "struct",
    "assert",
    "debug_assert",
    "unreachable",
];

/// Macros whose texts are not data.
const NO_DATA: [&str; 6] = ["include_str", "include_bytes", "concat", "env", "cfg", "matches"];

/// Lists every change of the tokens between two of them.
pub(super) fn changes(source: &Source, tokens: std::ops::Range<usize>) -> Vec<Change> {
    let mut found = Vec::new();
    for at in tokens {
        let token = source.tokens[at];
        let whole =
            |operator, new: String| Change { operator, start: token.start, end: token.end, new };
        match token.kind {
            Kind::Sign => found.extend(sign(source, at)),
            Kind::Integer if source.word(at.wrapping_sub(1)) != "." => {
                found.extend(integers(source.word(at)).map(|new| whole("integer", new)));
            }
            Kind::Character => {
                found.extend(character(source.word(at)).map(|new| whole("character", new)));
            }
            Kind::Text if is_data(source, at) => {
                let text = source.word(at);
                found.push(whole("text", format!("{}~\"", &text[..text.len() - 1])));
            }
            Kind::Word => match source.word(at) {
                "true" => found.push(whole("boolean", "false".into())),
                "false" => found.push(whole("boolean", "true".into())),
                "if" | "while" => found.extend(condition(source, at)),
                _ => {}
            },
            _ => {}
        }
        found.extend(left_out(source, at));
        found.extend(result(source, at));
    }
    found
}

/// Changes an operator where it is one.
fn sign(source: &Source, at: usize) -> Vec<Change> {
    let token = source.tokens[at];
    let Some((text, operator, news)) = BINARY.iter().find(|it| it.0 == source.word(at)) else {
        return Vec::new();
    };
    let blank = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_whitespace);
    let bytes = source.text.as_bytes();
    let (before, after) = (bytes.get(token.start.wrapping_sub(1)), bytes.get(token.end));
    let fits = match *text {
        "!" => (blank(before) || before == Some(&b'(')) && !blank(after),
        ".." | "..=" => {
            let opens = ["(", "[", "{", ",", "|"].contains(&source.word(at.wrapping_sub(1)));
            let ends = [")", "]", "}", ",", ";", "{", "=>"].contains(&source.word(at + 1));
            !opens && !ends
        }
        // A closure without parameters, and a chain of conditions.
        "||" if before_closure(source.word(at.wrapping_sub(1))) => false,
        "&&" if source.word(at + 1) == "let" => false,
        "+" if is_type(source.word(at + 1)) => false,
        "|" => blank(before) && blank(after) && !in_pattern(source, at),
        _ => blank(before) && blank(after),
    };
    let change = |new: &&str| Change {
        operator,
        start: token.start,
        end: token.end,
        new: (*new).to_owned(),
    };
    news.iter().filter(|_| fits).map(change).collect()
}

/// Tells whether a closure may stand behind a word, and no operator.
fn before_closure(word: &str) -> bool {
    ["=", "(", ",", "{", "=>", "return", "move", "else"].contains(&word)
}

/// Tells whether a word is the name of a type, or a lifetime, as in a sum of bounds.
fn is_type(word: &str) -> bool {
    let name = word.starts_with(char::is_uppercase) && word.contains(char::is_lowercase);
    name || word.starts_with('\'')
}

/// Tells whether a sign stands between the alternatives of a pattern.
fn in_pattern(source: &Source, at: usize) -> bool {
    let mut next = at + 1;
    loop {
        match source.word(next) {
            "=>" | "=" | "" => return true,
            "(" | "[" | "{" => next = source.close(next),
            ")" if source.word(open(source, next).wrapping_sub(2)) == "matches" => return true,
            ";" | "}" => return false,
            _ => {}
        }
        next += 1;
    }
}

/// Returns the token that opens what the token `close` closes.
fn open(source: &Source, close: usize) -> usize {
    let mut depth = 0_usize;
    for at in (0..=close).rev() {
        match source.word(at) {
            ")" | "]" | "}" => depth += 1,
            "(" | "[" | "{" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    0
}

/// The numbers beside an integer.
fn integers(text: &str) -> impl Iterator<Item = String> {
    let plain = text.replace('_', "");
    let radix = match plain.get(..2) {
        Some("0x") => 16,
        Some("0b") => 2,
        Some("0o") => 8,
        _ => 10,
    };
    let digits = if radix == 10 { &plain[..] } else { &plain[2..] };
    let is_digit = |c: char| c.is_digit(radix);
    let end = digits.find(|c| !is_digit(c)).unwrap_or(digits.len());
    let suffix = digits[end..].to_owned();
    let value = u128::from_str_radix(&digits[..end], radix).ok();
    let beside = move |value: u128| [value.checked_add(1), value.checked_sub(1)];
    let written = move |value: u128| match radix {
        16 => format!("{value:#x}{suffix}"),
        2 => format!("{value:#b}{suffix}"),
        8 => format!("{value:#o}{suffix}"),
        _ => format!("{value}{suffix}"),
    };
    value.into_iter().flat_map(beside).flatten().map(written)
}

/// Returns a character of the same kind that differs.
fn character(text: &str) -> Option<String> {
    let (mark, quoted) = text.split_once('\'')?;
    let inner = quoted.strip_suffix('\'')?;
    let other = match inner {
        "\\n" => "\\t".to_owned(),
        _ if inner.starts_with('\\') => "?".to_owned(),
        _ => {
            let next = char::from_u32(inner.chars().next()? as u32 + 1)?;
            if next == '\'' || next == '\\' { "?".to_owned() } else { next.to_string() }
        }
    };
    Some(format!("{mark}'{other}'"))
}

/// Tells whether a text is a word that the program works with, and no message.
fn is_data(source: &Source, at: usize) -> bool {
    let text = source.word(at).trim_matches('"');
    let word =
        !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || "{}\\".contains(c));
    let called = source.word(at.wrapping_sub(1)) == "(";
    let by_expect = called && source.word(at.wrapping_sub(2)) == "expect";
    let by_macro = called
        && source.word(at.wrapping_sub(2)) == "!"
        && NO_DATA.contains(&source.word(at.wrapping_sub(3)));
    word && !by_expect && !by_macro
}

/// Turns a condition round, or decides a guard.
fn condition(source: &Source, at: usize) -> Vec<Change> {
    let mut next = at + 1;
    let mut has_let = false;
    while !["{", "=>", ";", ""].contains(&source.word(next)) {
        has_let |= source.word(next) == "let";
        next = if ["(", "["].contains(&source.word(next)) { source.close(next) } else { next } + 1;
    }
    if has_let || next >= source.tokens.len() || next == at + 1 {
        return Vec::new();
    }
    let (start, end) = (source.tokens[at + 1].start, source.tokens[next - 1].end);
    let change = |operator, new: String| Change { operator, start, end, new };
    match source.word(next) {
        "{" => vec![change("condition", format!("!({})", &source.text[start..end]))],
        "=>" => ["true", "false"].map(|new| change("guard", new.to_owned())).into(),
        _ => Vec::new(),
    }
}

/// Leaves out the statement that begins with a token.
fn left_out(source: &Source, at: usize) -> Option<Change> {
    let begins = ["{", "}", ";"].contains(&source.word(at.wrapping_sub(1)));
    let word = source.tokens[at].kind == Kind::Word || source.word(at) == "*";
    if !begins || !word || NOT_LEFT_OUT.iter().any(|it| source.word(at).starts_with(it)) {
        return None;
    }
    let mut next = at;
    while ![";", "}", "=>", ",", ":", ""].contains(&source.word(next)) {
        let opens = ["(", "[", "{"].contains(&source.word(next));
        next = if opens { source.close(next) } else { next } + 1;
    }
    let start = source.tokens[at].start;
    source.body(start)?;
    (source.word(next) == ";").then(|| Change {
        operator: "statement",
        start,
        end: source.tokens[next].end,
        new: String::new(),
    })
}

/// Decides what a function answers whose signature ends here: `-> bool {`.
fn result(source: &Source, at: usize) -> Vec<Change> {
    let ends = source.word(at) == "->" && source.word(at + 1) == "bool";
    if !ends || source.word(at + 2) != "{" {
        return Vec::new();
    }
    let (start, end) = (source.tokens[at + 2].start, source.tokens[source.close(at + 2)].end);
    let change = |new: &str| Change { operator: "result", start, end, new: format!("{{ {new} }}") };
    ["true", "false"].map(change).into()
}
