//! The string literals of Rust code.

/// Returns the texts of the string literals of Rust code, in order; escapes stay as they are
/// written, but for a line's continuation.
pub(crate) fn literals(code: &str) -> Vec<String> {
    let bytes = code.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'/' if bytes[at..].starts_with(b"//") => {
                at += code[at..].find('\n').unwrap_or(code.len() - at);
            }
            // A character, which may be a quote; a lifetime has no second mark.
            b'\'' if bytes[at..].starts_with(b"'\\") => {
                at += 3 + code[at + 3..].find('\'').unwrap_or_default();
            }
            b'\'' if bytes[at..].starts_with(b"'\"'") => at += 2,
            b'r' if bytes[at..].starts_with(b"r#\"") => {
                let start = at + 3;
                let length = code[start..].find("\"#").unwrap_or(code.len() - start);
                found.push(code[start..start + length].to_owned());
                at = start + length + 1;
            }
            b'"' => {
                let (text, end) = literal(code, at + 1);
                found.push(text);
                at = end;
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// Reads a literal behind its quote, and returns the place of the one that ends it.
fn literal(code: &str, start: usize) -> (String, usize) {
    let mut text = String::new();
    let mut signs = code[start..].char_indices();
    while let Some((at, sign)) = signs.next() {
        match sign {
            '"' => return (text, start + at),
            '\\' => match signs.next() {
                Some((_, '\n')) => {
                    let rest = signs.as_str().trim_start();
                    signs = code[code.len() - rest.len()..].char_indices();
                    let (rest, end) = literal(code, code.len() - signs.as_str().len());
                    return (text + &rest, end);
                }
                Some((_, escaped)) => text.extend(['\\', escaped]),
                None => break,
            },
            _ => text.push(sign),
        }
    }
    (text, code.len())
}

#[cfg(test)]
mod tests {
    use super::literals;

    #[test]
    fn strings_are_found_and_nothing_else() {
        let code = "// \"no\"\nf('\"', '\\'', \"one \\\"a\\\" \\\n      two\", r#\"raw \"x\"\"#); 'a: \"b\"";
        assert_eq!(literals(code), ["one \\\"a\\\" two", "raw \"x\"", "b"]);
    }
}
