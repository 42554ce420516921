//! `7: OPCODE_SAT TEMP[0].xy, IN[0], SAMP[0], 2D :12`

use source::{Severity, TextEdit, TextRange};

use super::repairs::repair;
use super::stream::{Gap, TokenSpan};
use super::unread::DECLARING;
use super::{Parser, Result, quote};
use crate::vocabulary::{self, Oddity};

use crate::ast::{Instruction, Spanned, StatementKind};
use crate::codes;
use crate::formats;
use crate::lexer::TokenKind;
use crate::opcodes::{MAX_OFFSETS, OpInfo, has_memory_words, has_offsets};
use crate::words::{MemoryQualifier, TextureTarget};

impl Parser<'_> {
    /// Reads an instruction with what may stand before its opcode: a number, a
    /// predicate. `None` where there is no opcode; that is reported.
    pub(super) fn numbered_instruction(&mut self, item: TokenSpan) -> Option<StatementKind> {
        let mut number = None;
        if item.kind == TokenKind::Number {
            if self.stream.peek_at(1).is_none_or(|next| next.kind != TokenKind::Colon) {
                let colon = self.missing_colon(item);
                let found = quote(self.stream.word(item));
                self.report.error_with(
                    codes::UNEXPECTED_TEXT,
                    item.range(),
                    || format!("expected a statement, found {found}"),
                    colon,
                );
                return None;
            }
            self.stream.next();
            self.stream.next();
            number = Some(Spanned { value: self.number(item), range: item.range() });
        }
        let predicate = self.predicate().ok()?;
        // An opcode may stand on a later line than its number; other words are a new statement.
        let is_opcode = |word: &TokenSpan| vocabulary::opcode(self.stream.word(*word)).is_some();
        let next = self.stream.peek().filter(|next| {
            let lines = |number: &Spanned<_>| {
                let between = TextRange::new(number.range.end(), next.start());
                self.stream.text[between].contains(['\n', '\r'])
            };
            is_opcode(next) || !number.as_ref().is_some_and(lines)
        });
        let Some(word) = next.filter(|word| word.kind == TokenKind::Word) else {
            let next = next.filter(|_| !self.at_end());
            let range = next.map_or(item.range(), TokenSpan::range);
            let message = "an opcode must follow the instruction number";
            self.report.error(codes::UNKNOWN_OPCODE, range, || message);
            return None;
        };
        let Some(spelled) = vocabulary::opcode(self.stream.word(word)) else {
            self.unknown_opcode(word, number.map(|number| number.range));
            return None;
        };
        self.stream.next();
        self.note_oddities(word, &spelled);
        let op = spelled.opcode.row();
        self.ordinal += 1;
        let mut instruction = Instruction {
            ordinal: self.ordinal,
            number,
            indent: indent(&self.stream.text[..usize::from(word.start())]),
            opcode: Spanned { value: spelled.opcode, range: word.range() },
            saturate: spelled.saturate,
            signed_saturate: spelled.oddity == Some(Oddity::SignedSaturate),
            precise: spelled.precise,
            predicate,
            ..Instruction::default()
        };
        // What was read before an error stays in the instruction.
        let _ = self.operands(&mut instruction, op);
        if !self.historic.is_empty() {
            instruction.historic = std::mem::take(&mut self.historic);
        }
        if op.number.is_none() {
            self.note_historic_opcode(&instruction);
        }
        Some(StatementKind::Instruction(instruction))
    }

    fn operands(&mut self, instruction: &mut Instruction, op: &'static OpInfo) -> Result<()> {
        let total = op.destinations + op.sources;
        self.row = Some(op);
        for place in 0..total {
            if place + 1 == total && self.lacks_historic_source(op) {
                return Ok(());
            }
            let glued = |next: TokenSpan| next.gap == Gap::None && next.kind != TokenKind::Comma;
            if place == 0 && self.stream.peek().is_some_and(glued) {
                return Err(self.expected(codes::MISSING_OPERAND, "a blank after the opcode"));
            }
            self.before_operand(place, op)?;
            if place == 0 && self.second_opcode(op) {
                return Err(super::Failed);
            }
            self.operand = place;
            if place < op.destinations {
                let destination = self.destination()?;
                instruction.destinations.push(destination);
            } else {
                let source = self.source()?;
                instruction.sources.push(source);
            }
        }
        if op.texture {
            self.required_target(instruction)?;
        }
        if has_offsets(op) {
            self.texture_offsets(instruction)?;
        }
        if has_memory_words(op) {
            self.memory_words(instruction)?;
        }
        self.label(instruction, op)
    }

    /// Reports another statement on the line of an opcode that has no operands yet, and
    /// takes the rest of the line: what follows belongs to one of the two.
    fn second_opcode(&mut self, op: &'static OpInfo) -> bool {
        let second = self.stream.peek().filter(|next| {
            let word = self.stream.word(*next);
            next.kind == TokenKind::Word
                && next.gap != Gap::Line
                && (vocabulary::file(word).is_none() && vocabulary::opcode(word).is_some()
                    || DECLARING.iter().any(|it| it.eq_ignore_ascii_case(word))
                        && !self.stream.peek_at(1).is_some_and(Self::opens_index))
        });
        let Some(second) = second else { return false };
        self.report.error(codes::MISSING_OPERAND, second.range(), || {
            let found = quote(self.stream.word(second));
            format!(
                "`{}` takes {}; found {found}, which begins a statement",
                op.mnemonic,
                operand_words(op)
            )
        });
        self.stream.next();
        while self.stream.peek().is_some_and(|item| item.gap != Gap::Line) {
            self.stream.next();
        }
        true
    }

    /// Tells whether a token is the bracket of a register, as behind the file `IMM`.
    fn opens_index(item: TokenSpan) -> bool {
        item.kind == TokenKind::LeftBracket
    }

    /// Tells whether the statement ends before its last source, as old texts may.
    fn lacks_historic_source(&mut self, op: &'static OpInfo) -> bool {
        let Some(year) = op.last_source_since.get(..4) else { return false };
        let next = self.stream.peek();
        // Operands never follow on a new line in old texts, statements may
        // follow on the same one.
        let ends = next.is_none_or(|next| match op.sources {
            1 => next.gap == Gap::Line || self.starts_statement(0),
            _ => next.kind != TokenKind::Comma,
        });
        if ends {
            let range = self.place();
            self.report.note(
                (codes::HISTORIC_OPERANDS, Severity::Hint, op.mnemonic),
                range,
                || {
                    let (word, since) = (op.mnemonic, op.last_source);
                    format!("`{word}` had one operand less until {year}; since then {since}")
                },
            );
        }
        ends
    }

    /// Takes what must stand before the operand in this place: white space or
    /// a comma.
    fn before_operand(&mut self, place: usize, op: &'static OpInfo) -> Result<()> {
        if place > 0 && self.stream.eat(TokenKind::Comma).is_some() {
            if self.at_end() {
                return Err(self.missing_operand(place, op));
            }
            return Ok(());
        }
        if self.at_end() || self.stream.at(TokenKind::Colon) {
            return Err(self.missing_operand(place, op));
        }
        if place == 0 && !self.stream.at(TokenKind::Comma) {
            return Ok(());
        }
        if place == 0 {
            let comma = self.place();
            let message = || "an opcode is not followed by a comma".to_owned();
            let fix = repair("Remove the comma", comma, "");
            return Err(self.report.error_with(codes::BAD_OPERAND, comma, message, fix));
        }
        self.missing_comma()
    }

    /// Reports a missing comma. Goes on where an operand stands in its place.
    #[cold]
    fn missing_comma(&mut self) -> Result<()> {
        let operand = self.stream.peek().is_some_and(|next| {
            let file = vocabulary::file(self.stream.word(next)).is_some();
            let begins = matches!(next.kind, TokenKind::Minus | TokenKind::Bar)
                || next.kind == TokenKind::Word && file;
            next.gap != Gap::None && begins
        });
        if !operand {
            return Err(self.no_comma());
        }
        let end = TextRange::empty(self.stream.last_end());
        let range = self.place();
        self.report.error_with_fix(
            codes::MISSING_COMMA,
            range,
            || "expected `,` before this operand".to_owned(),
            || ("Insert the comma".to_owned(), TextEdit::replace(end, ",")),
        );
        Ok(())
    }

    /// Reports what else than a comma stands between two operands.
    #[cold]
    fn no_comma(&mut self) -> super::Failed {
        let place = self.place();
        let other = self.stream.peek().filter(|next| {
            let operand = self.stream.peek_at(1).is_some_and(|it| it.kind == TokenKind::Word);
            operand && matches!(self.stream.word(*next), "=" | ";" | ".")
        });
        let fix = match other {
            Some(_) => {
                let sign = TextRange::new(self.stream.last_end(), place.end());
                repair("Write a comma", sign, ",")
            }
            None => self.missing_dot(),
        };
        self.expected_with(codes::MISSING_COMMA, "`,` and the next operand", fix)
    }

    #[cold]
    fn missing_operand(&mut self, found: usize, op: &'static OpInfo) -> super::Failed {
        let range = self.place();
        self.report.error(codes::MISSING_OPERAND, range, || {
            let (word, takes) = (op.mnemonic, operand_words(op));
            format!("`{word}` takes {takes}; {}", missing_words(op, found))
        })
    }

    fn required_target(&mut self, instruction: &mut Instruction) -> Result<()> {
        if self.stream.eat(TokenKind::Comma).is_none() || self.at_end() {
            let range = self.place();
            let fix = if self.at_end() { self.missing_target(instruction) } else { None };
            let message = || {
                format!(
                    "`{}` needs a texture target such as `2D` after its operands",
                    instruction.opcode.value.mnemonic()
                )
            };
            return Err(self.report.error_with(codes::MISSING_OPERAND, range, message, fix));
        }
        let target = self.texture_target()?;
        instruction.target = Some(target);
        Ok(())
    }

    /// `2D`; also `CUBE_ARRAY`, as the rest of the world spells it.
    pub(super) fn texture_target(&mut self) -> Result<Spanned<TextureTarget>> {
        let item = self.peek_word();
        let Some(item) = item else {
            return Err(self.expected(codes::UNKNOWN_TARGET, "a texture target such as `2D`"));
        };
        if let Some((range, fix)) = self.dashed_target() {
            let message = || {
                format!("no texture target has a `-`, found {}", quote(&self.stream.text[range]))
            };
            return Err(self.report.error_with(codes::UNKNOWN_TARGET, range, message, Some(fix)));
        }
        let word = self.stream.word(item);
        let range = item.range();
        let value = match TextureTarget::from_word(word) {
            Some(target) => target,
            None => match self.misspelt_target(word, range) {
                Some(target) => target,
                None => {
                    let targets = TextureTarget::ALL.iter().map(|target| target.word());
                    return Err(self.report.unknown_word(
                        codes::UNKNOWN_TARGET,
                        range,
                        || format!("expected a texture target such as `2D`, found {}", quote(word)),
                        || vocabulary::meant("target", word, targets),
                    ));
                }
            },
        };
        self.stream.next();
        Ok(Spanned { value, range })
    }

    fn misspelt_target(&mut self, word: &str, range: TextRange) -> Option<TextureTarget> {
        let target = if word.eq_ignore_ascii_case("CUBE_ARRAY") {
            TextureTarget::CubeArray
        } else if word.eq_ignore_ascii_case("SHADOWCUBE_ARRAY") {
            TextureTarget::ShadowCubeArray
        } else {
            return None;
        };
        self.report.lenient(
            (codes::TARGET_SPELLING, Severity::Hint, target.word()),
            range,
            || {
                let message = format!("the reference parser spells this target `{target}`");
                (message, format!("Write `{target}`"))
            },
            Some(TextEdit::replace(range, target.word())),
        );
        Some(target)
    }

    fn texture_offsets(&mut self, instruction: &mut Instruction) -> Result<()> {
        while self.stream.at(TokenKind::Comma) {
            if instruction.offsets.len() == MAX_OFFSETS {
                let range = self.place();
                return Err(self.report.error(codes::EXTRA_OPERAND, range, || {
                    format!("an instruction has at most {MAX_OFFSETS} texel offsets")
                }));
            }
            self.stream.next();
            let offset = self.texture_offset()?;
            instruction.offsets.push(offset);
        }
        Ok(())
    }

    /// `, COHERENT, 2D, PIPE_FORMAT_…` in any order.
    fn memory_words(&mut self, instruction: &mut Instruction) -> Result<()> {
        while self.stream.eat(TokenKind::Comma).is_some() {
            let item = self.peek_word();
            let what = "a memory qualifier, texture target or format";
            let Some(item) = item else {
                return Err(self.expected(codes::UNKNOWN_QUALIFIER, what));
            };
            let word = self.stream.word(item);
            let range = item.range();
            if let Some(value) = MemoryQualifier::from_word(word) {
                instruction.qualifiers.push(Spanned { value, range });
            } else if let Some(value) =
                TextureTarget::from_word(word).or_else(|| self.misspelt_target(word, range))
            {
                instruction.target = Some(Spanned { value, range });
            } else if let Some(format) = self.format(item)? {
                instruction.format = Some(Box::new(format));
            } else {
                let qualifiers = MemoryQualifier::ALL.iter().map(|entry| entry.word());
                let targets = TextureTarget::ALL.iter().map(|entry| entry.word());
                let prefixed = format!("PIPE_FORMAT_{}", word.to_ascii_uppercase());
                let format = formats::is_known(&prefixed).then_some(&*prefixed);
                return Err(self.report.unknown_word(
                    codes::UNKNOWN_QUALIFIER,
                    range,
                    || format!("expected {what}, found {}", quote(word)),
                    || format.or_else(|| vocabulary::closest(word, qualifiers.chain(targets))),
                ));
            }
            self.stream.next();
        }
        Ok(())
    }

    fn label(&mut self, instruction: &mut Instruction, op: &'static OpInfo) -> Result<()> {
        if !self.stream.at(TokenKind::Colon) || self.at_end() {
            return Ok(());
        }
        if !op.label {
            let range = self.place();
            let fix = repair("Remove the label", self.rest_of_line(), "");
            let message = || format!("`{}` takes no label", op.mnemonic);
            return Err(self.report.error_with(codes::BAD_LABEL, range, message, fix));
        }
        self.stream.next();
        // A number on the next line with a colon behind numbers the next
        // instruction.
        let label = self.stream.peek().filter(|item| {
            item.kind == TokenKind::Number && !(item.gap == Gap::Line && self.starts_statement(0))
        });
        let Some(item) = label else {
            return Err(self.expected(codes::BAD_LABEL, "the number of an instruction"));
        };
        self.stream.next();
        let value = self.number(item);
        instruction.label = Some(Spanned { value, range: item.range() });
        Ok(())
    }
}

/// "source 2 is missing", where so many operands were found.
fn missing_words(row: &OpInfo, found: usize) -> String {
    let (destinations, sources) = (row.destinations, row.sources);
    let name = |place: usize| match place.checked_sub(destinations) {
        None if destinations == 1 => "the destination".to_owned(),
        None => format!("destination {}", place + 1),
        Some(_) if sources == 1 => "the source".to_owned(),
        Some(source) => format!("source {}", source + 1),
    };
    let last = destinations + sources - 1;
    match last.checked_sub(found) {
        Some(0) | None => format!("{} is missing", name(last)),
        Some(_) if found == 0 => "all of them are missing".to_owned(),
        Some(_) => format!("{} and what follows it are missing", name(found)),
    }
}

/// "1 destination and 2 sources"
pub(super) fn operand_words(op: &OpInfo) -> String {
    let count = |number: usize, what: &str| match number {
        0 => None,
        1 => Some(format!("1 {what}")),
        _ => Some(format!("{number} {what}s")),
    };
    let mut words: Vec<String> = Vec::new();
    words.extend(count(op.destinations, "destination"));
    words.extend(count(op.sources, "source"));
    if op.texture {
        words.push("a texture target".to_owned());
    }
    match words.as_slice() {
        [] => "no operands".to_owned(),
        [first] => first.clone(),
        [first, middle @ .., last] => {
            let middle: String = middle.iter().map(|word| format!(", {word}")).collect();
            format!("{first}{middle} and {last}")
        }
    }
}

/// The number of blanks at the end of a text, where they follow a line end, or a colon and the one
/// blank that belongs to it.
pub(super) fn indent(before: &str) -> Option<u32> {
    let text = before.trim_end_matches([' ', '\t']);
    let blanks = (before.len() - text.len()) as u32;
    match text.as_bytes().last()? {
        b'\n' | b'\r' => Some(blanks),
        b':' => Some(blanks.saturating_sub(1)),
        _ => None,
    }
}
