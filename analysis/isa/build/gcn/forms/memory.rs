//! Slots of scalar memory, the data share, flat memory and exports.

use super::builder::{Builder, Variant, number};
use crate::plain::Generation;
use crate::plain::encoding::Encoding;
use crate::plain::operand::{Operand, OperandSpec, Origin, Type};
use crate::plain::slot::{Bits, Check, Flag, Key, OffsetRule, ScalarOffset, ScalarSet, SlotKind};

/// The dwords of a part by its letter.
pub(crate) fn part(spec: &OperandSpec, letter: char) -> Option<u8> {
    spec.operands.iter().find_map(|operand| match operand {
        Operand::Part { letter: own, dwords } if *own == letter => Some(*dwords),
        _ => None,
    })
}

/// Scalar memory: data, base, and an offset that is a number or a register.
pub(crate) fn scalar(mut builder: Builder<'_>, spec: &OperandSpec, variants: &mut Vec<Variant>) {
    let generation = builder.chip.generation;
    let old = builder.encoding == Encoding::Smrd;
    let data = if old { "sdst" } else { "sdata" };
    if spec.operands.contains(&Operand::Probe) {
        builder.push(SlotKind::Probe, data);
    }
    let flags = spec.flags;
    let moved = part(spec, 'r').or_else(|| part(spec, 'd'));
    if let Some(dwords) = moved {
        builder.push(SlotKind::Scalar { dwords, set: ScalarSet::NoM0NoExec, shift: 0 }, data);
    }
    let Some(base) = part(spec, 'b') else {
        variants.push(Variant::new(builder.slots, Check::None));
        return;
    };
    builder.push(SlotKind::Scalar { dwords: base, set: ScalarSet::All, shift: 1 }, "sbase");
    let immediate = 1 << builder.own("imm");
    let has_policy = !old && (flags.load() || flags.store() || flags.atomic());
    let finish = |mut builder: Builder<'_>, fixed: Bits, variants: &mut Vec<Variant>| {
        if has_policy {
            builder.cache_policy();
        }
        let mut variant = Variant::new(builder.slots, Check::None);
        variant.base = fixed;
        variants.push(variant);
    };
    let rules: &[ScalarOffset] = match generation {
        Generation::Gfx6 => &[ScalarOffset::Byte],
        Generation::Gfx7 => &[ScalarOffset::Byte, ScalarOffset::Literal],
        Generation::Gfx8 => &[ScalarOffset::Unsigned20],
        Generation::Gfx9 if flags.buffer() => &[ScalarOffset::Unsigned20],
        Generation::Gfx9 => &[ScalarOffset::Signed21],
    };
    for rule in rules {
        let mut with_number = builder.clone();
        let fixed = if *rule == ScalarOffset::Literal { 0 } else { immediate };
        if *rule == ScalarOffset::Literal {
            with_number.push(SlotKind::ScalarOffset(*rule), "offset");
        } else {
            with_number.option(SlotKind::ScalarOffset(*rule), "offset", 0);
        }
        finish(with_number, fixed, variants);
    }
    let register = SlotKind::Scalar { dwords: 1, set: ScalarSet::All, shift: 0 };
    let mut with_register = builder.clone();
    let slot = with_register.push(register, "offset");
    if !old {
        // Only the number of the register counts in the wider field.
        slot.width = 7;
    }
    finish(with_register, 0, variants);
    if builder.has("soffset") {
        let enabled = 1 << builder.own("soffset_en");
        // The same in another field, which assemblers do not write: it is after the
        // other, so that it is only read.
        let mut elsewhere = builder.clone();
        elsewhere.push(register, "soffset");
        finish(elsewhere, enabled, variants);
        let mut with_both = builder;
        with_both.push(register, "soffset");
        let lowest = if flags.buffer() { 0 } else { -0x10_0000 };
        with_both.push(number(Key::Offset, lowest, 0xf_ffff), "offset");
        finish(with_both, immediate | enabled, variants);
    }
}

/// The local and global data share.
pub(crate) fn data_share(
    mut builder: Builder<'_>,
    spec: &OperandSpec,
    variants: &mut Vec<Variant>,
) {
    for operand in spec.operands {
        let Operand::Part { letter, dwords } = *operand else { continue };
        let name = match letter {
            'r' => "vdst",
            'a' => "addr",
            'd' => "data0",
            _ => "data1",
        };
        // The semaphores' only register is data, though it lies where addresses do.
        if letter == 'a' && !spec.flags.gds() {
            builder.push(SlotKind::Vector { dwords }, name);
        } else {
            builder.data(dwords, name);
        }
    }
    let flags = spec.flags;
    if flags.two_offsets() {
        builder.option(number(Key::Offset0, 0, 0xff), "offset0", 0);
        builder.option(number(Key::Offset1, 0, 0xff), "offset1", 0);
    } else if !flags.no_address() {
        builder.option(number(Key::Offset, 0, 0xffff), "offset0", 0);
    }
    if flags.gds() {
        builder.push(SlotKind::Flag(Flag::Gds), "gds");
    } else if !flags.no_gds() && builder.chip.has("gds") {
        builder.option(SlotKind::Flag(Flag::Gds), "gds", 0);
    }
    variants.push(Variant::new(builder.slots, Check::None));
}

/// The scalar address that means none.
const NO_SCALAR_ADDRESS: u8 = 0x7f;

/// Flat memory, and from gfx9 on the global and scratch segments.
pub(crate) fn flat(builder: Builder<'_>, spec: &OperandSpec, variants: &mut Vec<Variant>) {
    let flags = spec.flags;
    let result = part(spec, 'r').filter(|_| !flags.atomic());
    let returns: &[bool] =
        if flags.atomic() && !flags.no_return() { &[false, true] } else { &[false] };
    for returns in returns {
        let mut start = builder.clone();
        let returned = part(spec, 'r').filter(|_| *returns);
        if let Some(dwords) = result.or(returned) {
            start.data(dwords, "vdst");
        }
        let check = if flags.atomic() { Check::Returns(*returns) } else { Check::None };
        let first = variants.len();
        with_address(&start, part(spec, 'd'), None, check, variants);
        if flags.no_scope() {
            variants[first..].iter_mut().for_each(Variant::without_scope_bit);
        }
    }
    if flags.to_lds() && builder.encoding != Encoding::Flat && builder.has("lds") {
        with_address(&builder, None, Some(Flag::Lds), Check::None, variants);
    }
}

/// Adds the ways to say an address, and what follows it.
fn with_address(
    start: &Builder<'_>,
    data: Option<u8>,
    last: Option<Flag>,
    check: Check,
    variants: &mut Vec<Variant>,
) {
    for address in addresses(start) {
        let mut whole = start.clone();
        let Address { vector, scalar, used } = address;
        let kind = vector.map_or(SlotKind::Off { code: 0 }, |dwords| SlotKind::Vector { dwords });
        whole.push(kind, "addr");
        if let Some(dwords) = data {
            whole.data(dwords, "data");
        }
        match scalar {
            ScalarAddress::None => {}
            ScalarAddress::Off => {
                whole.push(SlotKind::Off { code: NO_SCALAR_ADDRESS }, "saddr");
            }
            ScalarAddress::Registers(dwords) => {
                let kind = SlotKind::Scalar { dwords, set: ScalarSet::NoExecHigh, shift: 0 };
                whole.push(kind, "saddr");
            }
        }
        let (lowest, highest, rule) = match (whole.encoding, whole.has("offset")) {
            (_, false) => (0, 0, OffsetRule::Absent),
            (Encoding::Flat, _) => (0, 0xfff, OffsetRule::Strict),
            _ => (-0x1000, 0xfff, OffsetRule::Strict),
        };
        whole.option(SlotKind::Number { key: Key::Offset, lowest, highest, rule }, "offset", 0);
        whole.cache_policy();
        if let Some(flag) = last {
            whole.push(SlotKind::Flag(flag), flag.name());
        }
        let mut variant = Variant::new(whole.slots, check);
        variant.base = if used { 1 << start.own("sve") } else { 0 };
        variants.push(variant);
    }
}

enum ScalarAddress {
    None,
    Off,
    Registers(u8),
}

/// A way to say an address.
struct Address {
    /// The dwords of the vector one.
    vector: Option<u8>,
    scalar: ScalarAddress,
    /// Tells whether a bit says that the vector one counts.
    used: bool,
}

/// The ways to say an address.
fn addresses(builder: &Builder<'_>) -> Vec<Address> {
    use ScalarAddress::{None as NoField, Off, Registers};
    let has_both = builder.has("sve");
    let address = |vector, scalar| Address { vector, scalar, used: has_both && vector.is_some() };
    match builder.encoding {
        Encoding::Global => vec![address(Some(2), Off), address(Some(1), Registers(2))],
        Encoding::Scratch => {
            let (vector, scalar) = (address(Some(1), Off), address(None, Registers(1)));
            match has_both {
                // No register at all is a number of its own: read before those of registers.
                true => vec![vector, address(None, Off), scalar, address(Some(1), Registers(1))],
                false => vec![vector, scalar],
            }
        }
        _ => vec![address(Some(2), NoField)],
    }
}

/// Exports.
pub(crate) fn export(mut builder: Builder<'_>, variants: &mut Vec<Variant>) {
    builder.push(SlotKind::ExportTarget, "tgt");
    let enabled = builder.own("en");
    for (index, name) in ["vsrc0", "vsrc1", "vsrc2", "vsrc3"].into_iter().enumerate() {
        builder.push(SlotKind::ExportSource { place: enabled + index as u8 }, name);
    }
    builder.flag(Flag::Done);
    builder.flag(Flag::Compr);
    builder.flag(Flag::Vm);
    variants.push(Variant::new(builder.slots, Check::Export));
}

/// A source that is a scalar register or a constant with a code.
pub(crate) fn scalar_offset() -> SlotKind {
    SlotKind::ScalarSource { ty: Type::WORD, from: Origin::Inline }
}
