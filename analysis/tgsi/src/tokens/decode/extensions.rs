//! The extension words of 2007 to 2009: chains that follow a word whose
//! highest bit is set, one word of each type.

use source::Severity;

use super::instruction::Extras;
use super::{Decoder, Kind, Result, print};
use crate::ast::{Component, Swizzle};
use crate::tokens::fields;
use crate::words::TextureTarget;

/// The reading of a source after its extensions.
#[derive(Debug, Clone, Copy)]
pub(super) struct SourceExtensions {
    pub(super) swizzle: Swizzle,
    pub(super) absolute: bool,
    pub(super) negate: bool,
}

/// The condition that is always true, which new condition words are filled
/// with. The enumerators were renumbered once, without a trace in the version.
const ALWAYS: [u32; 2] = [6, 7];

/// The divisor that is one.
const DIVIDE_BY_ONE: u32 = 5;

impl Decoder<'_> {
    /// Takes the next word of a chain, given the kinds by type. Returns its
    /// place, its bits, its kind and whether another follows.
    fn extension(&mut self, kinds: &[Kind]) -> Result<(usize, u32, Kind, bool)> {
        let (at, bits) = self.take(Kind::Extension)?;
        let number = self.field(Kind::Extension, bits, "Type");
        let more = self.flag(Kind::Extension, bits, "Extended");
        let kind = kinds.get(number as usize).copied();
        let kind = kind.filter(|kind| !fields::fields(self.layout, *kind).is_empty());
        match kind {
            Some(kind) => {
                if let Some(word) = self.words.last_mut() {
                    word.kind = kind;
                }
                self.check_padding(at, bits, kind);
            }
            None => {
                let message = format!("an extension of the unknown type {number} is skipped");
                self.report(at, Severity::Warning, message);
            }
        }
        Ok((at, bits, kind.unwrap_or(Kind::Extension), more))
    }

    /// Passes over extensions of a word that has none.
    pub(super) fn unknown_extensions(&mut self) -> Result<()> {
        while self.extension(&[])?.3 {}
        Ok(())
    }

    pub(super) fn instruction_extensions(&mut self, bits: u32, extras: &mut Extras) -> Result<()> {
        let kinds = [
            Kind::ConditionExtension,
            Kind::LabelExtension,
            Kind::TextureExtension,
            Kind::PredicateExtension,
        ];
        let mut more = self.flag(Kind::Instruction, bits, "Extended");
        while more {
            let (at, bits, kind, another) = self.extension(&kinds)?;
            more = another;
            match kind {
                Kind::ConditionExtension => self.condition(at, bits),
                Kind::LabelExtension => self.label(at, bits, extras),
                Kind::TextureExtension => {
                    let number = self.field(kind, bits, "Texture");
                    let target = self.word_of::<TextureTarget>(at, number);
                    if let Some(target) = target {
                        self.mean(at, target.word());
                        extras.target = Some((at, target));
                    }
                }
                Kind::PredicateExtension => self.lost(at, "a predicate to write"),
                _ => {}
            }
        }
        Ok(())
    }

    fn condition(&mut self, at: usize, bits: u32) {
        let flag = |name| self.flag(Kind::ConditionExtension, bits, name);
        if flag("CondDstUpdate") {
            self.lost(at, "writing a condition register");
        }
        if self.flag(Kind::ConditionExtension, bits, "CondFlowEnable") {
            self.lost(at, "execution under a condition");
        }
        if self.flag(Kind::ConditionExtension, bits, "Precision") {
            self.lost(at, "a precision");
        }
    }

    /// A label that is declared here rather than jumped to has no text.
    fn label(&mut self, at: usize, bits: u32, extras: &mut Extras) {
        let label = self.field(Kind::LabelExtension, bits, "Label");
        if self.flag(Kind::LabelExtension, bits, "Target") {
            if label != 0 {
                self.lost(at, "the name of a label");
            }
            return;
        }
        self.mean(at, format!(":{label}"));
        extras.label = Some((at, label));
    }

    pub(super) fn destination_extensions(&mut self, extras: &mut Extras) -> Result<()> {
        let kinds =
            [Kind::ConditionDestination, Kind::ModulateDestination, Kind::PredicateDestination];
        loop {
            let (at, bits, kind, more) = self.extension(&kinds)?;
            match kind {
                Kind::ConditionDestination => {
                    let mask = self.field(kind, bits, "CondMask");
                    if !ALWAYS.contains(&mask) {
                        self.lost(at, "a condition of the destination");
                    }
                }
                Kind::ModulateDestination if self.flag(kind, bits, "Modulate") => {
                    self.lost(at, "a factor of the destination");
                }
                Kind::PredicateDestination => {
                    let index = self.field(kind, bits, "PredSrcIndex");
                    let predicate = self.predicate(kind, bits, index as i32);
                    self.mean(at, print::predicate(&predicate));
                    extras.predicate = Some(Box::new(predicate));
                }
                _ => {}
            }
            if !more {
                return Ok(());
            }
        }
    }

    pub(super) fn source_extensions(&mut self, source: &mut SourceExtensions) -> Result<()> {
        let kinds = [Kind::SwizzleExtension, Kind::ModifierExtension];
        loop {
            let (place, bits, kind, more) = self.extension(&kinds)?;
            match kind {
                Kind::SwizzleExtension => self.extended_swizzle(place, bits, source),
                Kind::ModifierExtension => {
                    let flag = |name| self.flag(kind, bits, name);
                    let (absolute, negate) = (flag("Absolute"), flag("Negate"));
                    if flag("Complement") || flag("Bias") || flag("Scale2X") {
                        self.lost(place, "complement, bias and scale");
                    }
                    // The first sign counts before the absolute value, which
                    // swallows it; two signs in a row cancel out.
                    source.negate = negate != (source.negate && !absolute);
                    source.absolute |= absolute;
                }
                _ => {}
            }
            if !more {
                return Ok(());
            }
        }
    }

    fn extended_swizzle(&mut self, at: usize, bits: u32, source: &mut SourceExtensions) {
        let kind = Kind::SwizzleExtension;
        let names = ["ExtSwizzleX", "ExtSwizzleY", "ExtSwizzleZ", "ExtSwizzleW"];
        let components = names.map(|name| self.field(kind, bits, name) as usize);
        let signs = ["NegateX", "NegateY", "NegateZ", "NegateW"];
        let signs = signs.map(|name| self.flag(kind, bits, name));
        let divided = fields::has(self.layout, kind, "ExtDivide")
            && self.field(kind, bits, "ExtDivide") != DIVIDE_BY_ONE;
        if divided {
            self.lost(at, "division by a component");
        }
        if components.iter().any(|component| *component >= Component::ALL.len()) {
            self.lost(at, "zero and one as components");
            return;
        }
        if signs != [signs[0]; 4] {
            self.lost(at, "signs of single components");
            return;
        }
        // It takes the place of the word's own swizzle and sign.
        source.swizzle = Swizzle(components.map(|component| Component::ALL[component]));
        source.negate = signs[0];
        self.mean(at, print::swizzle(source.swizzle));
    }
}
