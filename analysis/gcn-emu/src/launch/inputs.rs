//! Files of inputs of kernels.

use run_inputs::{Expectation, Mistake, Reader, Table, sampler_state};

use super::image_inputs::ImageInput;
use crate::texture::SamplerDescriptor;
use crate::wave::LANES;

/// A word that a kernel is given, or several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputWord {
    /// The word itself.
    Word(u32),
    /// The address of a buffer: two words.
    Address(usize),
    /// A descriptor of a buffer as bytes: four words.
    Descriptor(usize),
    /// A descriptor of an image: eight words.
    Image(usize),
    /// A descriptor of a sampler: four words.
    Sampler(usize),
}

impl InputWord {
    /// Counts the words that it stands for.
    pub(super) fn count(self) -> u32 {
        match self {
            InputWord::Word(_) => 1,
            InputWord::Address(_) => 2,
            InputWord::Descriptor(_) | InputWord::Sampler(_) => 4,
            InputWord::Image(_) => 8,
        }
    }
}

/// The contents of a file of inputs of a kernel.
#[derive(Debug, Clone, PartialEq)]
pub struct KernelInputs {
    /// The kernel, where the file holds several.
    pub kernel: Option<String>,
    /// Workgroups along each axis.
    pub grid: [u32; 3],
    /// Work-items of a group along each axis.
    pub group: [u32; 3],
    /// The work-item that is looked at, of all, from 0.
    pub lane: usize,
    /// Arguments, each with its offset in bytes.
    pub arguments: Vec<(usize, Vec<InputWord>)>,
    /// Buffers by number.
    pub buffers: Vec<Option<Vec<InputWord>>>,
    /// Images by number.
    pub images: Vec<Option<ImageInput>>,
    /// The descriptors of samplers by number.
    pub samplers: Vec<Option<[u32; 4]>>,
    /// Scalar registers that hold something besides what the descriptor asks for.
    pub scalars: Vec<Option<Vec<InputWord>>>,
    /// Vector registers: one word for all lanes, or one for each.
    pub vectors: Vec<Option<Vec<u32>>>,
    /// Bytes of local data share beyond those of the descriptor.
    pub share: u32,
    /// The values that the run is to leave.
    pub expect: Option<Expectation>,
}

impl Default for KernelInputs {
    fn default() -> KernelInputs {
        KernelInputs {
            kernel: None,
            grid: [1; 3],
            group: [LANES as u32, 1, 1],
            lane: 0,
            arguments: Vec::new(),
            buffers: Vec::new(),
            images: Vec::new(),
            samplers: Vec::new(),
            scalars: Vec::new(),
            vectors: Vec::new(),
            share: 0,
            expect: None,
        }
    }
}

/// The tables of what a run is to leave. Registers are those of the wave that is looked at.
const EXPECTED: [Table; 4] = [
    Table { name: "buf", by_lane: false },
    Table { name: "img", by_lane: false },
    Table { name: "sgpr", by_lane: false },
    Table { name: "vgpr", by_lane: false },
];

/// Words of a buffer that a file gives a size alone, at most.
const MOST_WORDS: u32 = 1 << 22;
/// Bytes of local data share, at most.
const MOST_SHARE: u32 = 160 << 10;

impl KernelInputs {
    /// Reads a file of inputs.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn read(text: &str) -> Result<KernelInputs, Mistake> {
        let mut inputs = KernelInputs::default();
        run_inputs::sections(text, |name, value, range| {
            match name {
                "kernel" => {
                    let kernel = value.string().ok_or_else(|| {
                        value.mistake("the name of a kernel is expected".to_owned())
                    })?;
                    inputs.kernel = Some(kernel.to_owned());
                }
                "grid" => inputs.grid = value.size()?,
                "group" => inputs.group = value.size()?,
                "lane" => inputs.lane = value.number()? as usize,
                "arg" => {
                    let given = value.numbered(|it| words(it).map(Some), None)?.into_iter();
                    let given = given.enumerate();
                    inputs.arguments = given.filter_map(|(at, it)| Some((at, it?))).collect();
                }
                "buf" => inputs.buffers = value.numbered(|it| buffer(it).map(Some), None)?,
                "img" => {
                    inputs.images = value.numbered(|it| ImageInput::read(it).map(Some), None)?;
                }
                "samp" => inputs.samplers = value.numbered(|it| sampler(it).map(Some), None)?,
                "sgpr" => inputs.scalars = value.numbered(|it| words(it).map(Some), None)?,
                "vgpr" => inputs.vectors = value.numbered(|it| lanes(it).map(Some), None)?,
                "share" => {
                    inputs.share = value.number()?;
                    if inputs.share > MOST_SHARE {
                        let message = format!("a group has at most {MOST_SHARE} bytes");
                        return Err(value.mistake(message));
                    }
                }
                "expect" => inputs.expect = Some(Expectation::read(value, &EXPECTED)?),
                _ => {
                    let message = format!(
                        "`{name}`: a kernel has kernel, grid, group, lane, arg, buf, img, samp, \
                         sgpr, vgpr, share and expect"
                    );
                    return Err(Mistake { range, message });
                }
            }
            Ok(())
        })?;
        Ok(inputs)
    }
}

/// A list of words, or one alone.
fn words(value: &Reader<'_>) -> Result<Vec<InputWord>, Mistake> {
    value.items_or_self().iter().map(word).collect()
}

/// The beginning of a name, and what its number makes.
type NamedWord = (&'static str, fn(usize) -> InputWord);

/// The names of what words may stand for.
const NAMES: [NamedWord; 4] = [
    ("descriptor.buf.", InputWord::Descriptor),
    ("descriptor.img.", InputWord::Image),
    ("descriptor.samp.", InputWord::Sampler),
    ("buf.", InputWord::Address),
];

fn word(value: &Reader<'_>) -> Result<InputWord, Mistake> {
    let Some(name) = value.string() else { return value.word().map(InputWord::Word) };
    let named = NAMES.iter().find_map(|(prefix, word)| {
        let number = name.strip_prefix(prefix)?.parse().ok()?;
        Some(word(number))
    });
    named.ok_or_else(|| {
        value.mistake(
            "a number, \"buf.N\", \"descriptor.buf.N\", \"descriptor.img.N\" or \
             \"descriptor.samp.N\" is expected"
                .to_owned(),
        )
    })
}

/// The descriptor of a sampler.
fn sampler(value: &Reader<'_>) -> Result<[u32; 4], Mistake> {
    let state = sampler_state(value)?;
    SamplerDescriptor::words(&state).map_err(|error| value.mistake(error.to_string()))
}

/// Words of a buffer, or how many zeros.
fn buffer(value: &Reader<'_>) -> Result<Vec<InputWord>, Mistake> {
    let Ok(fields) = value.fields() else { return words(value) };
    match &fields[..] {
        [(name, count)] if name == "words" => match count.number()? {
            many if many > MOST_WORDS => {
                Err(count.mistake(format!("a buffer has at most {MOST_WORDS} words")))
            }
            some => Ok(vec![InputWord::Word(0); some as usize]),
        },
        _ => Err(value.mistake("a list of words or `{ words = N }` is expected".to_owned())),
    }
}

/// A word for all lanes, or one for each.
fn lanes(value: &Reader<'_>) -> Result<Vec<u32>, Mistake> {
    let words = value.items_or_self().iter().map(Reader::word).collect::<Result<Vec<_>, _>>()?;
    match words.len() {
        1 | LANES => Ok(words),
        _ => Err(value.mistake(format!("not one word, nor one for each of {LANES} lanes"))),
    }
}
