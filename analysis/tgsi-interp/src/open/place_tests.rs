//! Accesses at open places: what they may leave and find.

use open_bits::{KnownBits, Rule, Rules, Word};

use crate::launch::{QuadInputs, QuadOutputs, run_quad};
use crate::open::{OpenRegister, Script, Space};
use crate::registers::{EMPTY, LANES};
use crate::resources::Image;
use crate::{Limits, Program, Resources, Sampled, Textures};

/// A run of a shader in which x of the first input is a set of words in the first lane.
fn run(text: &str, set: Word, resources: &mut Resources) -> QuadOutputs {
    run_lanes(text, set, resources, 1)
}

/// The same with several lanes.
fn run_lanes(text: &str, set: Word, resources: &mut Resources, mask: u8) -> QuadOutputs {
    let shader = tgsi::parser::parse(text, &source::no_checkpoint).shader.expect("a shader");
    let program = Program::prepare(&shader).expect("a program");
    if let Textures::Sampled(sampled) = &mut resources.textures {
        sampled.make_up(&program);
    }
    let mut words = OpenRegister::default();
    words[0][0] = Some(set);
    let inputs = QuadInputs {
        inputs: vec![vec![EMPTY; 2]],
        input_words: vec![vec![words, OpenRegister::default()]],
        mask,
        open: Some(Script::default()),
        ..QuadInputs::default()
    };
    run_quad(&program, resources, &inputs, Limits::default()).expect("a run")
}

fn anything() -> Word {
    Word::any(Rules::of(Rule::Conversion))
}

#[test]
fn a_store_at_an_open_place_leaves_each_word_or_changes_it() {
    let text = "VERT\nDCL IN[0]\nDCL BUFFER[0..1]\nIMM[0] UINT32 {7, 9, 0, 0}\n\
                STORE BUFFER[0].xy, IN[0].xxxx, IMM[0]\nEND\n";
    let mut resources =
        Resources { buffers: vec![vec![1, 2, 3, 4], vec![5; 4]], ..Resources::default() };
    run(text, anything(), &mut resources);
    let word = |unit: usize, place: usize, bits: u32| {
        resources.open.word(Space::Buffer, unit, place, bits)
    };
    for (place, old) in [(1, 2), (2, 3), (3, 4)] {
        for (bits, may) in [(old, true), (7, true), (9, true), (5, false)] {
            assert_eq!(word(0, place, old).holds(bits), may, "{place}: {bits}");
        }
    }
    // The second component of an access is never at the first word.
    assert!(word(0, 0, 1).holds(7) && word(0, 0, 1).holds(1) && !word(0, 0, 1).holds(9));
    assert_eq!(word(1, 2, 5), Word::exactly(5));
    let even = Word::known(KnownBits { value: 0, open: 0xffff_fff8 }, Rules::of(Rule::Conversion));
    let mut resources = Resources { buffers: vec![vec![1; 8]], ..Resources::default() };
    run(text, even, &mut resources);
    let word = |place: usize| resources.open.word(Space::Buffer, 0, place, 1);
    assert!(word(4).holds(7) && !word(4).holds(9) && word(5).holds(9) && !word(5).holds(7));
}

#[test]
fn a_store_into_an_open_resource_leaves_nothing_known_of_any() {
    let stored = |declared: &str, file: &str| {
        let text = format!(
            "VERT\nDCL IN[0]\nDCL {declared}\nDCL ADDR[0]\nIMM[0] UINT32 {{0, 9, 0, 0}}\n\
             UARL ADDR[0].x, IN[0].xxxx\nSTORE {file}[ADDR[0].x].x, IMM[0].xxxx, IMM[0].yyyy\nEND\n"
        );
        let mut resources = Resources {
            buffers: vec![vec![1; 4], vec![1; 4]],
            shared: vec![1; 4],
            ..Resources::default()
        };
        run(&text, anything(), &mut resources);
        let places = [(Space::Buffer, 0), (Space::Buffer, 1), (Space::Shared, 0)];
        places.map(|(space, unit)| resources.open.word(space, unit, 2, 1).is_any())
    };
    assert_eq!(stored("BUFFER[0..1]", "BUFFER"), [true, true, false]);
    assert_eq!(stored("MEMORY[0], SHARED", "MEMORY"), [false, false, true]);
}

#[test]
fn an_atomic_at_an_open_place_changes_each_word_or_leaves_it() {
    let text = "VERT\nDCL IN[0]\nDCL BUFFER[0]\nDCL TEMP[0]\nIMM[0] UINT32 {7, 9, 0, 0}\n\
                ATOMUADD TEMP[0].x, BUFFER[0], IN[0].xxxx, IMM[0].xxxx\nEND\n";
    let mut resources = Resources { buffers: vec![vec![1, 2]], ..Resources::default() };
    run(text, anything(), &mut resources);
    let word = resources.open.word(Space::Buffer, 0, 1, 2);
    assert!(word.holds(2) && word.holds(9) && !word.holds(7), "{word}");
}

#[test]
fn a_look_up_at_an_open_place_gives_any_word_in_its_lane() {
    let text = "VERT\nDCL IN[0]\nDCL OUT[0], GENERIC[0]\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\n\
                TEX_LZ OUT[0], IN[0], SAMP[0], 2D\nEND\n";
    let rules = Rules::of(Rule::Approximation);
    let spanned =
        |least: f32, most: f32| Word::spanned(&[least, most].map(f32::to_bits), false, rules);
    for (set, is_any) in [
        (anything(), true),
        (spanned(0.0, 0.5), true),
        (spanned(f32::NEG_INFINITY, 0.0), true),
        (spanned(0.0, 1e-6), false),
    ] {
        let textures = Textures::Sampled(Sampled::default());
        let mut resources = Resources { textures, ..Resources::default() };
        let left = run_lanes(text, set.clone(), &mut resources, 0xf);
        let words = &left.words.expect("a shadow").outputs[0];
        assert_eq!(words[0][0].is_any(), is_any, "{set}: {}", words[0][0]);
        assert!((1..LANES).all(|lane| words[0][lane].bits().is_some()), "{set}");
    }
}

#[test]
fn a_size_has_as_many_components_as_the_resource_has_sides() {
    let text = "VERT\nDCL IN[0]\nDCL OUT[0..1], GENERIC[0]\n\
                DCL IMAGE[0], BUFFER, PIPE_FORMAT_R32_UINT\n\
                DCL IMAGE[1], 2D_ARRAY, PIPE_FORMAT_R32_UINT\n\
                RESQ OUT[0], IMAGE[0], BUFFER, PIPE_FORMAT_R32_UINT\n\
                RESQ OUT[1], IMAGE[1], 2D_ARRAY, PIPE_FORMAT_R32_UINT\nEND\n";
    let image = |size: [u32; 3]| Some(Image { size, texels: vec![[0; 4]; 12] });
    let images = vec![image([12, 1, 1]), image([2, 2, 3])];
    let mut resources = Resources { images, ..Resources::default() };
    let left = run(text, Word::exactly(0), &mut resources);
    let words = left.words.expect("a shadow").outputs;
    let known = |register: usize| [0, 1, 2, 3].map(|it: usize| words[register][it][0].bits());
    assert_eq!(known(0), [Some(12), None, None, None]);
    assert_eq!(known(1), [Some(2), Some(2), Some(3), None]);
}
