//! Every image instruction: what it asks the texture unit, and where answers go. What an
//! address has in which order is worked out from the parts of the name (ISA manuals,
//! MIMG: offset, bias, reference, derivatives, coordinates, level).

use gcn::Target;
use gcn::encoding::{Encoding, base};
use gcn::mnemonics::{self, OpInfo};

use crate::{
    Conversion, ImageError, ImageOperation, ImageRequest, Images, LANES, Limits, Machine, Memory,
    Program, Wave,
};

const CHIPS: [&str; 4] = ["gfx600", "gfx704", "gfx803", "gfx900"];

/// The first registers of address and data, and of the descriptors.
const ADDRESS: u32 = 8;
const DATA: u32 = 32;
const RESOURCE: u32 = 16;
const SAMPLER: u32 = 24;

/// The image instructions that are executed.
pub(super) fn covered(target: Target) -> impl Iterator<Item = &'static OpInfo> {
    let of_images = mnemonics::all().iter().filter(|info| info.name.starts_with("image_"));
    of_images.filter(move |info| super::coverage::is_executed(info, target))
}

/// Answers the numbers 100 to 103 and keeps what was asked.
#[derive(Default)]
struct Asked {
    seen: Vec<String>,
}

impl Images for Asked {
    fn access(
        &mut self,
        request: &ImageRequest<'_>,
        _: &mut Memory,
    ) -> Result<Box<[[u32; 4]; LANES]>, ImageError> {
        let at = &request.addresses[1];
        let mut words = Vec::new();
        if at.offset != 0 {
            words.push(format!("offset {}", at.offset));
        }
        for (name, value) in [("bias", at.bias), ("reference", at.reference)] {
            if value != 0 {
                words.push(format!("{name} {value}"));
            }
        }
        if at.derivatives != [[0; 3]; 2] {
            words.push(format!("derivatives {:?}", at.derivatives));
        }
        words.push(format!("coordinates {:?}", at.coordinates));
        if at.level != 0 {
            words.push(format!("level {}", at.level));
        }
        words.push(format!("{:?} {:?}", request.operation, request.access.conversion));
        let flags = [
            (request.access.bias, "bias"),
            (request.access.reference, "reference"),
            (request.access.derivatives, "derivatives"),
            (request.access.least_level, "least"),
            (request.access.level || request.access.level_zero, "explicit"),
            (request.access.level_zero, "zero"),
        ];
        words.extend(flags.into_iter().filter(|(set, _)| *set).map(|(_, name)| name.to_owned()));
        words.push(format!("{:x?} {:x?} {:x}", request.resource, request.sampler, request.lanes));
        if matches!(request.operation, ImageOperation::Store | ImageOperation::Atomic) {
            words.push(format!("data {:?}", request.data[1]));
        }
        self.seen.push(words.join(", "));
        Ok(Box::new([[100, 101, 102, 103]; LANES]))
    }
}

/// Returns the request that a name stands for, of an image of two dimensions.
fn expected(name: &str) -> String {
    let word = name.strip_prefix("image_").expect("an image");
    let parts: Vec<&str> = word.split('_').collect();
    let filters = matches!(parts[0], "sample" | "gather4");
    let has = |part: &str| {
        (filters || matches!(parts[0], "load" | "store")) && parts[1..].contains(&part)
    };
    let mut next = ADDRESS;
    let mut take = || {
        next += 1;
        next - 1
    };
    let mut words = Vec::new();
    if has("o") {
        words.push(format!("offset {}", take()));
    }
    if has("b") {
        words.push(format!("bias {}", take()));
    }
    if has("c") {
        words.push(format!("reference {}", take()));
    }
    let derivatives = has("d") || has("cd");
    if derivatives {
        words.push(format!("derivatives {:?}", [[take(), take(), 0], [take(), take(), 0]]));
    }
    let mut level = None;
    if word == "get_resinfo" {
        words.push("coordinates [0, 0, 0, 0]".to_owned());
        level = Some(take());
    } else {
        words.push(format!("coordinates {:?}", [take(), take(), 0, 0]));
        if has("l") || has("cl") || has("mip") {
            level = Some(take());
        }
    }
    words.extend(level.map(|level| format!("level {level}")));
    let operation = match parts[0] {
        "sample" => ImageOperation::Sample,
        "gather4" => ImageOperation::Gather,
        "load" => ImageOperation::Load,
        "store" => ImageOperation::Store,
        "atomic" => ImageOperation::Atomic,
        _ if word == "get_lod" => ImageOperation::LevelQuery,
        _ => ImageOperation::SizeQuery,
    };
    let conversion = match () {
        () if has("sgn") => Conversion::SignedBits,
        () if has("pck") => Conversion::Bits,
        () => Conversion::Format,
    };
    words.push(format!("{operation:?} {conversion:?}"));
    let flags = [
        (has("b"), "bias"),
        (has("c"), "reference"),
        (derivatives, "derivatives"),
        (has("cl"), "least"),
        (has("l") || has("mip") || has("lz"), "explicit"),
        (has("lz"), "zero"),
    ];
    words.extend(flags.into_iter().filter(|(set, _)| *set).map(|(_, name)| name.to_owned()));
    let numbers =
        |first: u32, count: u32| (first..first + count).map(|it| it | 9 << 28).collect::<Vec<_>>();
    words.push(format!("{:x?} {:x?} 2", numbers(RESOURCE, 8), numbers(SAMPLER, 4)));
    if operation == ImageOperation::Store {
        words.push(format!("data {:?}", [DATA, 0, DATA + 1, 0]));
    }
    if operation == ImageOperation::Atomic {
        let second = if word.ends_with("cmpswap") { DATA + 1 } else { 0 };
        words.push(format!("data {:?}", [DATA, 0, second, 0]));
    }
    words.join(", ")
}

#[test]
fn every_image_instruction_asks_what_its_name_says() {
    let mut count = 0;
    for chip in CHIPS {
        let target = Target::find(chip).expect(chip);
        for info in covered(target) {
            let form = info.forms(target)[0];
            assert_eq!(form.encoding, Encoding::Mimg);
            let first = base(form.encoding, form.opcode, target.generation()).expect(info.name);
            let gathers = info.name.starts_with("image_gather4");
            // Components x and z; of atomics the datum, and the comparand; gathers have one.
            let mask = match () {
                () if gathers => 1,
                () if info.name.contains("cmpswap") => 3,
                () if info.name.contains("atomic") => 1,
                () => 5,
            };
            let second = ADDRESS | DATA << 8 | (RESOURCE / 4) << 16 | (SAMPLER / 4) << 21;
            let words = [first | mask << 8 | 1 << 13, second, 0xbf81_0000];
            let mut wave = Wave::new(2);
            for register in 0..64 {
                wave.set_lane(register as usize, 1, register);
                wave.set_scalar(register as u16, register | 9 << 28);
            }
            let mut machine = Machine { waves: vec![wave], ..Machine::default() };
            let mut asked = Asked::default();
            let program = Program::prepare(target, &words);
            let ended = machine.run(&program, &mut asked, Limits::default());
            ended.unwrap_or_else(|stop| panic!("{chip} {}: {stop:?}", info.name));
            assert_eq!(asked.seen, [expected(info.name)], "{chip} {}", info.name);
            let found = [0, 1, 2, 3].map(|place| machine.waves[0].lane(DATA as usize + place, 1));
            let own = |place: u32| DATA + place;
            let answer = match () {
                () if info.name.starts_with("image_store") => [0, 1, 2, 3].map(own),
                () if info.name.contains("atomic") => [100, own(1), own(2), own(3)],
                () if gathers => [100, 101, 102, 103],
                () => [100, 102, own(2), own(3)],
            };
            assert_eq!(found, answer, "{chip} {}", info.name);
            count += 1;
        }
    }
    eprintln!("{count} image instructions");
    assert!(count > 350, "{count}");
}
