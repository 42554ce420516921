//! The tools of the tests themselves.

mod literate;
mod normal_form;
mod probe;
mod reducing;
