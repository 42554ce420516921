//! Forms: what one mnemonic looks like in one encoding on one chip, as the tables of `isa`
//! have them.

pub(crate) use isa::gcn::InstDesc;
pub(crate) use isa::gcn::slot::{
    Bits, CacheWords, Check, Modifiers, NO_BIT, OffsetRule, Role, ScalarOffset, ScalarSet, Slot,
    SlotKind, Source, SourceSet, is_set,
};
