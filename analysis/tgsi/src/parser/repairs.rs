//! Fixes of what was typed wrongly: each is made where the parser stands when it cannot go on, and
//! only where one correction is by far the likeliest.

use source::{Fix, TextEdit, TextRange, TextSize};

use super::Parser;
use super::stream::{Gap, TokenSpan};
use crate::ast::{Instruction, StatementKind};
use crate::lexer::TokenKind;
use crate::opcodes::ValueType;
use crate::vocabulary;
use crate::word_rows;
use crate::words::{File, ImmediateType, TextureTarget};

/// A fix of one edit.
pub(super) fn repair(
    title: impl Into<String>,
    range: TextRange,
    insert: impl Into<String>,
) -> Option<Fix> {
    Some(Fix { title: title.into(), edits: vec![TextEdit::replace(range, insert)] })
}

/// The component letters that a word of colours or texture coordinates stands for: `rgba` or
/// `stpq`. `None` where it is neither.
pub(super) fn usual_components(word: &str) -> Option<String> {
    let lower = word.to_ascii_lowercase();
    let of = |names: &str| {
        let letters = lower.chars().map(|letter| names.find(letter).map(|at| b"xyzw"[at] as char));
        letters.collect::<Option<String>>()
    };
    of("rgba").or_else(|| of("stpq")).filter(|_| word.len() <= 4)
}

impl Parser<'_> {
    /// The place behind the last token taken.
    pub(super) fn here(&self) -> TextRange {
        TextRange::empty(self.stream.last_end())
    }

    /// Inserts a sign behind the last token.
    pub(super) fn inserted(&self, sign: &str) -> Option<Fix> {
        repair(format!("Insert `{sign}`"), self.here(), sign)
    }

    /// The rest of the line behind the last token, without comments and blanks at its end.
    pub(super) fn rest_of_line(&self) -> TextRange {
        let start = self.stream.last_end();
        let length = u32::try_from(self.line_behind(TextRange::empty(start)).len()).unwrap_or(0);
        TextRange::new(start, TextSize::new(u32::from(start) + length))
    }

    /// The text behind a range on its line, without comments and blanks at its end.
    pub(super) fn line_behind(&self, range: TextRange) -> &str {
        let text = &self.stream.text[usize::from(range.end())..];
        let line = text.split(['\n', '\r']).next().unwrap_or_default();
        let line = line.split('#').next().unwrap_or_default();
        let line = line.split("//").next().unwrap_or_default();
        line.split("/*").next().unwrap_or_default().trim_end()
    }

    /// Removes the next token with the blanks before it, if it is the last of its line.
    pub(super) fn without_next(&self) -> Option<Fix> {
        let next = self.stream.peek()?;
        let last = self.stream.peek_at(1).is_none_or(|after| after.gap == Gap::Line);
        let word = self.stream.word(next);
        let range = TextRange::new(self.stream.last_end(), next.range().end());
        repair(format!("Remove the `{word}`"), range, "").filter(|_| last)
    }

    /// Removes the rest of the statement, which has one operand more than the opcode, unless
    /// another statement follows on the line.
    pub(super) fn without_rest(&self) -> Option<Fix> {
        let range = self.rest_of_line();
        let words = self.stream.text[range].split([' ', '\t']);
        let mut others = words.filter(|word| vocabulary::opcode(word).is_some());
        if others.next().is_some() {
            return None;
        }
        repair("Remove the extra text", range, "")
    }

    /// The corrections of text in an operand's end: a bracket that was not closed, components
    /// without their dot.
    pub(super) fn unclosed_bracket(&self) -> Option<Fix> {
        let next = self.stream.peek();
        let number = self.stream.peek_at(1).filter(|it| it.kind == TokenKind::Number);
        let close = self.stream.peek_at(2).filter(|it| it.kind == TokenKind::RightBracket);
        match (next.map(|next| next.kind), number, close) {
            // `CONST[1, 3]`
            (Some(TokenKind::Comma), Some(number), Some(_)) => {
                let range = TextRange::new(self.stream.last_end(), number.start());
                repair("Write two brackets", range, "][")
            }
            (Some(TokenKind::RightParenthesis | TokenKind::RightBrace), ..) => {
                repair("Write `]`", next?.range(), "]")
            }
            _ => self.inserted("]"),
        }
    }

    /// `TEMP(0)` or `TEMP{0}` for `TEMP[0]`.
    pub(super) fn other_brackets(&self) -> Option<Fix> {
        let open = self.stream.peek()?;
        let number = self.stream.peek_at(1).filter(|it| it.kind == TokenKind::Number)?;
        let close = self.stream.peek_at(2)?;
        let (from, to) = (open.kind, close.kind);
        let brackets = (from, to) == (TokenKind::LeftParenthesis, TokenKind::RightParenthesis)
            || (from, to) == (TokenKind::LeftBrace, TokenKind::RightBrace);
        let range = TextRange::new(open.start(), close.range().end());
        let insert = format!("[{}]", self.stream.word(number));
        brackets.then(|| repair(format!("Write `{insert}`"), range, insert)).flatten()
    }

    /// `0-3`, `0:3` or `0...3` for `0..3`.
    pub(super) fn other_range(&self, first: TokenSpan) -> Option<Fix> {
        let mut place = 0;
        let sign = |item: TokenSpan| {
            let kinds = [TokenKind::Minus, TokenKind::Colon, TokenKind::Comma];
            kinds.contains(&item.kind) || [TokenKind::Dot, TokenKind::DotDot].contains(&item.kind)
        };
        while place < 2 && self.stream.peek_at(place).is_some_and(sign) {
            place += 1;
        }
        let right = place == 1 && self.stream.at(TokenKind::DotDot);
        let last = self.stream.peek_at(place).filter(|it| it.kind == TokenKind::Number)?;
        let range = TextRange::new(first.range().end(), last.start());
        (place > 0 && !right).then(|| repair("Write `..`", range, "..")).flatten()
    }

    /// `TEMP0` for `TEMP[0]`.
    pub(super) fn glued_number(&self, item: TokenSpan) -> Option<Fix> {
        let word = self.stream.word(item);
        let name = word.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let number = &word[name.len()..];
        let other = || vocabulary::file(vocabulary::misnomer("register", name)?);
        let file = vocabulary::file(name).or_else(other).filter(|_| !number.is_empty())?;
        let insert = format!("{}[{number}]", file.word());
        repair(format!("Write `{insert}`"), item.range(), insert)
    }

    /// The components behind a register that lack their dot.
    pub(super) fn missing_dot(&self) -> Option<Fix> {
        let next = self.stream.peek().filter(|next| next.gap == Gap::None)?;
        super::operands::components(self.stream.word(next))?;
        self.inserted(".")
    }

    /// The colon behind an instruction's number.
    pub(super) fn missing_colon(&self, number: TokenSpan) -> Option<Fix> {
        let next = self.stream.peek_at(1).filter(|next| next.gap == Gap::Blank)?;
        vocabulary::opcode(self.stream.word(next))?;
        repair("Insert `:`", TextRange::empty(number.range().end()), ":")
    }

    /// The type that the opcode reads the source as that is to be read next.
    pub(super) fn source_type(&self) -> Option<ValueType> {
        let row = self.row?;
        row.source_types.get(self.operand.checked_sub(row.destinations)?).copied()
    }

    /// `GENERIC0` for `GENERIC[0]`.
    pub(super) fn glued_index(&self, item: TokenSpan) -> Option<Fix> {
        let word = self.stream.word(item);
        let name = word.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let number = &word[name.len()..];
        crate::words::SemanticName::from_word(name).filter(|_| !number.is_empty())?;
        let insert = format!("{name}[{number}]");
        repair(format!("Write `{insert}`"), item.range(), insert)
    }

    /// `DCL TEMP[0], TEMP[1]`: a declaration of its own for the second.
    pub(super) fn second_declaration(&self, item: TokenSpan) -> Option<Fix> {
        vocabulary::file(self.stream.word(item))?;
        let bracket = self.stream.peek_at(1).is_some_and(|it| it.kind == TokenKind::LeftBracket);
        let comma = self.stream.last().filter(|it| bracket && it.kind == TokenKind::Comma)?;
        let range = TextRange::new(comma.start(), item.start());
        repair("Declare it on a line of its own", range, "\nDCL ")
    }

    /// `ARRAY[1]` for `ARRAY(1)`.
    pub(super) fn array_brackets(&self) -> Option<Fix> {
        let open = self.stream.peek().filter(|it| it.kind == TokenKind::LeftBracket)?;
        let number = self.stream.peek_at(1).filter(|it| it.kind == TokenKind::Number)?;
        let close = self.stream.peek_at(2).filter(|it| it.kind == TokenKind::RightBracket)?;
        let range = TextRange::new(open.start(), close.range().end());
        let insert = format!("({})", self.stream.word(number));
        repair(format!("Write `{insert}`"), range, insert)
    }

    /// Moves an attribute before the one that it stands behind.
    pub(super) fn in_order(&self, item: TokenSpan) -> Option<Fix> {
        let end = self.line_behind(item.range()).split(',').next().map_or(0, str::len);
        let end = TextSize::new(u32::from(item.range().end()) + u32::try_from(end).ok()?);
        let text = self.stream.text;
        let before = &text[..usize::from(item.start())];
        let comma = before.rfind(',')?;
        let other = before[..comma].rfind(',').filter(|at| !before[*at..].contains('\n'))?;
        let size = |at: usize| u32::try_from(at).ok().map(TextSize::new);
        let moved = TextRange::new(item.start(), end);
        let edits = vec![
            TextEdit::replace(TextRange::empty(size(other)?), format!(", {}", &text[moved])),
            TextEdit::replace(TextRange::new(size(comma)?, end), ""),
        ];
        Some(Fix { title: "Write them in order".to_owned(), edits })
    }

    /// The value of a property behind a sign that none has, or misspelt.
    pub(super) fn other_value(&self, list: Option<&str>) -> Option<Fix> {
        let next = self.stream.peek().filter(|_| !self.at_end())?;
        let word = self.stream.word(next);
        if matches!(word, "=" | "," | ":") {
            let value = self.stream.peek_at(1).filter(|it| it.gap != Gap::Line)?;
            let range = TextRange::new(self.stream.last_end(), value.start());
            return repair(format!("Remove the `{word}`"), range, " ");
        }
        let words = word_rows::of(list?).map(|row| row.word);
        let meant = vocabulary::closest(word, words)?;
        repair(format!("Replace by `{meant}`"), next.range(), meant)
    }

    /// The texture target that an instruction lacks: that of its sampler's view. Without a view
    /// nobody knows it.
    pub(super) fn missing_target(&self, instruction: &Instruction) -> Option<Fix> {
        let sampler = instruction.sources.last()?.register;
        let views = self.statements.iter().filter_map(|statement| match &statement.kind {
            StatementKind::Declaration(view) if view.file.value == File::SamplerView => Some(view),
            _ => None,
        });
        let mut of = views.filter(|view| {
            sampler.number().is_some_and(|number| view.range.value.contains(number))
        });
        let target = of.next()?.sampler_view?.target.value;
        let comma = self.stream.last().is_some_and(|last| last.kind == TokenKind::Comma);
        let insert = format!("{} {target}", if comma { "" } else { "," });
        repair(format!("Add `{target}`"), self.here(), insert)
    }

    /// `2-D` and `2D-ARRAY`, whose dash is none of the language's.
    pub(super) fn dashed_target(&self) -> Option<(TextRange, Fix)> {
        let (first, dash, last) =
            (self.stream.peek()?, self.stream.peek_at(1)?, self.stream.peek_at(2)?);
        let glued = dash.kind == TokenKind::Minus
            && last.kind == TokenKind::Word
            && dash.gap == Gap::None
            && last.gap == Gap::None;
        let range = TextRange::new(first.start(), last.range().end());
        let (first, last) = (self.stream.word(first), self.stream.word(last));
        let candidates = [format!("{first}{last}"), format!("{first}_{last}")];
        let target = candidates.iter().find_map(|word| TextureTarget::from_word(word))?;
        let fix = repair(format!("Write `{target}`"), range, target.word())?;
        glued.then_some((range, fix))
    }

    /// A number in an operand's place: an immediate of its value, declared before the first
    /// instruction.
    pub(super) fn immediate_for(&self, ty: ImmediateType) -> Option<Fix> {
        let start = self.stream.peek()?.start();
        let text = &self.stream.text[usize::from(start)..];
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '.';
        let length = text.find(|letter| !is_part(letter)).unwrap_or(text.len());
        let value = &text[..length];
        let fits = match ty {
            ImmediateType::Float32 => value.parse::<f32>().is_ok_and(f32::is_finite),
            _ => value.parse::<u32>().is_ok(),
        };
        let before = |kind: &StatementKind| !matches!(kind, StatementKind::Instruction(_));
        let last = self.statements.iter().take_while(|it| before(&it.kind)).last();
        let place = TextRange::empty(last.map_or(self.header_end, |it| it.range.end()));
        let number = self.immediates;
        let zero = if ty == ImmediateType::Float32 { "0.0" } else { "0" };
        let declaration = format!("\nIMM[{number}] {ty} {{{value}, {zero}, {zero}, {zero}}}");
        let end = TextSize::new(u32::from(start) + u32::try_from(length).ok()?);
        let edits = vec![
            TextEdit::replace(place, declaration),
            TextEdit::replace(TextRange::new(start, end), format!("IMM[{number}].xxxx")),
        ];
        fits.then(|| Fix { title: format!("Declare it as `IMM[{number}]`"), edits })
    }

    /// The brace before the values of an immediate, or another bracket in its place.
    pub(super) fn missing_brace(&self) -> Option<Fix> {
        let next = self.stream.peek().filter(|_| !self.at_end())?;
        let line = self.rest_of_line();
        let text = &self.stream.text[line];
        let closes = [(TokenKind::LeftParenthesis, ')'), (TokenKind::LeftBracket, ']')];
        let other = closes.into_iter().find(|(open, _)| next.kind == *open);
        if let Some((_, close)) = other {
            let inside = text.trim_start().get(1..)?.strip_suffix(close)?;
            return repair("Write braces", line, format!(" {{{inside}}}"));
        }
        let end = if text.ends_with('}') { "" } else { "}" };
        repair("Write braces", line, format!(" {{{}{end}", text.trim_start()))
    }

    /// Removes the values of an immediate that are too many.
    pub(super) fn surplus_values(&self) -> Option<Fix> {
        let rest = self.rest_of_line();
        let length = self.stream.text[rest].find('}')?;
        let end = TextSize::new(u32::from(rest.start()) + u32::try_from(length).ok()?);
        repair("Remove the extra text", TextRange::new(rest.start(), end), "")
    }

    /// A value of an immediate as its type wants it: without a suffix, a point or a sign that the
    /// type does not have.
    pub(super) fn plain_value(&self, ty: ImmediateType, range: TextRange) -> Option<Fix> {
        let text = &self.stream.text[range];
        let value = match ty {
            ImmediateType::Float32 | ImmediateType::Float64 => {
                let digits = text.trim_end_matches(['f', 'F']);
                digits.parse::<f64>().ok().map(|_| digits.to_owned())
            }
            ImmediateType::Unsigned32 | ImmediateType::Signed32 => {
                let whole = text.trim_end_matches(['u', 'U']);
                let whole = whole.split_once('.').map_or(whole, |(whole, zeros)| {
                    if zeros.bytes().all(|digit| digit == b'0') { whole } else { text }
                });
                let hex = whole.strip_prefix("0x").or_else(|| whole.strip_prefix("0X"));
                let number = match hex {
                    Some(digits) => i64::from_str_radix(digits, 16).ok()?,
                    None => whole.parse::<i64>().ok()?,
                };
                match ty {
                    ImmediateType::Unsigned32 => {
                        let bits = u32::try_from(number).ok();
                        let bits = bits.or_else(|| i32::try_from(number).ok().map(|it| it as u32));
                        bits.map(|bits| bits.to_string())
                    }
                    _ => {
                        let bits = i32::try_from(number).ok();
                        let bits = bits.or_else(|| u32::try_from(number).ok().map(|it| it as i32));
                        bits.map(|bits| bits.to_string())
                    }
                }
            }
            ImmediateType::Unsigned64 | ImmediateType::Signed64 => None,
        }?;
        repair(format!("Write `{value}`"), range, value)
    }
}

/// The operands that follow a word on its line, as text tells them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shape {
    /// The number of operands, without a texture target.
    pub(crate) operands: usize,
    /// Set where a texture target ends them.
    pub(crate) texture: bool,
}

impl Shape {
    /// Reads the rest of a line.
    pub(crate) fn of(rest: &str) -> Shape {
        let rest = rest.split(" :").next().unwrap_or_default().trim_matches([' ', '\t', ';', ',']);
        if rest.is_empty() {
            return Shape { operands: 0, texture: false };
        }
        let last = rest.rsplit(',').next().unwrap_or_default().trim();
        let texture = TextureTarget::from_word(last).is_some();
        let operands = rest.split(',').count() - usize::from(texture);
        Shape { operands, texture }
    }
}
