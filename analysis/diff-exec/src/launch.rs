//! The launch of the machine: its state before, its run, its state after. Every stage makes its
//! own waves and memory; all else is the same for all of them.

use gcn_emu::{Limits, Machine, Stop, Wave};
use tgsi_interp::{Image, Resources};

use crate::difference::{Checked, Observed, Verdict};
use crate::error::Error;
use crate::expectation::Expectation;
use crate::layout::{DescriptorLists, HIGH, Layout};
use crate::start::{HeldTextures, Hold, MOST_HELD_WAVES, Start};
use crate::test_pair::{SCRATCH, TestPair};
use crate::textures::{TextureUnit, image_descriptor};

/// Steps of a machine's run, at most.
pub(crate) const MOST_STEPS: u64 = 1 << 20;
/// The most exports and messages of a machine.
pub(crate) const MOST_RECORDS: usize = 1 << 14;

/// The state of a machine before its launch.
pub(crate) struct Setup<'a> {
    /// Memory, with all resources in it.
    pub(crate) layout: Layout,
    pub(crate) lists: DescriptorLists,
    /// The memory of a group, in bytes.
    pub(crate) share: Vec<u8>,
    resources: &'a Resources,
    generation: gcn::Generation,
    /// Images of two axes that the list of internal buffers has.
    images: Vec<Image>,
}

impl Setup<'_> {
    /// Fills an entry of the list of internal buffers.
    pub(crate) fn set_internal_buffer(
        &mut self,
        entry: u32,
        descriptor: &[u32],
    ) -> Result<(), Error> {
        self.layout.change(self.lists.internal + entry * 16, descriptor)
    }

    /// Fills two of them with an image of two axes.
    pub(crate) fn add_image(&mut self, entry: u32, image: Image) -> Result<(), Error> {
        let number = self.resources.images.len() + self.images.len();
        let descriptor = image_descriptor(number, &image, None, self.generation);
        self.images.push(image);
        self.set_internal_buffer(entry, &descriptor)
    }
}

/// The state of a machine after its run.
pub(crate) struct FinalState {
    pub(crate) machine: Machine,
    pub(crate) lists: DescriptorLists,
    pub(crate) images: Vec<Option<Image>>,
}

impl FinalState {
    /// The words that were placed at an address.
    pub(crate) fn words(&self, start: u32) -> Vec<u32> {
        self.machine.memory.words(HIGH | u64::from(start))
    }
}

impl TestPair<'_> {
    /// Lays out resources.
    pub(crate) fn set_up<'a>(&self, resources: &'a Resources) -> Result<Setup<'a>, Error> {
        let mut layout = Layout::new();
        let lists =
            layout.resources(resources, &self.demand, self.single_constants, self.generation())?;
        let generation = self.generation();
        Ok(Setup { layout, lists, share: Vec::new(), resources, generation, images: Vec::new() })
    }

    /// Runs groups of waves, one group after another, each of as many waves as the first; a
    /// stop is a difference.
    pub(crate) fn launch(
        &self,
        setup: Setup<'_>,
        groups: impl IntoIterator<Item = Vec<Wave>>,
    ) -> Checked<FinalState> {
        let Setup { mut layout, lists, share, resources, images, .. } = setup;
        let mut groups = groups.into_iter().peekable();
        let scratch = self.scratch as usize * 64 * groups.peek().map_or(0, Vec::len);
        if scratch > 0 {
            layout.map(SCRATCH, scratch + 256)?;
        }
        let mut machine = Machine { memory: layout.memory, share, ..Machine::default() };
        let mut textures = TextureUnit::new(resources, &self.demand, self.generation())?;
        textures.add(images);
        let limits = Limits { steps: MOST_STEPS, records: MOST_RECORDS };
        let prepared = groups.map(|mut waves| {
            for (number, wave) in waves.iter_mut().enumerate() {
                self.set_memory(wave, number as u32, &lists);
            }
            waves
        });
        if matches!(*self.hold.borrow(), Hold::Wanted) {
            return Err(self.held(machine, HeldTextures::of(resources, textures), prepared));
        }
        for waves in prepared {
            machine.waves = waves;
            let ran = machine.run(&self.code, &mut textures, limits);
            ran.map_err(|stop| self.stopped(&stop))?;
        }
        Ok(FinalState { machine, lists, images: textures.images })
    }

    /// Holds a machine before its first instruction, and says so.
    fn held(
        &self,
        mut machine: Machine,
        textures: HeldTextures,
        mut groups: impl Iterator<Item = Vec<Wave>>,
    ) -> Verdict {
        machine.waves = groups.next().unwrap_or_default();
        let mut count = machine.waves.len();
        let mut others = Vec::new();
        for waves in groups {
            count += waves.len();
            if count > MOST_HELD_WAVES {
                return Error::TooMany("waves to step one by one").into();
            }
            others.push(waves);
        }
        *self.hold.borrow_mut() = Hold::Held(Box::new(Start { machine, groups: others, textures }));
        Verdict::Skipped("the machine is held".to_owned())
    }

    /// Returns the verdict of a stop.
    fn stopped(&self, stop: &Stop) -> Verdict {
        let Stop { instruction, reason, .. } = stop;
        if matches!(reason, gcn_emu::Reason::Steps) {
            return Error::TooManySteps.into();
        }
        let place = Observed::Run(reason.to_string());
        self.difference(place, (0, &Expectation::exactly(0), 0), Some(*instruction), None)
    }

    /// The lists, and the scratch memory of a wave.
    fn set_memory(&self, wave: &mut Wave, number: u32, lists: &DescriptorLists) {
        self.set_uniform(wave, "rw_buffers", lists.internal);
        self.set_uniform(wave, "const_and_shader_buffers", lists.buffers);
        self.set_uniform(wave, "samplers_and_images", lists.images);
        if self.scratch > 0 {
            // It follows the parameters.
            wave.set_scalar(self.parameters.scalars, number * self.scratch * 64);
        }
    }
}
