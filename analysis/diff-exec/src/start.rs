//! The machine before its first instruction, for those who step it themselves.

use std::sync::Arc;

use gcn_emu::{ImageError, ImageRequest, Images, LANES, Machine, Memory, Program, Wave};
use tgsi_interp::{Absent, Image, Resources, Sampled, Textures};

use crate::difference::{Difference, Verdict};
use crate::error::Error;
use crate::input_source::{ExplicitInputs, InputSource};
use crate::test_pair::{TestPair, named};
use crate::textures::TextureUnit;

/// The state of a machine that is about to run a shader's first group.
#[derive(Debug, Clone)]
pub struct Start {
    /// The waves of the first group, and memory.
    pub machine: Machine,
    /// The waves of each group after it, which follow in the same memory.
    pub groups: Vec<Vec<Wave>>,
    /// The texture unit.
    pub textures: HeldTextures,
}

/// The textures and images of a run that is held. A copy shares the textures, which no run
/// changes.
#[derive(Debug, Clone)]
pub struct HeldTextures {
    sampled: Arc<Sampled>,
    images: Vec<Option<Image>>,
    axes: Vec<&'static [usize]>,
    absent: Vec<Absent>,
    generation: gcn::Generation,
}

impl HeldTextures {
    pub(crate) fn of(resources: &Resources, unit: TextureUnit<'_>) -> HeldTextures {
        let sampled = match &resources.textures {
            Textures::Sampled(sampled) => sampled.clone(),
            Textures::Recorded(_) => Sampled::default(),
        };
        let TextureUnit { images, axes, absent, generation, .. } = unit;
        HeldTextures { sampled: Arc::new(sampled), images, axes, absent, generation }
    }

    /// Bytes of what a copy does not share, roughly.
    pub fn bytes(&self) -> usize {
        self.images.iter().flatten().map(|image| image.texels.len() * size_of::<[u32; 4]>()).sum()
    }
}

impl Images for HeldTextures {
    fn access(
        &mut self,
        request: &ImageRequest<'_>,
        memory: &mut Memory,
    ) -> Result<Box<[[u32; 4]; LANES]>, ImageError> {
        let mut unit = TextureUnit {
            sampled: &self.sampled,
            images: std::mem::take(&mut self.images),
            axes: std::mem::take(&mut self.axes),
            absent: std::mem::take(&mut self.absent),
            generation: self.generation,
        };
        let texels = unit.access(request, memory);
        (self.images, self.axes, self.absent) = (unit.images, unit.axes, unit.absent);
        texels
    }
}

/// Waves of all groups that are held, at most: each takes 128 KiB and more.
pub(crate) const MOST_HELD_WAVES: usize = 256;

/// The wish to have a machine held before its first instruction.
#[derive(Debug, Default)]
pub(crate) enum Hold {
    /// No wish: machines run.
    #[default]
    None,
    /// A wish that the next launch be held.
    Wanted,
    /// The machine that was held.
    Held(Box<Start>),
}

impl TestPair<'_> {
    /// Prepares the machine on explicit inputs as [`TestPair::check_explicit`] does, and leaves
    /// it before its first instruction.
    ///
    /// # Errors
    /// Why it cannot be launched.
    pub fn start(&self, inputs: &ExplicitInputs) -> Result<Start, Error> {
        self.held_by(|| self.check_once(InputSource::Explicit(inputs)))
    }

    /// Has the next machine that something launches held before its first instruction.
    pub(crate) fn held_by(&self, launch: impl FnOnce() -> Verdict) -> Result<Start, Error> {
        *self.hold.borrow_mut() = Hold::Wanted;
        let verdict = launch();
        match (self.hold.take(), verdict) {
            (Hold::Held(start), _) => Ok(*start),
            (_, Verdict::Skipped(reason)) => Err(Error::NotLaunched(reason)),
            (_, Verdict::Agree | Verdict::Differ(_)) => {
                Err(Error::NotLaunched("nothing is to be run".to_owned()))
            }
        }
    }

    /// The machine code.
    pub fn code(&self) -> &Program {
        &self.code
    }

    /// Finds the machine instruction that a difference names, from 0.
    pub fn instruction_of(&self, difference: &Difference) -> Option<usize> {
        let all = self.code.instructions.iter().zip(&self.lines);
        let mut all = all.map(|(own, (text, _))| named(own, text));
        all.position(|text| text == difference.instruction)
    }

    /// The text of a machine instruction, and the instruction of TGSI that it comes from,
    /// counted from 1; 0 where several share it.
    pub fn line(&self, instruction: usize) -> (&str, u32) {
        self.lines.get(instruction).map_or(("", 0), |(text, ordinal)| (text, *ordinal))
    }
}
