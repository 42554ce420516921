//! The readers of binary files, and execution.

use gcn::Target;
use gcn_emu::{Attribute, Machine, NoImages, Wave};
use tests::code_lines::from_lines;
use tgsi::tokens::{self, Layout};

use super::shapes::TGSI;
use super::{SIZE, judge, work_of};

/// Some work on inputs of a size, by name.
type Work = (&'static str, fn(usize) -> u64);

const WORKS: [Work; 21] = [
    ("listing of instructions", |bytes| list(&[0x7e00_02ff, 0x1234_5678].repeat(bytes / 8))),
    ("listing of jumps", |bytes| list(&[0xbf82_0004].repeat(bytes / 4))),
    ("listing of words that are none", |bytes| list(&[u32::MAX].repeat(bytes / 4))),
    ("symbols at one place", |bytes| object(bytes, |_| 0)),
    ("symbols everywhere", |bytes| object(bytes, |number| 4 * number)),
    ("sections of code", |bytes| {
        let file = tests::writers::objects::with_sections(bytes / 92);
        work_of(|| drop(gcn::object::listing(&file, None).expect("an object").text()))
    }),
    ("notes that overlap", |bytes| {
        let file = tests::writers::objects::with_notes(bytes / 80);
        work_of(|| assert!(gcn::object::listing(&file, None).is_err()))
    }),
    ("bundles without entries", |bytes| {
        look_through(b"__CLANG_OFFLOAD_BUNDLE__\0\0\0\0\0\0\0\0", bytes)
    }),
    ("signatures that begin nothing", |bytes| {
        look_through(b"CCOB\x10\xff\x10\xad____CLANG", bytes)
    }),
    ("entries of a bundle", |bytes| {
        let entries = vec![("", vec![0; 64]); bytes / 128];
        let file = tests::writers::bundles::bundle(&entries);
        work_of(|| drop(gcn::object::contents(&file).expect("a bundle")))
    }),
    ("tokens", |bytes| {
        let text = TGSI[0].text(bytes);
        let shader = tgsi::parser::parse(&text, &source::no_checkpoint).shader.expect("a shader");
        let layout = Layout::ALL[Layout::ALL.len() - 1];
        let words = tokens::encode(&shader, layout).expect("words");
        work_of(|| drop(tokens::decode(&words, layout)))
    }),
    ("a file of inputs", |bytes| {
        let text = format!("[buf]\n0 = [{}]\n", "1, ".repeat(bytes / 3));
        work_of(|| assert!(tgsi_interp::inputs::Inputs::read(&text).is_ok()))
    }),
    ("inputs of registers", |bytes| {
        let lines: String = (0..bytes / 24).map(|it| format!("{} = [1.0]\n", it % 4096)).collect();
        let text = format!("[in]\n{lines}");
        work_of(|| drop(tgsi_interp::inputs::Inputs::read(&text)))
    }),
    ("a run", |bytes| {
        let text = TGSI[0].text(bytes);
        let shader = tgsi::parser::parse(&text, &source::no_checkpoint).shader.expect("a shader");
        work_of(|| {
            let program = tgsi_interp::Program::prepare(&shader).expect("it can be run");
            let inputs = tgsi_interp::launch::QuadInputs { mask: 0xf, ..Default::default() };
            let mut resources = tgsi_interp::Resources::default();
            let limits = tgsi_interp::Limits::default();
            assert!(
                tgsi_interp::launch::run_quad(&program, &mut resources, &inputs, limits).is_ok()
            );
        })
    }),
    ("steps of a shader without end", |bytes| interpret_for(bytes / 4)),
    ("a long kernel", |bytes| {
        execute(&format!("{}s_endpgm", "v_add_f32 v0, v1, v2\n".repeat(bytes / 4)), bytes)
    }),
    ("a kernel of loads", |bytes| {
        let load = "s_load_dword s4, s[2:3], 0x10\ns_waitcnt lgkmcnt(0)\n";
        execute(&format!("{}s_endpgm", load.repeat(bytes / 16)), bytes)
    }),
    ("loads that are waited for at the end", |bytes| {
        let load = |number| format!("ds_read_b32 v{}, v255\n", number % 255);
        let loads: String = (0..bytes / 8).map(load).collect();
        let waits = "s_waitcnt lgkmcnt(0)\n";
        execute(
            &format!(
                "{}{waits}s_endpgm",
                loads.replace("v254, v255\n", &format!("v254, v255\n{waits}"))
            ),
            bytes,
        )
    }),
    ("steps of a kernel without end", |bytes| {
        execute("again:\nv_add_f32 v0, v1, v2\ns_branch again\ns_endpgm", bytes / 2)
    }),
    ("exports", |bytes| {
        execute(&format!("{}s_endpgm", "exp mrt0 v0, v1, v2, v3\n".repeat(bytes / 64)), bytes)
    }),
    ("barriers", |bytes| execute(&format!("{}s_endpgm", "s_barrier\n".repeat(bytes / 4)), bytes)),
];

/// Bundles searched for in a program for Windows that is made of these bytes.
fn look_through(repeated: &[u8], bytes: usize) -> u64 {
    let file = [b"MZ".as_slice(), &repeated.repeat(bytes / repeated.len())].concat();
    work_of(|| {
        let entries = gcn::object::contents(&file).map_or(0, |it| it.entries().len());
        assert_eq!(entries, 0);
    })
}

/// A shader that ends by its steps alone.
fn interpret_for(steps: usize) -> u64 {
    let text = "FRAG\nDCL TEMP[0..1]\nBGNLOOP\nADD TEMP[0], TEMP[1], TEMP[0]\nENDLOOP\nEND\n";
    let shader = tgsi::parser::parse(text, &source::no_checkpoint).shader.expect("a shader");
    let program = tgsi_interp::Program::prepare(&shader).expect("it can be run");
    work_of(|| {
        let inputs = tgsi_interp::launch::QuadInputs { mask: 0xf, ..Default::default() };
        let mut resources = tgsi_interp::Resources::default();
        let limits = tgsi_interp::Limits { steps: steps as u64, ..Default::default() };
        assert!(tgsi_interp::launch::run_quad(&program, &mut resources, &inputs, limits).is_err());
    })
}

/// Machine code executed in two waves, with memory to load from, within so many steps.
fn execute(text: &str, steps: usize) -> u64 {
    let chip = Target::find("gfx803").expect("a chip");
    let code = from_lines(chip, text).expect("code");
    let words: Vec<u32> = code.instructions.iter().flat_map(|it| it.words().to_vec()).collect();
    let mut machine = Machine { waves: vec![Wave::new(u64::MAX); 2], ..Machine::default() };
    machine.memory.map(0x1000, vec![0; 0x1000]).expect("free addresses");
    machine.share = vec![0; 0x1000];
    for wave in &mut machine.waves {
        wave.set_pair(2, 0x1000);
        wave.attributes = vec![Attribute::default()];
    }
    work_of(|| {
        let program = gcn_emu::Program::prepare(chip, &words);
        let limits = gcn_emu::Limits { steps: steps as u64, ..Default::default() };
        // It ends at its last instruction, or with its steps.
        let ended = machine.run(&program, &mut NoImages, limits);
        let is_over = ended.as_ref().err().is_none_or(|it| it.reason == gcn_emu::Reason::Steps);
        assert!(is_over, "{ended:?}");
    })
}

fn list(words: &[u32]) -> u64 {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    work_of(|| {
        let listing = gcn::object::listing(&bytes, Target::find("gfx803")).expect("bytes");
        assert!(!listing.text().is_empty());
    })
}

/// The listing of an object with a symbol for each 24 bytes, at such places.
fn object(bytes: usize, place: fn(usize) -> usize) -> u64 {
    let file = tests::writers::objects::with_symbols(bytes / 24, place);
    work_of(|| drop(gcn::object::listing(&file, Target::find("gfx803")).expect("an object").text()))
}

#[test]
fn what_is_listed_and_run_takes_work_in_proportion() {
    let wrong =
        WORKS.iter().filter_map(|(name, work)| judge(name, || (work(SIZE), work(4 * SIZE))));
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
