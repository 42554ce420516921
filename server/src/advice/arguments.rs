//! Inputs of kernels at random: what metadata or a file of inputs say of the arguments, filled
//! with numbers from a seed.

use gcn_emu::launch::{InputWord, KernelInputs};

/// Words of a buffer that metadata name without a size. Work-items of a few groups index less.
const BUFFER_WORDS: usize = 4096;
/// Groups that are launched.
const GROUPS: u32 = 2;

/// An argument as metadata state it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Argument {
    offset: usize,
    words: usize,
    is_buffer: bool,
}

/// The shape of the inputs of a kernel.
#[derive(Debug, Clone)]
pub(super) enum Shape {
    /// As a file says: what its buffers hold is drawn anew.
    Given(KernelInputs),
    /// As metadata say.
    Stated { kernel: String, arguments: Vec<Argument>, group: u32 },
}

impl Shape {
    /// The shape that metadata state of a kernel.
    ///
    /// # Errors
    /// The reason why nobody knows it.
    pub(super) fn stated(text: &str, kernel: &str) -> Result<Shape, &'static str> {
        let metadata = Metadata::read(text, kernel)
            .ok_or("no metadata and no file of inputs say which arguments the kernel has")?;
        if metadata.is_other {
            return Err("the kernel has arguments of a kind that nobody makes up");
        }
        let (kernel, group) = (kernel.to_owned(), metadata.group.clamp(1, 256));
        Ok(Shape::Stated { kernel, arguments: metadata.arguments, group })
    }

    /// The inputs of a seed.
    pub(super) fn inputs(&self, seed: u64) -> KernelInputs {
        let mut random = diff_exec::Random::new(seed);
        let mut word = |kind: u64| InputWord::Word(random_word(&mut random, kind));
        match self {
            Shape::Given(given) => {
                let mut inputs = given.clone();
                // Addresses within a buffer stay, and so does the first set of numbers.
                for words in inputs.buffers.iter_mut().flatten().filter(|_| seed > 0) {
                    for place in words.iter_mut() {
                        if matches!(place, InputWord::Word(_)) {
                            *place = word(seed % 4);
                        }
                    }
                }
                inputs.expect = None;
                inputs
            }
            Shape::Stated { kernel, arguments, group } => {
                let mut inputs = KernelInputs {
                    kernel: Some(kernel.clone()),
                    grid: [GROUPS, 1, 1],
                    group: [*group, 1, 1],
                    ..KernelInputs::default()
                };
                for Argument { offset, words, is_buffer } in arguments {
                    let own = match is_buffer {
                        true => {
                            let content = (0..BUFFER_WORDS).map(|_| word(seed % 4)).collect();
                            inputs.buffers.push(Some(content));
                            vec![InputWord::Address(inputs.buffers.len() - 1)]
                        }
                        // A number may count something: small ones are likelier to be useful.
                        false => (0..*words).map(|_| word(seed % 4)).collect(),
                    };
                    inputs.arguments.push((*offset, own));
                }
                inputs
            }
        }
    }
}

/// A number of one of four kinds: an ordinary float, a small count, any bits, a whole float.
fn random_word(random: &mut diff_exec::Random, kind: u64) -> u32 {
    let bits = random.word();
    match kind {
        0 => (((bits >> 8) as f32) / 65536.0 - 128.0).to_bits(),
        1 => bits % 64,
        2 => bits,
        _ => ((bits % 2048) as f32 - 1024.0).to_bits(),
    }
}

/// The arguments of a kernel as metadata state them.
#[derive(Debug, Default)]
struct Metadata {
    arguments: Vec<Argument>,
    group: u32,
    /// Arguments that are neither buffers nor values: images, queues, pointers to local memory.
    is_other: bool,
}

impl Metadata {
    /// Reads the metadata of code objects of version 3 and later, key by key.
    fn read(text: &str, kernel: &str) -> Option<Metadata> {
        let inside = text.split(".amdgpu_metadata").nth(1)?;
        let kernels = inside.split("amdhsa.kernels:").nth(1)?;
        let kernels = kernels.split(".end_amdgpu_metadata").next()?;
        let own = kernels.split("\n  - .").map(|part| format!(".{part}"));
        let mut own =
            own.filter(|part| part.lines().any(|line| value_of(line, ".name") == Some(kernel)));
        let own = own.next()?;
        let mut metadata = Metadata { group: 64, ..Metadata::default() };
        let mut now = Argument { offset: 0, words: 0, is_buffer: false };
        for line in own.lines() {
            let number = |key| value_of(line, key).and_then(|it| it.parse::<usize>().ok());
            if let Some(offset) = number(".offset") {
                now.offset = offset;
            }
            if let Some(size) = number(".size") {
                now.words = size.div_ceil(4);
            }
            match value_of(line, ".value_kind") {
                Some("global_buffer") => {
                    metadata.arguments.push(Argument { is_buffer: true, ..now.clone() });
                }
                Some("by_value") => metadata.arguments.push(now.clone()),
                // What the runtime adds is 0 for a kernel that does not ask for it.
                Some(kind) if kind.starts_with("hidden_") => {}
                Some(_) => metadata.is_other = true,
                None => {}
            }
            if let Some(size) = number(".max_flat_workgroup_size") {
                metadata.group = u32::try_from(size).unwrap_or(64);
            }
        }
        Some(metadata)
    }
}

/// The value of a key in a line of YAML.
fn value_of<'l>(line: &'l str, key: &str) -> Option<&'l str> {
    let line = line.trim().trim_start_matches("- ");
    let value = line.strip_prefix(key)?.strip_prefix(':')?;
    Some(value.trim().trim_matches('\''))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "
.amdgpu_metadata
---
amdhsa.kernels:
  - .args:
      - .offset: 0
        .size: 8
        .value_kind: global_buffer
      - .offset: 8
        .size: 4
        .value_kind: by_value
    .max_flat_workgroup_size: 128
    .name: one
  - .args:
      - .offset: 0
        .size: 8
        .value_kind: image
    .name: two
...
.end_amdgpu_metadata
";

    #[test]
    fn arguments_are_those_of_the_kernel() {
        let Ok(Shape::Stated { arguments, group, .. }) = Shape::stated(TEXT, "one") else {
            panic!("it is stated")
        };
        let buffer = Argument { offset: 0, words: 2, is_buffer: true };
        let value = Argument { offset: 8, words: 1, is_buffer: false };
        assert_eq!((arguments, group), (vec![buffer, value], 128));
        assert!(Shape::stated(TEXT, "two").is_err_and(|why| why.contains("kind")));
        assert!(Shape::stated(TEXT, "three").is_err_and(|why| why.contains("no metadata")));
    }

    #[test]
    fn a_seed_gives_the_same_inputs_and_another_others() {
        let shape = Shape::stated(TEXT, "one").expect("it is stated");
        assert_eq!(shape.inputs(3), shape.inputs(3));
        assert_ne!(shape.inputs(3).buffers, shape.inputs(7).buffers);
        assert_eq!(shape.inputs(3).buffers[0].as_ref().map(Vec::len), Some(BUFFER_WORDS));
    }
}
