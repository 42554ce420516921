//! Declared registers as offers: whole operands, numbers within brackets,
//! masks and swizzles.

use crate::ast::{Declaration, Shader, WriteMask};
use crate::words::File;

use editor_model::{CompletionItem, CompletionKind};

use super::declarations::is_numbered;
use super::items;

/// The number of registers of one declaration that are offered by name.
const MOST_OF_RANGE: u32 = 64;

/// Every declared register of a file as a whole operand, `TEMP[0]`.
pub(super) fn of_file(shader: &Shader, file: File, fitness: u8) -> Vec<CompletionItem> {
    if file == File::Immediate {
        return immediates(shader, fitness);
    }
    let mut items: Vec<CompletionItem> = Vec::new();
    for declaration in shader.declarations().filter(|it| it.file.value == file) {
        let prefix = prefix(shader, declaration);
        for number in numbers(declaration) {
            let detail = detail(shader, declaration, number);
            let label = format!("{}{prefix}[{number}]", file.word());
            // A register may be declared part by part.
            if items.last().is_none_or(|last| last.label != label) {
                items.push(
                    items::plain(label, CompletionKind::Register, fitness).with_detail(detail),
                );
            }
        }
    }
    items
}

/// The numbers of a declaration, or the first of many.
fn numbers(declaration: &Declaration) -> std::ops::RangeInclusive<u32> {
    let range = declaration.range.value;
    range.first..=range.last.min(range.first.saturating_add(MOST_OF_RANGE - 1))
}

/// The first of two brackets: the buffer of a constant, or a vertex.
fn prefix(shader: &Shader, declaration: &Declaration) -> String {
    match declaration.dimension {
        Some(_) if shader.stage.value.is_per_vertex(declaration.file.value) => "[0]".to_owned(),
        Some(Some(dimension)) => format!("[{}]", dimension.value.first),
        _ => String::new(),
    }
}

/// Returns what a register is bound to: `GENERIC[1], PERSPECTIVE`, or its texture's shape.
fn detail(shader: &Shader, declaration: &Declaration, number: u32) -> String {
    let place = number.saturating_sub(declaration.range.value.first);
    let semantic = declaration.semantic.map(|it| it.value);
    let semantic = semantic.map(|semantic| match semantic.index.saturating_add(place) {
        0 if !is_numbered(semantic.name) => semantic.name.word().to_owned(),
        index => format!("{}[{index}]", semantic.name),
    });
    let interpolation = declaration.interpolation.map(|it| it.value.word().to_owned());
    // A sampler looks at the view of its number.
    let views = shader.declarations().filter(|it| it.range.value.contains(number));
    let view = match declaration.file.value {
        File::Sampler => views.filter_map(|it| it.sampler_view).next(),
        _ => declaration.sampler_view,
    };
    let view = view.map(|view| view.target.value.word().to_owned());
    let image = declaration.image.as_ref().map(|image| image.target.value.word().to_owned());
    let parts: Vec<String> = [semantic, interpolation, view, image].into_iter().flatten().collect();
    parts.join(", ")
}

fn immediates(shader: &Shader, fitness: u8) -> Vec<CompletionItem> {
    let immediates = shader.immediates().take(MOST_OF_RANGE as usize * 4).enumerate();
    immediates
        .map(|(number, immediate)| {
            let floats = immediate.ty.value == crate::words::ImmediateType::Float32;
            let values = immediate.bits.map(|bits| match floats {
                true => format!("{:?}", f32::from_bits(bits)),
                false => (bits as i32).to_string(),
            });
            let detail = format!("{} ({})", immediate.ty.value, values.join(", "));
            items::plain(format!("IMM[{number}]"), CompletionKind::Register, fitness)
                .with_detail(detail)
        })
        .collect()
}

/// The numbers that a bracket after a file may hold, and the address registers.
pub(super) fn in_bracket(shader: &Shader, file: File, nested: bool) -> Vec<CompletionItem> {
    let name = file.word();
    let mut items: Vec<CompletionItem> = of_file(shader, file, 0)
        .into_iter()
        .filter_map(|item| {
            let (_, number) = item.label.rsplit_once('[')?;
            let number = number.trim_end_matches(']').to_owned();
            let detail = if item.detail.is_empty() { item.label } else { item.detail };
            Some(items::plain(number, CompletionKind::Number, 0).with_detail(detail))
        })
        .collect();
    items.dedup_by(|left, right| left.label == right.label);
    if !nested && !matches!(name, "ADDR" | "IMM") {
        for address in of_file(shader, File::Address, 1) {
            let label = format!("{}.x", address.label);
            items.push(items::plain(label, CompletionKind::Register, 1).with_detail("indirect"));
        }
    }
    items
}

/// The number after the last declared register of a file.
pub(super) fn next_free(shader: &Shader, file: File) -> u32 {
    let declared = shader.declarations().filter(|it| it.file.value == file);
    declared.map(|it| it.range.value.last.saturating_add(1)).max().unwrap_or(0)
}

/// Returns that number as an offer.
pub(super) fn next_number(shader: &Shader, file: File) -> Vec<CompletionItem> {
    let next = next_free(shader, file).to_string();
    vec![items::plain(next, CompletionKind::Number, 0).with_detail(format!("the next {file}"))]
}

/// Every write mask, the plain ones first.
pub(super) fn masks() -> Vec<CompletionItem> {
    let plain = ["x", "xy", "xyz", "xyzw", "y", "z", "w", "zw", "yzw"];
    let mut items: Vec<CompletionItem> = (1..16)
        .map(|bits| {
            let letters = WriteMask(bits).letters();
            let place = plain.iter().position(|it| *it == letters).unwrap_or(plain.len());
            items::plain(letters, CompletionKind::Components, place as u8)
        })
        .collect();
    items.sort_by_key(|item| item.fitness);
    items
}

/// Swizzles that go on from what is typed: the last letter repeated, the
/// letters in order, and the common ones.
pub(super) fn swizzles(typed: &str) -> Vec<CompletionItem> {
    const COMMON: [&str; 9] =
        ["xxxx", "yyyy", "zzzz", "wwww", "xyzw", "xyyy", "xyzz", "xyxy", "zwzw"];
    let typed = typed.to_ascii_lowercase();
    let valid = typed.len() <= 4 && typed.bytes().all(|letter| b"xyzw".contains(&letter));
    let mut swizzles: Vec<String> = Vec::new();
    if let Some(last) = typed.chars().last().filter(|_| valid) {
        let rest = 4 - typed.len();
        let repeated: String = std::iter::repeat_n(last, rest).collect();
        let order = "xyzw".find(last).unwrap_or(0) + 1;
        let onward: String = "xyzwwwww".chars().skip(order).take(rest).collect();
        swizzles.push(format!("{typed}{repeated}"));
        swizzles.push(format!("{typed}{onward}"));
    }
    swizzles.extend(COMMON.iter().map(|it| (*it).to_owned()));
    let mut items: Vec<CompletionItem> = Vec::new();
    for (place, swizzle) in swizzles.into_iter().enumerate() {
        if !items.iter().any(|item| item.label == swizzle) {
            items.push(items::plain(swizzle, CompletionKind::Components, place as u8));
        }
    }
    items
}

/// One component, for an address.
pub(super) fn components() -> Vec<CompletionItem> {
    let letters = ["x", "y", "z", "w"].into_iter().enumerate();
    letters.map(|(at, it)| items::plain(it, CompletionKind::Components, at as u8)).collect()
}
