//! Registers of image instructions: assemblers want other counts of them.

use crate::dialect::Dialect;
use crate::encoding::Encoding;
use crate::image::{self, Dimension};
use crate::instruction::form::InstDesc;
use crate::instruction::{InstructionSet, image as image_registers};

/// The registers that describe an image, and with `r128`.
const DESCRIPTIONS: [u8; 2] = [8, 4];

/// Returns the lines of an image instruction with counts of registers that the other dialect
/// may take, the likeliest first; none for other instructions. `words` are what it assembles to.
pub(super) fn resized(line: &str, words: &[u32], to: InstructionSet) -> Vec<String> {
    let Some((form, bits)) = InstructionSet::of(to.target()).describe(words) else {
        return Vec::new();
    };
    let [first, address, resource, rest @ ..] = &*line.split(',').collect::<Vec<_>>() else {
        return Vec::new();
    };
    let (mnemonic, data) = first.trim().split_once(' ').unwrap_or((first, ""));
    let (Some(data), Some(address)) = (Range::read(data), Range::read(address)) else {
        return Vec::new();
    };
    if form.encoding != Encoding::Mimg {
        return Vec::new();
    }
    let moved = match to.dialect() {
        Dialect::Clrx if form.flags().gather() => image_registers::GATHERED as u8,
        _ => image_registers::data_dwords(form, to.target(), bits) as u8,
    };
    let resource = resource.trim_start();
    let length = resource.find(char::is_whitespace).unwrap_or(resource.len());
    let (resource, modifiers) = resource.split_at(length);
    let rest: String = rest.iter().map(|operand| format!(",{operand}")).collect();
    let mut lines = Vec::new();
    for size in sizes(form, address.count, to) {
        let described = Range::read(resource)
            .into_iter()
            .flat_map(|it| DESCRIPTIONS.map(|count| it.with(count)));
        for resource in std::iter::once(resource.to_owned()).chain(described) {
            let (data, address) = (data.with(moved), address.with(size));
            lines.push(format!("{mnemonic} {data}, {address}, {resource}{modifiers}{rest}"));
        }
    }
    lines
}

/// Returns the sizes of an address in the order in which they keep its meaning: as it is
/// named, then larger ones, then smaller ones. Where fewer are named than any size has, nobody
/// knows how many there are: an image of two dimensions is likely.
fn sizes(form: &InstDesc, named: u8, to: InstructionSet) -> Vec<u8> {
    let sizes = image_registers::address_sizes(to.forms_of(form.opcode()));
    let flat = image::address(form.opcode(), Dimension::Two).map(|it| it.len() as u8);
    let unknown = sizes.first().is_some_and(|least| named < *least);
    let usual = flat.filter(|flat| unknown && sizes.contains(flat));
    let (larger, smaller): (Vec<u8>, Vec<u8>) = sizes.into_iter().partition(|it| *it >= named);
    usual.into_iter().chain(larger).chain(smaller.into_iter().rev()).collect()
}

/// Registers of one bank, one after the other.
#[derive(Clone, Copy)]
struct Range {
    bank: char,
    first: u8,
    count: u8,
}

impl Range {
    /// Reads `v4` or `v[4:7]`.
    fn read(text: &str) -> Option<Range> {
        let text = text.trim();
        let bank = text.chars().next().filter(|bank| "vs".contains(*bank))?;
        let numbers = &text[1..];
        let (first, last) = match numbers.strip_prefix('[') {
            Some(range) => range.strip_suffix(']')?.split_once(':')?,
            None => (numbers, numbers),
        };
        let (first, last): (u8, u8) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
        Some(Range { bank, first, count: last.checked_sub(first)?.checked_add(1)? })
    }

    fn with(self, count: u8) -> String {
        let Range { bank, first, .. } = self;
        match count {
            1 if bank == 'v' => format!("v{first}"),
            _ => format!("{bank}[{first}:{}]", u16::from(first) + u16::from(count.max(1)) - 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::instruction;
    use crate::Target;
    use crate::dialect::Dialect::{self, Clrx, Llvm};
    use crate::instruction::{InstructionSet, NoSymbols};

    fn converted(line: &str, from: Dialect) -> String {
        let target = Target::find("tahiti").expect("a chip");
        let set = |dialect| InstructionSet::in_dialect(target, dialect);
        let found = instruction(line, set(from), set(from.other()), &NoSymbols);
        found.unwrap_or_else(|reason| panic!("{line}: {reason}"))
    }

    #[test]
    fn registers_are_counted_as_the_other_assembler_counts_them() {
        for (from, line, other) in [
            // Two registers are too few for any image: one of two dimensions is likely.
            (
                Llvm,
                "image_sample_d v5, v[16:17], s[0:7], s[8:11] dmask:0x1",
                "image_sample_d v5, v[16:21], s[0:7], s[8:11] dmask:0x1",
            ),
            (
                Llvm,
                "image_sample_c_l v5, v[16:23], s[0:7], s[8:11] dmask:0x1",
                "image_sample_c_l v5, v[16:21], s[0:7], s[8:11] dmask:0x1",
            ),
            (
                Llvm,
                "image_gather4 v[0:4], v[6:7], s[0:7], s[8:11] dmask:0x1 tfe",
                "image_gather4 v[0:3], v[6:7], s[0:7], s[8:11] dmask:0x1 tfe",
            ),
            (
                Llvm,
                "image_load v0, v[4:5], s[0:7] dmask:0x1 unorm r128",
                "image_load v0, v[4:5], s[0:3] dmask:0x1 unorm r128",
            ),
            (
                Clrx,
                "image_sample_c_d_cl_o v0, v[4:16], s[0:7], s[8:11] dmask:0x1",
                "image_sample_c_d_cl_o v0, v[4:15], s[0:7], s[8:11] dmask:0x1",
            ),
            (
                Clrx,
                "image_load_mip v0, v[4:8], s[0:7] dmask:0x1",
                "image_load_mip v0, v[4:7], s[0:7] dmask:0x1",
            ),
        ] {
            assert_eq!(converted(line, from), other);
        }
    }
}
