//! The data of image instructions: how many registers they take, and what each holds.

use isa::gcn::operation::{Atomic, Image, Operation};
use isa::gcn::{Feature, OpGroup};

use crate::Target;
use crate::mnemonics::Opcode;

/// The data of an image instruction, as its modifiers say. `lwe` is none of them: it adds no
/// register by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Data {
    opcode: Opcode,
    /// The components that move; never none.
    mask: u8,
    halves: Halves,
    /// One more register says whether pages were missing.
    status: bool,
}

/// The way in which data of 16 bits lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Halves {
    No,
    Unpacked,
    Packed,
}

/// The modifiers that decide about the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DataModifiers {
    /// The components that move; for gathers the one that is gathered.
    pub dmask: u8,
    /// One more register says whether pages were missing.
    pub tfe: bool,
    /// Components of 16 bits.
    pub d16: bool,
}

/// The texels that a gather gives, in the order of its registers: counted from the one at
/// the upper left of those that filtering would use.
const GATHERED: [&str; 4] = ["(X, Y+1)", "(X+1, Y+1)", "(X+1, Y)", "(X, Y)"];

impl Data {
    /// Returns the data of an instruction of a chip. A mask without a bit is read as that of
    /// the first component.
    pub fn of(opcode: Opcode, modifiers: DataModifiers, target: Target) -> Data {
        let halves = match (modifiers.d16, target.has(Feature::PackedD16)) {
            (false, _) => Halves::No,
            (true, false) => Halves::Unpacked,
            (true, true) => Halves::Packed,
        };
        let mask = match modifiers.dmask & 15 {
            0 => 1,
            mask => mask,
        };
        Data { opcode, mask, halves, status: modifiers.tfe }
    }

    /// Returns the components that move, a bit each.
    pub fn mask(self) -> u8 {
        self.mask
    }

    /// Returns the number of registers without that of the status.
    pub fn moved(self) -> u8 {
        let components = match self.opcode.group() {
            Some(OpGroup::ImageGather) => 4,
            _ => self.mask.count_ones() as u8,
        };
        if self.halves == Halves::Packed { components.div_ceil(2) } else { components }
    }

    /// Returns the number of registers.
    pub fn registers(self) -> u8 {
        self.moved() + u8::from(self.status)
    }

    /// Returns what each register holds.
    pub fn names(self) -> Vec<String> {
        let components = self.components();
        let mut names: Vec<String> = match self.halves {
            Halves::No => components.iter().map(|&name| name.to_owned()).collect(),
            Halves::Unpacked => {
                components.iter().map(|name| format!("{name} (low half)")).collect()
            }
            Halves::Packed => components.chunks(2).map(|pair| pair.join(" & ")).collect(),
        };
        if self.status {
            names.push("status".to_owned());
        }
        names
    }

    fn components(self) -> Vec<&'static str> {
        let all = match self.opcode.operation() {
            Operation::Image(Image::GatherRow) => return vec!["a texel of the row"; 4],
            Operation::Image(Image::Gather { .. }) => return GATHERED.to_vec(),
            Operation::Image(Image::Atomic { atomic }) => return self.operands(atomic),
            Operation::Image(Image::SizeQuery) => ["width", "height", "depth or layers", "levels"],
            Operation::Image(Image::LevelQuery) => ["level, clamped", "level, unclamped", "0", "0"],
            _ => ["red", "green", "blue", "alpha"],
        };
        let moves = |place: &(usize, &'static str)| self.mask >> place.0 & 1 == 1;
        all.into_iter().enumerate().filter(moves).map(|(_, name)| name).collect()
    }

    /// Returns the operands of an atomic: its mask says how wide texels are.
    fn operands(self, atomic: Atomic) -> Vec<&'static str> {
        let count = self.mask.count_ones() as usize;
        let all = match (atomic.compares(), count) {
            (true, 4) => ["value, low", "value, high", "comparand, low", "comparand, high"],
            (true, _) => ["value", "comparand", "nothing", "nothing"],
            (false, 1) => ["value"; 4],
            (false, _) => ["value, low", "value, high", "next value, low", "next value, high"],
        };
        all[..count].to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mnemonics::op_info;

    fn data(name: &str, dmask: u8, tfe: bool, d16: bool, target: &str) -> Data {
        let opcode = op_info(name).expect(name).opcode;
        let modifiers = DataModifiers { dmask, tfe, d16 };
        Data::of(opcode, modifiers, Target::find(target).expect(target))
    }

    #[test]
    fn data_follows_mask_status_and_halves() {
        let registers =
            |name, dmask, tfe, d16, target| data(name, dmask, tfe, d16, target).registers();
        assert_eq!(registers("image_sample", 0xf, false, false, "gfx600"), 4);
        assert_eq!(registers("image_sample", 0x5, true, false, "gfx600"), 3);
        assert_eq!(registers("image_sample", 0, false, false, "gfx600"), 1);
        assert_eq!(registers("image_gather4", 0x1, false, false, "gfx600"), 4);
        // gfx803 gives each half a register of its own, gfx810 and gfx900 do not.
        assert_eq!(registers("image_load", 0x7, false, true, "gfx803"), 3);
        assert_eq!(registers("image_load", 0x7, false, true, "gfx810"), 2);
        assert_eq!(registers("image_load", 0x7, true, true, "gfx900"), 3);
    }

    #[test]
    fn every_register_has_a_name() {
        let names =
            |name, dmask, tfe, d16| data(name, dmask, tfe, d16, "gfx900").names().join("; ");
        assert_eq!(names("image_load", 0xa, true, false), "green; alpha; status");
        assert_eq!(names("image_load", 0x7, false, true), "red & green; blue");
        assert_eq!(
            names("image_gather4", 2, false, false),
            "(X, Y+1); (X+1, Y+1); (X+1, Y); (X, Y)"
        );
        assert_eq!(names("image_atomic_cmpswap", 3, false, false), "value; comparand");
        for opcode in Opcode::all().filter(|opcode| opcode.row().is_of_images()) {
            for (dmask, d16) in [(1, false), (3, false), (3, true)] {
                let data = data(opcode.name(), dmask, true, d16, "gfx900");
                assert_eq!(data.names().len(), usize::from(data.registers()), "{data:?}");
            }
        }
    }
}
