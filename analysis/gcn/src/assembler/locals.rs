//! Names that are local to one call of a macro: `local name, …` in the alternate mode.
//!
//! Each call gets names of its own in their place, as if they were parameters.

use std::sync::Arc;

use super::lines::is_word;
use super::macros::{Argument, ParameterNames};
use super::sources::Span;

/// Tells whether a statement's first word declares local names.
pub(super) fn is_declaration(word: &str) -> bool {
    word.eq_ignore_ascii_case("local")
}

/// Adds the local names of a macro's body to the parameters of a call. Takes time
/// linear in the length of the body.
pub(super) fn add(
    body: &str,
    counter: u64,
    call: Span,
    indices: &mut Arc<ParameterNames>,
    arguments: &mut Vec<Option<Argument>>,
) {
    let declared = body
        .lines()
        .filter_map(|line| line.trim_ascii().split_once([' ', '\t']))
        .filter(|(word, _)| is_declaration(word))
        .flat_map(|(_, names)| names.split([',', ' ', '\t']))
        .filter(|name| !name.is_empty() && name.bytes().all(is_word));
    for name in declared {
        if indices.contains_key(name) {
            continue;
        }
        let unique = format!(".L{counter}_{name}").into_boxed_str();
        // A call may leave out arguments of the last parameters.
        let place = indices.len().max(arguments.len());
        arguments.resize_with(place, || None);
        Arc::make_mut(indices).insert(name.into(), place);
        arguments.push(Some(Argument { text: unique, span: call }));
    }
}
