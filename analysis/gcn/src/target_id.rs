//! Target ids: a processor, and whether retry of page faults and error correction of its memory
//! are on, as in `gfx90a:sramecc+:xnack-` (AMDGPU usage manual, "Target ID"; llvm-mc 22).

use std::fmt;

use isa::gcn::Feature;
use thiserror::Error;

use crate::Target;

/// The need of code that something is on or off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Setting {
    /// Runs either way.
    #[default]
    Any,
    /// Needs it off.
    Off,
    /// Needs it on.
    On,
}

/// The settings of a target id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Settings {
    /// Error correction of the chip's own memory.
    pub sramecc: Setting,
    /// Retry of page faults.
    pub xnack: Setting,
}

/// A reason why the part of a target id behind the processor is none.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum IdError {
    /// A word that is no setting.
    #[error(
        "`{0}` is not a setting of a target id: `sramecc` and `xnack` are, each with `+` or `-`"
    )]
    Unknown(String),
    /// A setting without a sign.
    #[error("`{0}` needs a `+` or a `-` at its end")]
    NoSign(String),
    /// A setting that the chip lacks.
    #[error("{0} has no `{1}`, on or off")]
    NotOfChip(&'static str, &'static str),
    /// Settings out of order, or one twice.
    #[error("the settings of a target id are in the order `sramecc`, `xnack`, each once")]
    Order,
}

/// The settings in the order of the text, and the feature of chips that have it.
const NAMES: [(&str, Feature); 2] = [("sramecc", Feature::Sramecc), ("xnack", Feature::XnackMask)];

/// Fields of an ELF file's flags, from code object version 4 on: two bits each, of which 0 is for
/// chips without the setting.
const SRAMECC_BITS: u32 = 10;
const XNACK_BITS: u32 = 8;

impl Settings {
    /// Reads the settings behind a processor's name: `` or `:sramecc+:xnack-`.
    ///
    /// # Errors
    /// For a text that LLVM's assembler takes for no chip of this name.
    pub fn parse(text: &str, target: Target) -> Result<Settings, IdError> {
        let mut found = Settings::default();
        let Some(list) = text.strip_prefix(':') else {
            return match text {
                "" => Ok(found),
                other => Err(IdError::Unknown(other.to_owned())),
            };
        };
        let mut next = 0;
        for item in list.split(':') {
            let (name, setting) = match (item.strip_suffix('+'), item.strip_suffix('-')) {
                (Some(name), _) => (name, Setting::On),
                (_, Some(name)) => (name, Setting::Off),
                _ => (item, Setting::Any),
            };
            let place = NAMES.iter().position(|(known, _)| *known == name);
            let place = place.ok_or_else(|| IdError::Unknown(item.to_owned()))?;
            if setting == Setting::Any {
                return Err(IdError::NoSign(item.to_owned()));
            }
            let (name, feature) = NAMES[place];
            if !target.has(feature) {
                return Err(IdError::NotOfChip(target.processor(), name));
            }
            if place < next {
                return Err(IdError::Order);
            }
            next = place + 1;
            *[&mut found.sramecc, &mut found.xnack][place] = setting;
        }
        Ok(found)
    }

    /// Reads the settings of an ELF file's flags, from code object version 4 on.
    pub fn of_flags(flags: u32) -> Settings {
        let setting = |low: u32| match flags >> low & 3 {
            2 => Setting::Off,
            3 => Setting::On,
            _ => Setting::Any,
        };
        Settings { sramecc: setting(SRAMECC_BITS), xnack: setting(XNACK_BITS) }
    }

    /// Tells whether a wave has to hold the registers of retry.
    pub fn may_retry(self, target: Target) -> bool {
        target.has(Feature::XnackMask) && self.xnack != Setting::Off
    }
}

impl fmt::Display for Settings {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for ((name, _), setting) in NAMES.iter().zip([self.sramecc, self.xnack]) {
            match setting {
                Setting::Any => {}
                Setting::Off => write!(out, ":{name}-")?,
                Setting::On => write!(out, ":{name}+")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, chip: &str) -> Result<String, String> {
        let target = Target::find(chip).expect(chip);
        let found = Settings::parse(text, target);
        found.map(|it| it.to_string()).map_err(|error| error.to_string())
    }

    #[test]
    fn ids_are_read_and_written_alike() {
        for text in ["", ":xnack-", ":sramecc+", ":sramecc-:xnack+", ":sramecc+:xnack-"] {
            for chip in ["gfx908", "gfx90a", "gfx942", "gfx950", "gfx9-4-generic"] {
                assert_eq!(read(text, chip).as_deref(), Ok(text), "{chip}");
            }
        }
        assert_eq!(read(":xnack+", "gfx900").as_deref(), Ok(":xnack+"));
    }

    #[test]
    fn what_no_assembler_takes_says_why() {
        for (text, chip, part) in [
            (":xnack-:sramecc+", "gfx90a", "order"),
            (":xnack-:xnack-", "gfx90a", "each once"),
            (":foo+", "gfx90a", "`foo+` is not a setting"),
            (":", "gfx90a", "`` is not a setting"),
            (":xnack", "gfx90a", "needs a `+`"),
            ("+xnack", "gfx90a", "`+xnack` is not a setting"),
            (":sramecc+", "gfx900", "gfx900 has no `sramecc`"),
            (":xnack+", "gfx803", "gfx803 has no `xnack`"),
        ] {
            let found = read(text, chip).expect_err(text);
            assert!(found.contains(part), "{text}: {found}");
        }
    }

    #[test]
    fn flags_of_files_have_the_settings() {
        let shown = |flags| Settings::of_flags(flags).to_string();
        assert_eq!(shown(0x54c), "");
        assert_eq!(shown(0xe4c), ":sramecc+:xnack-");
        assert_eq!(shown(0xb3f), ":sramecc-:xnack+");
        // A chip without either.
        assert_eq!(shown(0x2a), "");
    }

    #[test]
    fn registers_of_retry_are_held_unless_it_is_off() {
        let may = |text, chip| {
            let target = Target::find(chip).expect(chip);
            Settings::parse(text, target).expect(text).may_retry(target)
        };
        assert!(may("", "gfx90a") && may(":xnack+", "gfx900"));
        assert!(!may(":xnack-", "gfx90a") && !may("", "gfx803"));
    }
}
