//! Images and samplers by descriptors that a file of inputs asks for.

use gcn::program::{Options, assemble};
use gcn::{Generation, Target};
use sampler::{Dimension, Shape};

use super::{GridExecution, KernelInputs, Launch};
use crate::image::ImageError;
use crate::machine::Limits;
use crate::memory::Memory;
use crate::texture::{ImageDescriptor, TexelFormat};

const CHIPS: [&str; 4] = ["gfx600", "gfx700", "gfx803", "gfx900"];

/// Launches a text without a descriptor, whose first lane stores v4 to v7 in buffer 0 at its end.
fn launch(chip: &str, body: &str, inputs: &str) -> Launch {
    let text = format!(
        ".amdgcn_target \"amdgcn-amd-amdhsa--{chip}\"\n.text\nk:\n{body}\n\
         s_waitcnt vmcnt(0) expcnt(0)\n\
         buffer_store_dwordx4 v[4:7], off, s[20:23], 0\ns_endpgm\n"
    );
    let program = assemble(&text, &Options::of(&text, "k.s"), &|_| None, &source::no_checkpoint);
    assert!(program.diagnostics.is_empty(), "{chip}: {:?}", program.diagnostics);
    let inputs = format!(
        "group = [1]\n{inputs}\n[buf]\n0 = {{ words = 4 }}\n[sgpr]\n\
         4 = \"descriptor.img.0\"\n12 = \"descriptor.samp.0\"\n20 = \"descriptor.buf.0\"\n"
    );
    let inputs = KernelInputs::read(&inputs).unwrap_or_else(|error| panic!("{error}: {inputs}"));
    Launch::new(&program, &program.kernels[0], inputs).expect("a launch")
}

fn finish(launch: &Launch) -> Result<GridExecution<'_>, crate::Stop> {
    let mut grid = GridExecution::new(launch, Limits::default());
    while grid.wave().is_some() {
        grid.step()?;
    }
    Ok(grid)
}

/// The four words that a run leaves.
fn left(launch: &Launch) -> Vec<f32> {
    let grid = finish(launch).unwrap_or_else(|stop| panic!("{stop}"));
    let words = grid.machine().memory.words(Launch::buffer_address(0));
    words.into_iter().map(f32::from_bits).collect()
}

/// Four texels, whose first component is 0, 1, 2 and 4 on the way to the last row.
const SQUARE: &str = "[samp.0]\nwrap = [\"clamp_to_edge\", \"clamp_to_edge\"]\nmag = \"linear\"\n\
[img.0]\nsize = [2, 2]\ntexels = [[0.0], [1.0, 8.0], [2.0], [4.0, 0.0, 0.0, 16.0]]\n[vgpr]\n";

#[test]
fn texels_are_loaded_and_filtered_on_every_generation() {
    for chip in CHIPS {
        let load = "image_load v[4:7], v[0:1], s[4:11] dmask:0xf unorm";
        let own = launch(chip, load, &format!("{SQUARE}0 = 1\n1 = 1\n"));
        assert_eq!(left(&own), [4.0, 0.0, 0.0, 16.0], "{chip}");
        let outside = launch(chip, load, &format!("{SQUARE}0 = 2\n1 = 1\n"));
        assert_eq!(left(&outside), [0.0; 4], "{chip}");
        let sample = "image_sample_lz v[4:7], v[0:1], s[4:11], s[12:15] dmask:0xf";
        let middle = launch(chip, sample, &format!("{SQUARE}0 = 0.5\n1 = 0.5\n"));
        assert_eq!(left(&middle), [1.75, 2.0, 0.0, 4.0], "{chip}");
        let corner = launch(chip, sample, &format!("{SQUARE}0 = 2.0\n1 = -1.0\n"));
        assert_eq!(left(&corner), [1.0, 8.0, 0.0, 0.0], "{chip}");
        let sizes = "image_get_resinfo v[4:7], v0, s[4:11] dmask:0xf";
        let sizes = launch(chip, sizes, &format!("{SQUARE}0 = 0\n"));
        assert_eq!(left(&sizes).iter().map(|it| it.to_bits()).collect::<Vec<_>>(), [2, 2, 0, 1]);
    }
}

#[test]
fn stores_and_atomics_change_memory() {
    let given = "[samp.0]\n[img.0]\nkind = \"2d_array\"\nsize = [3, 2, 2]\ndata = \"32\"\n\
                 numbers = \"uint\"\ntexels = [[5]]\n[vgpr]\n0 = 0\n1 = 0\n2 = 0\n3 = 7\n8 = 2\n\
                 9 = 1\n10 = 1\n4 = 1\n";
    for chip in CHIPS {
        let body = "image_atomic_add v3, v[0:2], s[4:11] dmask:0x1 unorm glc da\n\
                    image_store v4, v[8:10], s[4:11] dmask:0x1 unorm da\n\
                    s_waitcnt vmcnt(0) expcnt(0)\n\
                    v_mov_b32 v4, v3";
        let own = launch(chip, body, given);
        let grid = finish(&own).unwrap_or_else(|stop| panic!("{chip}: {stop}"));
        let memory = &grid.machine().memory;
        assert_eq!(memory.words(Launch::buffer_address(0))[0], 5, "{chip}: what was there");
        let image = own.image(0).expect("an image");
        let texel = |number| image.texel(memory, number).expect("a texel")[0];
        let texels: Vec<u32> = (0..12).map(texel).collect();
        assert_eq!(texels, [12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], "{chip}");
        assert_eq!(image.texel_place(12), None);
    }
}

/// Levels of 5 by 3 texels: the rows of a layer are 3, 2 and 1, and a level begins below the
/// one before.
const LEVELS: &str = "[samp.0]\nmip = \"nearest\"\n[img.0]\nkind = \"2d_array\"\nsize = [5, 3, 2]\n\
levels = 3\ndata = \"32\"\nnumbers = \"float\"\nseed = 3\n[vgpr]\n";

#[test]
fn levels_lie_below_each_other_on_gfx9() {
    let load = "image_load_mip v4, v[0:3], s[4:11] dmask:0x1 unorm da";
    let at = |[x, y, layer, level]: [u32; 4]| {
        let given = format!("{LEVELS}0 = {x}\n1 = {y}\n2 = {layer}\n3 = {level}\n");
        launch("gfx900", load, &given)
    };
    // By number: 30 texels of level 0, 2 by 1 of each layer, 1 by 1 of each.
    for (place, number) in
        [([4, 2, 1, 0], 29), ([1, 0, 0, 1], 31), ([0, 0, 1, 1], 32), ([0, 0, 1, 2], 35)]
    {
        let own = at(place);
        let texel = own.image(0).expect("an image").texel(&own.machine().memory, number);
        assert_eq!(left(&own)[0].to_bits(), texel.expect("a texel")[0], "{place:?}");
    }
    for place in [[2, 0, 0, 1], [0, 1, 0, 1], [0, 0, 2, 0], [0, 0, 0, 3]] {
        assert_eq!(left(&at(place))[0], 0.0, "{place:?} is outside");
    }
    // Where they are: rows of 64 texels, six of them a layer.
    let own = launch("gfx900", load, &format!("{LEVELS}0 = 0\n"));
    let image = own.image(0).expect("an image");
    let row = |at, level| image.place(at, level).map(|place| (place - image.address) / 256);
    assert_eq!(row([0, 0, 0, 0], 1), Some(3));
    assert_eq!(row([0, 0, 0, 0], 2), Some(5));
    assert_eq!(row([0, 0, 1, 0], 0), Some(6));
    assert_eq!(image.length(), 12 * 256);
    let read = ImageDescriptor::read(&image.words(Generation::Gfx9), Generation::Gfx9);
    assert_eq!(read.expect("a descriptor"), *image);
    // A view that begins with level 1: what is its largest is half as wide.
    let mut words = image.words(Generation::Gfx9);
    words[3] |= 1 << 12;
    let view = ImageDescriptor::read(&words, Generation::Gfx9).expect("a descriptor");
    assert_eq!((view.shape.size, view.shape.levels), ([2, 1, 2], 2));
    assert_eq!(view.place([1, 0, 1, 0], 0), image.place([1, 0, 1, 0], 1));
    assert_eq!(view.place([0, 0, 0, 0], 1), image.place([0, 0, 0, 0], 2));
    // Filtered, by its level of detail.
    let sample = "image_sample_l v4, v[0:3], s[4:11], s[12:15] dmask:0x1 da";
    let own = launch("gfx900", sample, &format!("{LEVELS}0 = 0.9\n1 = 0.5\n2 = 1.0\n3 = 1.0\n"));
    let texel = own.image(0).expect("an image").texel(&own.machine().memory, 33);
    assert_eq!(left(&own)[0].to_bits(), texel.expect("a texel")[0]);
    let stored = launch(
        "gfx900",
        "image_store_mip v8, v[0:3], s[4:11] dmask:0x1 unorm da",
        &format!("{LEVELS}0 = 1\n1 = 0\n2 = 0\n3 = 1\n8 = 9.0\n"),
    );
    let grid = finish(&stored).unwrap_or_else(|stop| panic!("{stop}"));
    let texel = stored.image(0).expect("an image").texel(&grid.machine().memory, 31);
    assert_eq!(f32::from_bits(texel.expect("a texel")[0]), 9.0);
}

#[test]
fn levels_of_older_chips_say_why_they_are_not_there() {
    let text = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx803\"\n.text\nk:\ns_endpgm\n";
    let program = assemble(text, &Options::of(text, "k.s"), &|_| None, &source::no_checkpoint);
    let inputs = KernelInputs::read("[img.0]\nsize = [4, 4]\nlevels = 2\n").expect("inputs");
    let refused = Launch::new(&program, &program.kernels[0], inputs).map(drop).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "`img.0` has several levels, whose place in memory is known on GFX9 alone"
    );
    let mistake = KernelInputs::read("[img.0]\nkind = \"3d\"\nsize = [4, 4, 4]\nlevels = 2\n");
    assert!(mistake.unwrap_err().message.contains("three axes"));
}

/// An image of which bytes change is filtered as it is then.
#[test]
fn what_is_stored_is_filtered_next() {
    let body = "image_sample_lz v[4:7], v[0:1], s[4:11], s[12:15] dmask:0xf\n\
                s_waitcnt vmcnt(0)\n\
                image_store v[8:11], v[12:13], s[4:11] dmask:0xf unorm\n\
                s_waitcnt vmcnt(0) expcnt(0)\n\
                image_sample_lz v[4:7], v[0:1], s[4:11], s[12:15] dmask:0xf";
    let given =
        format!("{SQUARE}0 = 0.5\n1 = 0.5\n8 = 8.0\n9 = 0.0\n10 = 0.0\n11 = 0.0\n12 = 0\n13 = 0\n");
    assert_eq!(left(&launch("gfx900", body, &given)), [3.75, 2.0, 0.0, 4.0]);
}

#[test]
fn descriptors_are_read_as_they_are_written() {
    const KINDS: [Dimension; 6] = [
        Dimension::One,
        Dimension::Two,
        Dimension::Three,
        Dimension::Cube,
        Dimension::OneArray,
        Dimension::TwoArray,
    ];
    let format = TexelFormat { data: 10, number: 0 };
    for generation in Generation::ALL {
        for kind in KINDS {
            for size in [[1, 1, 6], [7, 5, 6], [300, 2, 12]] {
                let shape = Shape::single(kind, size).checked().expect("a shape");
                let own = ImageDescriptor::of(0x7f12_3456_7800, shape, format);
                let read = ImageDescriptor::read(&own.words(generation), generation);
                assert_eq!(read, Ok(own), "{generation} {kind:?} {size:?}");
            }
        }
    }
}

/// Fields at the places that the manuals of GCN3 and Vega give them.
#[test]
fn fields_stand_where_the_manuals_say() {
    let shape = Shape::single(Dimension::TwoArray, [100, 50, 4]);
    let own = ImageDescriptor::of(0xabcd_ef01_2300, shape, TexelFormat { data: 10, number: 4 });
    let field = |words: &[u32; 8], first: usize, last: usize| {
        let bits = (first..=last).map(|bit| u64::from(words[bit / 32] >> (bit % 32) & 1));
        bits.rev().fold(0, |all, bit| all << 1 | bit)
    };
    for generation in [Generation::Gfx8, Generation::Gfx9] {
        let words = own.words(generation);
        assert_eq!(field(&words, 0, 39), 0xabcd_ef01_2300 >> 8, "the address");
        assert_eq!((field(&words, 52, 57), field(&words, 58, 61)), (10, 4), "the formats");
        assert_eq!((field(&words, 64, 77), field(&words, 78, 91)), (99, 49), "the sizes");
        let selected = [96, 99, 102, 105].map(|first| field(&words, first, first + 2));
        assert_eq!(selected, [4, 5, 6, 7]);
        assert_eq!(field(&words, 124, 127), 13, "the type");
        let is_gfx9 = generation == Generation::Gfx9;
        // Rows of 512 bytes.
        assert_eq!(field(&words, 141, if is_gfx9 { 156 } else { 154 }), 127, "the pitch");
        match is_gfx9 {
            true => assert_eq!((field(&words, 116, 120), field(&words, 128, 140)), (0, 3)),
            false => assert_eq!((field(&words, 116, 120), field(&words, 173, 185)), (8, 3)),
        }
    }
}

#[test]
fn every_format_keeps_what_it_can_hold() {
    let shape = Shape::single(Dimension::Two, [2, 1, 1]);
    let mut count = 0;
    for data in 1..15 {
        for number in 0..8 {
            let format = TexelFormat { data, number };
            let Some(bits) = format.components() else { continue };
            // Floats have 32, 16, 11 or 10 bits.
            if number == 7 && bits.iter().any(|bits| ![0, 10, 11, 16, 32].contains(bits)) {
                continue;
            }
            let mut memory = Memory::default();
            memory.map(0x100, vec![0; 512]).expect("memory");
            let own = ImageDescriptor::of(0x100, shape, format);
            let one = if matches!(number, 4 | 5) { 1 } else { 1.0_f32.to_bits() };
            let texel: [u32; 4] = std::array::from_fn(|place| if place == 1 { 0 } else { one });
            let place = own.texel_place(1).expect("a texel");
            own.write(&mut memory, place, texel).expect("memory");
            let expected: [u32; 4] = std::array::from_fn(|place| match (bits[place], place) {
                (0, 3) => one,
                (0, _) => 0,
                _ => texel[place],
            });
            assert_eq!(own.read_texel(&memory, place), Ok(expected), "{data} {number}");
            assert_eq!(own.read_texel(&memory, 0x100).expect("memory")[0], 0, "{data} {number}");
            count += 1;
        }
    }
    assert!(count > 80, "{count}");
}

#[test]
fn descriptors_that_are_not_followed_say_why() {
    let target = Target::find("gfx900").expect("a chip");
    let generation = target.generation();
    let shape = Shape::single(Dimension::Two, [4, 4, 1]);
    let words = ImageDescriptor::of(1 << 44, shape, TexelFormat { data: 10, number: 0 });
    let words = words.words(generation);
    let changed = |word: usize, clear: u32, set: u32| {
        let mut own = words;
        own[word] = own[word] & !clear | set;
        ImageDescriptor::read(&own, generation).map(|_| ()).unwrap_err()
    };
    assert_eq!(changed(3, 0, 9 << 20), ImageError::Tiled(9));
    assert_eq!(changed(3, 15 << 28, 10 << 28 | 2 << 16), ImageError::Levels);
    assert_eq!(changed(3, 0, 3 << 12), ImageError::Shape);
    assert_eq!(changed(3, 0, 14 << 28), ImageError::Samples);
    assert_eq!(changed(3, u32::MAX, 0), ImageError::Descriptor(words[0]));
    assert_eq!(changed(1, 63 << 20, 35 << 20), ImageError::Format(35, 0));
    assert_eq!(changed(1, 15 << 26, 9 << 26), ImageError::Format(10, 9));
    assert_eq!(changed(2, 0, 0x0fff_ffff), ImageError::Shape);
    for (inputs, message) in [
        ("[img.0]\nsize = [9000, 1]\n", "a side has at most 8192 texels"),
        ("[img.0]\nsize = [0, 1]\n", "the image: a size is 0, or a cube has not six faces"),
        (
            "[img.0]\nkind = \"4d\"\n",
            "one of \"1d\", \"2d\", \"3d\", \"cube\", \"1d_array\", \"2d_array\" is expected",
        ),
        (
            "[img.0]\nfilter = 1\n",
            "`filter`: an image has kind, size, levels, data, numbers, texels and seed",
        ),
        (
            "[samp.0]\nborder = [2.0]\n",
            "the colour of a border is [0, 0, 0, 0], [0, 0, 0, 1] or [1, 1, 1, 1]: others are in a table",
        ),
    ] {
        assert_eq!(KernelInputs::read(inputs).unwrap_err().message, message);
    }
    let load = "image_load v[4:7], v[0:1], s[4:11] dmask:0xf unorm";
    let missing = "[samp.0]\n[img.0]\nsize = [2, 2]\n[vgpr]\n0 = 0\n";
    let mut own = launch("gfx900", &format!("s_bitset1_b32 s7, 20\n{load}"), missing);
    let stop = finish(&own).map(|_| ()).unwrap_err();
    let tiles = "an image in tiles (mode 1), whose place in memory is not known: only rows are";
    assert!(stop.to_string().contains(tiles), "{stop}");
    own = launch("gfx900", &format!("s_mov_b32 s4, 5\n{load}"), missing);
    let stop = finish(&own).map(|_| ()).unwrap_err();
    assert!(stop.to_string().contains("no memory at 0x"), "{stop}");
}
