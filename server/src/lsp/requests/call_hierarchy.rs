//! `textDocument/prepareCallHierarchy`, `callHierarchy/incomingCalls` and
//! `callHierarchy/outgoingCalls`: subroutines of shaders, labels and macros of assembly.
//!
//! An item is found again by the place of its name. Between its making and the next
//! question the text may have been edited; then what stands there now is answered for,
//! if it still has the name.

use engine::ide::{Callable, Calls};
use tower_lsp::ls_types::{
    CallHierarchyIncomingCall, CallHierarchyIncomingCallsParams, CallHierarchyItem,
    CallHierarchyOutgoingCall, CallHierarchyOutgoingCallsParams, CallHierarchyPrepareParams, Range,
};

use super::{DocumentRequest, OtherFiles, Stop};
use crate::limits::ANSWER_ENTRIES;
use crate::lsp::to_protocol;
use crate::lsp::workers::Context;
use source::TextSize;

impl DocumentRequest for CallHierarchyPrepareParams {
    type Answer = Option<Vec<CallHierarchyItem>>;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let (_, offset) = context.at(self.text_document_position_params.position)?;
        let Some(found) = context.snapshot.callable(context.file, offset)? else {
            return Ok(None);
        };
        Ok(item(&mut OtherFiles::new(context), found)?.map(|item| vec![item]))
    }
}

impl DocumentRequest for CallHierarchyIncomingCallsParams {
    type Answer = Option<Vec<CallHierarchyIncomingCall>>;

    const READS_OTHER_FILES: bool = true;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let Some(offset) = still_there(context, &self.item)? else { return Ok(None) };
        let mut others = OtherFiles::new(context);
        let mut calls = Vec::new();
        let callers = context.snapshot.callers(context.file, offset)?;
        for Calls { callable, places } in cut(context, callers) {
            let file = callable.file.unwrap_or(context.file);
            let from_ranges = ranges(&mut others, file, &places)?;
            let from = item(&mut others, callable)?;
            calls.extend(from.map(|from| CallHierarchyIncomingCall { from, from_ranges }));
        }
        Ok(Some(calls))
    }
}

impl DocumentRequest for CallHierarchyOutgoingCallsParams {
    type Answer = Option<Vec<CallHierarchyOutgoingCall>>;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let Some(offset) = still_there(context, &self.item)? else { return Ok(None) };
        let mut others = OtherFiles::new(context);
        let mut calls = Vec::new();
        let callees = context.snapshot.callees(context.file, offset)?;
        for Calls { callable, places } in cut(context, callees) {
            let from_ranges = ranges(&mut others, context.file, &places)?;
            let to = item(&mut others, callable)?;
            calls.extend(to.map(|to| CallHierarchyOutgoingCall { to, from_ranges }));
        }
        Ok(Some(calls))
    }
}

/// As many calls as an answer may have.
fn cut(context: &Context, calls: Vec<Calls>) -> Vec<Calls> {
    let mut left = ANSWER_ENTRIES;
    let mut calls = context.listed("calls", calls);
    for Calls { places, .. } in &mut calls {
        if places.len() > left {
            context.tell_cut(ANSWER_ENTRIES, "calls");
        }
        places.truncate(left);
        left -= places.len();
    }
    calls
}

/// The place of an item's name, if it still is there.
fn still_there(context: &Context, item: &CallHierarchyItem) -> Result<Option<TextSize>, Stop> {
    let (_, offset) = context.at(item.selection_range.start)?;
    let found = context.snapshot.callable(context.file, offset)?;
    Ok(found.filter(|found| found.name == item.name).map(|_| offset))
}

fn item(
    others: &mut OtherFiles<'_>,
    callable: Callable,
) -> Result<Option<CallHierarchyItem>, Stop> {
    let file = callable.file.unwrap_or(others.asked());
    let Some(range) = others.location(file, callable.range)? else { return Ok(None) };
    let Some(selection) = others.location(file, callable.selection)? else { return Ok(None) };
    Ok(Some(CallHierarchyItem {
        name: callable.name,
        kind: to_protocol::symbol_kind(callable.kind),
        tags: None,
        detail: None,
        uri: range.uri,
        range: range.range,
        selection_range: selection.range,
        data: None,
    }))
}

fn ranges(
    others: &mut OtherFiles<'_>,
    file: engine::FileId,
    places: &[source::TextRange],
) -> Result<Vec<Range>, Stop> {
    let mut ranges = Vec::with_capacity(places.len());
    for place in places {
        ranges.extend(others.location(file, *place)?.map(|it| it.range));
    }
    Ok(ranges)
}
