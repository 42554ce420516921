//! What an editor asks: the name at a place, where it is defined, where it is
//! used, and what a call expands to.
