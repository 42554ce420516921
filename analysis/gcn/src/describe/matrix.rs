//! Products of matrices: what hovers and pages say of them, with a picture of the places of
//! their elements.

use std::fmt::Write as _;

use isa::gcn::matrix::{
    FirstModifier, LayoutSource, MatrixKind, MatrixProduct, MatrixType, SecondModifier,
};

use crate::Target;
use crate::matrix::{LANES, Layout, Part, index_parts};
use crate::mnemonics::OpInfo;

/// SIMDs of a compute unit, each of which has a matrix unit.
const UNITS: u32 = 4;

/// A product as an instruction uses it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Use<'a> {
    pub(super) product: &'a MatrixProduct,
    /// The numbers of `cbsz`, `abid` and `blgp`.
    pub(super) modifiers: [u8; 3],
    /// The operands of A, B, D and C as the text has them, of a sparse product the indexes in
    /// place of C; nothing where there is no instruction.
    pub(super) operands: Option<[&'a str; 4]>,
}

impl<'a> Use<'a> {
    /// A product by itself, without modifiers.
    pub(super) fn of(product: &'a MatrixProduct) -> Use<'a> {
        Use { product, modifiers: [0; 3], operands: None }
    }

    pub(super) fn formats(&self) -> [u8; 2] {
        [self.modifiers[0], self.modifiers[2]]
    }

    pub(super) fn layout(&self, part: Part) -> Option<Layout> {
        Layout::of(self.product, part, self.formats())
    }

    /// The types of A and B; nothing where a modifier names none.
    fn types(&self) -> Option<[MatrixType; 2]> {
        let [first, second] = self.formats();
        let by_format = self.operands.is_none();
        // Without an instruction there are no formats.
        let own =
            |ty: MatrixType, number| if by_format { Some(ty) } else { ty.with_format(number) };
        Some([own(self.product.a, first)?, own(self.product.b, second)?])
    }

    /// Returns what hovers and pages say: sizes and types, how long it takes, what its modifiers
    /// mean, and where the elements are.
    pub(super) fn page(&self) -> String {
        let product = self.product;
        let MatrixProduct { side, depth, blocks, d, .. } = *product;
        let mut text = format!("M = {side}, N = {side}, K = {depth}, {}", counted(blocks, "block"));
        let types = self.types();
        if let Some([a, b]) = types {
            let _ = write!(text, ": A of {}, B of {}, C and D of {}", a.name(), b.name(), d.name());
        }
        text.push_str(".\n\n");
        let _ = writeln!(text, "- {}", self.rate(types));
        if let Some(beside) = product.beside {
            let _ = writeln!(text, "- {}", beside_it(beside));
        }
        for line in self.modifier_lines() {
            let _ = writeln!(text, "- {line}");
        }
        text.push('\n');
        for part in Part::ALL {
            text.push_str(&self.picture(part));
        }
        text.push_str(layout_source(product.layout));
        text
    }

    /// Says how long it takes, and how much it does.
    fn rate(&self, types: Option<[MatrixType; 2]>) -> String {
        let product = self.product;
        let (short, long) = (product.passes, product.byte_passes);
        let what = if product.d == MatrixType::I32 { "operations" } else { "FLOPs" };
        let rate = |passes: u8| {
            let clocks = 4 * u32::from(passes);
            (clocks, product.operations() / clocks * UNITS)
        };
        let unit = match product.kind {
            MatrixKind::Xdl => "XDL",
            MatrixKind::Single => "SGEMM",
            MatrixKind::Double => "DGEMM",
        };
        let sparse = if product.is_sparse() { ", as if A were dense" } else { "" };
        let known = types.filter(|types| !types.contains(&MatrixType::ByFormat));
        if let Some(passes) =
            known.map(|[a, b]| product.passes_of(a, b)).or((short == long).then_some(short))
        {
            let (clocks, each) = rate(passes);
            return format!(
                "{unit}, {passes} passes ({clocks} clocks): {} {what} per clock and compute unit{sparse}",
                thousands(each)
            );
        }
        let ((few, fast), (many, slow)) = (rate(short), rate(long));
        format!(
            "{unit}, {short} passes ({few} clocks), or {long} ({many} clocks) where A or B is fp8 or \
             bf8: {} or {} {what} per clock and compute unit",
            thousands(fast),
            thousands(slow)
        )
    }

    fn modifier_lines(&self) -> Vec<String> {
        let [cbsz, abid, blgp] = self.modifiers;
        let product = self.product;
        let formats = "0 fp8, 1 bf8, 2 fp6, 3 bf6, 4 fp4";
        let mut lines = Vec::new();
        match product.first_modifier {
            FirstModifier::Ignored if cbsz | abid != 0 => {
                lines.push("`cbsz` and `abid`: the hardware ignores them here".to_owned());
            }
            FirstModifier::Ignored => {}
            FirstModifier::Broadcast if cbsz > 0 => {
                let shared = 1_u32 << cbsz.min(4);
                lines.push(format!(
                    "`cbsz:{cbsz} abid:{abid}`: of every {shared} blocks all take block {abid} of A"
                ));
            }
            FirstModifier::Broadcast => {
                lines.push("`cbsz:n abid:m`: of every 2ⁿ blocks all take block m of A".to_owned())
            }
            FirstModifier::Format => lines.push(format!("`cbsz`: the format of A: {formats}")),
            FirstModifier::Index => {
                let parts = self.layout(Part::A).map_or(1, |layout| index_parts(&layout));
                let read = match (parts, cbsz) {
                    (1, _) => "the register of indexes is read as a whole".to_owned(),
                    (_, 0) => format!(
                        "`abid` says which {} of the register of indexes is read",
                        part_of(parts)
                    ),
                    _ => format!(
                        "`cbsz` is not 0, so that `abid` does not count: the lowest {} of the register of indexes is read",
                        part_of(parts)
                    ),
                };
                lines.push(read);
            }
        }
        match product.second_modifier {
            SecondModifier::Ignored if blgp != 0 => {
                lines.push("`blgp`: the hardware ignores it here".to_owned());
            }
            SecondModifier::Ignored => {}
            SecondModifier::Lanes => lines.push(lanes_of_b(blgp)),
            SecondModifier::Format => lines.push(format!("`blgp`: the format of B: {formats}")),
            SecondModifier::Negate => lines.push("`neg:[a,b,c]`: negates A, B, C".to_owned()),
        }
        lines
    }

    /// The picture of a part: a row for each run of registers, a column for each group of lanes.
    fn picture(&self, part: Part) -> String {
        let Some(layout) = self.layout(part) else { return String::new() };
        let mut text = String::new();
        let groups = layout.groups();
        let width = LANES / groups;
        let _ = write!(text, "| {} |", self.title(part));
        for group in 0..groups {
            let _ = write!(text, " lanes {} |", span(group * width, width));
        }
        text.push_str("\n|---|");
        text.push_str(&"---|".repeat(groups as usize));
        text.push('\n');
        for run in 0..layout.held() / layout.run {
            let _ = write!(text, "| {} |", self.registers(part, &layout, run));
            for group in 0..groups {
                let _ = write!(text, " {} |", self.cell(part, &layout, run, group));
            }
            text.push('\n');
        }
        let _ = writeln!(text, "\n{}\n", lines_of(part, &layout));
        text
    }

    /// `A[i][k]`, with the operand where there is one.
    pub(super) fn title(&self, part: Part) -> String {
        let name = name_of(part);
        let sparse = self.product.is_sparse();
        match (part, self.operands) {
            (_, None) => name.to_owned(),
            (Part::A, Some([a, _, _, indexes])) if sparse => {
                format!("{name} in `{a}`, indexes in `{indexes}`")
            }
            (Part::A, Some([own, ..])) | (Part::B, Some([_, own, ..])) => {
                format!("{name} in `{own}`")
            }
            (Part::D, Some([_, _, d, c])) if sparse || d == c => format!("{name} in `{d}`"),
            (Part::D, Some([_, _, d, c])) => format!("D[i][j] in `{d}`, C in `{c}`"),
        }
    }

    /// The registers of a run: `v2, v3`, or by number where there is no instruction.
    pub(super) fn registers(&self, part: Part, layout: &Layout, run: u32) -> String {
        let count = layout.run * layout.ty.bits() / 32;
        let first = run * count;
        self.named(part, first, count).unwrap_or_else(|| match count {
            1 => format!("register {first}"),
            _ => format!("registers {}", span(first, count)),
        })
    }

    /// The names of some of an operand's registers, where there is an instruction: `v[2:3]`.
    pub(super) fn named(&self, part: Part, first: u32, count: u32) -> Option<String> {
        let operand = self.operands?[part as usize];
        let bank = operand.chars().next().filter(|it| matches!(it, 'v' | 'a'))?;
        let digits = operand.trim_start_matches(|it: char| !it.is_ascii_digit());
        let end = digits.find(|it: char| !it.is_ascii_digit()).unwrap_or(digits.len());
        let first = digits[..end].parse::<u32>().ok()?.checked_add(first)?;
        match count {
            1 => Some(format!("{bank}{first}")),
            _ => Some(format!("{bank}[{first}:{}]", first.checked_add(count - 1)?)),
        }
    }

    /// The elements of a run in a group of lanes: `k = 0–3`.
    fn cell(&self, part: Part, layout: &Layout, run: u32, group: u32) -> String {
        let runs = layout.length / layout.groups() / layout.run;
        let (own, block) = (run % runs, run / runs);
        let first = (own * layout.groups() + group) * layout.run;
        let mut text = along(self.product, part, first, layout.run);
        if layout.blocks > layout.lane_blocks {
            let _ = write!(text, ", block {block}");
        }
        text
    }
}

/// The name of a part, with its row and column.
fn name_of(part: Part) -> &'static str {
    match part {
        Part::A => "A[i][k]",
        Part::B => "B[k][j]",
        Part::D => "C and D[i][j]",
    }
}

/// Elements along a line: `k = 0–3`; of a sparse A the columns of which two of every four are
/// there.
pub(super) fn along(product: &MatrixProduct, part: Part, first: u32, count: u32) -> String {
    match part {
        Part::A if product.is_sparse() => {
            format!("two of every four of k = {}", span(2 * first, 2 * count))
        }
        Part::A | Part::B => format!("k = {}", span(first, count)),
        Part::D => format!("i = {}", span(first, count)),
    }
}

/// Says which line a lane has.
fn lines_of(part: Part, layout: &Layout) -> String {
    let name = if part == Part::A { 'i' } else { 'j' };
    let side = layout.side;
    let mut text = if side * layout.lane_blocks == 1 {
        String::new()
    } else {
        format!("{name} = lane mod {side}")
    };
    if layout.lane_blocks > 1 {
        let wrap = match layout.side * layout.lane_blocks {
            LANES => String::new(),
            _ => format!(" mod {}", layout.lane_blocks),
        };
        let _ = write!(text, ", block = lane / {side}{wrap}");
    }
    let bits = layout.ty.bits();
    if bits < 32 {
        let _ = write!(text, "; elements of {bits} bits follow each other from the lowest bit on");
    }
    text + "."
}

fn lanes_of_b(blgp: u8) -> String {
    let meaning = match blgp {
        0 => {
            return "`blgp`: lanes of B rearranged: 1, 2 the first or last 32 for all, 3 turned by 16, 4 to 7 one \
                    group of 16 for all"
                .to_owned();
        }
        1 => "all lanes take B of the first 32".to_owned(),
        2 => "all lanes take B of the last 32".to_owned(),
        3 => "lanes take B turned by 16 lanes".to_owned(),
        other => {
            let first = u32::from(other.saturating_sub(4)) * 16;
            format!("all lanes take B of lanes {}", span(first, 16))
        }
    };
    format!("`blgp:{blgp}`: {meaning}")
}

fn beside_it(clocks: u8) -> String {
    match clocks {
        0 => "no other vector instruction runs on the SIMD meanwhile".to_owned(),
        _ => format!("other vector instructions can run for {clocks} of these clocks"),
    }
}

/// Says where the places of elements are known from; nothing where AMD's calculator gives them.
pub(super) fn layout_source(source: LayoutSource) -> &'static str {
    match source {
        LayoutSource::Calculator => "",
        LayoutSource::Kernels => "The places are those that published kernels use.\n\n",
        LayoutSource::Analogy => {
            "Nobody has published the places of this form: they are those of the form that is half \
             as deep, with twice as many elements of a line in a lane.\n\n"
        }
    }
}

fn part_of(parts: u32) -> &'static str {
    match parts {
        2 => "half",
        4 => "byte",
        _ => "part",
    }
}

/// `0–3`, or the number where there is only one.
pub(super) fn span(first: u32, count: u32) -> String {
    if count == 1 { first.to_string() } else { format!("{first}–{}", first + count - 1) }
}

fn counted(count: u32, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

fn thousands(number: u32) -> String {
    match number {
        ..1000 => number.to_string(),
        _ => format!("{},{:03}", number / 1000, number % 1000),
    }
}

/// Returns what the page of a mnemonic says of the product that it is: on a chip, or on the last
/// that has it, and where others need other times.
pub(super) fn of_mnemonic(info: &OpInfo, target: Option<Target>) -> String {
    let products = products(info);
    let own = match target {
        Some(target) => info.opcode.matrix_product(target.row().subtarget),
        None => products.last().map(|it| it.1),
    };
    let Some(product) = own else { return String::new() };
    let mut text = Use::of(product).page();
    if target.is_none() && products.iter().any(|it| it.1.passes != product.passes) {
        text.push_str("| chip | passes |\n|---|---|\n");
        for (chip, other) in products {
            let _ = writeln!(text, "| {} | {} |", chip.name(), other.passes);
        }
        text.push('\n');
    }
    text
}

/// The products that an opcode is on the processors that have it.
pub(super) fn products(info: &OpInfo) -> Vec<(Target, &'static MatrixProduct)> {
    let processors = Target::all().filter(|it| it.name() == it.row().processor);
    let own = processors.filter(|it| !info.forms(*it).is_empty());
    own.filter_map(|it| Some((it, info.opcode.matrix_product(it.row().subtarget)?))).collect()
}
