//! The syntax tree of a TGSI text: one [`Shader`] per header, a flat list of typed statements. TGSI
//! is a language of lines, so there is no deeper tree.
//!
//! All ranges are bytes of the region text that was parsed. A statement that
//! could not be read completely keeps what was understood and is marked
//! [`broken`](Statement::broken); its errors are in the parse result.

use smallvec::SmallVec;
use source::TextRange;

use crate::Opcode;
use crate::opcodes::OpInfo;
use crate::words::{
    CoordinateOrigin, File, ImmediateType, Interpolation, InterpolationLocation, MemoryKind,
    MemoryQualifier, Modifier, PixelCenter, Primitive, PropertyName, ReturnType, SemanticName,
    Stage, TextureTarget,
};

/// A value and where it stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Its bytes.
    pub range: TextRange,
}

impl<T> Spanned<T> {
    /// Changes the value and leaves it in its place.
    pub(crate) fn map<U>(self, change: impl FnOnce(T) -> U) -> Spanned<U> {
        Spanned { value: change(self.value), range: self.range }
    }
}

/// One shader program.
#[derive(Debug, Clone, PartialEq)]
pub struct Shader {
    /// The stage that the header names.
    pub stage: Spanned<Stage>,
    /// Everything after the header, in order of the text.
    pub statements: Vec<Statement>,
    /// The effects that broken statements may have, in order of the text.
    pub unread: Vec<Unread>,
}

/// The effect that a broken statement may have, as far as its text leaves it open. Checks stay
/// silent about it, and about nothing else.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Unread {
    /// The place of the statement.
    pub range: TextRange,
    /// The declaration that it may be.
    pub declares: Option<Declares>,
    /// The instructions that it may be and that were not counted.
    pub counts: Counts,
    /// Set where it may open or close a block, or end a path.
    pub steers: bool,
    /// The registers that it may read.
    pub reads: Numbers,
    /// The registers that it may write, beside those of its instruction.
    pub writes: Numbers,
    /// Set where it may be an `FBFETCH`, which alone reads what a fragment shader writes.
    pub fetches: bool,
    /// The statement that it must have been meant as, where only one is near.
    pub meant: Option<Box<StatementKind>>,
}

impl Unread {
    /// The effect of what was not read at all.
    pub(crate) fn anything(range: TextRange) -> Unread {
        Unread {
            range,
            declares: Some(Declares::Anything),
            counts: Counts::Perhaps,
            steers: true,
            reads: Numbers::ANY,
            writes: Numbers::ANY,
            fetches: true,
            meant: None,
        }
    }
}

/// The instructions that a broken statement is and that have no ordinal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Counts {
    /// None.
    #[default]
    None,
    /// Nobody knows.
    Perhaps,
    /// One: an opcode is misspelt.
    One,
}

/// A statement before the instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Declares {
    /// A register of a file, immediates included.
    File(File),
    /// A property.
    Property,
    /// Any of them.
    Anything,
}

/// Registers that a broken statement may name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Numbers {
    /// Registers whose numbers are there.
    pub known: Vec<Named>,
    /// The files of which it may be any, one bit each.
    pub files: u32,
}

/// Registers that a broken statement may name: of any of some files, with numbers of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Named {
    /// The files, one bit each.
    pub files: u32,
    /// The numbers.
    pub range: IndexRange,
    /// The components that it writes for certain, and no others; `None` where any may be written
    /// or none.
    pub written: Option<WriteMask>,
}

impl Named {
    /// Tells whether it may be a register of a file.
    pub(crate) fn may_be(&self, file: File) -> bool {
        self.files & 1 << file as u32 != 0
    }

    /// The number that it has for certain.
    pub(crate) fn number(&self) -> Option<u32> {
        (self.range.first == self.range.last).then_some(self.range.first)
    }
}

impl Numbers {
    /// Any register.
    pub(crate) const ANY: Numbers = Numbers { known: Vec::new(), files: u32::MAX };

    /// Tells whether it may be any register of a file.
    pub(crate) fn is_any_of(&self, file: File) -> bool {
        self.files & 1 << file as u32 != 0
    }

    /// The numbers of a file that are there.
    pub(crate) fn known_of(&self, file: File) -> impl Iterator<Item = &Named> {
        self.known.iter().filter(move |named| named.may_be(file))
    }

    /// Tells whether it may be a register of a file.
    pub(crate) fn may_be_of(&self, file: File) -> bool {
        self.is_any_of(file) || self.known_of(file).next().is_some()
    }
}

impl Shader {
    /// The instructions in order. Their index plus one is their ordinal.
    pub fn instructions(&self) -> impl Iterator<Item = &Instruction> {
        self.instruction_statements().map(|(_, instruction)| instruction)
    }

    /// The instructions in order, each with its statement.
    pub fn instruction_statements(&self) -> impl Iterator<Item = (&Statement, &Instruction)> {
        self.statements.iter().filter_map(|statement| match &statement.kind {
            StatementKind::Instruction(instruction) => Some((statement, instruction)),
            _ => None,
        })
    }

    /// The instructions in order, each with its statement and its number from 0: misspelt ones
    /// have numbers too.
    pub(crate) fn numbered_instructions(
        &self,
    ) -> impl Iterator<Item = (&Statement, &Instruction, u32)> {
        let mut misspelt = self.unread.iter().filter(|it| it.counts == Counts::One).peekable();
        let mut more = 0;
        self.instruction_statements().map(move |(statement, instruction)| {
            while misspelt.next_if(|it| it.range.start() < statement.range.start()).is_some() {
                more += 1;
            }
            (statement, instruction, instruction.ordinal - 1 + more)
        })
    }

    /// The declarations in order.
    pub fn declarations(&self) -> impl Iterator<Item = &Declaration> {
        self.statements.iter().filter_map(|statement| match &statement.kind {
            StatementKind::Declaration(declaration) => Some(declaration),
            _ => None,
        })
    }

    /// The immediates in order: the n-th is `IMM[n]`.
    pub fn immediates(&self) -> impl Iterator<Item = &Immediate> {
        self.statements.iter().filter_map(|statement| match &statement.kind {
            StatementKind::Immediate(immediate) => Some(immediate),
            _ => None,
        })
    }

    /// The properties in order; a later one of the same name wins.
    pub fn properties(&self) -> impl Iterator<Item = &Property> {
        self.statements.iter().filter_map(|statement| match &statement.kind {
            StatementKind::Property(property) => Some(property),
            _ => None,
        })
    }
}

/// One declaration, immediate, property or instruction.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    /// From its first to its last byte, an instruction number included.
    pub range: TextRange,
    /// Set where an error was found in it: what it says may be incomplete.
    pub broken: bool,
    /// The content of the statement.
    pub kind: StatementKind,
}

/// The kinds of statements.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)]
pub enum StatementKind {
    Declaration(Declaration),
    Immediate(Immediate),
    Property(Property),
    Instruction(Instruction),
    /// Text that was not understood at all; its error is in the parse result.
    Unknown,
}

/// An inclusive range of register numbers: `3` or `0..7`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct IndexRange {
    /// The first register.
    pub first: u32,
    /// The last register, not less than the first.
    pub last: u32,
}

/// `DCL FILE[dimension][range].mask, attributes…`
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Declaration {
    /// The register file.
    pub file: Spanned<File>,
    /// The first bracket where there are two: a buffer number, or how many
    /// vertices. `Some(None)` is an empty bracket, whose size is implied.
    pub dimension: Option<Option<Spanned<IndexRange>>>,
    /// The registers declared.
    pub range: Spanned<IndexRange>,
    /// The components declared; all four where the text names none.
    pub mask: Option<Spanned<WriteMask>>,
    /// `ARRAY(n)`; 0 is none in the token format.
    pub array: Option<Spanned<u32>>,
    /// `LOCAL`: the register is not shared with subroutines.
    pub local: bool,
    /// The meaning of the register's value.
    pub semantic: Option<Spanned<Semantic>>,
    /// The way in which it is interpolated.
    pub interpolation: Option<Spanned<Interpolation>>,
    /// The place in the pixel for which it is interpolated.
    pub location: Option<Spanned<InterpolationLocation>>,
    /// `INVARIANT`.
    pub invariant: bool,
    /// `STREAM(a, b, c, d)`: the vertex stream of each component.
    pub streams: Option<Spanned<[u32; 4]>>,
    /// Of an `IMAGE`: target, format, access.
    pub image: Option<ImageType>,
    /// Of an `SVIEW`, or a historic `RES`: target and what each component returns.
    pub sampler_view: Option<SamplerViewType>,
    /// `ATOMIC`, of a `BUFFER`.
    pub atomic: bool,
    /// Of a `MEMORY`: its kind.
    pub memory: Option<Spanned<MemoryKind>>,
    /// Of a historic `IMMX`: the bit patterns of each register, in order.
    pub initializers: Vec<[u32; 4]>,
}

impl IndexRange {
    /// Tells whether a register number is in the range.
    pub fn contains(self, number: u32) -> bool {
        (self.first..=self.last).contains(&number)
    }
}

impl Declaration {
    /// The components declared.
    pub fn components(&self) -> WriteMask {
        self.mask.map_or(WriteMask::ALL, |mask| mask.value)
    }

    /// Tells whether its number is that of its kind: Mesa prints `DCL MEMORY[1], SHARED`, and
    /// `MEMORY[0]` where it is used.
    pub(crate) fn is_numbered_by_kind(&self) -> bool {
        let shared = self.memory.is_some_and(|kind| kind.value == MemoryKind::Shared);
        shared && self.range.value.first == 1
    }
}

/// A semantic with its index: `GENERIC[3]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Semantic {
    /// The name.
    pub name: SemanticName,
    /// The index, 0 where the text has none.
    pub index: u32,
}

/// The words of an `IMAGE` declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImageType {
    /// The shape.
    pub target: Spanned<TextureTarget>,
    /// The format with its `PIPE_FORMAT_` prefix.
    pub format: Option<Spanned<String>>,
    /// `WR`.
    pub writable: bool,
    /// `RAW`.
    pub raw: bool,
}

/// The words of an `SVIEW` declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SamplerViewType {
    /// The shape.
    pub target: Spanned<TextureTarget>,
    /// The types that x, y, z and w return; missing ones repeat the first.
    pub returns: [ReturnType; 4],
}

/// `IMM[n] TYPE { … }`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Immediate {
    /// The number between the brackets, where there are any.
    pub index: Option<Spanned<u32>>,
    /// The type.
    pub ty: Spanned<ImmediateType>,
    /// The 32-bit patterns of x, y, z and w. 64-bit values take two, low first.
    pub bits: [u32; 4],
    /// The place of each value: four for 32-bit types, two for 64-bit ones.
    pub values: SmallVec<[TextRange; 4]>,
}

/// `PROPERTY NAME value`
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Property {
    /// The name; `None` if unknown, which is an error already reported.
    pub name: Option<Spanned<PropertyName>>,
    /// The value.
    pub value: Option<Spanned<PropertyValue>>,
}

/// The value of a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum PropertyValue {
    Number(u32),
    Primitive(Primitive),
    Origin(CoordinateOrigin),
    PixelCenter(PixelCenter),
    Stage(Stage),
}

impl PropertyValue {
    /// Its word; none of a number.
    pub(crate) fn word(self) -> &'static str {
        match self {
            PropertyValue::Number(_) => "",
            PropertyValue::Primitive(primitive) => primitive.word(),
            PropertyValue::Origin(origin) => origin.word(),
            PropertyValue::PixelCenter(center) => center.word(),
            PropertyValue::Stage(stage) => stage.word(),
        }
    }

    /// The value that a word of a list is.
    pub(crate) fn from_word(list: &str, word: &str) -> Option<PropertyValue> {
        match list {
            Primitive::LIST => Primitive::from_word(word).map(PropertyValue::Primitive),
            CoordinateOrigin::LIST => CoordinateOrigin::from_word(word).map(PropertyValue::Origin),
            PixelCenter::LIST => PixelCenter::from_word(word).map(PropertyValue::PixelCenter),
            Stage::LIST => Stage::from_word(word).map(PropertyValue::Stage),
            _ => None,
        }
    }
}

/// The destinations of an instruction. Those of nearly all are kept within it: memory of their own
/// would cost more than to read them.
pub type Destinations = SmallVec<[Destination; 1]>;

/// The sources of an instruction, kept in the same way.
pub type Sources = SmallVec<[Source; 3]>;

/// One instruction.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Instruction {
    /// Its place among the shader's instructions, from 1. Positions in
    /// compiled code name it by this number.
    pub ordinal: u32,
    /// The number before the colon, where the text has one. It means nothing.
    pub number: Option<Spanned<u32>>,
    /// The blanks that indent it on its line, or behind its number; `None` where other text stands
    /// before it.
    pub indent: Option<u32>,
    /// The opcode; its range covers the modifiers too.
    pub opcode: Spanned<Opcode>,
    /// `_SAT`: the result is clamped to 0..1.
    pub saturate: bool,
    /// The historic `_SATNV` or `_SSAT`: the result is clamped to -1..1.
    pub signed_saturate: bool,
    /// `_PRECISE`: no transformation may change the result.
    pub precise: bool,
    /// The historic predicate `(PRED[0].x)` before the opcode.
    pub predicate: Option<Box<Predicate>>,
    /// Forms of 2007 to 2009 in the operands, which change what it computes.
    pub historic: Vec<HistoricForm>,
    /// The destinations, as many as the opcode has unless broken.
    pub destinations: Destinations,
    /// The sources, as many as the opcode has unless broken. `EMIT`, `ENDPRIM`,
    /// `SAMPLE_L` and `SAMPLE_I_MS` of old texts have one less.
    pub sources: Sources,
    /// The texture target, of sampling opcodes and memory accesses.
    pub target: Option<Spanned<TextureTarget>>,
    /// Texel offsets, at most four.
    pub offsets: Vec<TextureOffset>,
    /// `COHERENT`, `VOLATILE` and so on.
    pub qualifiers: Vec<Spanned<MemoryQualifier>>,
    /// The image format of a memory access, with its `PIPE_FORMAT_` prefix.
    pub format: Option<Box<Spanned<String>>>,
    /// The branch target `:n`, an instruction number from 0.
    pub label: Option<Spanned<u32>>,
}

impl Instruction {
    /// Returns the facts about its opcode.
    pub fn info(&self) -> &'static OpInfo {
        self.opcode.value.row()
    }

    /// The registers of its destinations, then of its sources.
    pub fn registers(&self) -> impl Iterator<Item = &Register> {
        let destinations = self.destinations.iter().map(|operand| &operand.register);
        destinations.chain(self.sources.iter().map(|operand| &operand.register))
    }
}

/// A form of an operand that only the first years had: `TEMP[0]_2X`,
/// `1-(IN[0])`, `.x01w` and the like. The operand holds what it has in common
/// with those of today; what the form adds is only here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoricForm {
    /// Its place in the text.
    pub range: TextRange,
    /// The number of its operand, destinations counted first.
    pub operand: usize,
    /// Its kind.
    pub kind: Modifier,
    /// The spelling that tells it from others of its kind, in capitals and without white space:
    /// `_2X`, `EQ.xyzw`, `X01W`; of sources all signs before the register.
    pub spelling: String,
}

/// `(PRED[0].x)` or `(!PRED[0].x)`: components whose predicate is zero (not
/// zero, where inverted) are not written. Left the language in 2017.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Predicate {
    /// All of it, the parentheses included.
    pub range: TextRange,
    /// The register.
    pub register: Register,
    /// The component that decides for each of x, y, z and w.
    pub swizzle: Swizzle,
    /// `!`
    pub inverted: bool,
}

/// A register operand: file, optional dimension, index.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Register {
    /// All of it, from the file's name to the last bracket or array number.
    pub range: TextRange,
    /// The register file.
    pub file: File,
    /// The first bracket where there are two: buffer, vertex or patch number.
    pub dimension: Option<Index>,
    /// The register number.
    pub index: Index,
}

impl Register {
    /// Its number, where none of it is computed.
    pub fn number(&self) -> Option<u32> {
        u32::try_from(self.index.offset).ok().filter(|_| self.index.indirect.is_none())
    }

    /// The number of a temporary, where none of it is computed.
    pub fn temporary(&self) -> Option<u32> {
        self.number().filter(|_| self.file == File::Temporary)
    }

    /// The immediate that it names, of those of its shader.
    pub fn immediate<'a>(&self, immediates: &[&'a Immediate]) -> Option<&'a Immediate> {
        let number = self.number().filter(|_| self.file == File::Immediate)?;
        immediates.get(number as usize).copied()
    }

    /// Tells whether a number in its brackets is computed.
    pub fn is_computed(&self) -> bool {
        self.index.indirect.is_some() || self.dimension.is_some_and(|it| it.indirect.is_some())
    }

    /// The registers within its brackets, in order of the text.
    #[inline]
    pub fn indirects(&self) -> impl Iterator<Item = Indirect> {
        // Two options that are mostly empty cost less than an array of indices.
        let first = self.dimension.and_then(|it| it.indirect);
        first.into_iter().chain(self.index.indirect)
    }
}

/// A register number, computed or not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Index {
    /// The number, or what is added to the indirect register. Only an index
    /// with an indirect register may be negative in Mesa.
    pub offset: i32,
    /// The register that holds the rest of the number.
    pub indirect: Option<Indirect>,
}

/// The register in an indirect index, `ADDR[0].x`, and the array it indexes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Indirect {
    /// The file of the register that holds the index.
    pub file: File,
    /// Its number.
    pub index: u32,
    /// The component, x where the text names none.
    pub component: Component,
    /// The `(n)` after the bracket: the array that the access stays in.
    pub array: Option<u32>,
}

/// A destination operand.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Destination {
    /// All of it, the mask included.
    pub range: TextRange,
    /// The register.
    pub register: Register,
    /// The components written.
    pub mask: WriteMask,
}

/// A source operand.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Source {
    /// All of it, modifiers and swizzle included.
    pub range: TextRange,
    /// The register.
    pub register: Register,
    /// The component that each of x, y, z and w reads.
    pub swizzle: Swizzle,
    /// `|x|`, taken before the negation.
    pub absolute: bool,
    /// `-x`.
    pub negate: bool,
}

/// A texel offset operand, three components.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct TextureOffset {
    /// All of it.
    pub range: TextRange,
    /// The register.
    pub register: Register,
    /// The components that give x, y and z.
    pub swizzle: [Component; 3],
}

/// One of the four components of a register.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Component {
    #[default]
    X,
    Y,
    Z,
    W,
}

impl Component {
    /// All four, in order.
    pub const ALL: [Component; 4] = [Component::X, Component::Y, Component::Z, Component::W];

    /// The component that a letter names; letter case does not count.
    pub fn from_letter(letter: char) -> Option<Component> {
        match letter {
            'x' | 'X' => Some(Component::X),
            'y' | 'Y' => Some(Component::Y),
            'z' | 'Z' => Some(Component::Z),
            'w' | 'W' => Some(Component::W),
            _ => None,
        }
    }

    /// Its letter.
    pub fn letter(self) -> char {
        ['x', 'y', 'z', 'w'][self as usize]
    }
}

/// The component that each of four positions reads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Swizzle(pub [Component; 4]);

impl Swizzle {
    /// `.xyzw`
    pub const IDENTITY: Swizzle = Swizzle(Component::ALL);

    /// The components that are read.
    pub fn mask(self) -> WriteMask {
        WriteMask(self.0.iter().fold(0, |bits, component| bits | 1 << *component as u8))
    }

    /// The positions that read a component of a set, one bit each.
    pub(crate) fn places_of(self, components: u8) -> u8 {
        let all = self.0.iter().enumerate();
        all.fold(0, |places, (place, it)| places | (components >> *it as u8 & 1) << place)
    }
}

/// A set of components, one bit each, x lowest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct WriteMask(pub u8);

impl WriteMask {
    /// `.xyzw`
    pub const ALL: WriteMask = WriteMask(0xf);

    /// Tells whether a component is in the set.
    pub fn contains(self, component: Component) -> bool {
        self.0 & (1 << component as u8) != 0
    }

    /// Its letters, in order.
    pub fn letters(self) -> String {
        self.components().map(Component::letter).collect()
    }

    /// The components in the set, in order.
    pub fn components(self) -> impl Iterator<Item = Component> {
        Component::ALL.into_iter().filter(move |component| self.contains(*component))
    }
}

impl FromIterator<Component> for WriteMask {
    fn from_iter<T: IntoIterator<Item = Component>>(components: T) -> WriteMask {
        let bits = components.into_iter().fold(0, |bits, component| bits | 1 << component as u8);
        WriteMask(bits)
    }
}
