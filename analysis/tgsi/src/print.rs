//! Statements and their parts in plain text, one line each.
//!
//! Only what a statement says is decided here; [`format`] lays
//! the lines out. Floats are written so that no bit is lost.

mod historic;

use crate::ast::{
    Component, Declaration, Destination, Immediate, Index, IndexRange, Indirect, Instruction,
    Predicate, Property, PropertyValue, Register, SamplerViewType, Semantic, Source, Statement,
    StatementKind, Swizzle, TextureOffset, WriteMask,
};
use crate::format;
use crate::words::{ImmediateType, SemanticName};

/// One statement; empty where it is unknown.
pub(crate) fn statement(statement: &Statement) -> String {
    kind(&statement.kind)
}

/// One statement by its kind; empty where it is unknown.
pub(crate) fn kind(kind: &StatementKind) -> String {
    match kind {
        StatementKind::Declaration(declaration) => self::declaration(declaration),
        StatementKind::Immediate(immediate) => self::immediate(immediate),
        StatementKind::Property(property) => self::property(property),
        StatementKind::Instruction(instruction) => self::instruction(instruction),
        StatementKind::Unknown => String::new(),
    }
}

fn declaration(declaration: &Declaration) -> String {
    let mut out = format!("DCL {}", declaration.file.value);
    if let Some(dimension) = declaration.dimension {
        let range = dimension.map_or(String::new(), |it| range(it.value));
        out.push_str(&format!("[{range}]"));
    }
    out.push_str(&format!("[{}]", range(declaration.range.value)));
    if let Some(mask) = declaration.mask {
        out.push_str(&self::mask(mask.value));
    }
    for attribute in attributes(declaration) {
        out.push_str(", ");
        out.push_str(&attribute);
    }
    out
}

/// In the order in which readers look for them.
fn attributes(declaration: &Declaration) -> Vec<String> {
    let mut all = Vec::new();
    all.extend(declaration.array.map(|array| format!("ARRAY({})", array.value)));
    all.extend(declaration.local.then(|| "LOCAL".to_owned()));
    all.extend(declaration.semantic.map(|semantic| self::semantic(semantic.value)));
    if let Some(image) = &declaration.image {
        all.push(image.target.value.to_string());
        all.extend(image.format.as_ref().map(|format| format.value.clone()));
        all.extend(image.writable.then(|| "WR".to_owned()));
        all.extend(image.raw.then(|| "RAW".to_owned()));
    }
    if let Some(view) = &declaration.sampler_view {
        all.push(view_type(view));
    }
    all.extend(declaration.atomic.then(|| "ATOMIC".to_owned()));
    all.extend(declaration.memory.map(|memory| memory.value.to_string()));
    if let Some(streams) = declaration.streams {
        let [x, y, z, w] = streams.value;
        all.push(format!("STREAM({x}, {y}, {z}, {w})"));
    }
    all.extend(declaration.interpolation.map(|it| it.value.to_string()));
    all.extend(declaration.location.map(|it| it.value.to_string()));
    all.extend(declaration.invariant.then(|| "INVARIANT".to_owned()));
    all
}

/// `3` or `0..7`
pub(crate) fn range(range: IndexRange) -> String {
    let IndexRange { first, last } = range;
    if first == last { first.to_string() } else { format!("{first}..{last}") }
}

pub(crate) fn semantic(semantic: Semantic) -> String {
    let Semantic { name, index } = semantic;
    let always = matches!(name, SemanticName::Generic | SemanticName::TextureCoordinate);
    if always || index != 0 { format!("{name}[{index}]") } else { name.to_string() }
}

pub(crate) fn view_type(view: &SamplerViewType) -> String {
    format!("{}{}", view.target.value, returns(view))
}

/// The return types of x, y, z and w, each behind a comma; one where all are the same.
pub(crate) fn returns(view: &SamplerViewType) -> String {
    let same = view.returns.iter().all(|value| *value == view.returns[0]);
    let returns = &view.returns[..if same { 1 } else { view.returns.len() }];
    returns.iter().map(|value| format!(", {value}")).collect()
}

fn immediate(immediate: &Immediate) -> String {
    let index = immediate.index.map_or(String::new(), |index| format!("[{}]", index.value));
    let values = values(immediate.ty.value, immediate.bits).join(", ");
    format!("IMM{index} {} {{{values}}}", immediate.ty.value)
}

/// The values of an immediate: four, or two of 64-bit types.
pub(crate) fn values(ty: ImmediateType, bits: [u32; 4]) -> Vec<String> {
    let [x, y, z, w] = bits;
    let pair = |low: u32, high: u32| u64::from(high) << 32 | u64::from(low);
    let pairs = [pair(x, y), pair(z, w)];
    match ty {
        ImmediateType::Float32 => bits.into_iter().map(float).collect(),
        ImmediateType::Unsigned32 => bits.iter().map(ToString::to_string).collect(),
        ImmediateType::Signed32 => bits.iter().map(|bits| (*bits as i32).to_string()).collect(),
        ImmediateType::Float64 => pairs.into_iter().map(double).collect(),
        ImmediateType::Unsigned64 => pairs.iter().map(ToString::to_string).collect(),
        ImmediateType::Signed64 => pairs.iter().map(|bits| (*bits as i64).to_string()).collect(),
    }
}

/// Returns what is not a number is written as its bits: that is the only form that keeps a payload.
fn float(bits: u32) -> String {
    let value = f32::from_bits(bits);
    if value.is_finite() { format!("{value:?}") } else { format!("0x{bits:08x}") }
}

fn double(bits: u64) -> String {
    let value = f64::from_bits(bits);
    if value.is_nan() { "nan".to_owned() } else { format!("{value:?}") }
}

fn property(property: &Property) -> String {
    let name = property.name.map_or(String::new(), |name| name.value.to_string());
    let value = property.value.map_or(String::new(), |value| property_value(value.value));
    format!("PROPERTY {name} {value}")
}

pub(crate) fn property_value(value: PropertyValue) -> String {
    match value {
        PropertyValue::Number(number) => number.to_string(),
        listed => listed.word().to_owned(),
    }
}

fn instruction(instruction: &Instruction) -> String {
    let mut out = String::new();
    if let Some(predicate) = &instruction.predicate {
        out.push_str(&self::predicate(predicate));
        out.push(' ');
    }
    out.push_str(instruction.opcode.value.mnemonic());
    if instruction.saturate {
        out.push_str("_SAT");
    }
    if instruction.signed_saturate {
        out.push_str("_SSAT");
    }
    if instruction.precise {
        out.push_str("_PRECISE");
    }
    let destinations = instruction.destinations.iter().enumerate();
    let mut operands: Vec<String> =
        destinations.map(|(place, it)| historic::destination(instruction, place, it)).collect();
    let first = instruction.destinations.len();
    let sources = instruction.sources.iter().enumerate();
    operands.extend(sources.map(|(place, it)| historic::source(instruction, first + place, it)));
    let target = instruction.target.map(|target| target.value.to_string());
    let is_texture = instruction.info().texture;
    operands.extend(target.clone().filter(|_| is_texture));
    operands.extend(instruction.offsets.iter().map(offset));
    operands.extend(instruction.qualifiers.iter().map(|it| it.value.to_string()));
    operands.extend(target.filter(|_| !is_texture));
    operands.extend(instruction.format.as_ref().map(|format| format.value.clone()));
    if !operands.is_empty() {
        out.push(' ');
        out.push_str(&operands.join(", "));
    }
    if let Some(label) = instruction.label {
        out.push_str(&format!(" :{}", label.value));
    }
    out
}

pub(crate) fn predicate(predicate: &Predicate) -> String {
    let sign = if predicate.inverted { "!" } else { "" };
    format!("({sign}{}{})", register(&predicate.register), swizzle(predicate.swizzle))
}

pub(crate) fn destination(destination: &Destination) -> String {
    format!("{}{}", register(&destination.register), mask(destination.mask))
}

pub(crate) fn source(source: &Source) -> String {
    let sign = if source.negate { "-" } else { "" };
    let bar = if source.absolute { "|" } else { "" };
    format!("{sign}{bar}{}{}{bar}", register(&source.register), swizzle(source.swizzle))
}

pub(crate) fn offset(offset: &TextureOffset) -> String {
    let letters: String = offset.swizzle.into_iter().map(Component::letter).collect();
    format!("{}.{letters}", register(&offset.register))
}

pub(crate) fn register(register: &Register) -> String {
    let mut out = register.file.word().to_owned();
    let indices = register.dimension.iter().chain([&register.index]);
    indices.for_each(|it| out.push_str(&index(it)));
    out
}

pub(crate) fn index(index: &Index) -> String {
    let Some(indirect) = &index.indirect else { return format!("[{}]", index.offset) };
    let offset = match index.offset {
        0 => String::new(),
        offset => format!("{offset:+}"),
    };
    let array = indirect.array.map_or(String::new(), |array| format!("({array})"));
    format!("[{}{offset}]{array}", self::indirect(indirect))
}

pub(crate) fn indirect(indirect: &Indirect) -> String {
    format!("{}[{}].{}", indirect.file, indirect.index, indirect.component.letter())
}

/// `.xy`; nothing where it is whole.
pub(crate) fn mask(mask: WriteMask) -> String {
    match mask {
        WriteMask::ALL => String::new(),
        mask => std::iter::once('.').chain(mask.components().map(Component::letter)).collect(),
    }
}

/// `.yzwx`; nothing where it is identity.
pub(crate) fn swizzle(swizzle: Swizzle) -> String {
    match swizzle {
        Swizzle::IDENTITY => String::new(),
        Swizzle(components) => {
            std::iter::once('.').chain(components.into_iter().map(Component::letter)).collect()
        }
    }
}

/// Lays out plain text as the dumper does.
pub(crate) fn canonical(text: String) -> String {
    let checkpoint = &source::no_checkpoint;
    let Some(shader) = crate::parser::parse(&text, checkpoint).shader else { return text };
    let (numbers, scope) = (format::Numbers::Always, format::Scope::Whole);
    let edits = format::shader_edits(&text, &shader, "", numbers, scope, checkpoint);
    // A refusal means that the layout stays plain; what is said stays the same.
    let edits = edits.unwrap_or_default();
    source::apply_edits(&text, &edits).unwrap_or(text)
}
