//! Compute shaders: groups of threads, one after another, and the memory after them.

use gcn_emu::{LANES, Wave};
use tgsi::words::SemanticName;
use tgsi_interp::Subgroup;
use tgsi_interp::launch::{Grid, run_watched_grid};

use crate::control::lanes_of;
use crate::difference::Checked;
use crate::error::Error;
use crate::input_source::InputSource;
use crate::test_pair::TestPair;

/// The groups of a run.
const GRID: [u32; 3] = [2, 1, 1];
/// The most threads of a group.
const MOST_THREADS: u32 = 1024;
/// The most groups of a run.
const MOST_GROUPS: u32 = 4096;
/// Bytes of the share that a group has.
pub(crate) const SHARE: usize = 32 << 10;
/// The user data that the driver passes to a shader.
const USER_DATA: [u32; 4] = [3, 1, 4, 15];

/// The groups of a grid.
///
/// # Errors
/// They are more than a run may have.
pub(crate) fn groups_of(grid: [u32; 3]) -> Result<u32, Error> {
    volume(grid).filter(|it| *it <= MOST_GROUPS).ok_or(Error::TooMany("groups"))
}

/// The threads of a group.
///
/// # Errors
/// They are more than a group may have.
pub(crate) fn threads_of(block: [u32; 3]) -> Result<u32, Error> {
    volume(block).filter(|it| *it <= MOST_THREADS).ok_or(Error::GroupTooLarge)
}

fn volume(sides: [u32; 3]) -> Option<u32> {
    sides.iter().try_fold(1_u32, |count, side| count.checked_mul(*side))
}

impl TestPair<'_> {
    pub(crate) fn check_groups(&self, source: InputSource<'_>) -> Checked {
        let grid = source.explicit().map_or(GRID, |inputs| inputs.grid);
        let groups = groups_of(grid)?;
        let (mut random, distribution) = self.numbers(source);
        let resources = self.resources(source, &mut random, distribution);
        let block = self.program.block;
        let threads = threads_of(block)?;
        let user = |component: usize| {
            let explicit = self.explicit_value(source, SemanticName::ComputeUserData, component, 0);
            explicit.unwrap_or(USER_DATA[component & 3])
        };
        let dimensions =
            self.explicit_value(source, SemanticName::WorkDimension, 0, 0).unwrap_or(3);
        let system = self.system_values(0, &|name, component, _| match name {
            SemanticName::ComputeUserData => user(component),
            SemanticName::WorkDimension => dimensions,
            SemanticName::SubgroupSize => 64,
            _ => 0,
        });
        let expected = self.run_variants(&resources, |variant, run| {
            let limits = self.limits(1 << 20);
            let launch = Grid {
                groups: grid,
                system_values: &system,
                order: variant.order,
                subgroup: Subgroup::Wave,
                open: Some(variant.script.clone()),
                ..Grid::default()
            };
            let left = run_watched_grid(&self.program, &mut run.resources, &launch, limits);
            let left = variant.survives(left)?;
            run.ended = left.is_some();
            left.unwrap_or_default().words.iter().for_each(|words| run.note(words));
            Ok(())
        })?;
        let mut setup = self.set_up(&resources)?;
        setup.share = vec![0; SHARE];
        let wave = |group: u32, first: u32| {
            let mut wave = Wave::new(lanes_of((threads - first) as usize));
            self.set_parameter(&mut wave, "thread_id", &|axis, lane| {
                let thread = first + lane as u32;
                match axis {
                    0 => thread % block[0],
                    1 => thread / block[0] % block[1],
                    _ => thread / (block[0] * block[1]),
                }
            });
            self.set_parameter(&mut wave, "grid_size", &|axis, _| grid[axis % 3]);
            self.set_parameter(&mut wave, "block_size", &|axis, _| block[axis % 3]);
            self.set_uniform(&mut wave, "work_dimensions", dimensions);
            self.set_parameter(&mut wave, "user_data", &|word, _| user(word & 3));
            self.set_uniform(&mut wave, "block_id_x", group % grid[0]);
            self.set_uniform(&mut wave, "block_id_y", group / grid[0] % grid[1]);
            self.set_uniform(&mut wave, "block_id_z", group / (grid[0] * grid[1]));
            wave
        };
        let waves = |group| (0..threads).step_by(LANES).map(|first| wave(group, first)).collect();
        let state = self.launch(setup, (0..groups).map(waves))?;
        self.compare_memory(&state, &expected)
    }
}
