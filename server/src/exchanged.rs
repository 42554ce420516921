//! A shader whose values come and go by buffers, for whoever executes it beside the interpreter:
//! its module, the words of its buffers before, and its outputs by their words afterwards.

use diff_exec::{ExecutorOutputs, ExplicitInputs};
use spirv::layout::{CONSTANT_BUFFER_REGISTERS, FIRST_BUFFER, FIRST_IMAGE, VALUES_IN, VALUES_OUT};
use spirv::{Contraction, Exchange, Module, ValuePlaces};
use tgsi::ast::Shader;
use tgsi_interp::{LANES, Resources};

/// The words of a binding's buffer of constants: as many as every driver can bind.
const CONSTANT_WORDS: usize = 4 * CONSTANT_BUFFER_REGISTERS as usize;

/// The reason why a shader is not translated.
#[derive(Debug, thiserror::Error)]
#[error("not translated: {0}")]
pub(crate) struct NotTranslated(pub(crate) String);

/// Translates a shader.
///
/// # Errors
/// The reason why it has no such module.
pub(crate) fn translated(shader: &Shader) -> Result<Module, NotTranslated> {
    let options = spirv::Options {
        contraction: Contraction::Forbidden,
        exchange: Exchange::Buffers,
        ..spirv::Options::default()
    };
    spirv::translate(shader, &options).map_err(|failures| {
        let first = failures.into_iter().next().map_or(String::new(), |first| first.message);
        NotTranslated(first)
    })
}

/// The words of a binding that is a buffer of constants.
pub(crate) fn constants(binding: u32, inputs: &ExplicitInputs) -> Vec<u32> {
    let own = inputs.resources.constants.get(binding as usize);
    let mut words = own.map_or(Vec::new(), |vectors| vectors.concat());
    words.resize(CONSTANT_WORDS, 0);
    words
}

/// The words of a binding that is a storage buffer.
pub(crate) fn storage(
    shader: &Shader,
    module: &Module,
    binding: u32,
    inputs: &ExplicitInputs,
) -> Vec<u32> {
    match (binding, module.values) {
        (VALUES_IN, Some(places)) => values_in(places, inputs),
        (VALUES_OUT, Some(places)) => vec![0; LANES * places.words_out() as usize],
        _ => {
            let Resources { buffers, counters, .. } = &inputs.resources;
            let declared = buffers.iter().take(declared_buffers(shader));
            let own = declared.chain(counters).nth((binding - FIRST_BUFFER) as usize);
            own.cloned().unwrap_or_default()
        }
    }
}

/// The outputs of whoever executed a shader, by the words of its storage buffers.
pub(crate) fn outputs<'a>(
    shader: &Shader,
    module: &Module,
    inputs: &ExplicitInputs,
    words: impl Fn(u32) -> Option<&'a [u32]>,
) -> ExecutorOutputs {
    let lanes = match (module.values, words(VALUES_OUT)) {
        (Some(places), Some(words)) => std::array::from_fn(|lane| outputs_of(places, words, lane)),
        _ => Default::default(),
    };
    // All else is as it was.
    let Resources { buffers, counters, images, .. } = &inputs.resources;
    let (buffers, counters, images) = (buffers.clone(), counters.clone(), images.clone());
    let mut resources = Resources { buffers, counters, images, ..Resources::default() };
    let declared = resources.buffers.iter_mut().take(declared_buffers(shader));
    let all = declared.chain(&mut resources.counters);
    for (binding, own) in (FIRST_BUFFER..FIRST_IMAGE).zip(all) {
        // No buffer is without bytes, and some are without words.
        let words = words(binding).unwrap_or_default();
        own.iter_mut().zip(words).for_each(|(own, word)| *own = *word);
    }
    ExecutorOutputs { lanes, resources }
}

/// The output registers of a lane; `None` where it is not alive.
fn outputs_of(places: ValuePlaces, words: &[u32], lane: usize) -> Option<Vec<[u32; 4]>> {
    let count = places.words_out() as usize;
    let own = words.get(lane * count..(lane + 1) * count)?;
    let word = |number: u32| own.get(number as usize).copied().unwrap_or(0);
    let register =
        |register| [0, 1, 2, 3].map(|component| word(places.output(register, component)));
    (word(places.alive()) != 0).then(|| (0..places.outputs).map(register).collect())
}

/// The number of shader buffers: counters follow the last one.
fn declared_buffers(shader: &Shader) -> usize {
    lower::declared::Declared::gather(shader, &mut Vec::new()).buffers as usize
}

/// The words of inputs and system values, lane by lane.
fn values_in(places: ValuePlaces, inputs: &ExplicitInputs) -> Vec<u32> {
    let count = places.words_in() as usize;
    let mut words = vec![0; LANES * count];
    let own = inputs.vertices.first().map_or(&[][..], Vec::as_slice);
    for (lane, words) in words.chunks_exact_mut(count.max(1)).enumerate() {
        let mut set = |place: u32, value: u32| {
            if let Some(word) = words.get_mut(place as usize) {
                *word = value;
            }
        };
        for (register, values) in (0..places.inputs).zip(own) {
            for component in 0..4 {
                set(places.input(register, component), values[component as usize][lane]);
            }
        }
        for (register, values) in (0..places.system_values).zip(&inputs.system_values) {
            for component in 0..4 {
                set(places.system_value(register, component), values[component as usize][lane]);
            }
        }
    }
    words
}
