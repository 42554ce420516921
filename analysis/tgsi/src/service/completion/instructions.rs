//! Completions in instructions: opcodes, operands, targets, labels.

use source::{TextRange, TextSize};

use super::declarations::targets;
use editor_model::{CompletionItem, CompletionKind};

use super::items;
use super::{Context, registers};
use crate::ast::Instruction;
use crate::coordinates::Coordinates;
use crate::describe;
use crate::formats;
use crate::lexer::TokenKind;
use crate::opcodes::{Control, Family, Flag, Lookup, Opcode, ValueType};
use crate::service::signature::operand_number;
use crate::service::statement_start::Lexeme;
use crate::words::{File, MemoryQualifier, Modifier, Stage, TextureTarget};

/// An item that fits, and the range that it replaces where that is more than the word.
pub(super) struct Offer {
    pub(super) items: Vec<CompletionItem>,
    pub(super) replace: Option<TextRange>,
}

/// The opcodes that shaders are mostly made of, the most usual first: those of drivers' dumps
/// by their number, with each family together.
const USUAL: [Opcode; 32] = [
    Opcode::MOV,
    Opcode::MUL,
    Opcode::ADD,
    Opcode::MAD,
    Opcode::TEX,
    Opcode::DP3,
    Opcode::DP4,
    Opcode::RCP,
    Opcode::RSQ,
    Opcode::MIN,
    Opcode::MAX,
    Opcode::LRP,
    Opcode::UIF,
    Opcode::ELSE,
    Opcode::ENDIF,
    Opcode::END,
    Opcode::UCMP,
    Opcode::AND,
    Opcode::OR,
    Opcode::UADD,
    Opcode::UMUL,
    Opcode::FSLT,
    Opcode::FSGE,
    Opcode::FSEQ,
    Opcode::USEQ,
    Opcode::SHL,
    Opcode::UARL,
    Opcode::I2F,
    Opcode::F2I,
    Opcode::LOAD,
    Opcode::BGNLOOP,
    Opcode::ENDLOOP,
];

/// Returns how well an opcode fits a stage; `None` where it is not for it. The usual ones come
/// first, then those that this stage alone has.
pub(super) fn fitness(opcode: Opcode, stage: Stage) -> Option<u8> {
    let row = opcode.row();
    if !row.until.is_empty() || !row.is_for(stage.word()) {
        return None; // Historic ones are read, but nobody writes them.
    }
    let rank = USUAL.iter().position(|usual| *usual == opcode);
    let rank = rank.unwrap_or(USUAL.len() + usize::from(row.stages == "any"));
    u8::try_from(rank).ok()
}

/// The offers for an opcode: itself, and its forms with modifiers once it is typed.
pub(super) fn opcode_items(opcode: Opcode, typed: &str, fitness: u8) -> Vec<CompletionItem> {
    let row = opcode.row();
    let mut labels = vec![row.mnemonic.to_owned()];
    let upper = typed.to_ascii_uppercase();
    let clamps = row
        .destination_types
        .first()
        .is_some_and(|ty| matches!(ty, ValueType::Float | ValueType::Untyped));
    let modified = upper.strip_prefix(row.mnemonic).is_some_and(|rest| rest.starts_with('_'));
    if modified && row.destinations > 0 {
        let [saturate, precise] = [Modifier::Saturate, Modifier::Precise].map(Modifier::word);
        if clamps {
            labels.push(format!("{}{saturate}", row.mnemonic));
            labels.push(format!("{}{saturate}{precise}", row.mnemonic));
        }
        labels.push(format!("{}{precise}", row.mnemonic));
    }
    let operands = describe::signature(row);
    let operands = operands[row.mnemonic.len()..].trim().trim_end_matches("[:label]").trim();
    let names = operands.split(", ").filter(|name| !name.is_empty());
    let places: Vec<String> = names
        .enumerate()
        .map(|(at, name)| {
            let name = name.split(':').next().unwrap_or(name);
            format!("${{{}:{name}}}", at + 1)
        })
        .collect();
    let item = |label: String| {
        let snippet = format!("{label} {}", places.join(", "));
        let item = items::opcode(opcode, label.clone(), fitness);
        if places.is_empty() { item } else { item.with_snippet(&label, snippet) }
    };
    labels.into_iter().map(item).collect()
}

/// Returns what may follow an opcode and the tokens after it.
pub(super) fn complete(context: &Context<'_>, opcode: Opcode, pieces: &[Lexeme<'_>]) -> Offer {
    let row = opcode.row();
    let number = operand_number(pieces);
    let last_comma = pieces.iter().rposition(|piece| piece.kind == TokenKind::Comma);
    let operand = &pieces[last_comma.map_or(0, |at| at + 1)..];
    let plain = |items| Offer { items, replace: None };
    if operand.last().is_some_and(|it| it.kind == TokenKind::Colon) {
        return plain(if row.label { labels(context, opcode) } else { Vec::new() });
    }
    let is_destination = number < row.destinations;
    let operands = row.destinations + row.sources;
    match place(operand) {
        OperandPart::Bracket(file, nested) => {
            plain(registers::in_bracket(context.shader, file, nested))
        }
        OperandPart::Address => plain(registers::components()),
        OperandPart::Components if is_destination => plain(registers::masks()),
        OperandPart::Components => plain(registers::swizzles(context.beginning.typed)),
        OperandPart::Start if number < operands => {
            let files = match number.checked_sub(row.destinations) {
                None => destinations(opcode),
                Some(source) => sources(opcode, source),
            };
            let items = files
                .into_iter()
                .flat_map(|(file, fitness)| registers::of_file(context.shader, file, fitness));
            Offer { items: items.collect(), replace: Some(whole_register(context)) }
        }
        OperandPart::Start => plain(after_operands(context, opcode, number - operands)),
        OperandPart::End => plain(Vec::new()),
    }
}

/// The place of the cursor in an operand.
enum OperandPart {
    Start,
    /// Within the brackets of a file; whether these stand in others.
    Bracket(File, bool),
    /// After the dot of an address register within brackets.
    Address,
    /// After the dot of a register.
    Components,
    End,
}

fn place(operand: &[Lexeme<'_>]) -> OperandPart {
    let mut open: Vec<Option<File>> = Vec::new();
    let mut file = None;
    let mut last = None;
    for piece in operand {
        match piece.kind {
            TokenKind::Word if last != Some(TokenKind::Dot) => file = File::from_word(piece.text),
            TokenKind::LeftBracket => open.push(file),
            TokenKind::RightBracket => {
                if let Some(around) = open.pop() {
                    file = around;
                }
            }
            _ => {}
        }
        last = Some(piece.kind);
    }
    match (last, open.last()) {
        (Some(TokenKind::LeftBracket), Some(Some(file))) => {
            OperandPart::Bracket(*file, open.len() > 1)
        }
        (Some(TokenKind::Dot), Some(_)) => OperandPart::Address,
        (Some(TokenKind::Dot), None) => OperandPart::Components,
        (None | Some(TokenKind::Minus | TokenKind::Bar), None) => OperandPart::Start,
        _ => OperandPart::End,
    }
}

/// The word under the cursor with the numbers in brackets right after it, so
/// that a register replaces a register.
fn whole_register(context: &Context<'_>) -> TextRange {
    let word = context.beginning.word;
    let mut end = usize::from(word.end());
    if word.end() > context.offset || !word.is_empty() {
        while let Some(rest) = context.text.get(end..).and_then(|rest| rest.strip_prefix('[')) {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            if rest.as_bytes().get(digits) != Some(&b']') {
                break;
            }
            end += digits + 2;
        }
    }
    TextRange::new(word.start(), TextSize::new(end as u32))
}

/// The files that a destination may be of, with how well each fits.
fn destinations(opcode: Opcode) -> Vec<(File, u8)> {
    let row = opcode.row();
    if row.store && row.formula.starts_with("dst[") {
        return vec![(File::Buffer, 0), (File::Image, 0), (File::Memory, 0)];
    }
    if row.has(Flag::Address) {
        return vec![(File::Address, 0), (File::Temporary, 2)];
    }
    vec![(File::Temporary, 0), (File::Output, 1), (File::Address, 3)]
}

/// The files that a source may be of, with how well each fits.
fn sources(opcode: Opcode, number: usize) -> Vec<(File, u8)> {
    let row = opcode.row();
    let name = format!("src{number}");
    let is = |kind: &str| row.formula.contains(&format!("{kind} {name}"));
    if is("sampler") {
        return vec![(File::Sampler, 0)];
    }
    if is("view") {
        return vec![(File::SamplerView, 0)];
    }
    if is("image") {
        return vec![(File::Image, 0)];
    }
    if is("output") {
        return vec![(File::Output, 0)];
    }
    if is("resource") || row.formula.contains(&format!("{name}[")) {
        let counters = if opcode == Opcode::RESQ { None } else { Some((File::HardwareAtomic, 1)) };
        let constants = (opcode == Opcode::LOAD).then_some((File::ConstantBuffer, 1));
        let all = [(File::Buffer, 0), (File::Image, 0), (File::Memory, 0)];
        return all.into_iter().chain(counters).chain(constants).collect();
    }
    if row.family == Family::Interpolate && number == 0 {
        return vec![(File::Input, 0)];
    }
    if row.family == Family::Immediate || row.control == Control::Case {
        return vec![(File::Immediate, 0)];
    }
    vec![
        (File::Temporary, 0),
        (File::Input, 0),
        (File::Constant, 1),
        (File::Immediate, 1),
        (File::SystemValue, 1),
        (File::Output, 4),
        (File::Address, 4),
    ]
}

/// Returns what may follow the last operand: a target, offsets, or how memory is accessed.
fn after_operands(context: &Context<'_>, opcode: Opcode, extra: usize) -> Vec<CompletionItem> {
    let row = opcode.row();
    if row.texture {
        return match extra {
            0 => targets(|target| takes_target(opcode, target)),
            1..=4 => offsets(context),
            _ => Vec::new(),
        };
    }
    if row.formula.contains("(view ") {
        return if extra < 4 { offsets(context) } else { Vec::new() };
    }
    let accesses = row.number.is_some_and(|number| (161..=176).contains(&number))
        && (row.formula.contains("src0[") || row.formula.contains("dst["));
    if !accesses {
        return Vec::new();
    }
    let qualifiers = items::words(MemoryQualifier::LIST);
    let shapes = targets(|target| !Coordinates::of(target).compares);
    let shapes = shapes.into_iter().map(|mut item| {
        item.fitness = 1;
        item
    });
    let formats = formats::all().iter().map(|format| items::format(format, 2));
    qualifiers.chain(shapes).chain(formats).collect()
}

/// Texel offsets are immediates, mostly.
fn offsets(context: &Context<'_>) -> Vec<CompletionItem> {
    let files = [(File::Immediate, 0), (File::Temporary, 1)];
    let files = files.into_iter();
    files.flat_map(|(file, fitness)| registers::of_file(context.shader, file, fitness)).collect()
}

/// Tells whether an opcode looks up textures of a shape. The operand layout decides: what needs a
/// fourth component that is taken is left to the two-register forms.
#[deny(clippy::wildcard_enum_match_arm)]
pub(crate) fn takes_target(opcode: Opcode, target: TextureTarget) -> bool {
    use TextureTarget as T;
    let shape = Coordinates::of(target);
    let buffer = target == T::Buffer;
    let cube = matches!(target, T::Cube | T::ShadowCube | T::CubeArray | T::ShadowCubeArray);
    // `w` holds the bias, the level or the divisor.
    let w_taken = shape.place > 3 || shape.reference == Some(crate::ast::Component::W);
    match opcode.row().lookup {
        // A handle may be taken of any.
        Lookup::None | Lookup::Size => true,
        Lookup::Samples => shape.samples,
        Lookup::Fetch | Lookup::FetchZero => !cube && !shape.compares,
        Lookup::Implicit2 => target == T::ShadowCubeArray,
        Lookup::Bias2 => matches!(target, T::CubeArray | T::ShadowCubeArray | T::ShadowCube),
        Lookup::Level2 => matches!(target, T::CubeArray | T::ShadowCubeArray),
        Lookup::Projected => !buffer && !shape.samples && !shape.layered && !cube && !w_taken,
        Lookup::Bias | Lookup::Level => {
            !buffer && !shape.samples && !w_taken && target != T::ShadowCubeArray
        }
        Lookup::Gather => shape.position > 1 && !shape.samples && target != T::Texture3D,
        Lookup::Implicit
        | Lookup::Zero
        | Lookup::Derivatives
        | Lookup::Compared
        | Lookup::ComparedZero
        | Lookup::FetchSample
        | Lookup::Position
        | Lookup::Detail => !buffer && !shape.samples && target != T::ShadowCubeArray,
    }
}

/// The instructions that a branch may name, numbered from 0.
fn labels(context: &Context<'_>, opcode: Opcode) -> Vec<CompletionItem> {
    let statements = context.shader.instruction_statements();
    let instructions: Vec<(&Instruction, TextSize)> =
        statements.map(|(statement, it)| (it, statement.range.start())).collect();
    let item = |(instruction, _): &(&Instruction, TextSize), fitness: u8| {
        let number = instruction.ordinal.saturating_sub(1).to_string();
        items::plain(number, CompletionKind::Label, fitness)
            .with_detail(instruction.opcode.value.mnemonic())
    };
    let path = opcode.row().path();
    let of = |it: &Instruction| it.info().path();
    if path == Control::Call {
        let begins = instructions.iter().filter(|it| of(it.0) == Control::Subroutine);
        return begins.map(|it| item(it, 0)).collect();
    }
    let wanted = LABEL_TARGETS.iter().find(|it| it.0 == path).map_or(&[][..], |it| it.1);
    let backwards = path == Control::EndLoop;
    let here = context.offset;
    let mut found: Vec<_> = instructions
        .iter()
        .filter(|(instruction, at)| wanted.contains(&of(instruction)) && (*at < here) == backwards)
        .collect();
    if backwards {
        found.reverse();
    }
    found.into_iter().zip(0..).map(|(it, fitness)| item(it, fitness)).collect()
}

/// The instructions that a label of each may name: those that the opcode's block goes on with.
const LABEL_TARGETS: [(Control, &[Control]); 4] = [
    (Control::If, &[Control::Else, Control::EndIf]),
    (Control::Else, &[Control::EndIf]),
    (Control::Loop, &[Control::EndLoop]),
    (Control::EndLoop, &[Control::Loop]),
];
