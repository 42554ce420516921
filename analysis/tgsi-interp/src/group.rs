//! Values that lanes give to each other and to those who watch them.
//!
//! A subgroup is a quad: four lanes, of which the active ones vote; or, where whoever runs the
//! program asks for it, a wave of 64 threads in the order of their numbers ([`Subgroup`]).

use open_bits::{Rule, Rules, Word};
use tgsi::opcodes::ValueType;

use crate::float::{Computed, all_if};
use crate::program::{MicroOp, Program};
use crate::quad::Quad;
use crate::registers::{EMPTY, LANES};
use crate::resources::Resources;

/// The lanes of a subgroup.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Subgroup {
    /// The four lanes of a quad.
    #[default]
    Quad,
    /// 64 threads of a group, in the order of their numbers, or the first four lanes of a wave
    /// of other stages.
    Wave,
}

/// The lanes of a wave.
pub(crate) const WAVE: usize = 64;

impl Subgroup {
    /// The number of its lanes.
    pub(crate) fn lanes(self) -> usize {
        match self {
            Subgroup::Quad => LANES,
            Subgroup::Wave => WAVE,
        }
    }
}

/// A question to all active lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SubgroupOp {
    /// True where any value is not 0.
    Any,
    /// True where all are not 0.
    All,
    /// True where all are equal, bit for bit.
    Equal,
    /// The lanes whose x is not 0, a bit each: the low word in x, the high one in y.
    Ballot,
    /// The value of the first.
    ReadFirst,
    /// The value of the lane whose number is in source 1, 0 where there is none.
    Read,
    /// The steps that the quad has taken: a clock that always moves on.
    Clock,
    /// True where the lane only helps its neighbours, as all bits.
    Helper,
}

impl Quad<'_> {
    fn active_lanes(&self) -> impl Iterator<Item = usize> + '_ {
        (0..LANES).filter(|lane| self.active & (1 << lane) != 0)
    }

    /// Answers in all lanes of the quad, which are the whole subgroup.
    pub(crate) fn ask(&mut self, op: &MicroOp, group: SubgroupOp, resources: &Resources) {
        self.begin_trace(op);
        // `place` is that of the next instruction.
        let (present, active) = (self.present.into(), self.active.into());
        let others = Others::of(self.program, self.place - 1, present, active);
        let asked = self.asked(op, resources).of(group, active, others);
        let open = self.open_answer(group, &asked);
        let result = match group {
            SubgroupOp::Clock => {
                let one = |value: u32| [value; LANES];
                [one(self.steps as u32), one((self.steps >> 32) as u32), one(0), one(0)]
            }
            SubgroupOp::Helper => {
                let helps = self.killed | !self.present;
                let lanes = std::array::from_fn(|lane| all_if(helps & (1 << lane) != 0));
                [lanes; 4]
            }
            _ => {
                let values = self.whole(op, 0, resources);
                let lanes: Vec<[u32; 4]> =
                    (0..LANES).map(|lane| values.map(|lanes| lanes[lane])).collect();
                answer(group, &lanes, self.active.into(), asked.number).map(|value| [value; LANES])
            }
        };
        self.store_masked(op, &result);
        self.open_store(op, open);
    }

    /// Writes what the subgroup has answered, and goes on.
    pub(crate) fn answered(&mut self, answer: &Answer) {
        let Some(op) = self.program.ops.get(self.place) else { return };
        self.begin_trace(op);
        let open = self.open_answer(answer.group, &answer.asked);
        self.store_masked(op, &answer.words.map(|value| [value; LANES]));
        self.open_store(op, open);
        self.place += 1;
    }

    /// Returns what is asked with an instruction.
    pub(crate) fn asked(&self, op: &MicroOp, resources: &Resources) -> Asked {
        let first = self.active_lanes().next();
        let number = self.fetch(op, 1, 0, Some(ValueType::Unsigned), resources);
        Asked {
            number: first.map(|lane| number[lane]),
            differs: first
                .is_some_and(|first| self.active_lanes().any(|lane| number[lane] != number[first])),
            open: [0, 1]
                .into_iter()
                .filter_map(|source| self.openness(op, source, resources))
                .reduce(Rules::plus),
        }
    }
}

/// The answer of a subgroup, the same for all that asked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Answer {
    pub(crate) group: SubgroupOp,
    pub(crate) words: [u32; 4],
    pub(crate) asked: Asked,
}

/// A question of a quad to its subgroup.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Asked {
    /// The number of the lane that is read, by the first lane that asks.
    pub(crate) number: Option<u32>,
    /// True if others that ask name other lanes.
    pub(crate) differs: bool,
    /// The rules by which a value that the answer follows from is open.
    pub(crate) open: Option<Rules>,
}

impl Asked {
    /// The same, open where no document says what is read: of a lane that does not run, where
    /// not all lanes name the same one, and where others may ask, too.
    pub(crate) fn of(self, group: SubgroupOp, active: u64, others: Others) -> Asked {
        let is_beyond = self.number.is_none_or(|it| it as usize >= WAVE || active >> it & 1 == 0);
        let rule = match group {
            SubgroupOp::Read if self.differs => Rule::Subgroup,
            SubgroupOp::Read if is_beyond => Rule::InactiveLane,
            _ if others == Others::Perhaps => Rule::Subgroup,
            _ => return self,
        };
        Asked { open: Some(self.open.unwrap_or_default().with(rule)), ..self }
    }
}

/// Lanes that may ask together with those that are active: on the way out of a loop those that leave
/// it in another round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Others {
    None,
    Perhaps,
}

impl Others {
    /// Returns those of the lanes that are present, of which some ask at a place.
    pub(crate) fn of(program: &Program, place: usize, present: u64, active: u64) -> Others {
        match program.on_exits.contains(&place) && present & !active != 0 {
            true => Others::Perhaps,
            false => Others::None,
        }
    }
}

/// Returns the answer to the active lanes of a subgroup, the same for all.
pub(crate) fn answer(
    group: SubgroupOp,
    lanes: &[[u32; 4]],
    active: u64,
    number: Option<u32>,
) -> [u32; 4] {
    let running = || (0..lanes.len()).filter(|lane| active >> lane & 1 == 1);
    let first = running().next().unwrap_or(0);
    let each = |of: &dyn Fn(usize) -> u32| [0, 1, 2, 3].map(of);
    match group {
        SubgroupOp::Any => each(&|it| all_if(running().any(|lane| lanes[lane][it] != 0))),
        SubgroupOp::All => each(&|it| all_if(running().all(|lane| lanes[lane][it] != 0))),
        SubgroupOp::Equal => {
            each(&|it| all_if(running().all(|lane| lanes[lane][it] == lanes[first][it])))
        }
        SubgroupOp::ReadFirst => each(&|it| lanes[first][it]),
        SubgroupOp::Read => {
            let from = lanes.get(number.unwrap_or(0) as usize);
            each(&|it| from.map_or(0, |lane| lane[it]))
        }
        SubgroupOp::Ballot => {
            let set = running().filter(|lane| lanes[*lane][0] != 0);
            let mask = set.fold(0u64, |mask, lane| mask | 1 << lane);
            [mask as u32, (mask >> 32) as u32, 0, 0]
        }
        SubgroupOp::Clock | SubgroupOp::Helper => [0; 4],
    }
}

impl Quad<'_> {
    /// `INTERP_OFFSET`: the input moved along the quad's differences. Exact for
    /// inputs that are linear on the screen; an input in perspective is so only
    /// to first order.
    pub(crate) fn interpolate_at_offset(&mut self, op: &MicroOp, resources: &Resources) {
        self.begin_trace(op);
        let open = self.open_interpolation(op, resources);
        let values = self.whole(op, 0, resources);
        let float = Some(ValueType::Float);
        let [x, y] = [0, 1].map(|axis| self.fetch(op, 1, axis, float, resources));
        let mut result = EMPTY;
        for (lanes, values) in result.iter_mut().zip(values) {
            let values = values.map(f32::from_bits);
            for lane in 0..LANES {
                let across = values[lane | 1] - values[lane & 2];
                let down = values[lane | 2] - values[lane & 1];
                let [x, y] = [x[lane], y[lane]].map(f32::from_bits);
                lanes[lane] = (values[lane] + across * x + down * y).bits();
            }
        }
        self.store_masked(op, &result);
        self.open_store(op, open);
    }

    /// `DFRACEXP`: half to one and the exponent to 2, of the number in xy; in
    /// every pair of the first destination and every component of the second.
    pub(crate) fn take_apart(&mut self, op: &MicroOp, resources: &Resources) {
        self.begin_trace(op);
        let Some(source) = op.instruction.sources.first() else { return };
        let [Some(fractions), Some(exponents)] =
            [0, 1].map(|it| op.instruction.destinations.get(it))
        else {
            return;
        };
        let values =
            self.registers.fetch_wide(self.program, resources, source, 0, ValueType::Double);
        let open = self.openness(op, 0, resources);
        let parts = values.map(crate::wide::fraction_exponent);
        let (first, second) = (*fractions, *exponents);
        for component in first.mask.components() {
            let shift = 32 * (component as u32 & 1);
            let half = parts.map(|(fraction, _)| (fraction >> shift) as u32);
            self.store(op, component as usize, half);
        }
        for component in second.mask.components() {
            let values = parts.map(|(_, exponent)| exponent as u32);
            self.registers.store(&second, component as usize, values, self.active);
        }
        let Some(rules) = open else { return };
        let active = self.active;
        for destination in [first, second] {
            for component in destination.mask.components() {
                for lane in (0..LANES).filter(|lane| active >> lane & 1 == 1) {
                    self.open_write(&destination, component as usize, lane, &Word::any(rules));
                }
            }
        }
    }
}

impl Quad<'_> {
    /// A vector times the rows of a matrix, which stand in consecutive
    /// registers. Components beyond the rows are 1.
    pub(crate) fn matrix(&mut self, op: &MicroOp, shape: [usize; 2], resources: &Resources) {
        let Some(first_row) = op.instruction.sources.get(1) else { return };
        self.begin_trace(op);
        let open = self.open_matrix(op, shape, resources);
        let [length, rows] = shape;
        let vector = self.whole(op, 0, resources);
        let mut result = [[1.0f32.to_bits(); LANES]; 4];
        for (number, lanes) in result.iter_mut().enumerate().take(rows) {
            let mut row = *first_row;
            let offset = &mut row.register.index.offset;
            *offset = offset.saturating_add(number as i32);
            let row = [0, 1, 2, 3].map(|it| {
                self.registers.fetch(self.program, resources, &row, it, ValueType::Float)
            });
            *lanes = std::array::from_fn(|lane| {
                let [vector, row] = [&vector, &row].map(|it| it.map(|lanes| lanes[lane]));
                self.program.dot(&vector, &row, length).bits()
            });
        }
        self.store_masked(op, &result);
        self.open_store(op, open);
    }

    /// `FBFETCH`: the colour that the pixels have, of the output that is named.
    pub(crate) fn fetch_color(&mut self, op: &MicroOp) {
        let Some(output) = op.instruction.sources.first() else { return };
        self.begin_trace(op);
        let number = u32::try_from(output.register.index.offset).ok();
        let colors = &self.program.colors;
        let color = colors.iter().find_map(|(range, first)| {
            let number = number.filter(|number| range.contains(number))?;
            Some(*first as usize + (number - range.start()) as usize)
        });
        let color = color.and_then(|color| self.registers.framebuffer.get(color));
        let color = color.copied().unwrap_or(EMPTY);
        self.store_masked(op, &color);
    }

    /// `IMG2HND` and `SAMP2HND`: the number of a unit as a handle.
    pub(crate) fn handle(&mut self, op: &MicroOp) {
        let Some(source) = op.instruction.sources.first() else { return };
        self.begin_trace(op);
        let unit = |lane| self.registers.index(&source.register.index, lane).unwrap_or(0);
        let units = std::array::from_fn(|lane| unit(lane) as u32);
        self.store_masked(op, &[units, [0; LANES], [0; LANES], [0; LANES]]);
    }
}
