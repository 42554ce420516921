//! Files of inputs that are right, and the messages about wrong ones.

use sampler::{Compare, Dimension, Filter, MipFilter, Numbers, Wrap};

use super::*;

#[test]
fn numbers_are_floats_or_bits_and_lanes_may_differ() {
    let text = "lane = 6\ngrid = [2]\n[in]\n1 = [0.5, 1, -1, 0x10] # all lanes\n\
                2 = [[1.0], [2.0],\n  [3.0], [4.0],]\n[vertex.0]\n0 = [7]\n[vertex.2]\n0 = [9]\n\
                [const]\n1 = [[1_0], []]\n[buf]\n0 = [7, nan]\n[hwatomic]\n1 = [3]\n\
                [img.0]\nsize = [2]\ntexels = [[4, 5]]\n[framebuffer]\n0 = [0.25]\n[sv]\n0 = [7]\n";
    let inputs = Inputs::read(text).unwrap();
    assert_eq!((inputs.lane, inputs.grid), (6, Some([2, 1, 1])));
    assert_eq!(inputs.vertices[0][0][0], [7; 4]);
    assert_eq!(inputs.vertices[0][1], [[0x3f00_0000; 4], [1; 4], [u32::MAX; 4], [16; 4]]);
    assert_eq!(inputs.vertices[0][2][0], [1.0f32, 2.0, 3.0, 4.0].map(f32::to_bits));
    assert!(inputs.vertices[1].is_empty());
    assert_eq!(inputs.vertices[2][0][0], [9; 4]);
    let resources = &inputs.resources;
    assert_eq!(resources.constants, [vec![], vec![[10, 0, 0, 0], [0; 4]]]);
    assert_eq!(resources.buffers[0][0], 7);
    assert!(f32::from_bits(resources.buffers[0][1]).is_nan());
    assert_eq!(resources.counters, [vec![], vec![3]]);
    let image = resources.images[0].as_ref().unwrap();
    assert_eq!((image.size, &image.texels[..]), ([2, 1, 1], &[[4, 5, 0, 0], [0; 4]][..]));
    assert_eq!(inputs.quad().framebuffer[0][0], [0.25f32.to_bits(); 4]);
    assert_eq!(inputs.system_values[0][0], [7; 4]);
}

#[test]
fn textures_are_of_the_kind_that_the_shader_looks_up() {
    let text = "[tex.0]\nsize = [4, 2]\nlevels = 9\nnumbers = \"unorm\"\ntexels = [[0.5]]\n\
                [tex.1]\nsize = [4, 3]\nseed = 5\n[tex.3]\nsize = [2, 2]\n\
                [samp.1]\nwrap = [\"mirror\", \"clamp\"]\nmin = \"linear\"\nmip = \"nearest\"\n\
                lod = [1, 2.5]\nbias = -1\ncompare = \"greater\"\nborder = [1.0]\n";
    let inputs = Inputs::read(text).unwrap();
    let shader = "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL SAMP[0..3]\nDCL TEMP[0]\n\
                  TEX TEMP[0], IN[0], SAMP[0], 2D\nTEX TEMP[0], IN[0], SAMP[1], 1D_ARRAY\n\
                  TEX TEMP[0], IN[0], SAMP[2], 3D\nTEX TEMP[0], IN[0], SAMP[3], CUBE\nEND\n";
    let parse = tgsi::parser::parse(shader, &source::no_checkpoint);
    let program = Program::prepare(&parse.shader.unwrap()).unwrap();
    let Textures::Sampled(sampled) = inputs.resources(&program).unwrap().textures else {
        panic!("sampled");
    };
    let shape = |unit: usize| *sampled.textures[unit].as_ref().unwrap().shape();
    assert_eq!(
        (shape(0).dimension, shape(0).size, shape(0).levels),
        (Dimension::Two, [4, 2, 1], 3)
    );
    let first = sampled.textures[0].as_ref().unwrap();
    assert_eq!(first.numbers(), Numbers::Normalized);
    assert_eq!(first.fetch([0, 0, 0], 0, 0)[0], 0.5f32.to_bits());
    assert_eq!((shape(1).dimension, shape(1).size), (Dimension::OneArray, [4, 1, 3]));
    assert_eq!(shape(2).dimension, Dimension::Three);
    assert_eq!(shape(3).size, [2, 2, 6]);
    let sampler = sampled.samplers[1];
    assert_eq!(sampler.wrap, [Wrap::Mirror, Wrap::Clamp, Wrap::Repeat]);
    assert_eq!([sampler.minify, sampler.magnify], [Filter::Linear, Filter::Nearest]);
    assert_eq!(sampler.mip, MipFilter::Nearest);
    assert_eq!([sampler.least_detail, sampler.greatest_detail, sampler.bias], [1.0, 2.5, -1.0]);
    assert_eq!((sampler.compare, sampler.border[0]), (Compare::Greater, 1.0f32.to_bits()));
    let huge = Inputs::read("[tex.0]\nsize = [65536, 65536]\n").unwrap();
    let message = huge.resources(&program).unwrap_err();
    assert_eq!(message.to_string(), "texture 0: it has more than 1048576 texels");
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    for (text, line, message) in [
        (
            "\ninn = 1",
            2,
            "`inn`: there are lane, grid, in, vertex, const, sv, framebuffer, buf, \
          hwatomic, img, tex, samp and expect",
        ),
        ("[in]\n0 = [1, 'x']", 2, "a number is expected"),
        ("[in]\n0 = [1, 2, 3, 4, 5]", 2, "a vector has four components"),
        ("[in]\n0 = [[1], [2]]", 2, "not one vector for each of 4 lanes"),
        ("[in]\n99999999 = [1]", 2, "`99999999` is not a number below 4096"),
        ("[buf]\n0 = [4294967296]", 2, "an integer has 32 bits"),
        ("[const]\n0 = [1]", 2, "an array is expected"),
        ("[tex]\n0 = 1", 2, "a table is expected"),
        (
            "[tex.0]\nsise = [1]",
            2,
            "`sise`: a texture has size, levels, samples, numbers, texels and seed",
        ),
        ("[samp.0]\n\nmip = \"linaer\"", 3, "one of \"none\", \"nearest\", \"linear\" is expected"),
        ("[samp.0]\nlod = [1]", 2, "the least and the greatest level"),
        ("[img.0]\nsize = [65536, 65536]", 1, "the image is too large"),
        ("[img.0]\nsize = [1, 1, 1, 1]", 2, "there are three axes"),
    ] {
        let mistake = Inputs::read(text).unwrap_err();
        assert_eq!((mistake.line(text), mistake.message.as_str()), (line, message), "{text}");
    }
    let mistake = Inputs::read("[in]\n0 = [1,\n").unwrap_err();
    assert!(mistake.line("[in]\n0 = [1,\n") >= 2, "{mistake:?}");
}

#[test]
fn the_page_shows_a_file_that_is_understood() {
    let (_, rest) = page().split_once("```toml\n").unwrap();
    let (example, _) = rest.split_once("```").unwrap();
    let inputs = Inputs::read(example).unwrap();
    assert_eq!((inputs.lane, inputs.grid), (2, Some([2, 1, 1])));
    // Every table that there is has an example.
    for table in [
        "in",
        "vertex.1",
        "const",
        "sv",
        "framebuffer",
        "buf",
        "hwatomic",
        "img.0",
        "tex.0",
        "samp.0",
    ] {
        assert!(example.contains(&format!("\n[{table}]")), "{table}");
    }
}

#[test]
fn every_word_of_a_sampler_means_its_own() {
    let sampler = |line: &str| {
        let inputs = Inputs::read(&format!("[tex.0]\nsize = [2]\n[samp.0]\n{line}\n")).unwrap();
        let shader = "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL SAMP[0]\nDCL TEMP[0]\n\
                      TEX TEMP[0], IN[0], SAMP[0], 2D\nEND\n";
        let parse = tgsi::parser::parse(shader, &source::no_checkpoint);
        let program = Program::prepare(&parse.shader.unwrap()).unwrap();
        let Textures::Sampled(sampled) = inputs.resources(&program).unwrap().textures else {
            panic!("sampled");
        };
        sampled.samplers[0]
    };
    let wraps = [
        "repeat",
        "mirror",
        "clamp_to_edge",
        "mirror_clamp_to_edge",
        "clamp",
        "mirror_clamp",
        "clamp_to_border",
        "mirror_clamp_to_border",
    ];
    for (word, wrap) in wraps.into_iter().zip(Wrap::ALL) {
        assert_eq!(sampler(&format!("wrap = [\"{word}\"]")).wrap[0], wrap, "{word}");
    }
    let compares = ["never", "less", "equal", "lequal", "greater", "notequal", "gequal", "always"];
    for (word, compare) in compares.into_iter().zip(Compare::ALL) {
        assert_eq!(sampler(&format!("compare = \"{word}\"")).compare, compare, "{word}");
    }
    for (word, mip) in
        [("none", MipFilter::None), ("nearest", MipFilter::Nearest), ("linear", MipFilter::Linear)]
    {
        assert_eq!(sampler(&format!("mip = \"{word}\"")).mip, mip, "{word}");
    }
}

#[test]
fn a_few_words_stand_for_so_much_and_no_more() {
    let images: String =
        (0..4096).map(|number| format!("[img.{number}]\nsize = [1024, 512]\n")).collect();
    let found = Inputs::read(&images).unwrap_err();
    assert_eq!(
        (found.message.as_str(), found.line(&images) > 10),
        ("the image is too large", true)
    );
    let vertices: String =
        (0..4096).map(|number| format!("[vertex.{number}]\n4095 = [1]\n")).collect();
    assert_eq!(Inputs::read(&vertices).unwrap_err().message, "too many registers");
    let textures: String =
        (0..32).map(|number| format!("[tex.{number}]\nsize = [1024, 512]\n")).collect();
    let lookups: String =
        (0..32).map(|number| format!("TEX TEMP[0], IN[0], SAMP[{number}], 2D\n")).collect();
    let shader = format!(
        "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL SAMP[0..31]\nDCL TEMP[0]\n{lookups}END\n"
    );
    let shader = tgsi::parser::parse(&shader, &source::no_checkpoint).shader.unwrap();
    let program = Program::prepare(&shader).unwrap();
    let found = Inputs::read(&textures).unwrap().resources(&program).unwrap_err();
    assert_eq!(found.to_string(), "texture 8: there are too many texels");
}
