//! Texts of a language of lines: sound ones, spliced and damaged by lines, tokens, numbers
//! and characters.

use crate::random_shaders::Numbers;

/// Numbers at the edges of what something holds.
pub const EDGES: [&str; 36] = [
    "0",
    "-0",
    "1",
    "-1",
    "3",
    "15",
    "16",
    "31",
    "32",
    "63",
    "64",
    "127",
    "128",
    "255",
    "256",
    "4095",
    "4096",
    "32767",
    "32768",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "-2147483648",
    "-2147483649",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551616",
    "0x",
    "0xffffffff",
    "0x7fc00000",
    "1e999",
    "1.5e-45",
    "00000000000000000000000000000001",
];

/// Characters and signs that a careless reader trips over.
const SIGNS: [&str; 34] = [
    "\n", "\r", " ", "\t", "\0", "é", "🦀", "\u{feff}", "\u{2028}", ",", ".", "..", ":", ";", "[",
    "]", "(", ")", "{", "}", "<", ">", "|", "-", "+", "\"", "'", "\\", "\\n", "&#10;", "/*", "*/",
    "//", "#",
];

/// Put before every line, or in place of every line end, as logs and sources do.
const PREFIXES: [&str; 7] = ["> ", "[ 12.5] ", "ps: ", "\"", "    ", "// ", "0123"];
const ENDS: [&str; 6] = ["\\n", "\r\n", "\r", "&#10;", "\\n\"\n\"", " "];

/// The material of texts of a language.
pub struct Language {
    /// Sound texts, in lines with their ends.
    programs: Vec<Vec<String>>,
    /// Words and numbers of all of them, each once.
    words: Vec<String>,
    /// Lines that open something, and what closes it.
    blocks: &'static [(&'static str, &'static str)],
    /// A line by the rules of the language.
    statement: fn(&mut Numbers) -> String,
    /// Bytes that a text has at most: many small ones find more than a large one.
    longest: usize,
}

/// The words, numbers, blanks and signs of a line.
pub fn tokens(line: &str) -> Vec<&str> {
    let kind = |letter: char| match letter {
        letter if letter.is_alphanumeric() || matches!(letter, '_' | '.' | '$' | '@') => 0,
        letter if letter.is_whitespace() => 1,
        _ => 2,
    };
    let (mut tokens, mut start) = (Vec::new(), 0);
    let mut before: Option<char> = None;
    for (at, letter) in line.char_indices() {
        // Signs stand alone, and so does the end of a line.
        let breaks = before.is_some_and(|it| kind(it) != kind(letter) || kind(it) == 2);
        if breaks || letter == '\n' {
            tokens.push(&line[start..at]);
            start = at;
        }
        before = Some(letter);
    }
    tokens.push(&line[start..]);
    tokens.retain(|token| !token.is_empty());
    tokens
}

fn is_number(token: &str) -> bool {
    token.starts_with(|letter: char| letter.is_ascii_digit())
}

impl Language {
    /// A language of sound texts.
    ///
    /// # Panics
    /// Without any text.
    pub fn new(
        programs: impl IntoIterator<Item = String>,
        statement: fn(&mut Numbers) -> String,
        blocks: &'static [(&'static str, &'static str)],
        longest: usize,
    ) -> Language {
        let lines = |text: String| -> Vec<String> {
            text.split_inclusive('\n').map(str::to_owned).collect()
        };
        let programs: Vec<Vec<String>> =
            programs.into_iter().map(lines).filter(|lines| !lines.is_empty()).collect();
        assert!(!programs.is_empty(), "no text to begin with");
        let all = programs.iter().flatten().flat_map(|line| tokens(line));
        let mut words: Vec<String> =
            all.filter(|token| !token.trim().is_empty()).map(str::to_owned).collect();
        words.sort_unstable();
        words.dedup();
        Language { programs, words, blocks, statement, longest }
    }

    /// A text with some damage.
    pub fn text(&self, random: &mut Numbers) -> String {
        let mut lines = match random.below(8) {
            0 => self.written(random),
            _ => self.piece(random),
        };
        for _ in 0..random.below(6) {
            self.damage(&mut lines, random);
        }
        let mut text = lines.concat();
        for _ in 0..[0, 0, 1, 2][random.below(4)] {
            damage_characters(&mut text, random);
        }
        self.cut(text)
    }

    /// A text with one more wound.
    pub fn damaged(&self, text: &str, random: &mut Numbers) -> String {
        let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
        self.damage(&mut lines, random);
        self.cut(lines.concat())
    }

    fn cut(&self, mut text: String) -> String {
        let end = (0..=text.len().min(self.longest)).rev().find(|end| text.is_char_boundary(*end));
        text.truncate(end.unwrap_or(0));
        text
    }

    /// Lines of the language's rules alone, below the first line of a sound text.
    fn written(&self, random: &mut Numbers) -> Vec<String> {
        let first = self.program(random)[0].clone();
        let rest = (0..random.below(40)).map(|_| (self.statement)(random) + "\n");
        [first].into_iter().chain(rest).collect()
    }

    fn program(&self, random: &mut Numbers) -> &[String] {
        &self.programs[random.below(self.programs.len())]
    }

    /// A sound text, or where it is too long its beginning and a part.
    fn piece(&self, random: &mut Numbers) -> Vec<String> {
        let lines = self.program(random);
        let bytes: usize = lines.iter().map(String::len).sum();
        if bytes <= self.longest {
            return lines.to_vec();
        }
        let from = random.below(lines.len());
        let mut room = self.longest / 2;
        let fits = |line: &&String| {
            let fits = line.len() <= room;
            room = room.saturating_sub(line.len());
            fits
        };
        lines[..lines.len().min(4)].iter().chain(&lines[from..]).take_while(fits).cloned().collect()
    }

    fn damage(&self, lines: &mut Vec<String>, random: &mut Numbers) {
        let at = random.below(lines.len() + 1);
        let end = (at + 1 + random.below(8)).min(lines.len());
        let near = at..end.max(at);
        match random.below(11) {
            0 => drop(lines.drain(near)),
            1 => {
                let copied = lines[near].to_vec();
                lines.splice(at..at, copied);
            }
            2 if !lines.is_empty() => {
                let one = at.min(lines.len() - 1);
                let other = random.below(lines.len());
                lines.swap(one, other);
            }
            3 => {
                let other = self.program(random);
                let from = random.below(other.len());
                let until = (from + 1 + random.below(12)).min(other.len());
                lines.splice(at..at, other[from..until].to_vec());
            }
            4 => {
                let repeated = lines.get(at).cloned().unwrap_or_default();
                lines.splice(at..at, std::iter::repeat_n(repeated, random.below(60)));
            }
            5 if !self.blocks.is_empty() => {
                let (open, close) = self.blocks[random.below(self.blocks.len())];
                let depth = 1 + [0, 1, 3, 40][random.below(4)];
                // Now and then nothing closes it.
                let closed = if random.once_in(5) { 0 } else { depth };
                let close = std::iter::repeat_n(format!("{close}\n"), closed);
                lines.splice(near.end..near.end, close);
                lines.splice(at..at, std::iter::repeat_n(format!("{open}\n"), depth));
            }
            6 => lines.insert(at, (self.statement)(random) + "\n"),
            _ if lines.is_empty() => lines.push((self.statement)(random) + "\n"),
            _ => {
                let at = at.min(lines.len() - 1);
                lines[at] = self.damaged_line(&lines[at], random);
            }
        }
    }

    /// A line of which a token is gone, another one, or there many times.
    fn damaged_line(&self, line: &str, random: &mut Numbers) -> String {
        let mut tokens: Vec<String> = tokens(line).into_iter().map(str::to_owned).collect();
        let at = random.below(tokens.len());
        if tokens.is_empty() {
            return line.to_owned();
        }
        match random.below(9) {
            0 => drop(tokens.remove(at)),
            1 => tokens.insert(at, tokens[at].clone()),
            2 => {
                let other = random.below(tokens.len());
                tokens.swap(at, other);
            }
            3 => tokens[at] = self.words[random.below(self.words.len())].clone(),
            4 => tokens.insert(at, random.one(&SIGNS).to_owned()),
            5 => tokens.truncate(at),
            6 => {
                let until = (at + 1 + random.below(4)).min(tokens.len());
                let repeated = tokens[at..until].concat().repeat(random.below(50));
                tokens.insert(at, repeated);
            }
            _ => {
                // A number where there is one: counts and lengths are what is trusted.
                let numbers: Vec<usize> =
                    (0..tokens.len()).filter(|it| is_number(&tokens[*it])).collect();
                let at = numbers.get(random.below(numbers.len())).copied().unwrap_or(at);
                tokens[at] = match tokens[at].parse::<i64>() {
                    Ok(number) if random.once_in(2) => {
                        let other = [number.wrapping_add(1), number.wrapping_sub(1), -number];
                        other[random.below(3)].to_string()
                    }
                    _ => random.one(&EDGES).to_owned(),
                };
            }
        }
        tokens.concat()
    }
}

/// A place of a text where a character begins.
fn boundary(text: &str, random: &mut Numbers) -> usize {
    let at = random.below(text.len() + 1);
    (at..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}

fn damage_characters(text: &mut String, random: &mut Numbers) {
    let start = boundary(text, random);
    // Mostly small wounds: after a large one little is left to be understood.
    let near = (start..=text.len().min(start + 12)).rev().find(|at| text.is_char_boundary(*at));
    let near = near.unwrap_or(start);
    match random.below(12) {
        0..=2 => text.replace_range(start..near, ""),
        3..=5 => text.insert_str(start, random.one(&SIGNS)),
        6..=8 => text.replace_range(start..near, random.one(&SIGNS)),
        9 => text.truncate(start),
        10 => {
            let prefix = random.one(&PREFIXES);
            *text = text.lines().map(|line| format!("{prefix}{line}\n")).collect();
        }
        _ => *text = text.replace('\n', random.one(&ENDS)),
    }
}
