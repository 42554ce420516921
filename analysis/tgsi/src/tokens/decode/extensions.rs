//! The extension words of 2007 to 2009: chains that follow a word whose
//! highest bit is set, one word of each type.

use source::Severity;

use super::instruction::Extras;
use super::{Decoder, Kind, Result, Taken, print};
use crate::ast::{Component, Swizzle};
use crate::tokens::fields;

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
    /// Takes the next word of a chain, given the kinds by type. Returns whether another
    /// follows.
    fn extension(&mut self, kinds: &[Kind]) -> Result<(Taken, bool)> {
        let word = self.take(Kind::Extension)?;
        let (number, more) = (word.field("Type"), word.flag("Extended"));
        let kind = kinds.get(number as usize).copied();
        let kind = kind.filter(|kind| !fields::fields(self.layout, *kind).is_empty());
        let Some(kind) = kind else {
            let message = format!("an extension of the unknown type {number} is skipped");
            self.report(word.at, Severity::Warning, message);
            return Ok((word, more));
        };
        if let Some(last) = self.words.last_mut() {
            last.kind = kind;
        }
        let word = Taken { kind, ..word };
        self.check_padding(&word);
        Ok((word, more))
    }

    /// Passes over extensions of a word that has none.
    pub(super) fn unknown_extensions(&mut self) -> Result<()> {
        while self.extension(&[])?.1 {}
        Ok(())
    }

    pub(super) fn instruction_extensions(
        &mut self,
        word: &Taken,
        extras: &mut Extras,
    ) -> Result<()> {
        let kinds = [
            Kind::ConditionExtension,
            Kind::LabelExtension,
            Kind::TextureExtension,
            Kind::PredicateExtension,
        ];
        let mut more = word.flag("Extended");
        while more {
            let (word, another) = self.extension(&kinds)?;
            more = another;
            match word.kind {
                Kind::ConditionExtension => self.condition(&word),
                Kind::LabelExtension => self.label(&word, extras),
                Kind::TextureExtension => self.texture_target(&word, extras),
                Kind::PredicateExtension => self.lost(word.at, "a predicate to write"),
                _ => {}
            }
        }
        Ok(())
    }

    fn condition(&mut self, word: &Taken) {
        let lost = [
            ("CondDstUpdate", "writing a condition register"),
            ("CondFlowEnable", "execution under a condition"),
            ("Precision", "a precision"),
        ];
        for (field, what) in lost {
            if word.flag(field) {
                self.lost(word.at, what);
            }
        }
    }

    /// A label that is declared here rather than jumped to has no text.
    pub(super) fn label(&mut self, word: &Taken, extras: &mut Extras) {
        let label = word.field("Label");
        if word.flag("Target") {
            if label != 0 {
                self.lost(word.at, "the name of a label");
            }
            return;
        }
        self.mean(word.at, format!(":{label}"));
        extras.label = Some((word.at, label));
    }

    pub(super) fn destination_extensions(&mut self, extras: &mut Extras) -> Result<()> {
        let kinds =
            [Kind::ConditionDestination, Kind::ModulateDestination, Kind::PredicateDestination];
        loop {
            let (word, more) = self.extension(&kinds)?;
            match word.kind {
                Kind::ConditionDestination if !ALWAYS.contains(&word.field("CondMask")) => {
                    self.lost(word.at, "a condition of the destination");
                }
                Kind::ModulateDestination if word.flag("Modulate") => {
                    self.lost(word.at, "a factor of the destination");
                }
                Kind::PredicateDestination => {
                    self.predicate(&word, word.field("PredSrcIndex") as i32, extras);
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
            let (word, more) = self.extension(&kinds)?;
            match word.kind {
                Kind::SwizzleExtension => self.extended_swizzle(&word, source),
                Kind::ModifierExtension => {
                    let (absolute, negate) = (word.flag("Absolute"), word.flag("Negate"));
                    if ["Complement", "Bias", "Scale2X"].iter().any(|name| word.flag(name)) {
                        self.lost(word.at, "complement, bias and scale");
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

    fn extended_swizzle(&mut self, word: &Taken, source: &mut SourceExtensions) {
        let names = ["ExtSwizzleX", "ExtSwizzleY", "ExtSwizzleZ", "ExtSwizzleW"];
        let components = names.map(|name| word.field(name) as usize);
        let signs = ["NegateX", "NegateY", "NegateZ", "NegateW"].map(|name| word.flag(name));
        let divided = fields::has(self.layout, word.kind, "ExtDivide")
            && word.field("ExtDivide") != DIVIDE_BY_ONE;
        if divided {
            self.lost(word.at, "division by a component");
        }
        if components.iter().any(|component| *component >= Component::ALL.len()) {
            self.lost(word.at, "zero and one as components");
            return;
        }
        if signs != [signs[0]; 4] {
            self.lost(word.at, "signs of single components");
            return;
        }
        // It takes the place of the word's own swizzle and sign.
        source.swizzle = Swizzle(components.map(|component| Component::ALL[component]));
        source.negate = signs[0];
        self.mean(word.at, print::swizzle(source.swizzle));
    }
}
