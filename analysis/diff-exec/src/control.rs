//! Tessellation control: vertices in the memory of the group, outputs in the buffer
//! outside of the chip, factors for the tessellator.

use gcn::Generation;
use gcn_emu::{LANES, Wave};
use lower::Varying;
use open_bits::{Rule, Rules};
use tgsi::words::{File, SemanticName};
use tgsi_interp::Subgroup;
use tgsi_interp::launch::QuadInputs;
use tgsi_interp::open::OpenOutputs;
use tgsi_interp::patch::{Order, Patch, run_patch};

use crate::difference::{Checked, Observed};
use crate::error::Error;
use crate::expectation::Expectation;
use crate::input_source::InputSource;
use crate::interface::{OpenSlots, PATCH_SLOTS, Slots, VERTEX_SLOTS, group_memory, slot_count};
use crate::launch::{FinalState, Setup};
use crate::lowered::environment;
use crate::outputs::{Expected, outputs_written};
use crate::test_pair::{LaneCoupling, TestPair};
use crate::vertex::INDEXED;

/// The most patches of the wave.
const MOST_PATCHES: usize = 4;
/// The number of the first patch.
const FIRST_PATCH: u32 = 20;
/// Bytes before the wave's parts of the two buffers.
const OFFSET: u32 = 64;
const FACTORS_OFFSET: u32 = 32;
/// The address of the buffer outside of the chip: it has 19 low zeros.
const OFFCHIP: u32 = 0x2000_0000;
/// Bytes of the memory of a group that are used here.
const SHARE: usize = 32 << 10;
/// The control word that the tessellator of gfx6 to gfx8 expects before the factors.
const FACTORS_FOLLOW: u32 = 0x8000_0000;

/// The layout of the wave's patches in memory, in words.
pub(crate) struct PatchLayout {
    pub(crate) patches: usize,
    /// Vertices of a patch that come in, and that go out.
    pub(crate) vertices_in: usize,
    pub(crate) vertices_out: usize,
    /// Words between the vertices that come in.
    stride: usize,
    /// The beginning of the outputs in the memory of the group, the patches' own ones
    /// behind those of the vertices.
    outputs: usize,
    patch_outputs: usize,
    /// Bytes of the vertices in the buffer outside of the chip.
    behind: usize,
}

/// The outputs of a patch in all runs of the interpreter that came to their end.
#[derive(Debug, Default)]
pub(crate) struct PatchOutputs {
    runs: Vec<(Order, Patch)>,
    /// The rules by which all is open: more ways than were taken, or one that does not end.
    lost: Rules,
}

impl PatchOutputs {
    /// Begins the runs of an order: earlier ones of it count no more.
    pub(crate) fn restart(&mut self, order: Order) {
        self.runs.retain(|(own, _)| *own != order);
    }

    /// Adds what a run left, or that it did not end; returns what it hangs on.
    pub(crate) fn add(&mut self, order: Order, patch: Option<Patch>) -> &[OpenOutputs] {
        let Some(patch) = patch else {
            self.lost = self.lost.with(Rule::Condition);
            return &[];
        };
        self.runs.push((order, patch));
        self.runs.last().map_or(&[], |(_, patch)| &patch.words)
    }

    /// Leaves all open that open conditions decide: there are more ways than were taken.
    pub(crate) fn leave_conditions_open(&mut self) {
        let words = self.runs.iter().flat_map(|(_, patch)| &patch.words);
        let conditions = words.flat_map(|it| it.conditions).fold(Rules::NONE, Rules::plus);
        if conditions != Rules::NONE {
            self.lost = self.lost.plus(conditions).with(Rule::Condition);
        }
    }

    /// A component of an output, of a vertex or of the patch.
    pub(crate) fn output(
        &self,
        vertex: Option<usize>,
        register: usize,
        component: usize,
    ) -> Option<Expectation> {
        let mut lost = self.lost;
        let values = self.runs.iter().filter_map(|(order, patch)| {
            let outputs = match vertex {
                Some(vertex) => patch.vertices.get(vertex)?,
                None => &patch.shared,
            };
            let bits = outputs.get(register)?[component & 3];
            Some((*order, bits, patch.word(vertex, register, component)?))
        });
        let wanted = Expectation::of(values)?;
        for (_, patch) in &self.runs {
            lost = patch.words.iter().flat_map(|it| it.lost).fold(lost, Rules::plus);
        }
        Some(wanted.or_any(lost))
    }
}

impl TestPair<'_> {
    /// Returns the layout of at most `most` patches in memory, with `stride` words between
    /// the vertices that come in.
    pub(crate) fn patch_layout(
        &self,
        source: InputSource<'_>,
        stride: usize,
        most: usize,
    ) -> Result<PatchLayout, Error> {
        let vertices_out = self.program.patch_vertices as usize;
        let explicit = source.explicit().map_or(0, |inputs| inputs.vertices.len().min(32));
        let vertex_words = self.es_output_words();
        let patch_words = slot_count(&self.patch_slots(File::Output)) * 4;
        // As many vertices as are named, where they fit.
        let room = (SHARE / 4 - 4).saturating_sub(vertices_out * vertex_words + patch_words);
        let most_in = (room / stride).max(vertices_out);
        let vertices_in = self.vertices_named(source).min(most_in).max(vertices_out).max(explicit);
        let own = vertices_in * stride + vertices_out * vertex_words + patch_words;
        let fitting = (SHARE / 4 - 4) / own.max(1);
        // Subgroups of the interpreter have the invocations of one patch.
        let is_alone = source.explicit().is_some() || self.coupling == LaneCoupling::Subgroup;
        let most = if is_alone { 1 } else { most };
        let patches = (LANES / vertices_out).min(most).min(fitting);
        if patches == 0 {
            return Err(Error::PatchTooLarge);
        }
        let outputs = (patches * vertices_in * stride).next_multiple_of(4);
        Ok(PatchLayout {
            patches,
            vertices_in,
            vertices_out,
            stride,
            outputs,
            patch_outputs: outputs + vertices_out * vertex_words,
            behind: VERTEX_SLOTS * patches * vertices_out * 16,
        })
    }

    pub(crate) fn check_patches(&self, source: InputSource<'_>) -> Checked {
        let (mut random, distribution) = self.numbers(source);
        let before = self.resources(source, &mut random, distribution);
        let slots = self.slots_read();
        let shape = self.patch_layout(source, slots * 4 + 1, MOST_PATCHES)?;
        let first = self.first_primitive(source, FIRST_PATCH);
        let mut slots_of =
            |vertex| self.vertex_inputs(source, (&mut random, distribution), vertex, slots);
        let vertices = 0..shape.vertices_in;
        let patches = (0..shape.patches).map(|_| vertices.clone().map(&mut slots_of).collect());
        let patches: Vec<Vec<Slots>> = patches.collect();
        let (outcomes, expected) = self.interpret_patches(&patches, &[], &before, first)?;
        let mut setup = self.set_up(&before)?;
        setup.share = group_memory(&patches, shape.stride, SHARE);
        let mut wave = Wave::new(lanes_of(shape.patches * shape.vertices_out));
        let lanes = (shape.patches * shape.vertices_out) as u32;
        self.set_uniform(&mut wave, "wave_info", lanes << 8);
        self.set_patches(&mut wave, &mut setup, &shape, first)?;
        let state = self.launch(setup, [vec![wave]])?;
        self.compare_patches(&shape, &outcomes, &state)?;
        self.compare_memory(&state, &expected)
    }

    /// Returns the address of the factors for the tessellator.
    fn factors(&self) -> u32 {
        OFFCHIP + lower::offchip_bytes(self.generation())
    }

    /// Tells a wave of its patches, and makes room for what it writes.
    ///
    /// # Errors
    /// There is not enough memory.
    pub(crate) fn set_patches(
        &self,
        wave: &mut Wave,
        setup: &mut Setup<'_>,
        shape: &PatchLayout,
        first: u32,
    ) -> Result<(), Error> {
        let offchip_words = shape.behind / 4 + PATCH_SLOTS * shape.patches * 4;
        setup.layout.map(OFFCHIP, offchip_words * 4 + OFFSET as usize)?;
        let room = FACTORS_OFFSET as usize + 4 + shape.patches * 6 * 4;
        setup.layout.map(self.factors(), room)?;
        let inputs = shape.vertices_in * shape.stride;
        self.set_uniform(wave, "state_bits", INDEXED | (inputs << 8 | shape.stride << 24) as u32);
        let offsets = (shape.outputs / 4) | (shape.patch_outputs / 4) << 16;
        self.set_uniform(wave, "output_offsets", offsets as u32);
        self.set_uniform(wave, "output_layout", OFFCHIP | (shape.vertices_in as u32) << 13);
        let layout_bits = shape.patches | shape.vertices_out << 6 | shape.behind << 12;
        self.set_uniform(wave, "offchip_layout", layout_bits as u32);
        self.set_uniform(wave, "offchip_offset", OFFSET);
        self.set_uniform(wave, "factor_offset", FACTORS_OFFSET);
        self.set_parameter(wave, "patch_id", &|_, lane| {
            first.wrapping_add((lane / shape.vertices_out) as u32)
        });
        self.set_parameter(wave, "relative_ids", &|_, lane| {
            ((lane / shape.vertices_out) | ((lane % shape.vertices_out) << 8)) as u32
        });
        Ok(())
    }

    /// Runs the interpreter on all patches, in every variant. Their vertices may hold `words`,
    /// where there are any.
    pub(crate) fn interpret_patches(
        &self,
        patches: &[Vec<Slots>],
        words: &[Vec<OpenSlots>],
        before: &tgsi_interp::Resources,
        first: u32,
    ) -> Result<(Vec<PatchOutputs>, Expected), Error> {
        let mut outcomes: Vec<PatchOutputs> =
            patches.iter().map(|_| PatchOutputs::default()).collect();
        let expected = self.run_variants(before, |variant, run| {
            if variant.begins() {
                for own in &mut outcomes {
                    own.restart(variant.order);
                }
            }
            for (number, vertices) in patches.iter().enumerate() {
                let system = |name: SemanticName, _: usize, _: usize| match name {
                    SemanticName::PrimitiveId => first.wrapping_add(number as u32),
                    _ => 0,
                };
                let inputs = QuadInputs {
                    inputs: self.linked_inputs(vertices, &Slots::new()),
                    input_words: words.get(number).map_or(Vec::new(), |it| self.linked_words(it)),
                    system_values: self.system_values(0, &system),
                    open: Some(variant.script.clone()),
                    subgroup: Subgroup::Wave,
                    first_lane: number * self.program.patch_vertices as usize,
                    ..QuadInputs::default()
                };
                let limits = self.limits(1 << 16);
                let memory = &mut run.resources;
                let patch = run_patch(&self.program, memory, &inputs, 0, variant.order, limits);
                let patch = variant.survives(patch)?;
                run.ended &= patch.is_some();
                let words = outcomes[number].add(variant.order, patch);
                words.iter().for_each(|words| run.note(words));
            }
            Ok(())
        })?;
        if !expected.complete {
            outcomes.iter_mut().for_each(PatchOutputs::leave_conditions_open);
        }
        Ok((outcomes, expected))
    }

    /// Compares the outputs of patches in the buffer outside of the chip.
    pub(crate) fn compare_patches(
        &self,
        shape: &PatchLayout,
        outcomes: &[PatchOutputs],
        state: &FinalState,
    ) -> Checked {
        self.compare_offchip(shape, outcomes, &state.words(OFFCHIP))?;
        self.compare_factors(outcomes, &state.words(self.factors()))
    }

    /// Compares the outputs in the buffer outside of the chip.
    fn compare_offchip(
        &self,
        shape: &PatchLayout,
        outcomes: &[PatchOutputs],
        offchip: &[u32],
    ) -> Checked {
        let written = outputs_written(self.shader);
        for (register, attribute) in self.attributes(File::Output) {
            let is_factor = matches!(attribute, Varying::Patch(0 | 1));
            if is_factor && !environment().tessellation_factors_read {
                continue;
            }
            for (patch, outcome) in outcomes.iter().enumerate() {
                let vertices: Vec<Option<usize>> = match attribute {
                    Varying::Vertex(_) => (0..shape.vertices_out).map(Some).collect(),
                    Varying::Patch(_) => vec![None],
                };
                for vertex in vertices {
                    let slot = attribute.number() as usize;
                    let place = match vertex {
                        Some(vertex) => {
                            let stride = shape.patches * shape.vertices_out;
                            (slot * stride + patch * shape.vertices_out + vertex) * 4
                        }
                        None => shape.behind / 4 + (slot * shape.patches + patch) * 4,
                    };
                    for component in 0..4 {
                        if !written.contains(&(register as u32, component)) {
                            continue;
                        }
                        let wanted = outcome.output(vertex, register, component);
                        let found = offchip.get(OFFSET as usize / 4 + place + component);
                        let lane = patch * shape.vertices_out + vertex.unwrap_or(0);
                        let place = Observed::Output { register: register as u32, component };
                        self.check_word(place, lane, wanted, found)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Compares a word that is expected with the one that was found.
    pub(crate) fn check_word(
        &self,
        place: Observed,
        lane: usize,
        wanted: Option<Expectation>,
        found: Option<&u32>,
    ) -> Checked {
        let found = found.copied().unwrap_or(0);
        match wanted {
            Some(wanted) if self.misses(&wanted, found) => {
                Err(self.difference(place, (lane, &wanted, found), None, None))
            }
            _ => Ok(()),
        }
    }

    /// Compares the factors that the tessellator is given.
    fn compare_factors(&self, outcomes: &[PatchOutputs], found: &[u32]) -> Checked {
        let written = outputs_written(self.shader);
        let slots = self.patch_slots(File::Output);
        let level =
            |slot| slots.iter().find(|(_, own)| *own == slot).map(|(register, _)| *register);
        let [outer, inner] = [level(0), level(1)];
        let has = |register: Option<usize>, component: usize| {
            register.is_some_and(|it| written.contains(&(it as u32, component)))
        };
        let all = |register: Option<usize>| (0..4).filter(|it| has(register, *it)).count();
        // The largest domain whose factors are written, as the lowering has it.
        let factors: Vec<(Option<usize>, usize)> = if has(outer, 3) || has(inner, 1) {
            let inner = (0..2).map(|it| (inner, it));
            (0..4).map(|it| (outer, it)).chain(inner).collect()
        } else if all(outer) == 2 && has(outer, 1) && has(outer, 0) && all(inner) == 0 {
            vec![(outer, 1), (outer, 0)]
        } else {
            (0..3).map(|it| (outer, it)).chain([(inner, 0)]).collect()
        };
        let first = FACTORS_OFFSET as usize / 4;
        let header = usize::from(self.generation() <= Generation::Gfx8);
        if header == 1 {
            // Always the same: compared, and not counted.
            let word = found.get(first).copied().unwrap_or(0);
            if word != FACTORS_FOLLOW {
                let place =
                    Observed::Memory { resource: "tessellation factors".to_owned(), word: 0 };
                let wanted = Expectation::exactly(FACTORS_FOLLOW);
                return Err(self.difference(place, (0, &wanted, word), None, None));
            }
        }
        for (patch, outcome) in outcomes.iter().enumerate() {
            for (number, (register, component)) in factors.iter().enumerate() {
                let Some(register) = register.filter(|_| has(*register, *component)) else {
                    continue;
                };
                let wanted = outcome.output(None, register, *component);
                let word = first + header + patch * factors.len() + number;
                let place = Observed::Output { register: register as u32, component: *component };
                self.check_word(place, patch, wanted, found.get(word))?;
            }
        }
        Ok(())
    }
}

/// So many lanes, the first ones.
pub(crate) fn lanes_of(count: usize) -> u64 {
    if count >= LANES { u64::MAX } else { (1 << count) - 1 }
}
