//! Ways in which a statement may be broken while it is typed.

use crate::random_shaders::Numbers;

/// Breaks the words of a statement in a way that is drawn; `None` where it cannot be broken so.
pub(super) fn change(words: &str, random: &mut Numbers) -> Option<(&'static str, String)> {
    let (way, change) = WAYS[random.below(WAYS.len())];
    let broken = change(words, random).filter(|broken| broken != words)?;
    Some((way, broken))
}

/// Draws of a way's places that are tried: some times as many as a line has letters.
const DRAWS: u64 = 256;

/// Tells whether a way of breaking makes one statement of another.
pub(super) fn may_become(words: &str, broken: &str, way: &str) -> bool {
    let change = WAYS.iter().find(|(name, _)| *name == way).map(|(_, change)| change);
    let is_made = |change: &Change| {
        (0..DRAWS).any(|seed| change(words, &mut Numbers::new(seed)).as_deref() == Some(broken))
    };
    // Most differ in more than breaking one place explains.
    let begin = words.bytes().zip(broken.bytes()).take_while(|(a, b)| a == b).count();
    let (a, b) = (words[begin..].bytes().rev(), broken[begin..].bytes().rev());
    let end = a.zip(b).take_while(|(a, b)| a == b).count();
    let explains = begin + end + MOST_ADDED >= broken.len();
    explains && change.is_some_and(is_made)
}

/// The letters that breaking a statement adds at most.
const MOST_ADDED: usize = 12;

type Change = fn(&str, &mut Numbers) -> Option<String>;

/// Every way, with its name.
const WAYS: [(&str, Change); 22] = [
    ("two letters exchanged", |text, random| {
        let end = word_end(text);
        let at = random.below(end.checked_sub(1).filter(|it| *it > 0)?);
        let mut bytes = text.as_bytes().to_vec();
        bytes.swap(at, at + 1);
        String::from_utf8(bytes).ok()
    }),
    ("a letter left out", |text, random| {
        let at = random.below(word_end(text).max(1));
        Some(format!("{}{}", &text[..at], &text[at + 1..]))
    }),
    ("a letter doubled", |text, random| {
        let at = random.below(word_end(text).max(1));
        Some(format!("{}{}", &text[..=at], &text[at..]))
    }),
    ("another word", |text, _| Some(format!("QQXZ{}", &text[word_end(text)..]))),
    ("no word", |text, _| Some(text[word_end(text)..].trim_start().to_owned())),
    ("a bracket not closed", |text, random| cut(text, "]", random)),
    ("a bracket not opened", |text, random| cut(text, "[", random)),
    ("a file misspelt", |text, random| {
        let file = ["TEMP[", "CONST[", "OUT[", "SAMP[", "IMM[", "IN["];
        let (at, file) = file.iter().find_map(|file| Some((text.find(file)?, file)))?;
        let _ = random;
        let letters: Vec<char> = file.chars().collect();
        let swapped: String =
            [letters[1], letters[0]].into_iter().chain(letters[2..].iter().copied()).collect();
        Some(format!("{}{swapped}{}", &text[..at], &text[at + file.len()..]))
    }),
    ("a semicolon behind", |text, _| Some(format!("{text};"))),
    ("a sign in it", |text, random| {
        let at = random.below(text.len() + 1);
        Some(format!("{}@{}", text.get(..at)?, text.get(at..)?))
    }),
    ("the end left out", |text, random| {
        Some(text.get(..1 + random.below(text.len()))?.trim_end().to_owned())
    }),
    ("the last operand left out", |text, _| Some(text[..text.rfind(',')?].to_owned())),
    ("the last operand left out behind the comma", |text, _| {
        Some(text[..=text.rfind(',')?].to_owned())
    }),
    ("the first operand left out", |text, _| {
        Some(format!("{}{}", &text[..word_end(text)], &text[text.find(',')?..]))
    }),
    ("no comma", |text, _| Some(text.replacen(',', "", 1)).filter(|it| it != text)),
    ("two commas", |text, _| Some(text.replacen(',', ",,", 1)).filter(|it| it != text)),
    ("a letter for a number", |text, _| {
        let at = text.find('[')?;
        Some(format!("{}[x{}", &text[..at], &text[at + 2..]))
    }),
    ("no number", |text, _| {
        let at = text.find('[')?;
        Some(format!("{}[{}", &text[..at], &text[at + text[at..].find(']')?..]))
    }),
    ("one more operand", |text, _| Some(format!("{text}, TEMP[0]"))),
    ("a wrong swizzle", |text, _| Some(text.replacen(']', "].xq", 1)).filter(|it| it != text)),
    ("a hole", |text, random| {
        let at = random.below(text.len());
        Some(format!("{}%s{}", text.get(..at)?, text.get(at + 1..)?))
    }),
    ("a second opcode", |text, _| Some(format!("MOV {text}"))),
];

/// The end of the first word.
fn word_end(text: &str) -> usize {
    text.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(text.len())
}

/// Leaves out one of some places.
fn cut(text: &str, what: &str, random: &mut Numbers) -> Option<String> {
    let places: Vec<usize> = text.match_indices(what).map(|(at, _)| at).collect();
    let at = *places.get(random.below(places.len().max(1)))?;
    Some(format!("{}{}", &text[..at], &text[at + 1..]))
}
