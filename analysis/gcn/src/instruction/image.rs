//! Rules of image instructions.

use super::encode::Assembly;
use super::error::Code;
use super::features::Features;
use super::form::Form;
use super::parse::Parsed;

pub(crate) fn check(
    _form: &Form,
    _assembly: &Assembly,
    _operands: &[Parsed],
    _features: &Features,
) -> Result<(), (Code, usize, String)> {
    Ok(())
}
