//! The same bits on every machine: checksums of many look-ups by chance, one for each
//! kind of texture and of numbers.

use sampler::*;

#[path = "../../src/chance.rs"]
mod chance;
use chance::Chance;

impl Chance {
    /// A number in sixteenths, now and then a special one.
    fn float(&mut self, least: f32, most: f32) -> f32 {
        match self.next() % 24 {
            0 => self.one(&[f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.0, -0.0, 1.0]),
            _ => least + (self.next() % 257) as f32 / 256.0 * (most - least),
        }
    }
}

/// Adds words to a checksum (FNV-1a).
fn add(sum: &mut u64, words: impl IntoIterator<Item = u32>) {
    for word in words {
        // All NaNs count as equal.
        let word = if f32::from_bits(word).is_nan() { 0x7fc0_0000 } else { word };
        *sum = (*sum ^ u64::from(word)).wrapping_mul(0x0100_0000_01b3);
    }
}

const DIMENSIONS: [Dimension; 10] = [
    Dimension::Buffer,
    Dimension::One,
    Dimension::OneArray,
    Dimension::Two,
    Dimension::TwoArray,
    Dimension::Three,
    Dimension::Cube,
    Dimension::CubeArray,
    Dimension::Multisample,
    Dimension::MultisampleArray,
];
const NUMBERS: [Numbers; 4] =
    [Numbers::Float, Numbers::Normalized, Numbers::Signed, Numbers::Unsigned];
const FILTERS: [Filter; 2] = [Filter::Nearest, Filter::Linear];
const MIP_FILTERS: [MipFilter; 3] = [MipFilter::None, MipFilter::Nearest, MipFilter::Linear];

fn made(dimension: Dimension, numbers: Numbers) -> Texture {
    let size = match dimension {
        Dimension::Cube => [5, 5, 6],
        Dimension::CubeArray => [4, 4, 12],
        Dimension::Three => [6, 5, 3],
        _ => [7, 5, 3],
    };
    let samples = if dimension.has_samples() { 4 } else { 1 };
    let shape = Shape { dimension, size, levels: 3, samples };
    Texture::generated(shape, numbers, 9).expect("a shape")
}

fn look_ups(dimension: Dimension, numbers: Numbers) -> u64 {
    let texture = made(dimension, numbers);
    let mut chance = Chance(7);
    let mut sum = 0xcbf2_9ce4_8422_2325;
    for _ in 0..3000 {
        let sampler = Sampler {
            wrap: [0; 3].map(|_| chance.one(&Wrap::ALL)),
            minify: chance.one(&FILTERS),
            magnify: chance.one(&FILTERS),
            mip: chance.one(&MIP_FILTERS),
            least_detail: chance.one(&[0.0, 0.5]),
            greatest_detail: chance.one(&[15.0, 1.25]),
            bias: chance.one(&[0.0, 0.75]),
            compare: chance.one(&Compare::ALL),
            border: [8, 9, 10, 11],
        };
        let mut coordinates = [0; 3].map(|_| chance.float(-1.5, 2.5));
        if dimension.is_cube() {
            let direction = [0; 3].map(|_| chance.float(-2.0, 2.0));
            let place = cube_place(direction);
            let layer = (chance.next() % 4) as f32;
            coordinates = [place.at[0], place.at[1], layer * 8.0 + place.face as f32];
            let change = [0; 3].map(|_| chance.float(-0.5, 0.5));
            add(&mut sum, cube_derivatives(direction, change).map(f32::to_bits));
        } else if dimension.is_layered() {
            coordinates[dimension.axes()] = chance.float(-1.0, 4.0);
        }
        add(&mut sum, coordinates.map(f32::to_bits));
        let point = Point {
            coordinates,
            space: chance.one(&[Space::Normalized, Space::Normalized, Space::Texels]),
            offset: [0; 3].map(|_| chance.one(&[0, 0, 1, -2])),
            reference: chance.one(&[None, None, Some(0.5), Some(1.5), Some(-0.5)]),
        };
        let number = chance.float(-1.0, 3.0);
        let detail = chance.one(&[Detail::Explicit(number), Detail::Computed(number)]);
        add(&mut sum, sample(&texture, &sampler, &point, detail));
        let component = chance.one(&[0, 1, 2, 3]);
        add(&mut sum, gather(&texture, &sampler, &point, component));
        add(&mut sum, query_detail(&texture, &sampler, detail).map(f32::to_bits));
        let at = [0; 3].map(|_| (chance.next() % 8) as i32 - 1);
        let (level, sample) = (chance.one(&[0, 1, 2, 3]), chance.one(&[0, 1, 3, 4]));
        add(&mut sum, texture.fetch(at, level, sample));
        add(&mut sum, texture.query(level));
        let along = [[0; 3]; 2].map(|row| row.map(|_| chance.float(-0.5, 0.5)));
        let computed = derivative_detail(&texture, point.space, along);
        add(&mut sum, [computed.to_bits()]);
        let lanes = [[0; 3]; 4].map(|row| row.map(|_| chance.float(-0.5, 0.5)));
        add(&mut sum, [implicit_detail(&texture, point.space, &lanes).to_bits()]);
    }
    sum
}

#[test]
fn the_same_look_ups_give_the_same_bits() {
    let found: Vec<String> = DIMENSIONS
        .iter()
        .flat_map(|dimension| {
            NUMBERS.map(|numbers| {
                format!("{dimension:?} {numbers:?} {:016x}", look_ups(*dimension, numbers))
            })
        })
        .collect();
    let expected: Vec<&str> = include_str!("look_ups.txt").lines().collect();
    assert_eq!(found, expected, "the look-ups are now\n{}", found.join("\n"));
}
