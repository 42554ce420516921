//! A shader whose values come and go by buffers, for whoever executes it beside the interpreter:
//! its module, the words of its buffers before, and its outputs by their words afterwards.

use diff_exec::{ExecutorOutputs, ExplicitInputs, PatchRecords};
use lower::declared::Declared;
use spirv::layout::{CONSTANT_BUFFER_REGISTERS, FIRST_BUFFER, FIRST_IMAGE, VALUES_IN, VALUES_OUT};
use spirv::{Contraction, Exchange, InputsOf, Module, ValuePlaces};
use tgsi::Stage;
use tgsi::ast::Shader;
use tgsi::words::SemanticName;
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
        (VALUES_IN, Some(places)) => values_in(shader, places, inputs),
        (VALUES_OUT, Some(places)) => vec![0; (places.records * places.words_out()) as usize],
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
    let records = match (module.values, words(VALUES_OUT)) {
        (Some(places), Some(words)) => records(places, words),
        _ => Vec::new(),
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
    let mut found = ExecutorOutputs {
        lanes: Default::default(),
        streams: Default::default(),
        patch: PatchRecords::default(),
        resources,
    };
    match shader.stage.value {
        Stage::Geometry => found.streams = strips(records),
        Stage::TessellationControl => {
            let mut all: Vec<_> = records.into_iter().map(|own| own.registers).collect();
            let shared = all.pop().unwrap_or_default();
            found.patch = PatchRecords { vertices: all, shared };
        }
        _ => {
            for (lane, own) in found.lanes.iter_mut().zip(records) {
                *lane = (own.first != 0).then_some(own.registers);
            }
        }
    }
    found
}

/// A record of the values that went out.
struct Record {
    first: u32,
    registers: Vec<[u32; 4]>,
}

fn records(places: ValuePlaces, words: &[u32]) -> Vec<Record> {
    let record = |own: &[u32]| {
        let word = |number: u32| own.get(number as usize).copied().unwrap_or(0);
        let register =
            |register| [0, 1, 2, 3].map(|component| word(places.output(register, component)));
        let registers = (0..places.outputs).map(register).collect();
        Record { first: word(places.alive()), registers }
    };
    words.chunks_exact(places.words_out() as usize).map(record).collect()
}

/// The vertices that were emitted, by stream and strip.
fn strips(records: Vec<Record>) -> [Vec<Vec<Vec<[u32; 4]>>>; 4] {
    let mut streams: [Vec<Vec<Vec<[u32; 4]>>>; 4] = Default::default();
    let mut last = [None; 4];
    for own in records {
        let Some((stream, strip)) = ValuePlaces::place_of_emitted(own.first) else { continue };
        let stream = stream as usize;
        if last[stream] != Some(strip) {
            last[stream] = Some(strip);
            streams[stream].push(Vec::new());
        }
        if let Some(strip) = streams[stream].last_mut() {
            strip.push(own.registers);
        }
    }
    streams
}

/// The number of shader buffers: counters follow the last one.
fn declared_buffers(shader: &Shader) -> usize {
    Declared::gather(shader, &mut Vec::new()).buffers as usize
}

/// The most vertices whose inputs a shader reads.
const MOST_VERTICES: usize = 32;

/// The words of inputs and system values.
fn values_in(shader: &Shader, places: ValuePlaces, inputs: &ExplicitInputs) -> Vec<u32> {
    let vertices = inputs.vertices.len().max(MOST_VERTICES);
    let mut words = vec![0; places.words_in(vertices as u32) as usize];
    let mut set = |place: u32, value: u32| {
        if let Some(word) = words.get_mut(place as usize) {
            *word = value;
        }
    };
    let own = |vertex: usize| inputs.vertices.get(vertex).map_or(&[][..], Vec::as_slice);
    let owners = match places.of {
        InputsOf::Lanes => (0..LANES).map(|lane| (own(0), lane)).collect::<Vec<_>>(),
        InputsOf::Vertices => (0..vertices).map(|vertex| (own(vertex), 0)).collect(),
    };
    for (owner, (registers, lane)) in (0..).zip(owners) {
        for (register, values) in (0..places.inputs).zip(registers) {
            for component in 0..4 {
                let value = values[component as usize][lane];
                set(places.input(owner, register, component), value);
            }
        }
    }
    for (lane, number) in (0..LANES).zip(0..) {
        for (register, values) in (0..places.system_values).zip(&inputs.system_values) {
            for component in 0..4 {
                let value = values[component as usize][lane];
                set(places.system_value(number, register, component), value);
            }
        }
        if shader.stage.value == Stage::TessellationControl {
            // As many as come in, whatever else is given.
            let declared = Declared::gather(shader, &mut Vec::new());
            let all = declared.system_values.into_iter();
            for (register, _) in all.filter(|(_, name)| *name == SemanticName::VerticesIn) {
                let count = inputs.vertices.len() as u32;
                for (component, value) in (0..).zip([count, 0, 0]) {
                    set(places.system_value(number, register, component), value);
                }
            }
        }
    }
    words
}
