//! Look-ups worked out by hand, and look-ups made at random, which must stay
//! within what they blend.

mod look_ups;

use proptest::prelude::*;

use sampler::*;

fn number(value: f32) -> [u32; 4] {
    [value.to_bits(); 4]
}

/// A texture of one axis with the texels 0, 10, 20, …
fn ramp(count: u32) -> Texture {
    let texels: Vec<_> = (0..count).map(|it| number(it as f32 * 10.0)).collect();
    Texture::new(Shape::single(Dimension::One, [count, 1, 1]), Numbers::Float, &texels).unwrap()
}

fn along(wrap: Wrap, filter: Filter) -> Sampler {
    let border = number(1000.0);
    Sampler { wrap: [wrap; 3], magnify: filter, minify: filter, border, ..Sampler::default() }
}

fn at(x: f32) -> Point {
    Point { coordinates: [x, 0.0, 0.0], ..Point::default() }
}

fn x_of(texel: [u32; 4]) -> f32 {
    f32::from_bits(texel[0])
}

fn look(texture: &Texture, sampler: &Sampler, x: f32) -> f32 {
    x_of(sample(texture, sampler, &at(x), Detail::Explicit(0.0)))
}

#[test]
fn every_wrap_mode_has_its_own_outside() {
    use Wrap as W;
    // Four texels; the places are -1.25, -0.125, 0.125, 1.125 and 1.875 textures.
    let texture = ramp(4);
    let expected: [(Wrap, [f32; 5]); 8] = [
        (W::Repeat, [30.0, 30.0, 0.0, 0.0, 30.0]),
        (W::Mirror, [30.0, 0.0, 0.0, 30.0, 0.0]),
        (W::ClampToEdge, [0.0, 0.0, 0.0, 30.0, 30.0]),
        (W::MirrorClampToEdge, [30.0, 0.0, 0.0, 30.0, 30.0]),
        (W::Clamp, [0.0, 0.0, 0.0, 30.0, 30.0]),
        (W::MirrorClamp, [30.0, 0.0, 0.0, 30.0, 30.0]),
        (W::ClampToBorder, [1000.0, 1000.0, 0.0, 1000.0, 1000.0]),
        (W::MirrorClampToBorder, [1000.0, 0.0, 0.0, 1000.0, 1000.0]),
    ];
    for (wrap, values) in expected {
        let sampler = along(wrap, Filter::Nearest);
        let found = [-1.25, -0.125, 0.125, 1.125, 1.875].map(|x| look(&texture, &sampler, x));
        // -1.25 repeats to 0.75, the beginning of texel 3.
        assert_eq!(found, values, "{wrap:?}");
    }
}

#[test]
fn a_filter_blends_by_distance_and_half_a_border_is_half() {
    let texture = ramp(4);
    let repeat = along(Wrap::Repeat, Filter::Linear);
    // Centres lie at odd eighths.
    assert_eq!(look(&texture, &repeat, 0.125), 0.0);
    assert_eq!(look(&texture, &repeat, 0.25), 5.0);
    assert_eq!(look(&texture, &repeat, 0.3125), 7.5);
    assert_eq!(look(&texture, &repeat, 0.0), 15.0);
    assert_eq!(look(&texture, &along(Wrap::ClampToEdge, Filter::Linear), -3.0), 0.0);
    assert_eq!(look(&texture, &along(Wrap::Clamp, Filter::Linear), -3.0), 500.0);
    assert_eq!(look(&texture, &along(Wrap::ClampToBorder, Filter::Linear), -3.0), 1000.0);
    assert_eq!(look(&texture, &along(Wrap::ClampToBorder, Filter::Linear), 0.0), 500.0);
}

#[test]
fn coordinates_that_are_no_places_are_still_answered() {
    let texture = ramp(4);
    for wrap in Wrap::ALL {
        for filter in [Filter::Nearest, Filter::Linear] {
            for x in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, -0.0] {
                let found = look(&texture, &along(wrap, filter), x);
                assert!((0.0..=1000.0).contains(&found), "{wrap:?} {x}: {found}");
            }
        }
    }
    assert_eq!(look(&texture, &along(Wrap::ClampToEdge, Filter::Nearest), f32::NAN), 0.0);
    assert_eq!(look(&texture, &along(Wrap::ClampToEdge, Filter::Nearest), f32::INFINITY), 30.0);
}

#[test]
fn infinite_texels_without_weight_play_no_part() {
    let texels = [number(1.0), number(f32::INFINITY)];
    let shape = Shape::single(Dimension::One, [2, 1, 1]);
    let texture = Texture::new(shape, Numbers::Float, &texels).unwrap();
    let sampler = along(Wrap::Repeat, Filter::Linear);
    assert_eq!(look(&texture, &sampler, 0.25), 1.0);
    assert_eq!(look(&texture, &sampler, 0.375), f32::INFINITY);
}

/// Levels of 4, 2 and 1 texels, all of the level's number times 8.
fn levels() -> Texture {
    let shape = Shape { levels: 9, ..Shape::single(Dimension::One, [4, 1, 1]) };
    let texels: Vec<_> = [0.0, 0.0, 0.0, 0.0, 8.0, 8.0, 16.0].map(number).to_vec();
    let texture = Texture::new(shape, Numbers::Float, &texels).unwrap();
    assert_eq!(texture.shape().levels, 3);
    texture
}

#[test]
fn the_level_of_detail_chooses_levels() {
    let texture = levels();
    let level = |mip: MipFilter, detail: Detail| {
        let sampler = Sampler { mip, bias: 1.0, greatest_detail: 1.75, ..Sampler::default() };
        x_of(sample(&texture, &sampler, &at(0.3), detail)) / 8.0
    };
    let given = |mip, detail| level(mip, Detail::Explicit(detail));
    assert_eq!([0.5, 0.75, 1.5, 9.0].map(|it| given(MipFilter::None, it)), [0.0; 4]);
    let nearest = [-1.0, 0.5, 0.75, 1.5, 1.625].map(|it| given(MipFilter::Nearest, it));
    assert_eq!(nearest, [0.0, 0.0, 1.0, 1.0, 2.0]);
    let linear = [-1.0, 0.5, 0.75, 9.0, f32::NAN].map(|it| given(MipFilter::Linear, it));
    assert_eq!(linear, [0.0, 0.5, 0.75, 1.75, 0.0]);
    // The bias counts for computed levels only.
    assert_eq!(level(MipFilter::Linear, Detail::Computed(0.25)), 1.25);
    let sampler = Sampler { mip: MipFilter::Nearest, bias: 1.0, ..Sampler::default() };
    assert_eq!(query_detail(&texture, &sampler, Detail::Computed(0.75)), [2.0, 1.75]);
    assert_eq!(query_detail(&texture, &sampler, Detail::Computed(-9.0)), [0.0, -8.0]);
}

#[test]
fn a_minified_texture_uses_the_other_filter() {
    let texture = ramp(4);
    let sampler = Sampler { minify: Filter::Linear, ..Sampler::default() };
    assert_eq!(x_of(sample(&texture, &sampler, &at(0.3), Detail::Explicit(0.0))), 10.0);
    let blended = x_of(sample(&texture, &sampler, &at(0.3), Detail::Explicit(0.1)));
    assert!((blended - 7.0).abs() < 1e-5, "{blended}");
}

#[test]
fn derivatives_give_the_logarithm_of_the_longer_vector() {
    let shape = Shape::single(Dimension::Two, [64, 16, 1]);
    let texture = Texture::new(shape, Numbers::Float, &[]).unwrap();
    // 4 texels a pixel to the right, 2 downwards.
    let quad = [[0.0; 3], [0.0625, 0.0, 9.0], [0.0, 0.125, 9.0], [9.0; 3]];
    assert_eq!(implicit_detail(&texture, Space::Normalized, &quad), 2.0);
    let along = [[3.0, 4.0, 0.0], [0.0; 3]];
    assert_eq!(derivative_detail(&texture, Space::Texels, along), 5.0f32.log2());
    let still = implicit_detail(&texture, Space::Normalized, &[[0.5; 3]; 4]);
    assert_eq!(still, f32::NEG_INFINITY);
}

#[test]
fn layers_are_rounded_to_even_and_kept_inside() {
    let texels: Vec<_> = (0..6).map(|it| number(it as f32)).collect();
    let shape = Shape::single(Dimension::OneArray, [2, 9, 3]);
    let texture = Texture::new(shape, Numbers::Float, &texels).unwrap();
    let layers = [-5.0, 0.5, 0.75, 1.5, 2.5, 99.0, f32::NAN, f32::INFINITY].map(|layer| {
        let point = Point { coordinates: [0.75, layer, 0.0], ..Point::default() };
        x_of(sample(&texture, &Sampler::default(), &point, Detail::Explicit(0.0)))
    });
    assert_eq!(layers, [1.0, 1.0, 3.0, 5.0, 5.0, 5.0, 1.0, 5.0]);
    assert_eq!(texture.query(0), [2, 3, 0, 1]);
    assert_eq!(x_of(texture.fetch([1, 2, 77], 0, 0)), 5.0);
    assert_eq!(texture.fetch([1, 3, 0], 0, 0), [0; 4]);
    assert_eq!(texture.fetch([-1, 0, 0], 0, 0), [0; 4]);
    assert_eq!(texture.fetch([0, 0, 0], 1, 0), [0; 4]);
    assert_eq!(texture.fetch([0, 0, 0], 0, 1), [0; 4]);
}

#[test]
fn offsets_count_texels_of_the_level() {
    let texture = ramp(4);
    let point = Point { offset: [2, 0, 0], ..at(0.125) };
    let sampler = along(Wrap::Repeat, Filter::Nearest);
    assert_eq!(x_of(sample(&texture, &sampler, &point, Detail::Explicit(0.0))), 20.0);
    let point = Point { space: Space::Texels, offset: [-1, 0, 0], ..at(3.5) };
    assert_eq!(x_of(sample(&texture, &sampler, &point, Detail::Explicit(7.0))), 20.0);
}

/// Two by two texels: 1, 2 / 3, 4.
fn square(numbers: Numbers) -> Texture {
    let texels = [1.0, 2.0, 3.0, 4.0].map(number);
    Texture::new(Shape::single(Dimension::Two, [2, 2, 1]), numbers, &texels).unwrap()
}

#[test]
fn a_gather_goes_round_from_below_on_the_left() {
    let texture = square(Numbers::Float);
    let point = Point { coordinates: [0.5, 0.5, 0.0], ..Point::default() };
    let texels = gather(&texture, &Sampler::default(), &point, 2).map(f32::from_bits);
    assert_eq!(texels, [3.0, 4.0, 2.0, 1.0]);
    let compared = Point { reference: Some(2.5), ..point };
    let passed = gather(&texture, &Sampler::default(), &compared, 0).map(f32::from_bits);
    assert_eq!(passed, [1.0, 1.0, 0.0, 0.0]);
    assert_eq!(gather(&ramp(4), &Sampler::default(), &point, 0), [0; 4]);
}

#[test]
fn a_comparison_gives_the_share_that_passes() {
    let sampler = Sampler {
        magnify: Filter::Linear,
        compare: Compare::Less,
        wrap: [Wrap::ClampToEdge; 3],
        ..Sampler::default()
    };
    let point = Point { coordinates: [0.5, 0.375, 0.0], reference: Some(1.5), ..Point::default() };
    let share = |numbers| {
        let texture = square(numbers);
        sample(&texture, &sampler, &point, Detail::Explicit(0.0)).map(f32::from_bits)
    };
    // All but the texel 1, whose weight is a half times three quarters.
    assert_eq!(share(Numbers::Float), [0.625, 0.625, 0.625, 1.0]);
    // The value is clamped to 1, and 1 is not less than 1.
    assert_eq!(share(Numbers::Normalized)[0], 0.625);
    let passed: Vec<bool> = Compare::ALL.iter().map(|it| it.passes(f32::NAN, 1.0)).collect();
    assert_eq!(passed, [false, false, false, false, false, true, false, true]);
    for (value, expected) in [(0.0, 0b1010_1010u32), (1.0, 0b1100_1100), (2.0, 0b1111_0000)] {
        let passed = Compare::ALL.iter().rev();
        let bits = passed.fold(0, |bits, it| bits << 1 | u32::from(it.passes(value, 1.0)));
        assert_eq!(bits, expected, "{value}");
    }
}

#[test]
fn integers_keep_their_bits_and_are_not_blended() {
    let texels = [[0xffff_ffff; 4], [7; 4]];
    let shape = Shape::single(Dimension::One, [2, 1, 1]);
    let texture = Texture::new(shape, Numbers::Signed, &texels).unwrap();
    let sampler = Sampler { mip: MipFilter::Linear, ..along(Wrap::Repeat, Filter::Linear) };
    assert_eq!(sample(&texture, &sampler, &at(0.4), Detail::Explicit(0.7)), [0xffff_ffff; 4]);
    assert_eq!(sample(&texture, &sampler, &at(0.6), Detail::Explicit(0.0)), [7; 4]);
}

#[test]
fn directions_meet_the_faces_of_the_specification() {
    // One direction a face, and where OpenGL's table 8.19 puts it.
    let cases: [([f32; 3], u32, [f32; 2]); 6] = [
        ([4.0, 1.0, 2.0], 0, [-2.0, -1.0]),
        ([-4.0, 1.0, 2.0], 1, [2.0, -1.0]),
        ([1.0, 4.0, 2.0], 2, [1.0, 2.0]),
        ([1.0, -4.0, 2.0], 3, [1.0, -2.0]),
        ([1.0, 2.0, 4.0], 4, [1.0, -2.0]),
        ([1.0, 2.0, -4.0], 5, [-1.0, -2.0]),
    ];
    for (direction, face, [s, t]) in cases {
        let place = cube_place(direction);
        assert_eq!(place.face, face);
        assert_eq!(place.at, [s / 8.0 + 1.5, t / 8.0 + 1.5]);
        // Moving along the direction itself moves nothing on the face.
        assert_eq!(cube_derivatives(direction, direction), [0.0, 0.0]);
        // A change across the major axis is that on the face.
        let step = 1.0 / 1024.0;
        let mut change = [step, step / 2.0, step / 4.0];
        change[face as usize / 2] = 0.0;
        let moved = cube_place(std::array::from_fn(|it| direction[it] + change[it]));
        let expected = [moved.at[0] - place.at[0], moved.at[1] - place.at[1]];
        assert_eq!(cube_derivatives(direction, change), expected);
    }
    assert_eq!(cube_place([1.0, -1.0, 1.0]).face, 4);
    assert_eq!(cube_place([1.0, -1.0, 0.5]).face, 3);
    // The reciprocal of twice 2^126 is a denormal, which the machine has as zero.
    let far = 2.0_f32.powi(126);
    assert_eq!(cube_place([far, far / 2.0, 0.0]).at, [1.5, 1.5]);
    assert_eq!(cube_place([far / 4.0, far / 8.0, 0.0]).at, [1.5, 1.25]);
}

#[test]
fn a_filter_goes_over_the_edges_of_a_cube() {
    // Faces of one texel each, 0 to 5.
    let texels: Vec<_> = (0..12).map(|it| number(it as f32)).collect();
    let shape = Shape::single(Dimension::CubeArray, [1, 1, 12]);
    let texture = Texture::new(shape, Numbers::Float, &texels).unwrap();
    let sampler = along(Wrap::Repeat, Filter::Linear);
    let look = |s: f32, t: f32, face: f32| {
        let point = Point { coordinates: [s, t, face], ..Point::default() };
        x_of(sample(&texture, &sampler, &point, Detail::Explicit(0.0)))
    };
    assert_eq!(look(1.5, 1.5, 4.0), 4.0);
    // Half of +z and half of what lies to its right, which is +x.
    assert_eq!(look(2.0, 1.5, 4.0), 2.0);
    // Above it is +y, below it -y, to its left -x.
    assert_eq!(look(1.5, 1.0, 4.0), 3.0);
    assert_eq!(look(1.5, 2.0, 4.0), 3.5);
    assert_eq!(look(1.0, 1.5, 4.0), 2.5);
    // The second layer; faces that there are not are the last.
    assert_eq!(look(1.5, 1.5, 12.0), 10.0);
    assert_eq!(look(1.5, 1.5, 99.0), 9.0);
    assert_eq!(look(1.5, 1.5, -3.0), 0.0);
    assert_eq!(texture.query(0), [1, 1, 2, 1]);
}

#[test]
fn samples_are_fetched_and_never_filtered() {
    let shape = Shape { samples: 2, ..Shape::single(Dimension::Multisample, [2, 1, 1]) };
    let texels = [1.0, 2.0, 3.0, 4.0].map(number);
    let mut texture = Texture::new(shape, Numbers::Float, &texels).unwrap();
    assert_eq!(x_of(texture.fetch([1, 0, 0], 0, 0)), 3.0);
    assert_eq!(x_of(texture.fetch([0, 0, 0], 0, 1)), 2.0);
    assert_eq!(sample(&texture, &Sampler::default(), &at(0.5), Detail::Explicit(0.0)), [0; 4]);
    *texture.texel_mut([0, 0, 0], 0, 1).unwrap() = number(9.0);
    assert_eq!(x_of(texture.fetch([0, 0, 0], 0, 1)), 9.0);
    assert!(texture.texel_mut([0, 0, 0], 0, 2).is_none());
}

#[test]
fn shapes_are_bounded() {
    let refused = |dimension, size| {
        Texture::generated(Shape::single(dimension, size), Numbers::Float, 1).err()
    };
    assert_eq!(refused(Dimension::Two, [1 << 31, 1 << 31, 1]), Some(InvalidShape::TooLarge));
    assert_eq!(refused(Dimension::Three, [0, 1, 1]), Some(InvalidShape::Empty));
    assert_eq!(refused(Dimension::Cube, [1, 1, 5]), Some(InvalidShape::Empty));
    assert_eq!(refused(Dimension::Cube, [1, 1, 7]), None);
    // Axes that the kind does not have do not count.
    assert_eq!(refused(Dimension::One, [1, u32::MAX, 0]), None);
    let endless =
        Shape { levels: u32::MAX, samples: u32::MAX, ..Shape::single(Dimension::Two, [8, 2, 1]) };
    let texture = Texture::generated(endless, Numbers::Float, 1).unwrap();
    assert_eq!([texture.shape().levels, texture.shape().samples], [4, 1]);
    assert_eq!(
        (0..5).map(|it| texture.query(it)).collect::<Vec<_>>(),
        [[8, 2, 0, 4], [4, 1, 0, 4], [2, 1, 0, 4], [1, 1, 0, 4], [0, 0, 0, 4],]
    );
}

#[test]
fn made_up_texels_depend_on_the_seed_alone() {
    let shape = Shape::single(Dimension::Two, [16, 16, 1]);
    let make = |numbers, seed| Texture::generated(shape, numbers, seed).unwrap();
    assert_eq!(make(Numbers::Float, 1), make(Numbers::Float, 1));
    assert_ne!(make(Numbers::Float, 1), make(Numbers::Float, 2));
    let all = |numbers, good: fn(u32) -> bool| {
        let texture = make(numbers, 3);
        (0..16)
            .flat_map(|x| (0..16).map(move |y| [x, y, 0]))
            .all(|at| texture.fetch(at, 0, 0).into_iter().all(good))
    };
    assert!(all(Numbers::Float, |it| (f32::from_bits(it) * 256.0).fract() == 0.0
        && f32::from_bits(it) < 1.0));
    assert!(all(Numbers::Signed, |it| (-128..128).contains(&(it as i32))));
    assert!(all(Numbers::Unsigned, |it| it < 256));
}

fn anything() -> impl Strategy<Value = f32> {
    prop_oneof![
        3 => -4.0f32..4.0,
        1 => any::<u32>().prop_map(f32::from_bits),
    ]
}

proptest! {
    #[test]
    fn what_is_blended_stays_between_the_texels(
        dimension in prop::sample::select(vec![
            Dimension::Buffer, Dimension::One, Dimension::OneArray, Dimension::Two,
            Dimension::TwoArray, Dimension::Three, Dimension::Cube, Dimension::CubeArray,
            Dimension::Multisample, Dimension::MultisampleArray,
        ]),
        size in prop::array::uniform3(1u32..9),
        wrap in prop::array::uniform3(prop::sample::select(Wrap::ALL.to_vec())),
        coordinates in prop::array::uniform3(anything()),
        offset in prop::array::uniform3(any::<i32>()),
        [detail, bias, reference] in prop::array::uniform3(anything()),
        [linear, mips, texels, compared] in any::<[bool; 4]>(),
    ) {
        let size = [size[0], size[1], if dimension.is_cube() { size[2] + 5 } else { size[2] }];
        let shape = Shape { levels: 3, ..Shape::single(dimension, size) };
        let texture = Texture::generated(shape, Numbers::Normalized, 5).unwrap();
        let filter = if linear { Filter::Linear } else { Filter::Nearest };
        let mip = if mips { MipFilter::Linear } else { MipFilter::Nearest };
        let border = number(0.5);
        let sampler = Sampler { wrap, minify: filter, magnify: filter, mip, bias, border, ..Sampler::default() };
        let space = if texels { Space::Texels } else { Space::Normalized };
        let reference = compared.then_some(reference);
        let point = Point { coordinates, space, offset, reference };
        let results = [
            sample(&texture, &sampler, &point, Detail::Computed(detail)),
            gather(&texture, &sampler, &point, 3),
            texture.fetch(offset, bias.to_bits(), 0),
        ];
        for value in results.into_iter().flatten().map(f32::from_bits) {
            prop_assert!((0.0..=1.0).contains(&value), "{}", value);
        }
        let [level, _] = query_detail(&texture, &sampler, Detail::Computed(detail));
        prop_assert!((0.0..=2.0).contains(&level));
        let quad = [coordinates; LANES];
        prop_assert!(!implicit_detail(&texture, space, &quad).is_nan() || coordinates.iter().any(|it| !it.is_finite()));
    }
}
