//! x
use crate::dispatch::Table;
pub(crate) const TABLE: Table = &[];
