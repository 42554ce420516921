//! Files of inputs of kernels.

use run_inputs::{Expectation, Mistake, Reader, Table};

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
            scalars: Vec::new(),
            vectors: Vec::new(),
            share: 0,
            expect: None,
        }
    }
}

/// The tables of what a run is to leave. Registers are those of the wave that is looked at.
const EXPECTED: [Table; 3] = [
    Table { name: "buf", by_lane: false },
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
                        "`{name}`: a kernel has kernel, grid, group, lane, arg, buf, sgpr, vgpr, \
                         share and expect"
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

fn word(value: &Reader<'_>) -> Result<InputWord, Mistake> {
    let Some(name) = value.string() else { return value.word().map(InputWord::Word) };
    let (name, word): (&str, fn(usize) -> InputWord) = match name.strip_prefix("descriptor.") {
        Some(name) => (name, InputWord::Descriptor),
        None => (name, InputWord::Address),
    };
    let number = name.strip_prefix("buf.").and_then(|number| number.parse().ok());
    number.map(word).ok_or_else(|| {
        value.mistake("a number, \"buf.N\" or \"descriptor.buf.N\" is expected".to_owned())
    })
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
