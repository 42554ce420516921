//! Slots of buffers and images.

use super::builder::{Builder, Variant};
use super::memory::scalar_offset;
use crate::plain::Generation;
use crate::plain::encoding::Encoding;
use crate::plain::operand::{Operand, OperandRow};
use crate::plain::slot::{Check, FORMAT_DEFAULT, Flag, Key, Kind, OffsetRule, ScalarSet};

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
pub(crate) fn slots(builder: Builder<'_>, signature: &OperandRow, variants: &mut Vec<Variant>) {
    let traits = signature.traits;
    if traits.no_address() {
        variants.push(Variant::new(builder.slots, Check::None));
        return;
    }
    let data = signature.operands.iter().find_map(|operand| match operand {
        Operand::Part { letter: 'd', dwords } => Some(*dwords),
        _ => None,
    });
    let Some(data) = data else {
        // From the local data share, whose address is in M0.
        let mut whole = builder;
        resource(&mut whole);
        let low = whole.own("soffset");
        whole.push(scalar_offset(), low);
        offset(&mut whole);
        let low = whole.own("lds");
        whole.push(Kind::Flag(Flag::Lds), low);
        variants.push(Variant::new(whole.slots, Check::None));
        return;
    };
    let packed = traits.d16() && builder.chip.has("packed-d16");
    let data = if packed { data.div_ceil(2) } else { data };
    let typed = builder.encoding == Encoding::Mtbuf;
    let to_lds = traits.to_lds() && !typed;
    let formats: &[Formats] =
        if typed { &[Formats::After, Formats::Before] } else { &[Formats::None] };
    for (address, words) in ADDRESSES {
        if words.contains(&Flag::Addr64) && !builder.has("addr64") {
            continue;
        }
        for formats in formats {
            let line = Line { address, words, formats: *formats };
            variants.push(buffer(&builder, data, Destination::Registers, &line));
            if let (true, Some(last)) = (traits.no_return(), variants.last_mut()) {
                last.check = Check::Returns(false);
            }
            if traits.load() && !typed {
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

struct Line {
    address: Option<u8>,
    words: &'static [Flag],
    formats: Formats,
}

fn buffer(start: &Builder<'_>, data: u8, destination: Destination, line: &Line) -> Variant {
    let mut whole = start.clone();
    if destination != Destination::DataShare {
        let low = whole.own("vdata");
        whole.push(Kind::Vector { dwords: data }, low);
    }
    let low = whole.own("vaddr");
    match line.address {
        Some(dwords) => whole.push(Kind::Vector { dwords }, low),
        None => whole.push(Kind::Off { code: 0 }, low),
    };
    resource(&mut whole);
    let format = whole.own("dfmt");
    if line.formats == Formats::Before {
        whole.push(Kind::FormatParts, format);
    }
    let low = whole.own("soffset");
    whole.push(scalar_offset(), low);
    if line.formats == Formats::After {
        whole.option(Kind::Format, format, FORMAT_DEFAULT);
    }
    for word in line.words {
        let low = whole.own(word.name());
        whole.push(Kind::Flag(*word), low);
    }
    offset(&mut whole);
    let (glc, slc) = (whole.own("glc"), whole.own("slc"));
    whole.option(Kind::CachePolicy { slc }, glc, 0);
    let last = match destination {
        Destination::Registers => None,
        Destination::WithStatus => Some(Flag::Tfe),
        Destination::DataShare => Some(Flag::Lds),
    };
    if let Some(flag) = last {
        let low = whole.own(flag.name());
        whole.push(Kind::Flag(flag), low);
    }
    Variant::new(whole.slots, Check::None)
}

/// The four registers that describe the buffer.
fn resource(builder: &mut Builder<'_>) {
    let low = builder.own("srsrc");
    builder.push(Kind::Scalar { dwords: 4, set: ScalarSet::All, shift: 2 }, low);
}

fn offset(builder: &mut Builder<'_>) {
    let low = builder.own("offset");
    let kind =
        Kind::Number { key: Key::Offset, lowest: 0, highest: 0xfff, rule: OffsetRule::Strict };
    builder.option(kind, low, 0);
}

/// Images.
pub(crate) fn image(builder: Builder<'_>, signature: &OperandRow, variants: &mut Vec<Variant>) {
    let traits = signature.traits;
    for operand in signature.operands {
        let Operand::Part { dwords, .. } = *operand else { continue };
        let mut whole = builder.clone();
        let low = whole.own("vdata");
        whole.push(Kind::Vectors, low);
        let low = whole.own("vaddr");
        whole.push(Kind::Vector { dwords }, low);
        let low = whole.own("srsrc");
        whole.push(Kind::Scalar { dwords: 8, set: ScalarSet::All, shift: 2 }, low);
        if traits.sampler() {
            let low = whole.own("ssamp");
            whole.push(Kind::Scalar { dwords: 4, set: ScalarSet::All, shift: 2 }, low);
        }
        let low = whole.own("dmask");
        let kind =
            Kind::Number { key: Key::Dmask, lowest: 0, highest: 15, rule: OffsetRule::Strict };
        whole.option(kind, low, 0);
        whole.flag(Flag::Unorm);
        let (glc, slc) = (whole.own("glc"), whole.own("slc"));
        whole.option(Kind::CachePolicy { slc }, glc, 0);
        for flag in [Flag::R128, Flag::A16, Flag::Tfe, Flag::Lwe, Flag::Da] {
            whole.flag(flag);
        }
        if traits.d16() && whole.chip.generation >= Generation::Gfx8 {
            whole.flag(Flag::D16);
        }
        variants.push(Variant::new(whole.slots, Check::Image));
    }
}
