//! The vertices that a primitive's invocation emits, in every run of the interpreter.

use open_bits::{Rule, Rules};
use tgsi::ast::Shader;
use tgsi::words::File;
use tgsi_interp::launch::QuadOutputs;
use tgsi_interp::open::OpenOutputs;
use tgsi_interp::patch::Order;

use crate::expectation::Expectation;
use crate::outputs::declared;

/// Streams of vertices.
pub(crate) const STREAMS: usize = 4;

/// The vertices of a stream, by strip.
pub(crate) type Stream = Vec<Vec<Vec<[u32; 4]>>>;

/// The components of a stream: register and component, in the order of the declarations.
pub(crate) type Components = Vec<(u32, usize)>;

/// The vertices that one run of the interpreter emits for a primitive.
#[derive(Debug, Clone)]
pub(crate) struct EmittedRun {
    order: Order,
    streams: [Stream; STREAMS],
    words: OpenOutputs,
}

/// The vertices that all runs of the interpreter emit for a primitive.
#[derive(Debug, Clone, Default)]
pub(crate) struct Emitted {
    runs: Vec<EmittedRun>,
    /// The rules by which all is open: more ways than were taken, or one that does not end.
    pub(crate) lost: Rules,
}

impl Emitted {
    /// Begins the runs of an order: earlier ones of it count no more.
    pub(crate) fn restart(&mut self, order: Order) {
        self.runs.retain(|run| run.order != order);
    }

    /// Adds what a run left, or that it did not end; returns what it hangs on.
    pub(crate) fn add(&mut self, order: Order, left: Option<QuadOutputs>) -> Option<&OpenOutputs> {
        let Some(left) = left else {
            self.lost = self.lost.with(Rule::Condition);
            return None;
        };
        let words = left.words.unwrap_or_default();
        self.lost = self.lost.plus(words.lost[0]);
        self.runs.push(EmittedRun { order, streams: left.streams, words });
        self.runs.last().map(|run| &run.words)
    }

    /// Leaves all open that open conditions decide: there are more ways than were taken.
    pub(crate) fn leave_conditions_open(&mut self) {
        let conditions = self.runs.iter().map(|run| run.words.conditions[0]);
        let conditions = conditions.fold(Rules::NONE, Rules::plus);
        if conditions != Rules::NONE {
            self.lost = self.lost.plus(conditions).with(Rule::Condition);
        }
    }

    /// The lengths of a stream's strips in the first run; `None` where nobody ran.
    pub(crate) fn lengths(&self, stream: usize) -> Option<Vec<usize>> {
        self.runs.first().map(|run| lengths(&run.streams[stream]))
    }

    /// The runs whose strips of a stream have these lengths.
    pub(crate) fn alike(&self, stream: usize, found: &[usize]) -> Vec<&EmittedRun> {
        self.runs.iter().filter(|run| lengths(&run.streams[stream]) == found).collect()
    }
}

/// The lengths of strips.
pub(crate) fn lengths(stream: &Stream) -> Vec<usize> {
    stream.iter().map(Vec::len).collect()
}

/// A component of a vertex of a stream, by some runs.
pub(crate) fn component(
    runs: &[&EmittedRun],
    (stream, vertex): (usize, usize),
    (register, component): (u32, usize),
) -> Option<Expectation> {
    let values = runs.iter().filter_map(|run| {
        let outputs = run.streams[stream].iter().flatten().nth(vertex)?;
        let bits = outputs.get(register as usize)?[component & 3];
        let words = run.words.streams[stream].get(vertex)?;
        let word = words.get(register as usize)?[component & 3].clone();
        Some((run.order, bits, word))
    });
    Expectation::of(values)
}

/// The components of each stream, by the declarations of a shader.
pub(crate) fn stream_components(shader: &Shader) -> [Components; STREAMS] {
    let mut found: [Components; STREAMS] = Default::default();
    for (register, semantic) in declared(shader, File::Output) {
        if semantic.is_none() {
            continue;
        }
        for component in 0..4 {
            let own = shader.declarations().filter(|declaration| {
                let range = declaration.range.value;
                declaration.file.value == File::Output
                    && (range.first..=range.last).contains(&register)
                    && declaration.mask.is_none_or(|it| it.value.0 >> component & 1 == 1)
            });
            let Some(own) = own.last() else { continue };
            let stream = own.streams.map_or(0, |streams| streams.value[component]);
            if let Some(stream) = found.get_mut(stream as usize) {
                stream.push((register, component));
            }
        }
    }
    found
}
