//! Lines that an everyday mistake made unreadable, as they were meant. What the place of the error
//! tells is among the [`repairs`](super::repairs); these need the whole line. Each way is tried in
//! turn, and the first that makes a whole statement of the line is the fix.

use source::{Fix, TextEdit, TextRange, TextSize, join_edits};

use super::Parser;
use super::readings::{LONGEST, number_and_words, with_files, word_end};
use crate::Opcode;
use crate::vocabulary;
use crate::words::{ReturnType, SemanticName, TextureTarget};

/// A line as it was meant, if it may have been written wrongly in this way.
type Way = fn(&str) -> Option<String>;

/// Every way; those that take a sign away come before those that move parts.
const WAYS: [Way; 17] = [
    without_blank_operand,
    without_end_of_condition,
    without_equals_sign,
    without_declaring,
    operator_for_comma,
    comma_for_dot,
    two_dots,
    long_components,
    digit_like_letter,
    misspelt_file,
    offset_first,
    range_of_registers,
    index_of_semantic,
    commas_between_attributes,
    target_last,
    modifier_elsewhere,
    modifier_glued,
];

/// The most bytes of a line that a title shows.
const SHOWN: usize = 60;

impl Parser<'_> {
    /// Gives the error of the statement that was read last the fix that makes a whole statement of
    /// its line, unless the one that it has does.
    pub(super) fn rewrite(&mut self, range: TextRange) {
        let text = &self.stream.text[range];
        if text.len() > LONGEST || self.has_whole_fix(range) {
            return;
        }
        let fix = match self.split_word(range) {
            Some(blank) => Some(Fix {
                title: format!("Write `END{text}`"),
                edits: vec![TextEdit::replace(blank, "")],
            }),
            None => {
                let (number, words) = number_and_words(text);
                let ways = WAYS.iter().filter_map(|way| way(words));
                let mut lines = ways.filter(|line| line != words);
                let meant = lines.find(|line| self.alone(&[number, line].concat()).is_some());
                let start = range.start() + TextSize::of(number);
                meant.map(|meant| difference(start, words, &meant))
            }
        };
        if let Some(fix) = fix {
            self.report.replace_last_fix(range, fix);
        }
    }

    /// Tells whether the fix of the last error makes a whole statement of the line, or is one of
    /// several lines.
    fn has_whole_fix(&self, range: TextRange) -> bool {
        let Some((_, fix)) = self.report.last_fix() else { return false };
        let Some(edit) = join_edits(self.stream.text, &fix.edits) else { return true };
        if !range.contains_range(edit.range) || edit.insert.contains('\n') {
            return true;
        }
        let before = &self.stream.text[TextRange::new(range.start(), edit.range.start())];
        let behind = &self.stream.text[TextRange::new(edit.range.end(), range.end())];
        self.alone(&[before, &edit.insert, behind].concat()).is_some()
    }

    /// The blank of `END IF`, whose second half was read as a statement of its own.
    fn split_word(&self, range: TextRange) -> Option<TextRange> {
        let end_word = Opcode::END.mnemonic();
        let before = &self.stream.text[..usize::from(range.start())];
        let line = before.trim_end_matches([' ', '\t']);
        let start = line.len().checked_sub(end_word.len())?;
        let end = line.get(start..)?;
        let is_word = !line[..start].ends_with(|it: char| it.is_ascii_alphanumeric() || it == '_');
        let whole = format!("{end_word}{}", &self.stream.text[range]);
        let is_split = is_word
            && line.len() < before.len()
            && end.eq_ignore_ascii_case(end_word)
            && vocabulary::opcode(&whole).is_some();
        let blank = TextRange::new(TextSize::of(line), range.start());
        is_split.then_some(blank)
    }
}

/// The fix that turns a line's words into others.
fn difference(start: TextSize, words: &str, meant: &str) -> Fix {
    let same = |(one, other): &((usize, char), char)| one.1 == *other;
    let before = words.char_indices().zip(meant.chars()).take_while(same).last();
    let before = before.map_or(0, |((at, letter), _)| at + letter.len_utf8());
    let pairs = words[before..].chars().rev().zip(meant[before..].chars().rev());
    let behind: usize = pairs.take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
    let place = before..words.len() - behind;
    let range = TextRange::new(
        start + TextSize::of(&words[..place.start]),
        start + TextSize::of(&words[..place.end]),
    );
    let shown = match meant.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &meant[..end]),
        None => meant.to_owned(),
    };
    let edit = TextEdit::replace(range, &meant[before..meant.len() - behind]);
    Fix { title: format!("Write `{shown}`"), edits: vec![edit] }
}

/// `ADD TEMP[0], , TEMP[1]`
fn without_blank_operand(words: &str) -> Option<String> {
    let (before, behind) = words.split_once(',')?;
    let rest = behind.trim_start();
    match rest.strip_prefix(',') {
        Some(operand) => Some(format!("{before},{operand}")),
        None => Some(format!("{before},{}", without_blank_operand(behind)?)),
    }
}

/// `IF TEMP[0].xxxx {`, `IF TEMP[0].xxxx:`, `IF (TEMP[0].xxxx)`, `IF TEMP[0].xxxx THEN`
fn without_end_of_condition(words: &str) -> Option<String> {
    const CONDITIONAL: [Opcode; 6] =
        [Opcode::IF, Opcode::UIF, Opcode::ELSE, Opcode::SWITCH, Opcode::CASE, Opcode::DEFAULT];
    Opcode::find(&words[..word_end(words)]).filter(|it| CONDITIONAL.contains(it))?;
    let ends = ["{", ":", "THEN", "then", "DO", "do"];
    if let Some(rest) = ends.iter().find_map(|end| words.strip_suffix(end)) {
        return Some(rest.trim_end().to_owned());
    }
    let (word, condition) = words.split_once('(')?;
    let condition = condition.strip_suffix(')')?;
    Some(format!("{} {}", word.trim_end(), condition.trim()))
}

/// `IMM[0] FLT32 = {…}`, `IMM[0] = FLT32 {…}`, `IMM[0], FLT32 {…}`
fn without_equals_sign(words: &str) -> Option<String> {
    let brace = words.find('{')?;
    let (before, values) = words.split_at(brace);
    let sign = before.rfind(['=', ':', ','])?;
    Some(format!("{} {}{values}", before[..sign].trim_end(), before[sign + 1..].trim_start()))
}

/// `DCL IMM[0] FLT32 {…}`
fn without_declaring(words: &str) -> Option<String> {
    let (first, rest) = words.split_at(word_end(words));
    first.eq_ignore_ascii_case("DCL").then(|| rest.trim_start().to_owned())
}

/// `MUL TEMP[0], TEMP[1] * TEMP[2]`
fn operator_for_comma(words: &str) -> Option<String> {
    let operator = [" * ", " + ", " / ", " & ", " | "].into_iter().find(|it| words.contains(it))?;
    Some(words.replacen(operator, ", ", 1))
}

/// `MOV TEMP[0],xyz, TEMP[1]`
fn comma_for_dot(words: &str) -> Option<String> {
    let is_mask = |at: usize| {
        let rest = &words[at + 2..];
        let length = rest.bytes().take_while(|it| b"xyzw".contains(it)).count();
        let next = rest[length..].chars().next();
        (1..=4).contains(&length) && next.is_none_or(|it| matches!(it, ',' | ' '))
    };
    let (at, _) = words.match_indices("],").find(|(at, _)| is_mask(*at))?;
    Some(format!("{}].{}", &words[..at], &words[at + 2..]))
}

/// `MOV TEMP[0]..xyz, TEMP[1]`
fn two_dots(words: &str) -> Option<String> {
    Some(words.replacen("]..", "].", 1))
}

/// `MOV TEMP[0], TEMP[1].xxxxx`: one letter too many of some that are the same.
fn long_components(words: &str) -> Option<String> {
    for (at, _) in words.match_indices("].") {
        let letters = &words[at + 2..];
        let length = letters.bytes().take_while(|it| b"xyzw".contains(it)).count();
        if length == 5 {
            let bytes = letters.as_bytes();
            let twice = (1..length).find(|place| bytes[*place] == bytes[place - 1])?;
            return Some(format!("{}{}", &words[..at + 2 + twice], &letters[twice + 1..]));
        }
    }
    None
}

/// `TEMP[l]`, `TEMP[O]`: letters that look like digits.
fn digit_like_letter(words: &str) -> Option<String> {
    let digit = |letter: char| match letter {
        'l' | 'I' => '1',
        'O' | 'o' => '0',
        other => other,
    };
    for (open, _) in words.match_indices('[') {
        let length = words[open + 1..].find([']', '['])?;
        let inside = &words[open + 1..=open + length];
        let number: String = inside.chars().map(digit).collect();
        let is_number = !number.is_empty() && number.bytes().all(|it| it.is_ascii_digit());
        if is_number && number != inside {
            return Some(format!("{}{number}{}", &words[..=open], &words[open + length + 1..]));
        }
    }
    None
}

/// `CONST[ADRR[0].x+1]`: the only file that is near.
fn misspelt_file(words: &str) -> Option<String> {
    let mut lines = with_files(words);
    let line = lines.pop()?;
    lines.is_empty().then_some(line)
}

/// `CONST[1+ADDR[0].x]`
fn offset_first(words: &str) -> Option<String> {
    for (open, _) in words.match_indices('[') {
        let inside = &words[open + 1..];
        let digits = inside.bytes().take_while(u8::is_ascii_digit).count();
        let Some(register) = inside[digits..].trim_start().strip_prefix('+') else { continue };
        let length = register.find(']')? + 1;
        let end = length + register[length..].find(']')?;
        let (register, rest) = register.split_at(end);
        let (number, register) = (&inside[..digits], register.trim());
        return Some(format!("{}{register}+{number}{rest}", &words[..=open]));
    }
    None
}

/// `DCL TEMP[0]..TEMP[2]`
fn range_of_registers(words: &str) -> Option<String> {
    let (before, behind) = words.split_once("]..").or_else(|| words.split_once("]-"))?;
    let open = behind.find('[')?;
    vocabulary::file(&behind[..open])?;
    Some(format!("{before}..{}", &behind[open + 1..]))
}

/// `GENERIC 0`, `GENERIC(0)` and `GENERIC.0` for `GENERIC[0]`.
fn index_of_semantic(words: &str) -> Option<String> {
    for (at, _) in words.match_indices([' ', '(', '.']) {
        let name = &words[words[..at].trim_end_matches(is_part).len()..at];
        let behind = &words[at + 1..];
        let digits = behind.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 && SemanticName::from_word(name).is_some() {
            let (number, rest) = behind.split_at(digits);
            let rest = rest.strip_prefix(')').unwrap_or(rest);
            return Some(format!("{}[{number}]{rest}", &words[..at]));
        }
    }
    None
}

fn is_part(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// `DCL IN[0] GENERIC[0] LINEAR`
fn commas_between_attributes(words: &str) -> Option<String> {
    let mut parts = words.split([' ', '\t']).filter(|part| !part.is_empty());
    let mut line = format!("{} {}", parts.next()?, parts.next()?);
    for part in parts {
        let comma = if line.ends_with(',') || part.starts_with([',', '[', '(']) { "" } else { "," };
        line.push_str(comma);
        line.push(' ');
        line.push_str(part);
    }
    words.get(..3)?.eq_ignore_ascii_case("DCL").then_some(line)
}

/// `TEX TEMP[0], IN[0], 2D, SAMP[0]` and `DCL SVIEW[0], FLOAT, 2D`
fn target_last(words: &str) -> Option<String> {
    let mut parts: Vec<&str> = words.split(',').map(str::trim).collect();
    let place = parts.iter().position(|part| TextureTarget::from_word(part).is_some())?;
    let other = match parts.get(place + 1) {
        Some(_) => place + 1,
        None => place.checked_sub(1).filter(|it| ReturnType::from_word(parts[*it]).is_some())?,
    };
    parts.swap(place, other);
    Some(parts.join(", "))
}

/// `MOV.SAT`, `MOV SAT` and `MOV OUT[0]_SAT` for `MOV_SAT`.
fn modifier_elsewhere(words: &str) -> Option<String> {
    let upper = words.to_ascii_uppercase();
    let at = [".SAT", " SAT", "_SAT"].iter().find_map(|it| upper.find(it))?;
    let behind = words[at + 4..].strip_prefix("URATE").unwrap_or(&words[at + 4..]);
    let ends = !behind.starts_with(is_part);
    let (opcode, operands) = words[..at].split_at(word_end(&words[..at]));
    ends.then(|| format!("{opcode}_SAT{operands}{behind}"))
}

/// `MOVSAT`
fn modifier_glued(words: &str) -> Option<String> {
    let (word, rest) = words.split_at(word_end(words));
    let upper = word.to_ascii_uppercase();
    let opcode = upper.strip_suffix("SAT").filter(|it| vocabulary::opcode(it).is_some())?;
    Some(format!("{opcode}_SAT{rest}"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn halves_of_a_word_are_put_together_and_ends_of_other_words_are_not() {
        let joined = |line: &str| {
            let text = format!("VERT\nDCL TEMP[0]\nUIF TEMP[0].xxxx\n{line}\nEND\n");
            let parse = crate::parser::parse(&text, &source::no_checkpoint);
            let fixes = parse.diagnostics.iter().flat_map(|it| &it.fixes);
            let titles: Vec<&str> = fixes.map(|fix| &*fix.title).collect();
            titles.contains(&"Write `ENDIF`")
        };
        assert!(joined("END IF") && joined("  7: END  IF"));
        for other in ["MY_END IF", "MYEND IF", "7END IF", "END\nIF"] {
            assert!(!joined(other), "{other}");
        }
    }
}
