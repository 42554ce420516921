//! One statement on one line: its tokens in the dumper's spacing and letter
//! case, with the parts rewritten that the dumper spells in one way only.

use source::{TextRange, TextSize};

use super::{meaning, values};
use crate::ast::{
    Component, Declaration, ImageType, Immediate, Index, Instruction, Register, Shader, Spanned,
    Statement, StatementKind, TextureOffset,
};
use crate::lexer::{Lexer, TokenKind};
use crate::print;
use crate::words::{
    File, InterpolationLocation, MemoryKind, MemoryQualifier, Modifier, TextureTarget,
};

/// The header in canonical spelling; historic versions stay. `None` where it
/// holds a comment.
pub(super) fn header(text: &str, shader: &Shader) -> Option<String> {
    let header = &text[shader.stage.range];
    if holds_comment(header) {
        return None;
    }
    let tokens = Lexer::new(header).filter(|(kind, _)| !kind.is_trivia());
    let words = tokens.map(|(_, range)| &header[range]);
    Some(words.collect::<String>().to_ascii_uppercase())
}

/// A statement in canonical spelling, without its number. `index` is the number of an
/// immediate. `None` where it stays as it is: it holds a comment, an error, or a form of its
/// own.
pub(super) fn canonical(text: &str, statement: &Statement, index: Option<u32>) -> Option<String> {
    if statement.broken || holds_comment(&text[statement.range]) {
        return None;
    }
    let mut printer = Printer::new(text, statement.range);
    match &statement.kind {
        StatementKind::Declaration(declaration) => {
            if !declaration.initializers.is_empty() {
                return None;
            }
            rewrite_declaration(&mut printer, declaration);
        }
        StatementKind::Immediate(immediate) => {
            return canonical_immediate(text, immediate, index);
        }
        // Of an unknown one the rest of the line is not a language.
        StatementKind::Property(property) if property.name.is_none() => return None,
        StatementKind::Property(_) => {}
        StatementKind::Instruction(instruction) => {
            rewrite_instruction(&mut printer, instruction);
        }
        StatementKind::Unknown => return None,
    }
    Some(printer.print())
}

fn holds_comment(text: &str) -> bool {
    use TokenKind::{BlockComment, LineComment, UnclosedComment};
    Lexer::new(text).any(|(kind, _)| matches!(kind, LineComment | BlockComment | UnclosedComment))
}

fn canonical_immediate(text: &str, immediate: &Immediate, index: Option<u32>) -> Option<String> {
    let ty = immediate.ty.value;
    let pairs = ty.is_wide() && immediate.values.len() == 2;
    if immediate.values.len() != 4 && !pairs {
        return None;
    }
    let values = immediate.values.iter().enumerate().map(|(place, range)| {
        let [low, high] = match pairs {
            true => [immediate.bits[2 * place], immediate.bits[2 * place + 1]],
            false => [immediate.bits[place], 0],
        };
        values::value(ty, &text[*range], u64::from(low) | u64::from(high) << 32)
    });
    let values: Vec<String> = values.collect();
    let index = index.map_or(String::new(), |index| format!("[{index}]"));
    Some(format!("IMM{index} {ty} {{{}}}", values.join(", ")))
}

fn rewrite_declaration(printer: &mut Printer<'_>, declaration: &Declaration) {
    if let Some(Some(dimension)) = declaration.dimension
        && is_small(dimension.value.last)
    {
        let inside = printer.inside_brackets(dimension.range);
        printer.rewrite(inside, print::range(dimension.value));
    }
    if is_small(declaration.range.value.last) {
        let inside = printer.inside_brackets(declaration.range.range);
        printer.rewrite(inside, print::range(declaration.range.value));
    }
    if let Some(mask) = declaration.mask {
        printer.rewrite(mask.range, print::mask(mask.value));
    }
    if let Some(semantic) = declaration.semantic
        && is_small(semantic.value.index)
    {
        printer.rewrite(semantic.range, print::semantic(semantic.value));
    }
    if let Some(streams) = declaration.streams.filter(|streams| streams.value == [0; 4]) {
        printer.remove_attribute(streams.range);
    }
    if let Some(location) = declaration.location
        && declaration.interpolation.is_some()
        && location.value == InterpolationLocation::Center
    {
        printer.remove_attribute(location.range);
    }
    let end = printer.range.end();
    match (declaration.file.value, &declaration.image, &declaration.sampler_view) {
        (File::Image, Some(image), _) => {
            let words = image_words(printer.text, image);
            printer.rewrite(TextRange::new(image.target.range.start(), end), words);
        }
        (File::SamplerView, _, Some(view)) => {
            let words = target_words(printer.text, view.target) + &print::returns(view);
            printer.rewrite(TextRange::new(view.target.range.start(), end), words);
        }
        (File::Memory, ..) if declaration.memory.is_none() => {
            printer.rewrite(TextRange::empty(end), format!(", {}", MemoryKind::Global));
        }
        _ => {}
    }
}

/// Tells whether a number fits the token format. Others are cut off, with a warning that names them
/// as they are written.
fn is_small(number: u32) -> bool {
    number <= u32::from(u16::MAX)
}

fn image_words(text: &str, image: &ImageType) -> String {
    let format = image.format.as_ref().map_or(meaning::NO_FORMAT, |format| &format.value);
    let mut words = format!("{}, {format}", target_words(text, image.target));
    if image.writable {
        words.push_str(", WR");
    }
    if image.raw {
        words.push_str(", RAW");
    }
    words
}

/// A target in the spelling of its source's year. The names in C, which no
/// reader ever took, become words of the language.
fn target_words(text: &str, target: Spanned<TextureTarget>) -> String {
    let written = text[target.range].to_ascii_uppercase();
    match matches!(written.as_str(), "CUBE_ARRAY" | "SHADOWCUBE_ARRAY") {
        true => target.value.word().to_owned(),
        false => written,
    }
}

fn rewrite_instruction(printer: &mut Printer<'_>, instruction: &Instruction) {
    if let Some(number) = instruction.number {
        printer.skip_number(number.range);
    }
    if let Some(predicate) = &instruction.predicate {
        let register = &predicate.register;
        let close = predicate.range.end() - TextSize::new(1);
        rewrite_register(printer, register);
        let swizzle = TextRange::new(register.range.end(), close);
        printer.rewrite(swizzle, print::swizzle(predicate.swizzle));
        printer.blank_after(predicate.range.end());
    }
    printer.blank_after(instruction.opcode.range.end());
    for form in instruction.historic.iter().filter(|it| it.kind == Modifier::ExtendedSwizzle) {
        printer.rewrite(form.range, format!(".{}", form.spelling.to_ascii_lowercase()));
    }
    for form in instruction.historic.iter().filter(|it| it.kind == Modifier::ConditionCode) {
        let before = printer.text[..usize::from(form.range.start())].trim_end().len();
        printer.blank_after(TextSize::new(before as u32));
    }
    // Historic forms are not part of the operand's other words.
    let plain = |operand: usize| instruction.historic.iter().all(|form| form.operand != operand);
    for (place, destination) in instruction.destinations.iter().enumerate() {
        rewrite_register(printer, &destination.register);
        if plain(place) {
            let mask = TextRange::new(destination.register.range.end(), destination.range.end());
            printer.rewrite(mask, print::mask(destination.mask));
        }
    }
    for (place, source) in instruction.sources.iter().enumerate() {
        rewrite_register(printer, &source.register);
        if !plain(instruction.destinations.len() + place) {
            continue;
        }
        let rest = TextRange::new(source.register.range.end(), source.range.end());
        let bar = TextSize::new(u32::from(source.absolute));
        let swizzle = TextRange::new(rest.start(), rest.end() - bar);
        printer.rewrite(swizzle, print::swizzle(source.swizzle));
    }
    let row = instruction.info();
    if let (Some(target), true) = (instruction.target, row.texture) {
        printer.rewrite(target.range, target_words(printer.text, target));
    }
    for offset in &instruction.offsets {
        rewrite_offset(printer, offset);
    }
    rewrite_memory_words(printer, instruction);
}

/// Qualifiers in order, then the target, then the format; defaults are left out.
fn rewrite_memory_words(printer: &mut Printer<'_>, instruction: &Instruction) {
    let Instruction { qualifiers, target, format, .. } = instruction;
    let target = target.filter(|_| !instruction.info().texture);
    if qualifiers.is_empty() && target.is_none() && format.is_none() {
        return;
    }
    let destinations = instruction.destinations.iter().map(|destination| destination.range.end());
    let sources = instruction.sources.iter().map(|source| source.range.end());
    let Some(start) = destinations.chain(sources).max() else { return };
    let present = |name: &&MemoryQualifier| qualifiers.iter().any(|it| it.value == **name);
    let mut words: Vec<String> =
        MemoryQualifier::ALL.iter().filter(present).map(ToString::to_string).collect();
    let target = target.filter(|target| target.value != TextureTarget::Buffer);
    words.extend(target.map(|target| target_words(printer.text, target)));
    let format = format.as_ref().filter(|format| format.value != meaning::NO_FORMAT);
    words.extend(format.map(|format| format.value.clone()));
    let words: String = words.iter().map(|word| format!(", {word}")).collect();
    printer.rewrite(TextRange::new(start, printer.range.end()), words);
}

fn rewrite_offset(printer: &mut Printer<'_>, offset: &TextureOffset) {
    rewrite_register(printer, &offset.register);
    let letters = offset.swizzle.into_iter().map(Component::letter);
    let swizzle = TextRange::new(offset.register.range.end(), offset.range.end());
    printer.rewrite(swizzle, std::iter::once('.').chain(letters).collect());
}

/// A register whose numbers are cut off keeps its words.
fn rewrite_register(printer: &mut Printer<'_>, register: &Register) {
    let indices = || register.dimension.iter().chain([&register.index]);
    let fits = |index: &Index| {
        is_small(index.offset.unsigned_abs())
            && index.indirect.is_none_or(|it| {
                is_small(it.index) && it.array.is_none_or(|array| array < u32::MAX)
            })
    };
    if indices().all(fits) {
        printer.rewrite(register.range, print::register(register));
    }
}

/// Prints the tokens of a statement, with some parts rewritten.
#[derive(Default)]
struct Printer<'a> {
    text: &'a str,
    /// The part of the text that is printed.
    range: TextRange,
    rewrites: Vec<(TextRange, String)>,
    /// Places that a blank must follow beside those that one always follows.
    blanks: Vec<TextSize>,
    out: String,
    blank_wanted: bool,
}

impl<'a> Printer<'a> {
    fn new(text: &'a str, range: TextRange) -> Printer<'a> {
        Printer {
            text,
            range,
            out: String::with_capacity(usize::from(range.len()) + 8),
            ..Printer::default()
        }
    }

    /// Prints `words` in place of a range; an empty range inserts them.
    fn rewrite(&mut self, range: TextRange, words: String) {
        self.rewrites.push((range, words));
    }

    fn blank_after(&mut self, offset: TextSize) {
        self.blanks.push(offset);
    }

    /// Leaves out an attribute and the comma before it.
    fn remove_attribute(&mut self, attribute: TextRange) {
        let comma = self.text[..usize::from(attribute.start())].rfind(',');
        let start = comma.map_or(attribute.start(), |comma| TextSize::new(comma as u32));
        self.rewrite(TextRange::new(start, attribute.end()), String::new());
    }

    /// Returns what stands between two brackets, where a range covers those too.
    fn inside_brackets(&self, range: TextRange) -> TextRange {
        let one = TextSize::new(1);
        match self.text[range].starts_with('[') && self.text[range].ends_with(']') {
            true => TextRange::new(range.start() + one, range.end() - one),
            false => range,
        }
    }

    /// Begins behind the instruction number and its colon.
    fn skip_number(&mut self, number: TextRange) {
        let rest = &self.text[TextRange::new(number.end(), self.range.end())];
        let colon = rest.find(':').map_or(0, |colon| colon + 1);
        let start = number.end() + TextSize::new(colon as u32);
        self.range = TextRange::new(start, self.range.end());
    }

    fn print(mut self) -> String {
        self.rewrites.sort_by_key(|(range, _)| (range.start(), range.end()));
        let rewrites = std::mem::take(&mut self.rewrites);
        let mut rewrites = rewrites.into_iter().peekable();
        let mut done = self.range.start();
        let mut before = TokenKind::Blank;
        let start = self.range.start();
        let tokens = Lexer::new(&self.text[self.range]).filter(|(kind, _)| !kind.is_trivia());
        for (kind, range) in tokens.map(|(kind, range)| (kind, range + start)) {
            while let Some((place, words)) =
                rewrites.next_if(|(place, _)| place.start() <= range.start())
            {
                self.part(&words);
                self.blank_wanted |= self.blanks.contains(&place.end());
                done = done.max(place.end());
            }
            if range.start() >= done {
                self.token(kind, range, before);
            }
            before = kind;
        }
        for (_, words) in rewrites {
            self.part(&words);
        }
        self.out
    }

    fn token(&mut self, kind: TokenKind, range: TextRange, before: TokenKind) {
        let word = &self.text[range];
        match kind {
            TokenKind::Word if before == TokenKind::Dot => self.part(&word.to_ascii_lowercase()),
            TokenKind::Word => self.part(&word.to_ascii_uppercase()),
            // Digits behind a dot are a fraction or constants in a swizzle.
            TokenKind::Number if before == TokenKind::Dot => self.part(word),
            TokenKind::Number => {
                let short = word.trim_start_matches('0');
                self.part(if short.is_empty() { "0" } else { short });
            }
            TokenKind::Colon => {
                self.blank_wanted = true;
                self.part(word);
            }
            TokenKind::Comma => {
                self.blank_wanted = false;
                self.part(word);
                self.blank_wanted = true;
            }
            _ => self.part(word),
        }
        self.blank_wanted |= self.blanks.contains(&range.end());
    }

    /// Adds a part, with a blank where one is wanted or words would run together.
    fn part(&mut self, part: &str) {
        let Some(first) = part.chars().next() else { return };
        let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let together = is_word(first) && self.out.chars().next_back().is_some_and(is_word);
        if (self.blank_wanted && first != ',' || together) && !self.out.is_empty() {
            self.out.push(' ');
        }
        self.out.push_str(part);
        self.blank_wanted = false;
    }
}
