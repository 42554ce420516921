//! Compute shaders: groups of threads, one after another; what they leave in memory.

use emulate::{LANES, Machine, Wave};
use run::Limits;
use run::launch::run_watched_grid;
use tgsi::words::SemanticName;

use crate::difference::Verdict;
use crate::outputs::Expected;
use crate::random::Random;
use crate::subject::{Subject, laid_out};
use crate::textures::TextureUnit;

/// The groups of a run.
const GRID: [u32; 3] = [2, 1, 1];
/// The most threads of a group.
const MOST_THREADS: u32 = 1024;
/// Bytes of the share that a group has.
const SHARE: usize = 32 << 10;
/// What the driver passes a shader beside all else.
const USER_DATA: [u32; 4] = [3, 1, 4, 15];

impl Subject<'_> {
    pub(crate) fn judge_groups(&self, seed: u64) -> Result<Verdict, String> {
        let mut random = Random::new(seed).without_negatives(self.narrow.power);
        let flavour = self.flavour(seed);
        let resources = self.demand.fill(&mut random, flavour, &self.program);
        let block = self.program.block;
        let threads = block.iter().try_fold(1_u32, |count, side| count.checked_mul(*side));
        let threads = threads.filter(|it| *it <= MOST_THREADS).ok_or("a group too large")?;
        let system = self.system_values(0, &|name, component, _| match name {
            SemanticName::ComputeUserData => USER_DATA[component],
            SemanticName::WorkDimension => 3,
            SemanticName::SubgroupSize => 64,
            _ => 0,
        });
        let mut runs = Vec::new();
        for undefined in [0, 0x7fc1_2345] {
            let mut own = resources.clone();
            let limits = Limits { steps: 1 << 18, ..Limits::default() };
            run_watched_grid(&self.program, &mut own, GRID, &system, undefined, None, limits)
                .map_err(|stop| format!("the interpreter: {stop}"))?;
            runs.push((Vec::new(), own, false));
        }
        let [one, two] = <[_; 2]>::try_from(runs).map_err(|_| "two runs")?;
        let expected = Expected::new(one, two);
        let (layout, lists) = laid_out(self, &resources)?;
        let mut machine = Machine { memory: layout.memory, ..Machine::default() };
        let waves = threads.div_ceil(LANES as u32);
        self.map_scratch(&mut machine, waves)?;
        let mut textures = TextureUnit::new(&resources, &self.demand, self.generation())?;
        machine.share = vec![0; SHARE];
        for group in 0..GRID[0] {
            machine.waves.clear();
            for number in 0..waves {
                let first = number * LANES as u32;
                let count = (threads - first).min(LANES as u32);
                let lanes = if count == 64 { u64::MAX } else { (1 << count) - 1 };
                let mut wave = Wave::new(lanes);
                self.give_memory(&mut wave, number, &lists);
                self.give(&mut wave, "thread_id", &|axis, lane| {
                    let thread = first + lane as u32;
                    match axis {
                        0 => thread % block[0],
                        1 => thread / block[0] % block[1],
                        _ => thread / (block[0] * block[1]),
                    }
                });
                self.give(&mut wave, "grid_size", &|axis, _| GRID[axis % 3]);
                self.give(&mut wave, "block_size", &|axis, _| block[axis % 3]);
                self.give_all(&mut wave, "work_dimensions", 3);
                self.give(&mut wave, "user_data", &|word, _| USER_DATA[word & 3]);
                self.give_all(&mut wave, "block_id_x", group);
                self.give_all(&mut wave, "block_id_y", 0);
                self.give_all(&mut wave, "block_id_z", 0);
                machine.waves.push(wave);
            }
            if let Err(verdict) = self.run(&mut machine, &mut textures) {
                return Ok(verdict);
            }
        }
        Ok(self.compare_memory(&lists, &machine, &expected, &textures.images))
    }
}
