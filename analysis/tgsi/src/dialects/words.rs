//! The words of a shader that a reader does not know, by the dates of their rows.

use rustc_hash::FxHashSet;
use source::TextRange;

use super::{Dialect, Reader};
use crate::ast::{
    Declaration, Immediate, Instruction, PropertyValue, Shader, Spanned, StatementKind,
};
use crate::opcodes::Family;
use crate::words::{File, ImmediateType, Keyword, Modifier, Stage, TextureTarget, WordList};

/// A word that is not read.
pub(super) struct Refused {
    pub(super) range: TextRange,
    /// Such as "`KIL` left the language in 2013-07; it is no word of".
    pub(super) why: String,
}

include!(concat!(env!("OUT_DIR"), "/dialect_words.rs"));

/// Tells whether virglrenderer knows a word, where that differs from Mesa of the last day.
fn own(list: &str, word: &str) -> Option<bool> {
    let spelled = |place: usize| (OWN[place].0, OWN[place].1);
    tables::find_pair(&INDEX, list, word, spelled).map(|place| OWN[place].2)
}

/// The text that is looked at, and the diagnostics so far.
struct Search<'d> {
    dialect: &'d Dialect,
    /// Each word is told once.
    reported: FxHashSet<(&'static str, String)>,
    refused: Vec<Refused>,
}

/// The words of a shader that a dialect does not read, each at its first place.
pub(super) fn refused(dialect: &Dialect, shader: &Shader, text: &str) -> Vec<Refused> {
    let mut search = Search { dialect, reported: FxHashSet::default(), refused: Vec::new() };
    let header = shader.stage;
    search.words([header]);
    // `FRAG1.1` is longer than its stage's word, and has a diagnostic of its own.
    if usize::from(header.range.end() - header.range.start()) == header.value.word().len() {
        search.form("a header without a version", "2009-11", "", header.range);
    }
    for statement in &shader.statements {
        match &statement.kind {
            StatementKind::Declaration(declaration) => {
                search.declaration(shader.stage.value, declaration);
            }
            StatementKind::Immediate(immediate) => {
                search.words([immediate.ty]);
                if let Some(index) = immediate.index {
                    search.form("IMM[…]", "2012-10", "", index.range);
                }
                if immediate.ty.value == ImmediateType::Float32 {
                    search.floats(immediate, text);
                }
            }
            StatementKind::Property(property) => {
                let Some(name) = property.name else { continue };
                search.words([name]);
                if let Some(value) = property.value
                    && let PropertyValue::Primitive(primitive) = value.value
                {
                    search.words([value.map(|_| primitive)]);
                }
            }
            StatementKind::Instruction(instruction) => search.instruction(instruction),
            StatementKind::Unknown => {}
        }
    }
    search.refused
}

impl Search<'_> {
    /// Words of lists.
    fn words<T: WordList>(&mut self, entries: impl IntoIterator<Item = Spanned<T>>) {
        for entry in entries {
            let row = entry.value.row();
            self.entry(row.list, row.word, row.since, row.until, entry.range);
        }
    }

    /// A form that is no word.
    fn form(&mut self, form: &'static str, since: &str, until: &str, range: TextRange) {
        self.entry("form", form, since, until, range);
    }

    fn entry(
        &mut self,
        list: &'static str,
        word: &str,
        since: &str,
        until: &str,
        range: TextRange,
    ) {
        let reads = match self.dialect.reader {
            Reader::Mesa => self.dialect.reads_at(since, until),
            Reader::Virglrenderer => own(list, word).unwrap_or(until.is_empty()),
        };
        if reads || !self.reported.insert((list, word.to_owned())) {
            return;
        }
        let month = |date: &str| date.get(..7).unwrap_or(date).to_owned();
        let why = match (self.dialect.reader, until.is_empty()) {
            (Reader::Mesa, _) if since > self.dialect.date => {
                format!("`{word}` came in {}; it is not known to", month(since))
            }
            (Reader::Mesa, false) => {
                format!("`{word}` left in {}; it is not known to", month(until))
            }
            _ => format!("`{word}` is not known to"),
        };
        self.refused.push(Refused { range, why });
    }

    /// Floats that are not decimal numbers.
    fn floats(&mut self, immediate: &Immediate, text: &str) {
        for range in &immediate.values {
            let value = text.get(usize::from(range.start())..usize::from(range.end()));
            let value = value.unwrap_or_default().trim_start_matches('-');
            let digits = value.strip_prefix("0x").or_else(|| value.strip_prefix("0X"));
            let letter = value.starts_with(|letter: char| letter.is_ascii_alphabetic());
            match digits {
                Some(digits) if digits.len() == 8 => {
                    self.form("a float as eight hexadecimal digits", "2015-10", "", *range);
                }
                _ if digits.is_some() || letter => {
                    self.form("a float as C writes it", "2023-04", "", *range);
                }
                _ => {}
            }
        }
    }

    fn target(&mut self, target: Spanned<TextureTarget>) {
        self.words([target]);
        // Its number is older than this spelling: the parsers of 2012 refuse it.
        if target.value.word().ends_with("D_ARRAY") {
            self.form("`ARRAY` after `_` in a target", "2013-01", "", target.range);
        }
    }

    fn format(&mut self, format: &Spanned<String>) {
        self.entry("format", &format.value, "2016-01", "", format.range);
    }

    fn declaration(&mut self, stage: Stage, declaration: &Declaration) {
        let file = declaration.file;
        self.words([file]);
        if let Some(Some(dimension)) = declaration.dimension
            && file.value == File::Constant
        {
            self.form("a second bracket of CONST", "2010-01", "", dimension.range);
        }
        self.words(declaration.array.map(|array| array.map(|_| Keyword::Array)));
        self.words(declaration.local.then_some(file.map(|_| Keyword::Local)));
        // Those of vertex inputs have a diagnostic of their own.
        let vertex_input = stage == Stage::Vertex && file.value == File::Input;
        let semantic = declaration.semantic.filter(|_| !vertex_input);
        self.words(semantic.map(|semantic| semantic.map(|it| it.name)));
        self.words(declaration.interpolation.filter(|_| !vertex_input));
        self.words(declaration.location);
        self.words(declaration.invariant.then_some(file.map(|_| Keyword::Invariant)));
        self.words(declaration.streams.map(|streams| streams.map(|_| Keyword::Stream)));
        self.words(declaration.memory);
        let historic = file.value == File::Resource;
        if let Some(view) = declaration.sampler_view {
            self.target(view.target);
            if historic {
                self.form("what a RES returns", "2011-01-24", "2012-05-11", view.target.range);
            }
        }
        if let Some(image) = &declaration.image {
            self.target(image.target);
            if let Some(format) = &image.format {
                self.format(format);
            }
            if historic {
                self.form("a RES like an image", "2012-05-11", "2016-01-08", image.target.range);
            }
        }
    }

    fn instruction(&mut self, instruction: &Instruction) {
        let row = instruction.info();
        let range = instruction.opcode.range;
        self.entry("opcode", row.mnemonic, row.since, row.until, range);
        let precise = instruction.opcode.map(|_| Modifier::Precise);
        self.words(instruction.precise.then_some(precise));
        if let Some(target) = instruction.target {
            self.target(target);
        }
        if let Some(format) = &instruction.format {
            self.format(format);
        }
        self.words(instruction.qualifiers.iter().copied());
        let offset = instruction.offsets.first();
        let value = Modifier::TextureOffset;
        self.words(offset.map(|offset| Spanned { value, range: offset.range }));
        if !row.last_source_since.is_empty() {
            let is_stream = row.family == Family::Immediate;
            match instruction.sources.get(row.sources - 1) {
                Some(stream) if is_stream => {
                    self.form("a vertex stream", row.last_source_since, "", stream.range);
                }
                Some(_) => self.form("the last operand", row.last_source_since, "", range),
                None => {
                    let form = if is_stream { "EMIT without a stream" } else { "an operand less" };
                    self.form(form, row.since, row.last_source_since, range);
                }
            }
        }
        for register in instruction.registers() {
            let file = Spanned { value: register.file, range: register.range };
            self.words([file]);
            let array = register.index.indirect.and_then(|indirect| indirect.array);
            self.words(array.map(|_| file.map(|_| Modifier::ArrayId)));
        }
    }
}
