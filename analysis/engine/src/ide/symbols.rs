//! The outline of a file with shaders: these and what they declare.

use editor_model::{Symbol, SymbolKind};
use salsa::Database;
use source::{SegmentMap, TextRange};
use tgsi::Opcode;
use tgsi::ast::{Declaration, IndexRange, PropertyValue, Shader, Statement, StatementKind};

use crate::inputs::File;
use crate::queries::shaders;

/// A shader of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShaderInfo {
    /// The stage's word; `None` where the header was not understood.
    pub stage: Option<tgsi::Stage>,
    /// From the header to the last statement.
    pub range: TextRange,
}

pub(crate) fn shader_list(db: &dyn Database, file: File) -> Vec<ShaderInfo> {
    let regions = shaders::regions(db, file);
    let shaders = shaders::shaders(db, file).iter().zip(&regions.shaders);
    shaders
        .map(|(shader, region)| {
            let parse = shaders::parse(db, *shader);
            let stage = parse.shader.as_ref().map(|shader| shader.stage.value);
            ShaderInfo { stage, range: region.range() }
        })
        .collect()
}

pub(super) fn of_shaders(db: &dyn Database, file: File) -> Vec<Symbol> {
    let regions = shaders::regions(db, file);
    let shaders = shaders::shaders(db, file).iter().zip(&regions.shaders);
    shaders
        .filter_map(|(shader, region)| {
            let parse = shaders::parse(db, *shader);
            Some(shader_symbol(parse.shader.as_ref()?, region.map()))
        })
        .collect()
}

fn shader_symbol(shader: &Shader, map: &SegmentMap) -> Symbol {
    let mut immediates = 0;
    let mut children = Vec::new();
    for statement in &shader.statements {
        let (name, detail, kind) = match &statement.kind {
            StatementKind::Declaration(declaration) => {
                (register_name(declaration), attributes(declaration), SymbolKind::Register)
            }
            StatementKind::Immediate(immediate) => {
                immediates += 1;
                let detail = immediate.ty.value.word().to_owned();
                (format!("IMM[{}]", immediates - 1), detail, SymbolKind::Constant)
            }
            StatementKind::Property(property) => {
                let Some(name) = property.name else { continue };
                let value = property.value.map(|value| property_value(value.value));
                (name.value.word().to_owned(), value.unwrap_or_default(), SymbolKind::Property)
            }
            StatementKind::Instruction(instruction)
                if instruction.opcode.value == Opcode::BGNSUB =>
            {
                let name = format!("{:?} {}", Opcode::BGNSUB, instruction.ordinal - 1);
                (name, String::new(), SymbolKind::Label)
            }
            StatementKind::Instruction(_) | StatementKind::Unknown => continue,
        };
        children.push(child(statement, name, detail, kind, map));
    }
    let count = shader.instructions().count();
    Symbol {
        name: shader.stage.value.word().to_owned(),
        detail: format!("{count} instruction{}", if count == 1 { "" } else { "s" }),
        kind: SymbolKind::Shader,
        range: map.range(),
        selection: map.to_file(shader.stage.range),
        children,
    }
}

fn child(
    statement: &Statement,
    name: String,
    detail: String,
    kind: SymbolKind,
    map: &SegmentMap,
) -> Symbol {
    let range = map.to_file(statement.range);
    Symbol { name, detail, kind, range, selection: range, children: Vec::new() }
}

fn register_name(declaration: &Declaration) -> String {
    let dimension = match &declaration.dimension {
        None => String::new(),
        Some(None) => "[]".to_owned(),
        Some(Some(range)) => brackets(range.value),
    };
    let file = declaration.file.value.word();
    format!("{file}{dimension}{}", brackets(declaration.range.value))
}

fn brackets(range: IndexRange) -> String {
    if range.first == range.last {
        format!("[{}]", range.first)
    } else {
        format!("[{}..{}]", range.first, range.last)
    }
}

fn attributes(declaration: &Declaration) -> String {
    let semantic = declaration.semantic.map(|semantic| match semantic.value.index {
        0 => semantic.value.name.word().to_owned(),
        index => format!("{}[{index}]", semantic.value.name.word()),
    });
    let interpolation = declaration.interpolation.map(|word| word.value.word().to_owned());
    let view = declaration.sampler_view.map(|view| view.target.value.word().to_owned());
    let image = declaration.image.as_ref().map(|image| image.target.value.word().to_owned());
    let words: Vec<String> = [semantic, interpolation, view, image].into_iter().flatten().collect();
    words.join(", ")
}

fn property_value(value: PropertyValue) -> String {
    match value {
        PropertyValue::Number(number) => number.to_string(),
        PropertyValue::Primitive(word) => word.word().to_owned(),
        PropertyValue::Origin(word) => word.word().to_owned(),
        PropertyValue::PixelCenter(word) => word.word().to_owned(),
        PropertyValue::Stage(word) => word.word().to_owned(),
    }
}
