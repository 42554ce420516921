//! Faults in lowered text: for a line of LLVM IR what a mistake of the lowering would have
//! made of it.
//!
//! A fault is known by the instruction of TGSI that its line comes from (the debug line) and
//! by which of that instruction's lines it is, so it can be made again where instructions
//! were added before.

use diff_exec::Random;

/// Kinds of mistakes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A read of another component, or of another register.
    Swizzle,
    /// A component is not written, or not exported.
    WriteMask,
    /// A result is not clamped.
    Saturate,
    /// A sign is not turned, or not taken away.
    Sign,
    /// Operands stand in the wrong order.
    Operands,
    /// One operation in place of another.
    Operation,
    /// A wrong comparison.
    Comparison,
    /// Rounded the wrong way.
    Rounding,
    /// A read of another constant.
    Constant,
    /// A place in memory is missed by a word.
    Offset,
    /// A read of another component of what memory or a texture gave.
    Component,
    /// The wrong lanes go on.
    Execution,
    /// A wait is missing.
    Wait,
}

impl Kind {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Swizzle => "wrong swizzle",
            Kind::WriteMask => "wrong write mask",
            Kind::Saturate => "missing saturate",
            Kind::Sign => "dropped negate or abs",
            Kind::Operands => "swapped operands",
            Kind::Operation => "wrong operation",
            Kind::Comparison => "wrong comparison",
            Kind::Rounding => "wrong rounding",
            Kind::Constant => "wrong constant",
            Kind::Offset => "offset off by one",
            Kind::Component => "wrong component",
            Kind::Execution => "wrong lanes",
            Kind::Wait => "missing wait",
        }
    }
}

/// A mistake at a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The kind.
    pub kind: Kind,
    /// The instruction of TGSI, from 1; 0 for what belongs to none.
    pub ordinal: u32,
    /// The number of the line among that instruction's.
    place: usize,
    /// The number of the fault among the line's.
    choice: usize,
    before: String,
    after: String,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let plain = |line: &str| line.split(", !dbg").next().unwrap_or_default().trim().to_owned();
        write!(f, "`{}` in place of `{}`", plain(&self.after), plain(&self.before))
    }
}

/// Facts of a function's lines, beside their text.
struct Context<'a> {
    /// The temporaries that are stored to, by type.
    stored: Vec<(&'a str, &'a str)>,
    /// The values that are stored, and to which.
    values: Vec<(&'a str, &'a str)>,
    lines: Vec<&'a str>,
}

impl<'a> Context<'a> {
    fn of(ir: &'a str) -> Context<'a> {
        let lines: Vec<&str> = ir.lines().collect();
        let mut stored: Vec<(&str, &str)> = Vec::new();
        let mut values = Vec::new();
        for line in &lines {
            let Some(rest) = line.trim().strip_prefix("store ") else { continue };
            let Some((value, rest)) = rest.split_once(", ptr addrspace(5) ") else { continue };
            let Some((place, _)) = rest.split_once(',') else { continue };
            let (ty, value) = value.split_once(' ').unwrap_or_default();
            values.push((value, place));
            if place.starts_with("%v") && !stored.contains(&(ty, place)) {
                stored.push((ty, place));
            }
        }
        Context { stored, values, lines }
    }

    /// Tells whether a value is nothing that the shader wrote: a load of what nothing is
    /// stored to, or only such values; or an export of the lowering's own in place of it.
    fn is_undefined(&self, value: &str) -> bool {
        if !value.starts_with('%') {
            return true;
        }
        let mut values = vec![value];
        let mut next = 0;
        while let Some(value) = values.get(next).copied() {
            next += 1;
            let start = format!("{value} = load ");
            let line = self.lines.iter().find(|line| line.trim().starts_with(&start));
            let place = line.and_then(|line| line.split_once("ptr addrspace(5) "));
            let Some((_, place)) = place else { return false };
            let place = place.split(',').next().unwrap_or_default();
            for (stored, _) in self.values.iter().filter(|(_, own)| *own == place) {
                if !values.contains(stored) {
                    values.push(stored);
                }
            }
        }
        true
    }
}

/// The instruction of TGSI of every line.
fn ordinals(ir: &str) -> Vec<Option<u32>> {
    let locations: Vec<(&str, u32)> = ir
        .lines()
        .filter_map(|line| {
            let (name, rest) = line.split_once(" = !DILocation(line: ")?;
            Some((name, rest.split(',').next()?.parse().ok()?))
        })
        .collect();
    let of = |line: &str| {
        let (_, name) = line.rsplit_once(", !dbg ")?;
        locations.iter().find(|(own, _)| *own == name.trim()).map(|(_, ordinal)| *ordinal)
    };
    ir.lines().map(|line| if line.starts_with("define") { None } else { of(line) }).collect()
}

/// Bits of descriptors of textures and images that the lowering asks for and nothing here
/// shows: the bit by which a reference is clamped to 0..1 (depths lie there, and compare
/// alike with what is outside), and the one by which an image is compressed in memory.
/// Other words of descriptors are joined for filters that only the hardware has.
const UNSEEN_BITS: [&str; 2] = [", 536870912", ", -2097153"];

/// Instructions that find a sample in the table that compressed textures have: none here is
/// compressed.
const WORDS_OF_TABLE: [&str; 5] =
    [" = shl i32 ", " = lshr i32 ", " = and i32 ", " = icmp ne i32 ", " = extractelement <4 x "];

/// Parts of an instruction that nothing here shows.
#[derive(Debug, Clone, Copy)]
struct Unseen {
    /// Its clamps are those of a reference.
    clamps_reference: bool,
    /// A search for a sample.
    finds_sample: bool,
}

/// The instructions with a part in one of their lines.
fn with(ir: &str, ordinals: &[Option<u32>], part: &str) -> Vec<u32> {
    let lines = ir.lines().zip(ordinals);
    lines.filter(|(line, _)| line.contains(part)).filter_map(|(_, own)| *own).collect()
}

/// Tells whether a fault is one that nothing here could show.
fn is_unseen(kind: Kind, line: &str, own: Unseen) -> bool {
    let Unseen { clamps_reference, finds_sample } = own;
    let asks = line.contains(" = icmp ne i32 ") && line.contains(", 0, !dbg");
    // But the last, which has a mask for the sampler.
    let joined = line.contains(" = extractelement <8 x i32> ") && !line.contains(", i32 7");
    joined
        || finds_sample && WORDS_OF_TABLE.iter().any(|word| line.contains(word))
        || UNSEEN_BITS.iter().any(|bits| line.contains(bits))
        || clamps_reference && (kind == Kind::Saturate || asks)
}

/// A fault of a text, of those that are possible: one kind as often as another.
pub fn choose(ir: &str, random: &mut Random) -> Option<Fault> {
    let context = Context::of(ir);
    let mut all = Vec::new();
    let mut places = std::collections::BTreeMap::new();
    let ordinals = ordinals(ir);
    let comparing = with(ir, &ordinals, UNSEEN_BITS[0]);
    let sampling = with(ir, &ordinals, "msaa");
    for (line, ordinal) in ir.lines().zip(ordinals) {
        let Some(ordinal) = ordinal else { continue };
        let place = places.entry(ordinal).or_insert(0_usize);
        for (choice, (kind, after)) in variants(line, &context).into_iter().enumerate() {
            let own = Unseen {
                clamps_reference: comparing.contains(&ordinal),
                finds_sample: sampling.contains(&ordinal),
            };
            if is_unseen(kind, line, own) {
                continue;
            }
            let before = line.to_owned();
            all.push(Fault { kind, ordinal, place: *place, choice, before, after });
        }
        *place += 1;
    }
    let mut kinds: Vec<Kind> = all.iter().map(|it| it.kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let kind = *kinds.get(random.below(kinds.len() as u32) as usize)?;
    all.retain(|it| it.kind == kind);
    let number = random.below(all.len() as u32) as usize;
    all.into_iter().nth(number)
}

impl Fault {
    /// A text with the fault; `None` where it has no such line.
    pub fn applied(&self, ir: &str) -> Option<String> {
        let context = Context::of(ir);
        let own = ordinals(ir);
        let mut numbers = (0..own.len()).filter(|number| own[*number] == Some(self.ordinal));
        let number = numbers.nth(self.place)?;
        let line = context.lines[number];
        let (kind, after) = variants(line, &context).into_iter().nth(self.choice)?;
        if kind != self.kind {
            return None;
        }
        let mut lines = context.lines.clone();
        lines[number] = &after;
        let mut text = lines.join("\n") + "\n";
        // What the text calls must be declared.
        for name in ["floor", "ceil", "trunc"] {
            let declaration = format!("declare float @llvm.{name}.f32(float)");
            if after.contains(&format!("@llvm.{name}.f32(")) && !text.contains(&declaration) {
                text = text.replacen(
                    "\nattributes #0",
                    &format!("\n{declaration}\n\nattributes #0"),
                    1,
                );
            }
        }
        Some(text)
    }
}

/// One word of a line in place of another.
const WORDS: &[(Kind, &str, &str)] = &[
    (Kind::Operation, " = fadd float ", " = fsub float "),
    (Kind::Operation, " = fmul float ", " = fadd float "),
    (Kind::Operation, " = add i32 ", " = sub i32 "),
    (Kind::Operation, " = mul i32 ", " = add i32 "),
    (Kind::Operation, " = and i32 ", " = or i32 "),
    (Kind::Operation, " = xor i32 ", " = or i32 "),
    (Kind::Operation, " = shl i32 ", " = lshr i32 "),
    (Kind::Operation, " = lshr i32 ", " = ashr i32 "),
    (Kind::Operation, " = ashr i32 ", " = lshr i32 "),
    (Kind::Operation, "@llvm.amdgcn.rcp.f32(", "@llvm.amdgcn.rsq.f32("),
    (Kind::Comparison, "fcmp olt ", "fcmp oge "),
    (Kind::Comparison, "fcmp olt ", "fcmp ole "),
    (Kind::Comparison, "fcmp oge ", "fcmp olt "),
    (Kind::Comparison, "fcmp oge ", "fcmp ogt "),
    (Kind::Comparison, "fcmp oeq ", "fcmp une "),
    (Kind::Comparison, "fcmp une ", "fcmp oeq "),
    (Kind::Comparison, "icmp ne ", "icmp eq "),
    (Kind::Comparison, "icmp eq ", "icmp ne "),
    (Kind::Comparison, "icmp slt ", "icmp ult "),
    (Kind::Comparison, "icmp slt ", "icmp sge "),
    (Kind::Comparison, "icmp ult ", "icmp uge "),
    (Kind::Rounding, "@llvm.floor.f32(", "@llvm.ceil.f32("),
    (Kind::Rounding, "@llvm.floor.f32(", "@llvm.trunc.f32("),
    (Kind::Rounding, "@llvm.ceil.f32(", "@llvm.floor.f32("),
    (Kind::Rounding, "@llvm.trunc.f32(", "@llvm.floor.f32("),
    (Kind::Rounding, "@llvm.rint.f32(", "@llvm.floor.f32("),
];

/// Operations whose operands are not to be swapped.
const ORDERED: [&str; 8] = [
    " = fsub float ",
    " = sub i32 ",
    " = shl i32 ",
    " = lshr i32 ",
    " = ashr i32 ",
    "fcmp olt float ",
    "fcmp oge float ",
    "icmp slt i32 ",
];

/// A line that a value passes through unchanged.
fn passed(line: &str, operand: &str) -> Option<String> {
    let (name, _) = line.split_once(" = ")?;
    let (_, debug) = line.rsplit_once(", !dbg")?;
    Some(format!("{name} = fadd float {operand}, -0.000000e+00, !dbg{debug}"))
}

/// Returns a line that writes, in place of an unwritten register's value, a number that
/// nothing computes, since the compiler would choose the right one where it may choose. Of
/// other types the line does nothing, and keeps its place.
fn unwritten(line: &str) -> String {
    let other = ["float 0x40C8000000000000", "i32 1178599424"];
    let place = line.split_once(", ptr addrspace(5) ");
    let own = other.iter().find(|it| {
        let ty = it.split(' ').next().unwrap_or_default();
        line.trim().starts_with(&format!("store {ty} "))
    });
    match (own, place) {
        (Some(value), Some((_, rest))) => format!("  store {value}, ptr addrspace(5) {rest}"),
        _ => String::new(),
    }
}

/// All that may be wrong with a line.
fn variants(line: &str, context: &Context<'_>) -> Vec<(Kind, String)> {
    let mut all = Vec::new();
    for (kind, from, to) in WORDS {
        if line.contains(from) {
            all.push((*kind, line.replacen(from, to, 1)));
        }
    }
    for start in ORDERED {
        let Some((head, rest)) = line.split_once(start) else { continue };
        let Some((operands, debug)) = rest.split_once(", !dbg") else { continue };
        if let Some((one, two)) = operands.split_once(", ").filter(|(one, two)| one != two) {
            all.push((Kind::Operands, format!("{head}{start}{two}, {one}, !dbg{debug}")));
        }
    }
    all.extend(signs(line).into_iter().chain(clamps(line)));
    all.extend(reads(line, context));
    all.extend(numbers(line));
    all.extend(exports(line, context));
    if line.trim().starts_with("store ") && line.contains("ptr addrspace(5) %v") {
        all.push((Kind::WriteMask, unwritten(line)));
    }
    if let Some((head, rest)) = line.split_once("br i1 ")
        && let [condition, one, rest] = rest.splitn(3, ", ").collect::<Vec<_>>()[..]
    {
        let (two, debug) = rest.split_once(", ").unwrap_or((rest, ""));
        all.push((Kind::Execution, format!("{head}br i1 {condition}, {two}, {one}, {debug}")));
    }
    all.retain(|(_, after)| after != line);
    all
}

fn signs(line: &str) -> Option<(Kind, String)> {
    let operand = match line.split_once(" = fneg float ") {
        Some((_, rest)) => rest.split(',').next()?,
        None => {
            let (_, rest) = line.split_once("@llvm.fabs.f32(float ")?;
            rest.split(')').next()?
        }
    };
    Some((Kind::Sign, passed(line, operand)?))
}

/// A limit of a clamp to 0..1.
fn clamps(line: &str) -> Option<(Kind, String)> {
    const LIMITS: [(&str, &str); 2] = [
        ("@llvm.minnum.f32(float ", "0x3FF0000000000000"),
        ("@llvm.maxnum.f32(float ", "0x0000000000000000"),
    ];
    let found = LIMITS.iter().find_map(|(call, limit)| {
        let (_, rest) = line.split_once(call)?;
        let (operand, second) = rest.split_once(", float ")?;
        second.starts_with(limit).then_some(operand)
    });
    Some((Kind::Saturate, passed(line, found?)?))
}

/// Returns faults that read another register or component.
fn reads(line: &str, context: &Context<'_>) -> Vec<(Kind, String)> {
    let mut all = Vec::new();
    if let Some((head, rest)) = line.split_once(" = load ")
        && let Some((ty, rest)) = rest.split_once(", ptr addrspace(5) ")
        && let Some((place, rest)) = rest.split_once(',')
    {
        // The next ones of its type: components of a register follow each other.
        let same: Vec<&str> =
            context.stored.iter().filter(|(own, _)| *own == ty).map(|(_, place)| *place).collect();
        if let Some(at) = same.iter().position(|own| *own == place) {
            for step in [1, same.len().saturating_sub(1), 2] {
                let other = same[(at + step) % same.len()];
                let text = format!("{head} = load {ty}, ptr addrspace(5) {other},{rest}");
                all.push((Kind::Swizzle, text));
            }
        }
    }
    if let Some((head, rest)) = line.split_once("@llvm.amdgcn.interp.p2(")
        && let [one, two, channel, rest] = rest.splitn(4, ", ").collect::<Vec<_>>()[..]
        && let Some(number) = channel.strip_prefix("i32 ").and_then(|it| it.parse::<u32>().ok())
    {
        let other = (number + 1) & 3;
        let text = format!("{head}@llvm.amdgcn.interp.p2({one}, {two}, i32 {other}, {rest}");
        all.push((Kind::Swizzle, text));
    }
    if let Some((head, rest)) = line.split_once(" = extractelement <")
        && let Some((vector, index)) = rest.split_once(", i32 ")
        && let Some((count, _)) = vector.split_once(' ')
        && let Some((index, debug)) = index.split_once(',')
        && let (Ok(count), Ok(index)) = (count.parse::<u32>(), index.parse::<u32>())
    {
        let other = (index + 1) % count.max(1);
        let text = format!("{head} = extractelement <{vector}, i32 {other},{debug}");
        all.push((Kind::Component, text));
    }
    all
}

/// Returns faults that access another place in memory.
fn numbers(line: &str) -> Vec<(Kind, String)> {
    let mut all = Vec::new();
    if let Some((head, rest)) = line.split_once("@llvm.amdgcn.s.buffer.load.f32(")
        && let Some((descriptor, rest)) = rest.split_once(", i32 ")
        && let Some((offset, rest)) = rest.split_once(", i32 ")
        && let Ok(number) = offset.parse::<u32>()
    {
        let with = |other: u32| {
            format!("{head}@llvm.amdgcn.s.buffer.load.f32({descriptor}, i32 {other}, i32 {rest}")
        };
        all.push((Kind::Constant, with(number.checked_sub(16).unwrap_or(number + 16))));
        all.push((Kind::Offset, with(number ^ 4)));
    }
    for name in ["@llvm.amdgcn.raw.buffer.load.", "@llvm.amdgcn.raw.buffer.store."] {
        let Some((head, rest)) = line.split_once(name) else { continue };
        // Before the cache policy stand the scalar offset and the vector offset.
        let parts: Vec<&str> = rest.split(", i32 ").collect();
        let Some((at, number)) = parts
            .iter()
            .enumerate()
            .rev()
            .skip(1)
            .find_map(|(at, part)| Some((at, part.parse::<u32>().ok()?)))
        else {
            continue;
        };
        let other = (number ^ 4).to_string();
        let mut changed = parts.clone();
        changed[at] = &other;
        all.push((Kind::Offset, format!("{head}{name}{}", changed.join(", i32 "))));
    }
    all
}

/// A component is not exported, or another in its place.
fn exports(line: &str, context: &Context<'_>) -> Vec<(Kind, String)> {
    let mut all = Vec::new();
    let Some((head, rest)) = line.split_once("@llvm.amdgcn.exp.f32(") else { return all };
    let parts: Vec<&str> = rest.splitn(7, ", ").collect();
    let [target, mask, x, y, z, w, rest] = parts[..] else { return all };
    let Some(bits) = mask.strip_prefix("i32 ").and_then(|it| it.parse::<u32>().ok()) else {
        return all;
    };
    let values = [x, y, z, w];
    let defined = |at: usize| {
        let value = values[at].strip_prefix("float ").unwrap_or_default();
        bits >> at & 1 == 1 && !context.is_undefined(value)
    };
    for at in (0..4).filter(|at| defined(*at)) {
        let mask = bits & !(1 << at);
        let text =
            format!("{head}@llvm.amdgcn.exp.f32({target}, i32 {mask}, {x}, {y}, {z}, {w}, {rest}");
        all.push((Kind::WriteMask, text));
    }
    if defined(0) && defined(1) && x != y {
        let text =
            format!("{head}@llvm.amdgcn.exp.f32({target}, {mask}, {y}, {x}, {z}, {w}, {rest}");
        all.push((Kind::Swizzle, text));
    }
    all
}
