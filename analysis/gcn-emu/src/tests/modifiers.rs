//! Bits of instructions that change how their operands are taken: of interpolation, of
//! images and of buffers.

use super::{machine, program};
use crate::wave::Attribute;
use crate::{ImageError, ImageRequest, Images, LANES, Limits, Machine, Memory, NoImages, Wave};

/// The result of a line in lane 1, on the attribute P0 = 10, P10 = 2, P20 = 4 of channel y
/// and of registers v1 = -3, v2 = 100.
fn interpolated(line: &str) -> f32 {
    let mut machine = machine();
    let wave = &mut machine.waves[0];
    let mut attribute = Attribute::default();
    attribute.components[1] = [10.0, 2.0, 4.0];
    wave.attributes = vec![Attribute::default(), attribute];
    wave.set_lane(1, 1, (-3.0f32).to_bits());
    wave.set_lane(2, 1, 100.0f32.to_bits());
    let text = format!("{line}\ns_endpgm");
    machine.run(&program("polaris10", &text), &mut NoImages, Limits::default()).expect(line);
    f32::from_bits(machine.waves[0].lane(2, 1))
}

#[test]
fn interpolation_obeys_its_modifiers() {
    for (line, result) in [
        ("v_interp_p1_f32 v2, v1, attr1.y", 4.0),
        ("v_interp_p1_f32 v2, v1, attr1.x", 0.0),
        ("v_interp_p1_f32 v2, v1, attr0.y", 0.0),
        ("v_interp_p2_f32 v2, v1, attr1.y", 88.0),
        ("v_interp_mov_f32 v2, p10, attr1.y", 2.0),
        ("v_interp_mov_f32 v2, p20, attr1.y", 4.0),
        ("v_interp_mov_f32 v2, p0, attr1.y", 10.0),
        ("v_interp_p1_f32_e64 v2, v1, attr1.y", 4.0),
        ("v_interp_p1_f32_e64 v2, -v1, attr1.y", 16.0),
        ("v_interp_p1_f32_e64 v2, |v1|, attr1.y", 16.0),
        ("v_interp_p1_f32_e64 v2, -|v1|, attr1.y", 4.0),
        ("v_interp_p1_f32_e64 v2, v1, attr1.y clamp", 1.0),
        ("v_interp_p1_f32_e64 v2, v1, attr1.y mul:2", 8.0),
        ("v_interp_p1_f32_e64 v2, v1, attr1.y div:2", 2.0),
        ("v_interp_p2_f32_e64 v2, |v1|, attr1.y", 112.0),
    ] {
        assert_eq!(interpolated(line), result, "{line}");
    }
}

/// Keeps what was asked, and answers 1, 2, 3 and 4 as floats.
#[derive(Default)]
struct Asked {
    flags: Vec<String>,
}

impl Images for Asked {
    fn access(
        &mut self,
        request: &ImageRequest<'_>,
        _: &mut Memory,
    ) -> Result<Box<[[u32; 4]; LANES]>, ImageError> {
        let flags = [(request.unnormalized, "unnormalized"), (request.array, "array")];
        let mut words: Vec<String> =
            flags.into_iter().filter(|(set, _)| *set).map(|(_, name)| name.to_owned()).collect();
        words.push(format!("{:x}", request.components));
        words.push(format!("{:?}", request.addresses[0].coordinates.map(f32::from_bits)));
        words.push(format!("{:?}", request.resource.map(|word| u8::from(word != 0))));
        self.flags.push(words.join(" "));
        Ok(Box::new([[1.0f32, 2.0, 3.0, 4.0].map(f32::to_bits); LANES]))
    }
}

/// Runs an image instruction and returns its request, and v[8:12] behind it.
fn asked(chip: &str, line: &str) -> (String, [u32; 5]) {
    let mut wave = Wave::new(1);
    // Two coordinates as floats; their halves are 1.0 and 2.0 in v2.
    wave.set_lane(0, 0, 0.5f32.to_bits());
    wave.set_lane(1, 0, 0.75f32.to_bits());
    wave.set_lane(2, 0, 0x4000_3c00);
    (8..13).for_each(|register| wave.set_lane(register, 0, 0x7777_7777));
    (8..16).for_each(|register| wave.set_scalar(register, 9 << 28));
    let mut machine = Machine { waves: vec![wave], ..Machine::default() };
    let mut asked = Asked::default();
    let text = format!("{line}\ns_waitcnt vmcnt(0)\ns_endpgm");
    machine.run(&program(chip, &text), &mut asked, Limits::default()).expect(line);
    (asked.flags.join("; "), [8, 9, 10, 11, 12].map(|it| machine.waves[0].lane(it, 0)))
}

#[test]
fn image_instructions_obey_their_modifiers() {
    const OLD: u32 = 0x7777_7777;
    let float = |value: f32| value.to_bits();
    let sample = "image_sample v[8:11], v[0:1], s[8:15], s[16:19]";
    let all = "[1, 1, 1, 1, 1, 1, 1, 1]";
    let at = "[0.5, 0.75, 0.0, 0.0]";
    let four = [1.0, 2.0, 3.0, 4.0].map(float);
    let whole = [four[0], four[1], four[2], four[3], OLD];
    for (chip, line, asks, left) in [
        ("polaris10", format!("{sample} dmask:0xf"), format!("f {at} {all}"), whole),
        (
            "polaris10",
            format!("{sample} dmask:0xf unorm"),
            format!("unnormalized f {at} {all}"),
            whole,
        ),
        ("polaris10", format!("{sample} dmask:0xf da"), format!("array f {at} {all}"), whole),
        (
            "polaris10",
            "image_sample v[8:9], v[0:1], s[8:15], s[16:19] dmask:0xa".to_owned(),
            format!("a {at} {all}"),
            [float(2.0), float(4.0), OLD, OLD, OLD],
        ),
        (
            "polaris10",
            "image_sample v[8:10], v[0:1], s[8:15], s[16:19] dmask:0xa tfe".to_owned(),
            format!("a {at} {all}"),
            [float(2.0), float(4.0), 0, OLD, OLD],
        ),
        (
            // The assembler counts one register, of the first component; none for `lwe`.
            "polaris10",
            "image_sample v8, v[0:1], s[8:15], s[16:19] lwe".to_owned(),
            format!("1 {at} {all}"),
            [float(1.0), OLD, OLD, OLD, OLD],
        ),
        (
            "vega10",
            "image_sample v[8:9], v[0:1], s[8:15], s[16:19] dmask:0x7 d16".to_owned(),
            format!("7 {at} {all}"),
            [0x4000_3c00, 0x4200, OLD, OLD, OLD],
        ),
        (
            // A bias has a word of its own; the first of two halves here.
            "vega10",
            "image_sample_b v[8:11], v[1:2], s[8:15], s[16:19] dmask:0xf a16".to_owned(),
            format!("f [1.0, 2.0, 0.0, 0.0] {all}"),
            whole,
        ),
        (
            "vega10",
            "image_sample v[8:11], v2, s[8:15], s[16:19] dmask:0xf a16".to_owned(),
            format!("f [1.0, 2.0, 0.0, 0.0] {all}"),
            whole,
        ),
    ] {
        assert_eq!(asked(chip, &line), (asks, left), "{chip} {line}");
    }
}

#[test]
fn a_load_with_status_writes_a_word_more() {
    for (line, words) in [
        ("buffer_load_dword v8, off, s[4:7], 0", [5, 77, 77]),
        ("buffer_load_dword v[8:9], off, s[4:7], 0 tfe", [5, 0, 77]),
        ("buffer_load_dwordx2 v[8:9], off, s[4:7], 0 offset:4", [6, 7, 77]),
    ] {
        let mut machine = machine();
        machine.memory.map_words(0x1000, &[5, 6, 7, 8]).expect("a mapping");
        let wave = &mut machine.waves[0];
        for (place, word) in [0x1000, 0, 16, 0x27fac].into_iter().enumerate() {
            wave.set_scalar(4 + place as u16, word);
        }
        (8..11).for_each(|register| wave.set_lane(register, 3, 77));
        let text = format!("{line}\ns_waitcnt vmcnt(0)\ns_endpgm");
        machine.run(&program("polaris10", &text), &mut NoImages, Limits::default()).expect(line);
        assert_eq!([8, 9, 10].map(|it| machine.waves[0].lane(it, 3)), words, "{line}");
    }
}
