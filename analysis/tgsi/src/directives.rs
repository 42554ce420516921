//! Settings that stand in a text: `# tungsten: key=value key=value,value`.
//!
//! Readers that know comments skip such a line, and it gets no hint here. What
//! the keys mean is the reader's affair; this only finds them.

use source::TextRange;

use crate::regions::range;

/// One `key=value,value` of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Directive {
    /// From the key to the last value.
    pub range: TextRange,
    /// The key as written.
    pub key: String,
    /// Each value and where it stands.
    pub values: Vec<(String, TextRange)>,
    /// From the comment's sign to the end of its line.
    pub comment: TextRange,
    /// Set where nothing stands before the comment in its line.
    pub own_line: bool,
}

const MARK: &str = "tungsten:";

/// The most values that are read of a text; each is compared with diagnostics.
const MOST_VALUES: usize = 1000;

/// The settings of a text in order, the first thousand.
pub fn directives(text: &str) -> Vec<Directive> {
    let mut all: Vec<Directive> = Vec::new();
    let mut values = 0;
    for (mark, _) in text.match_indices(MARK) {
        // A mark within a comment that was read is a part of it.
        let read = all.last().map_or(0, |last| usize::from(last.comment.end()));
        if mark < read {
            continue;
        }
        let before = text[..mark].trim_end_matches([' ', '\t']);
        let signless = before.trim_end_matches('#');
        if signless.len() == before.len() {
            continue;
        }
        let rest = &text[mark + MARK.len()..];
        let line = &rest[..rest.find(['\n', '\r']).unwrap_or(rest.len())];
        let own_line = signless.trim_end_matches([' ', '\t']);
        let own_line = own_line.is_empty() || own_line.ends_with(['\n', '\r', '\u{feff}']);
        let comment = range(signless.len(), mark + MARK.len() + line.len());
        for word in line.split_ascii_whitespace() {
            let start = word.as_ptr() as usize - text.as_ptr() as usize;
            let mut read = directive(word, start, comment, own_line);
            read.values.truncate(MOST_VALUES - values);
            values += read.values.len().max(1);
            all.push(read);
            if values >= MOST_VALUES {
                return all;
            }
        }
    }
    all
}

fn directive(word: &str, start: usize, comment: TextRange, own_line: bool) -> Directive {
    let (key, values) = word.split_once('=').unwrap_or((word, ""));
    let mut at = start + key.len() + 1;
    let mut read = Vec::new();
    for value in values.split(',') {
        if !value.is_empty() {
            read.push((value.to_owned(), range(at, at + value.len())));
        }
        at += value.len() + 1;
    }
    let key = key.to_owned();
    Directive { range: range(start, start + word.len()), key, values: read, comment, own_line }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_settings_cost_no_more_than_their_text() {
        let line = "# tungsten: ".repeat(200_000);
        assert!(directives(&line).len() <= MOST_VALUES);
        let values = format!("# tungsten: allow={}", "a,".repeat(200_000));
        assert_eq!(directives(&values)[0].values.len(), MOST_VALUES);
        assert!(directives(&"# tungsten: a=b\n".repeat(100_000)).len() <= MOST_VALUES);
    }

    #[test]
    fn keys_and_values_are_found_where_they_stand() {
        let text = "# tungsten: profile=r600 allow=a,b-c\r\nVERT\nMOV OUT[0], IN[0] #tungsten:allow=x\n\
                    tungsten: profile=no\n// tungsten: no\n# tungsten:\n\t # tungsten: odd";
        let found = directives(text);
        let keys: Vec<&str> = found.iter().map(|it| it.key.as_str()).collect();
        assert_eq!(keys, ["profile", "allow", "allow", "odd"]);
        assert_eq!(&text[found[1].range], "allow=a,b-c");
        let values: Vec<&str> = found[1].values.iter().map(|(_, range)| &text[*range]).collect();
        assert_eq!(values, ["a", "b-c"]);
        assert_eq!(&text[found[0].comment], "# tungsten: profile=r600 allow=a,b-c");
        let own: Vec<bool> = found.iter().map(|it| it.own_line).collect();
        assert_eq!(own, [true, true, false, true]);
        assert_eq!(found[3].values, []);
    }
}
