//! Numbers that have names: messages, their operations, hardware registers.

use isa::gcn::FeatureSet;
pub(crate) use isa::gcn::Named;
pub(crate) use isa::gcn::names::NameKind;

/// The row of a name, on whatever generation.
pub(crate) fn find(kind: NameKind, name: &str) -> Option<&'static Named> {
    Named::all().find(|row| row.kind == kind && row.name == name)
}

/// The row of a name of any kind.
pub(crate) fn any(name: &str) -> Option<&'static Named> {
    Named::all().find(|row| row.name == name)
}

/// The names of a kind that a generation has.
pub(crate) fn of_kind(kind: NameKind, features: FeatureSet) -> impl Iterator<Item = &'static str> {
    Named::all().filter(move |row| row.kind == kind && row.holds(features)).map(|row| row.name)
}

/// The name of a number on a generation.
pub(crate) fn name_of(kind: NameKind, number: u64, features: FeatureSet) -> Option<&'static str> {
    Named::all()
        .find(|row| row.kind == kind && u64::from(row.number) == number && row.holds(features))
        .map(|row| row.name)
}

/// Every name that a generation has.
pub(crate) fn all(features: FeatureSet) -> impl Iterator<Item = &'static str> {
    Named::all().filter(move |row| row.holds(features)).map(|row| row.name)
}
