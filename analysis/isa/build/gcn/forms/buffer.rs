//! Slots of buffers and images.

use super::builder::{Builder, Variant, number};
use super::memory::{part, scalar_offset};
use crate::plain::Generation;
use crate::plain::encoding::Encoding;
use crate::plain::operand::{Operand, OperandSpec};
use crate::plain::slot::{Check, FORMAT_DEFAULT, Flag, Key, ScalarSet, SlotKind};

/// Says how a buffer's address is said: the dwords of the register, and the words
/// after the scalar offset.
const ADDRESSES: [(Option<u8>, &[Flag]); 5] = [
    (None, &[]),
    (Some(1), &[Flag::Idxen]),
    (Some(1), &[Flag::Offen]),
    (Some(2), &[Flag::Idxen, Flag::Offen]),
    (Some(2), &[Flag::Addr64]),
];

/// Buffers, untyped and typed.
pub(crate) fn slots(builder: Builder<'_>, spec: &OperandSpec, variants: &mut Vec<Variant>) {
    let flags = spec.flags;
    if flags.no_address() {
        let mut whole = builder;
        // Which caches are meant, where the instruction says it.
        if flags.load() || flags.store() {
            whole.cache_policy();
        }
        variants.push(Variant::new(whole.slots, Check::None));
        return;
    }
    let Some(data) = part(spec, 'd') else {
        // From the local data share, whose address is in M0.
        let mut whole = builder;
        whole.push(RESOURCE, "srsrc");
        whole.push(scalar_offset(), "soffset");
        whole.option(number(Key::Offset, 0, 0xfff), "offset", 0);
        whole.push(SlotKind::Flag(Flag::Lds), "lds");
        variants.push(Variant::new(whole.slots, Check::None));
        return;
    };
    let packed = flags.d16() && builder.chip.has("packed-d16");
    let data = if packed { data.div_ceil(2) } else { data };
    let typed = builder.encoding == Encoding::Mtbuf;
    let to_lds = flags.to_lds() && !typed;
    let formats: &[Formats] =
        if typed { &[Formats::After, Formats::Before] } else { &[Formats::None] };
    for (address, words) in ADDRESSES {
        if words.contains(&Flag::Addr64) && !builder.has("addr64") {
            continue;
        }
        for formats in formats {
            let line = BufferSyntax { address, words, formats: *formats };
            variants.push(buffer(&builder, data, Destination::Registers, &line));
            if let (true, Some(last)) = (flags.no_return(), variants.last_mut()) {
                last.check = Check::Returns(false);
            }
            if let (true, Some(last)) = (flags.no_scope(), variants.last_mut()) {
                last.without_scope_bit();
            }
            if flags.load() && !typed && builder.has("tfe") {
                variants.push(buffer(&builder, data + 1, Destination::WithStatus, &line));
            }
            if to_lds {
                variants.push(buffer(&builder, data, Destination::DataShare, &line));
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Formats {
    None,
    After,
    Before,
}

/// The place to which a load goes.
#[derive(Clone, Copy, PartialEq)]
enum Destination {
    Registers,
    /// One more register says whether pages were missing.
    WithStatus,
    DataShare,
}

struct BufferSyntax {
    address: Option<u8>,
    words: &'static [Flag],
    formats: Formats,
}

fn buffer(start: &Builder<'_>, data: u8, destination: Destination, line: &BufferSyntax) -> Variant {
    let mut whole = start.clone();
    if destination != Destination::DataShare {
        whole.data(data, "vdata");
    }
    let address =
        line.address.map_or(SlotKind::Off { code: 0 }, |dwords| SlotKind::Vector { dwords });
    whole.push(address, "vaddr");
    whole.push(RESOURCE, "srsrc");
    if line.formats == Formats::Before {
        whole.push(SlotKind::FormatParts, "dfmt");
    }
    whole.push(scalar_offset(), "soffset");
    if line.formats == Formats::After {
        whole.option(SlotKind::Format, "dfmt", FORMAT_DEFAULT);
    }
    for word in line.words {
        whole.push(SlotKind::Flag(*word), word.name());
    }
    whole.option(number(Key::Offset, 0, 0xfff), "offset", 0);
    whole.cache_policy();
    let last = match destination {
        Destination::Registers => None,
        Destination::WithStatus => Some(Flag::Tfe),
        Destination::DataShare => Some(Flag::Lds),
    };
    if let Some(flag) = last {
        whole.push(SlotKind::Flag(flag), flag.name());
    }
    Variant::new(whole.slots, Check::None)
}

/// The four registers that describe a buffer, or a sampler.
const RESOURCE: SlotKind = SlotKind::Scalar { dwords: 4, set: ScalarSet::All, shift: 2 };

/// Images.
pub(crate) fn image(builder: Builder<'_>, spec: &OperandSpec, variants: &mut Vec<Variant>) {
    let flags = spec.flags;
    for operand in spec.operands {
        let Operand::Part { letter: 'a', dwords } = *operand else { continue };
        let mut whole = builder.clone();
        let bit = whole.own("acc");
        whole.push(SlotKind::Vectors, "vdata").scalar = bit;
        whole.push(SlotKind::Vector { dwords }, "vaddr");
        whole.push(SlotKind::Scalar { dwords: 8, set: ScalarSet::All, shift: 2 }, "srsrc");
        if flags.sampler() {
            whole.push(RESOURCE, "ssamp");
        }
        whole.option(number(Key::Dmask, 0, 15), "dmask", 0);
        whole.flag(Flag::Unorm);
        whole.cache_policy();
        for flag in [Flag::R128, Flag::A16, Flag::Tfe, Flag::Lwe, Flag::Da] {
            whole.flag(flag);
        }
        if flags.d16() && whole.chip.generation >= Generation::Gfx8 {
            whole.flag(Flag::D16);
        }
        variants.push(Variant::new(whole.slots, Check::Image));
    }
}
