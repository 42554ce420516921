//! Every opcode against its formula: the emulator and the notation's reader are given
//! the same numbers at random. What is prose has rows in `data/cases.tsv`; together no
//! opcode that is executed may be without a case.

use std::collections::{BTreeMap, BTreeSet};

use gcn::Target;
use gcn::instruction::{Class, NumberKind, Type};
use gcn::mnemonics;

use super::bounds::Words;
use super::formula::{self, Names, Prose};
use super::opcode_form::*;
use crate::float::is_denormal;

/// One chip of each set of instructions that our formulas tell apart.
const CHIPS: [&str; 6] = ["tahiti", "bonaire", "polaris10", "vega10", "vega20", "arcturus"];

/// Tries of each form of an opcode on a chip.
const TRIES: usize = 4;

/// Opcodes whose formula leaves out what decides, with where that is written.
const SKETCHES: [(&str, &str); 7] = [
    ("v_div_", "the factor of V_DIV_FMAS: vector/division.rs"),
    ("v_med3_f", "what becomes of NaN: vector/floats.rs"),
    ("v_cvt_rpi_i32_f32", "whether the sum is rounded before"),
    ("s_absdiff_i32", "that the difference wraps first"),
    ("v_rcp_legacy_f32", "that what would be infinite is 0"),
    ("v_rsq_legacy_f32", "that what would be infinite is 0"),
    ("v_trig_preop_f64", "which segment: vector/angles.rs"),
];

/// A float at random: zeros, infinity, NaN, whole numbers, others of moderate size; no
/// denormals, which MODE rules.
fn float(words: &mut Words, bits: u8) -> u128 {
    let sign = u128::from(words.next() & 1) << (bits - 1);
    let (fraction, bias) = match bits {
        16 => (10, 15),
        32 => (23, 127),
        _ => (52, 1023),
    };
    let ones = ((1_u128 << (bits - 1)) - 1) >> fraction << fraction;
    let wide = u128::from(words.next()) << 32 | u128::from(words.next());
    let any = wide & ((1 << fraction) - 1);
    sign | match words.next() % 10 {
        0 => 0,
        1 => ones,
        2 => ones | 1 << (fraction - 1),
        3..=5 => {
            let exponent = bias + u128::from(words.next() % 8);
            exponent << fraction | any >> (fraction - 4) << (fraction - 4)
        }
        _ => (bias - 6 + u128::from(words.next() % 12)) << fraction | any,
    }
}

fn integer(words: &mut Words) -> u128 {
    let word = |words: &mut Words| match words.next() % 8 {
        0 => 0,
        1 => u32::MAX,
        2 => 0x8000_0000,
        3 => words.next() % 64,
        4 => words.next() & 0x00ff_00ff,
        _ => words.next(),
    };
    (0..4).fold(0, |all, _| all << 32 | u128::from(word(words)))
}

fn operand(words: &mut Words, ty: Type) -> u128 {
    let bits = match ty.kind {
        NumberKind::Float => float(words, ty.bits),
        NumberKind::PackedFloat => float(words, 16) | float(words, 16) << 16,
        _ => integer(words),
    };
    let width = width(ty);
    if width < 128 { bits & ((1 << width) - 1) } else { bits }
}

/// The tolerance of a result beside the formula's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tolerance {
    Exact,
    /// The formula rounds twice.
    LastPlace,
    Angle,
}

/// Tells whether a result is the expected one: any NaN for a NaN.
fn same(found: u128, expected: u128, ty: Option<Type>, tolerance: Tolerance) -> bool {
    let float = |bits: u128| match ty {
        Some(Type { kind: NumberKind::Float, bits: width }) => Some(match width {
            16 => crate::float::number::<16>(bits as u64),
            32 => crate::float::number::<32>(bits as u64),
            _ => crate::float::number::<64>(bits as u64),
        }),
        _ => None,
    };
    match (float(found), float(expected)) {
        (Some(found), Some(expected)) if found.is_nan() => expected.is_nan(),
        (Some(found), Some(expected)) if tolerance == Tolerance::Angle => {
            (found - expected).abs() < 1e-3
        }
        _ if tolerance == Tolerance::LastPlace => found.abs_diff(expected) <= 1,
        _ => found == expected,
    }
}

/// The outcome of one try.
enum Outcome {
    Agrees,
    /// The numbers are such that the formula does not count.
    Skipped,
    Differs(String),
}

/// Tells whether bits are 1.0.
fn is_one(bits: u128, ty: Option<Type>) -> bool {
    let one = match ty.map(|ty| ty.bits) {
        Some(16) => 0x3c00,
        Some(32) => 0x3f80_0000,
        _ => 0x3ff0_0000_0000_0000,
    };
    bits == one
}

fn denormal(bits: u128, ty: Type) -> bool {
    ty.kind == NumberKind::Float && ty.bits == 32 && is_denormal(bits as u64, 32)
}

fn try_vector(opcode_form: &OpcodeForm, text: &str, words: &mut Words) -> Result<Outcome, Prose> {
    let (result, sources) = opcode_form.numbers();
    let mut machine = machine(&[]);
    let wave = &mut machine.waves[0];
    let mut names = Names::new();
    let tolerance = match () {
        () if text.contains("2π") => Tolerance::Angle,
        () if text.contains("sqrt") => Tolerance::LastPlace,
        () => Tolerance::Exact,
    };
    for (place, ty) in sources.iter().enumerate() {
        let mut bits = operand(words, *ty);
        if opcode_form.name.contains("ldexp") && place == 1 {
            bits = u128::from((words.next() % 9) as i32 as u32) & 0xffff;
        }
        set_vector(wave, SOURCES[place], bits);
        names.insert(format!("S{place}"), bits);
    }
    let constant = sources.first().map_or(0, |ty| operand(words, *ty) as u32);
    names.insert("K".to_owned(), constant.into());
    let before = result.map_or(0, |ty| operand(words, ty));
    set_vector(wave, RESULT, before);
    names.insert("D".to_owned(), before);
    let carry = u64::from(words.next() & 1);
    wave.set_pair(opcode_form.mask(false), carry);
    names.insert("C1".to_owned(), carry.into());
    names.insert("C".to_owned(), carry.into());
    names.insert("lanesBelow".to_owned(), 0);
    let given = names.clone();
    formula::run(text, &mut names)?;
    opcode_form.run(&mut machine, constant).map_err(|_| Prose)?;
    let wave = &machine.waves[0];
    let compares = text.starts_with("D[lane]");
    let (found, expected) = match result {
        Some(ty) if !compares => {
            let bits = width(ty);
            (vector_bits(wave, RESULT, bits), named(&names, "D", bits))
        }
        _ => (scalar_bits(wave, opcode_form.mask(true).into(), 64), named(&names, "D", 64)),
    };
    let small = result.is_some_and(|ty| denormal(expected, ty));
    // What would be 1 is the largest number below it.
    let fraction =
        opcode_form.name.contains("fract") && found != expected && is_one(expected, result);
    if small || fraction {
        return Ok(Outcome::Skipped);
    }
    let carried = !text.contains("C[lane] = ")
        || scalar_bits(wave, opcode_form.mask(true).into(), 64) == named(&names, "C", 64);
    let executed = !text.contains("EXEC = D") || u128::from(wave.exec()) == expected;
    if same(found, expected, result, tolerance) && carried && executed {
        return Ok(Outcome::Agrees);
    }
    Ok(Outcome::Differs(format!("{given:x?}: {found:x}, expected {expected:x}, carry {carried}")))
}

fn try_scalar(opcode_form: &OpcodeForm, text: &str, words: &mut Words) -> Result<Outcome, Prose> {
    if text.contains("PC") || text.contains("gprIndexMode") || text.contains("M0") {
        return Err(Prose);
    }
    let (result, sources) = opcode_form.numbers();
    let mut machine = machine(&[]);
    let wave = &mut machine.waves[0];
    let mut names = Names::new();
    let constant = words.next() & 0xffff;
    names.insert("SIMM16".to_owned(), constant.into());
    let before = integer(words) & u128::from(u64::MAX);
    let in_place = opcode_form.form.encoding == gcn::encoding::Encoding::Sopk;
    for (place, ty) in sources.iter().enumerate() {
        let bits = operand(words, *ty);
        set_scalar(wave, SOURCES[place], bits);
        names.insert(format!("S{place}"), bits);
    }
    let destination = if in_place { SOURCES[0] } else { RESULT };
    if !(in_place && result.is_none()) {
        set_scalar(wave, destination, before);
        names.insert("D".to_owned(), before);
    }
    wave.scc = words.next() & 1 == 1;
    names.insert("SCC".to_owned(), wave.scc.into());
    let exec = integer(words) as u64;
    wave.set_exec(exec);
    names.insert("EXEC".to_owned(), exec.into());
    let given = names.clone();
    // Immediates of these have a sign.
    let text = text.replace("signExtend(SIMM16)", "SIMM16.i16");
    formula::run(&text, &mut names)?;
    opcode_form.run(&mut machine, constant).map_err(|_| Prose)?;
    let wave = &machine.waves[0];
    let bits = result.map_or(0, width);
    let found =
        (scalar_bits(wave, destination, bits), u128::from(wave.scc), u128::from(wave.exec()));
    let expected = (named(&names, "D", bits), named(&names, "SCC", 1), named(&names, "EXEC", 64));
    if found == expected {
        return Ok(Outcome::Agrees);
    }
    Ok(Outcome::Differs(format!("{given:x?}: {found:x?}, expected {expected:x?}")))
}

/// The bytes of memory or of the share, at random.
fn bytes(words: &mut Words) -> Vec<u8> {
    let filled = |words: &mut Words| match words.next() % 3 {
        0 => float(words, 32) as u32,
        _ => integer(words) as u32,
    };
    (0..1024).flat_map(|_| filled(words).to_le_bytes()).collect()
}

fn number_of(bytes: &[u8]) -> u128 {
    bytes.iter().rev().fold(0, |all, byte| all << 8 | u128::from(*byte))
}

fn try_memory(opcode_form: &OpcodeForm, text: &str, words: &mut Words) -> Result<Outcome, Prose> {
    // Formats have cases of their own.
    if text.contains("convert(") {
        return Err(Prose);
    }
    let given = bytes(words);
    let mut machine = machine(&given);
    let wave = &mut machine.waves[0];
    let address = MEMORY + PLACE;
    let place = PLACE as usize;
    let resource = u128::from(MEMORY) | 0x1000 << 64 | 0x7_7fac << 96;
    let share = opcode_form.row.class == Class::DataShare;
    // The formulas know denormals: the share does where MODE says so, memory never.
    wave.mode.bits |= 0x30;
    let tiny = is_denormal(number_of(&given[place..place + 4]) as u64, 32);
    if tiny && opcode_form.name.ends_with("atomic_add_f32") {
        return Ok(Outcome::Skipped);
    }
    let buffer = opcode_form.row.flags.buffer() || opcode_form.row.class == Class::Buffer;
    match opcode_form.row.class {
        Class::ScalarMemory if buffer => set_scalar(wave, SOURCES[0], resource),
        Class::ScalarMemory => set_scalar(wave, SOURCES[0], address.into()),
        Class::Buffer => {
            set_scalar(wave, SOURCES[0], resource);
            set_vector(wave, SOURCES[1], PLACE.into());
        }
        Class::Flat if opcode_form.name.starts_with("scratch") => {
            wave.set_pair(102, MEMORY);
            set_vector(wave, SOURCES[0], u128::from(PLACE / 64));
        }
        Class::Flat => set_vector(wave, SOURCES[0], address.into()),
        _ => set_vector(wave, SOURCES[0], PLACE.into()),
    }
    let place = if opcode_form.row.class == Class::ScalarMemory && buffer { 0 } else { place };
    // Data stand where the result does, save in the share.
    let mut data = [integer(words), integer(words), integer(words), integer(words)];
    if text.contains(".f") {
        let bits = if text.contains(".f64") { 64 } else { 32 };
        data = data.map(|_| float(words, bits));
    }
    let wide = text.contains("64");
    let unit = if wide { 64 } else { 32 };
    let cut = |bits: u128| bits & ((1_u128 << unit) - 1);
    let both = cut(data[0]) | cut(data[1]) << unit;
    let mut names = Names::new();
    names.insert("M".to_owned(), number_of(&given[place..place + 16]));
    names.insert("glc".to_owned(), 1);
    let whole_data = if share { data[0] } else { both };
    names.insert("DATA".to_owned(), whole_data);
    names.insert("DATA[0]".to_owned(), cut(data[0]));
    names.insert("DATA[1]".to_owned(), cut(data[1]));
    names.insert("DATA2".to_owned(), data[1]);
    let old = if share { data[2] } else { whole_data };
    names.insert("D".to_owned(), old);
    match opcode_form.row.class {
        Class::DataShare => {
            set_vector(wave, SOURCES[1], data[0]);
            set_vector(wave, SOURCES[2], data[1]);
            set_vector(wave, RESULT, old);
        }
        Class::ScalarMemory => set_scalar(wave, RESULT, both),
        _ => set_vector(wave, RESULT, both),
    }
    let unwritten = names.clone();
    // Floats are compared as such and moved as bits.
    let mut text = text.to_owned();
    if text.contains("M.f") {
        text = text.replace("M.u = ", "M.f = ").replace("M.u64 = ", "M.f64 = ");
        let of = |name: &str| f64::from(f32::from_bits(named(&names, name, 32) as u32));
        let wide_of = |name: &str| f64::from_bits(named(&names, name, 64) as u64);
        let nan = |name: &str| if wide { wide_of(name).is_nan() } else { of(name).is_nan() };
        let zero = |name: &str| if wide { wide_of(name) == 0.0 } else { of(name) == 0.0 };
        // What becomes of NaN, or of zeros with signs, the formula does not say: memory
        // keeps what it has.
        if nan("M") || nan("DATA") || zero("M") && zero("DATA") {
            return Ok(Outcome::Skipped);
        }
    }
    let text = text.as_str();
    // Copies of more words than a number has are compared as bytes.
    let copied =
        text.split_once(".b").and_then(|(_, bits)| bits.split(' ').next()?.parse::<usize>().ok());
    match copied {
        Some(_) if text.starts_with("D = MEM") || text.starts_with("MEM[ADDR].b") => {}
        _ => formula::run(text, &mut names)?,
    }
    opcode_form.run(&mut machine, 0).map_err(|_| Prose)?;
    let wave = &machine.waves[0];
    let now = if share {
        machine.share.clone()
    } else {
        machine.memory.words(MEMORY).iter().flat_map(|word| word.to_le_bytes()).collect()
    };
    let register = |word: u32| match opcode_form.row.class {
        Class::ScalarMemory => wave.scalar((RESULT + word) as u16),
        _ => wave.lane((RESULT + word) as usize, 0),
    };
    if let (Some(bits), true) = (copied, text.starts_with("D = MEM")) {
        let step = if opcode_form.name.starts_with("scratch") { 256 } else { 4 };
        let agrees = (0..bits / 32).all(|word| {
            let from = place + word * step;
            u128::from(register(word as u32)) == number_of(&given[from..from + 4])
        });
        return Ok(if agrees { Outcome::Agrees } else { Outcome::Differs("words".to_owned()) });
    }
    if let (Some(bits), true) = (copied, text.starts_with("MEM[ADDR].b")) {
        let step = if opcode_form.name.starts_with("scratch") { 256 } else { 4 };
        let source = if share { data[0] } else { both };
        let mut expected = given.clone();
        for word in 0..bits / 32 {
            let bytes = ((source >> (32 * word)) as u32).to_le_bytes();
            expected[place + word * step..][..4].copy_from_slice(&bytes);
        }
        let agrees = now == expected;
        return Ok(if agrees { Outcome::Agrees } else { Outcome::Differs("words".to_owned()) });
    }
    let float = if text.contains(".f") && !text.contains(".f16") {
        Some(Type { kind: NumberKind::Float, bits: unit as u8 })
    } else {
        None
    };
    let memory = number_of(&now[place..place + 16]);
    let changes = unwritten.get("M") != names.get("M");
    let mut expected = number_of(&given[place..place + 16]);
    if changes {
        let bits = if text.contains("M.u8 = ") {
            8
        } else if text.contains("M.u16 = ") {
            16
        } else {
            unit
        };
        let bits = if text.starts_with("MEM[ADDR].u8") {
            8
        } else if text.starts_with("MEM[ADDR].u16") {
            16
        } else {
            bits
        };
        let own = (1_u128 << bits) - 1;
        expected = expected & !own | named(&names, "M", bits);
    }
    let low = (1_u128 << unit) - 1;
    let stored = same(memory & low, expected & low, float, Tolerance::Exact)
        && memory & !low == expected & !low;
    let returned = text.contains("D.").then(|| {
        (0..unit / 32).rev().fold(0_u128, |all, word| all << 32 | u128::from(register(word)))
    });
    let loaded = returned.is_none_or(|found| found == named(&names, "D", unit));
    if stored && loaded {
        return Ok(Outcome::Agrees);
    }
    Ok(Outcome::Differs(format!(
        "{unwritten:x?} {text}: memory {memory:x}, expected {expected:x}; {returned:x?}, expected {:x}",
        named(&names, "D", unit)
    )))
}

/// Tries an instruction that computes nothing: it leaves all as it was.
fn try_nothing(opcode_form: &OpcodeForm, words: &mut Words) -> Result<Outcome, Prose> {
    let given = bytes(words);
    let mut machine = machine(&given);
    for register in 0..64 {
        machine.waves[0].set_scalar(register, words.next());
        machine.waves[0].set_lane(register.into(), 0, words.next());
    }
    let mut before = machine.clone();
    opcode_form.run(&mut machine, 0).map_err(|_| Prose)?;
    // What leaves the wave has tests of its own.
    machine.messages.clear();
    machine.signals.clear();
    before.waves[0].counter = machine.waves[0].counter;
    before.waves[0].clock = machine.waves[0].clock;
    if machine == before {
        return Ok(Outcome::Agrees);
    }
    Ok(Outcome::Differs("something changed".to_owned()))
}

/// Tests of whole programs: what they name has a case.
const PROGRAMS: [&str; 2] = [include_str!("mod.rs"), include_str!("effects.rs")];

/// The names of the instructions in whole programs.
fn in_programs() -> BTreeSet<&'static str> {
    // Lines of a program within one of ours are apart by an escape.
    PROGRAMS
        .into_iter()
        .flat_map(|text| text.split("\\n"))
        .flat_map(|text| {
            text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
        })
        .map(mnemonics::base_name)
        .collect()
}

#[test]
fn every_opcode_has_a_case_and_does_what_its_formula_says() {
    let mut words = Words(7);
    let mut covered = super::cases::covered();
    let mut without: BTreeSet<String> = BTreeSet::new();
    let mut different: BTreeMap<&str, String> = BTreeMap::new();
    let (mut tries, mut opcodes) = (0, 0);
    for chip in CHIPS {
        let target = Target::find(chip).expect(chip);
        for info in mnemonics::all() {
            for form in info.forms(target) {
                let Some(opcode_form) = OpcodeForm::of(info, *form, target) else { continue };
                let mut agrees = 0;
                for _ in 0..TRIES {
                    let outcome = match (&opcode_form.formula, opcode_form.row.class) {
                        (None, _) => try_nothing(&opcode_form, &mut words),
                        (Some(text), Class::Vector) => try_vector(&opcode_form, text, &mut words),
                        (Some(text), Class::Scalar) => try_scalar(&opcode_form, text, &mut words),
                        (
                            Some(text),
                            Class::ScalarMemory | Class::Buffer | Class::Flat | Class::DataShare,
                        ) => try_memory(&opcode_form, text, &mut words),
                        _ => Err(Prose),
                    };
                    tries += 1;
                    match outcome {
                        Ok(Outcome::Agrees) => agrees += 1,
                        Ok(Outcome::Skipped) => {}
                        Ok(Outcome::Differs(how)) => {
                            let sketch =
                                SKETCHES.iter().any(|(name, _)| info.name.starts_with(name));
                            if !sketch {
                                different
                                    .insert(info.name, format!("{chip} {:?} {how}", form.encoding));
                            }
                        }
                        Err(Prose) => break,
                    }
                }
                if agrees > 0 {
                    opcodes += 1;
                    covered.insert((chip, info.name, form.encoding.name()));
                }
            }
        }
    }
    let programs = in_programs();
    for chip in CHIPS {
        let target = Target::find(chip).expect(chip);
        let elsewhere: BTreeSet<&str> = super::images::covered(target)
            .chain(super::formats::covered(target))
            .chain(super::share_pairs::covered(target))
            .chain(super::matrices::covered(target))
            .map(|info| info.name)
            .collect();
        for info in mnemonics::all() {
            for form in info.forms(target) {
                let has = covered.contains(&(chip, info.name, form.encoding.name()));
                let named = programs.contains(info.name) || elsewhere.contains(info.name);
                if !has && !named && super::coverage::is_executed_as(info, *form, target) {
                    without.insert(format!("{chip} {} {}", info.name, form.encoding.name()));
                }
            }
        }
    }
    eprintln!("{opcodes} opcodes in a form on a chip agree with their formulas, {tries} tries");
    assert!(different.is_empty(), "{} differ: {different:#?}", different.len());
    assert!(without.is_empty(), "{} without a case: {without:?}", without.len());
}
