//! Vertex shaders before the rasterizer: attributes from buffers, positions and
//! parameters as exports.

use emulate::{LANES, Machine, Wave};
use run::launch::{QuadInputs, run_quad};
use run::{Limits, Register, Resources};
use tgsi::ast::Semantic;
use tgsi::words::{File, SemanticName};

use crate::descriptors::elements;
use crate::difference::Verdict;
use crate::handover::Next;
use crate::layout::{Layout, Lists};
use crate::outputs::{Expected, Exported, declared, outputs_written};
use crate::random::Random;
use crate::subject::{Subject, laid_out, quad_register};
use crate::textures::TextureUnit;

/// What the draw call says.
const BASE_VERTEX: u32 = 3;
const START_INSTANCE: u32 = 5;
const DRAW_ID: u32 = 7;
/// The state bit of a draw with an index buffer.
const INDEXED: u32 = 2;
/// Export targets.
const FIRST_POSITION: u8 = 12;
const FIRST_PARAMETER: u8 = 32;

impl Subject<'_> {
    pub(crate) fn judge_vertices(&self, seed: u64) -> Result<Verdict, String> {
        let mut random = Random::new(seed).without_negatives(self.narrow.power);
        let flavour = self.flavour(seed);
        let mut resources = self.demand.fill(&mut random, flavour, &self.program);
        let inputs = declared(self.shader, File::Input);
        let count = inputs.iter().map(|(register, _)| *register as usize + 1).max().unwrap_or(0);
        let attributes: Vec<[[u32; 4]; LANES]> = (0..count)
            .map(|_| std::array::from_fn(|_| std::array::from_fn(|_| random.value(flavour))))
            .collect();
        let before = resources.clone();
        let expected = self.interpret(seed, &mut resources, &|quad, subject| QuadInputs {
            inputs: vec![
                attributes
                    .iter()
                    .map(|lanes| quad_register(quad, &|component, lane| lanes[lane][component]))
                    .collect(),
            ],
            system_values: subject.system_values(quad, &vertex_system_value),
            mask: 0xf,
            ..QuadInputs::default()
        })?;
        let (mut layout, lists) = laid_out(self, &before)?;
        let mut list = Vec::new();
        for lanes in &attributes {
            let mut words = vec![0; BASE_VERTEX as usize * 4];
            words.extend(lanes.as_flattened());
            let start = layout.place(&words)?;
            list.extend(elements(start, BASE_VERTEX + LANES as u32, self.generation()));
        }
        let list = layout.place(&list)?;
        let mut wave = Wave::new(self.lanes(seed));
        self.give_memory(&mut wave, 0, &lists);
        self.give_all(&mut wave, "state_bits", INDEXED);
        self.give_all(&mut wave, "base_vertex", BASE_VERTEX);
        self.give_all(&mut wave, "start_instance", START_INSTANCE);
        self.give_all(&mut wave, "draw_id", DRAW_ID);
        self.give_all(&mut wave, "vertex_buffers", list);
        self.give(&mut wave, "vertex_id", &|_, lane| lane as u32);
        self.give(&mut wave, "instance_id", &|_, lane| instance(lane));
        self.give(&mut wave, "primitive_id", &|_, lane| primitive(lane));
        self.judge_wave(wave, layout, &lists, &before, &expected)
    }

    /// Runs a wave of vertices, and compares what it gives to whatever comes next and
    /// what it leaves in memory.
    pub(crate) fn judge_wave(
        &self,
        mut wave: Wave,
        mut layout: Layout,
        lists: &Lists,
        before: &Resources,
        expected: &Expected,
    ) -> Result<Verdict, String> {
        let next = self.give_next(&mut wave, &mut layout)?;
        let mut machine =
            Machine { waves: vec![wave], memory: layout.memory, ..Machine::default() };
        machine.share = next.share();
        self.map_scratch(&mut machine, 1)?;
        let mut textures = TextureUnit::new(before, &self.demand, self.generation())?;
        if let Err(verdict) = self.run(&mut machine, &mut textures) {
            return Ok(verdict);
        }
        let verdict = match next {
            Next::Rasterizer => self.compare_exports(expected, &machine),
            _ => self.compare_handed(expected, &machine, &next),
        };
        if let Some(verdict) = verdict {
            return Ok(verdict);
        }
        Ok(self.compare_memory(lists, &machine, expected, &textures.images))
    }

    /// Compares what goes to the rasterizer: position, point size and parameters.
    pub(crate) fn compare_exports(
        &self,
        expected: &Expected,
        machine: &Machine,
    ) -> Option<Verdict> {
        let exported = Exported::of(&machine.exports);
        let mut places = Vec::new();
        let mut parameter = FIRST_PARAMETER;
        for (register, semantic) in declared(self.shader, File::Output) {
            let Some(Semantic { name, index }) = semantic else { continue };
            match name {
                SemanticName::Position if index == 0 => {
                    places.push((register, FIRST_POSITION, vec![0, 1, 2, 3]));
                }
                SemanticName::PointSize => {
                    places.push((register, FIRST_POSITION + 1, vec![0]));
                }
                _ => {}
            }
            if lower::is_parameter(name) {
                places.push((register, parameter, vec![0, 1, 2, 3]));
                parameter += 1;
            }
        }
        let written = outputs_written(self.shader);
        for (register, target, components) in places {
            for component in components {
                if !written.contains(&(register, component)) {
                    continue;
                }
                let verdict = self.compare_output(
                    expected,
                    &exported,
                    register,
                    component,
                    (target, component),
                );
                if verdict.is_some() {
                    return verdict;
                }
            }
        }
        None
    }

    /// The system values of a quad, by register.
    pub(crate) fn system_values(
        &self,
        quad: usize,
        value: &dyn Fn(SemanticName, usize, usize) -> u32,
    ) -> Vec<Register> {
        let count = self.program.system_values.iter().map(|(register, _)| *register + 1).max();
        let mut all = vec![run::EMPTY; count.unwrap_or(0).min(80) as usize];
        for (register, name) in &self.program.system_values {
            if let Some(own) = all.get_mut(*register as usize) {
                *own = quad_register(quad, &|component, lane| value(*name, component, lane));
            }
        }
        all
    }

    /// Runs the interpreter on all sixteen quads, twice: what differs between them
    /// depends on registers that nothing was written to.
    pub(crate) fn interpret(
        &self,
        seed: u64,
        resources: &mut Resources,
        inputs: &dyn Fn(usize, &Self) -> QuadInputs,
    ) -> Result<Expected, String> {
        let mut runs = Vec::new();
        for undefined in [0, 0x7fc1_2345] {
            let mut own = resources.clone();
            let mut order: Vec<usize> = (0..LANES / run::LANES).collect();
            // The second run comes to the quads the other way round: what then differs
            // depends on who is first.
            if undefined != 0 {
                order.reverse();
            }
            // Quads that do not run are left open.
            let mut quads = vec![(Vec::new(), 0, 0xf); order.len()];
            let lanes = self.lanes(seed);
            for quad in order.into_iter().filter(|quad| lanes >> (4 * quad) & 1 == 1) {
                let inputs = QuadInputs { undefined, ..inputs(quad, self) };
                let limits = Limits { steps: 1 << 16, ..Limits::default() };
                let outputs = run_quad(&self.program, &mut own, &inputs, limits);
                let outputs = outputs.map_err(|stop| format!("the interpreter: {stop}"))?;
                quads[quad] = (outputs.outputs, outputs.killed, outputs.strayed);
            }
            let astray = quads
                .iter()
                .enumerate()
                .any(|(quad, (.., strayed))| lanes >> (4 * quad) & 1 == 1 && *strayed != 0);
            runs.push((quads, own, astray));
        }
        let [one, two] = <[_; 2]>::try_from(runs).map_err(|_| "two runs")?;
        Ok(Expected::new(one, two))
    }
}

fn instance(lane: usize) -> u32 {
    lane as u32 / 8
}

fn primitive(lane: usize) -> u32 {
    lane as u32 / 3
}

fn vertex_system_value(name: SemanticName, _: usize, lane: usize) -> u32 {
    match name {
        SemanticName::VertexId => lane as u32 + BASE_VERTEX,
        SemanticName::VertexIdNoBase => lane as u32,
        SemanticName::InstanceId => instance(lane),
        SemanticName::BaseInstance => START_INSTANCE,
        SemanticName::BaseVertex => BASE_VERTEX,
        SemanticName::DrawId => DRAW_ID,
        SemanticName::PrimitiveId => primitive(lane),
        SemanticName::SubgroupSize => 64,
        SemanticName::SubgroupInvocation => lane as u32,
        _ => 0,
    }
}
