//! `textDocument/signatureHelp`: the operands of the instruction being written.

use engine::ide;
use tower_lsp::ls_types::{
    Documentation, ParameterInformation, ParameterLabel, SignatureHelp, SignatureHelpParams,
    SignatureInformation,
};

use super::{DocumentRequest, Stop};
use crate::lsp::to_protocol;
use crate::lsp::workers::Context;

impl DocumentRequest for SignatureHelpParams {
    type Answer = Option<SignatureHelp>;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let (_, offset) = context.at(self.text_document_position_params.position)?;
        let found = context.snapshot.signature_help(context.file, offset)?;
        // A missing active operand would mark the first one.
        let found = found.filter(|found| found.active.is_some());
        Ok(found.map(|found| help(found, context.client.label_offsets)))
    }
}

fn help(found: ide::Signature, offsets: bool) -> SignatureHelp {
    let markdown = |text| Documentation::MarkupContent(to_protocol::markdown(text));
    let label = found.label;
    let operands = found.operands.into_iter().map(|operand| {
        // Labels are ASCII: an offset is the same in every unit.
        let range = operand.range;
        let name = match offsets {
            true => ParameterLabel::LabelOffsets([range.start as u32, range.end as u32]),
            false => ParameterLabel::Simple(label.get(range).unwrap_or_default().to_owned()),
        };
        ParameterInformation { label: name, documentation: Some(markdown(operand.documentation)) }
    });
    let parameters = operands.collect();
    let active = found.active.map(|active| active as u32);
    SignatureHelp {
        signatures: vec![SignatureInformation {
            label,
            documentation: Some(markdown(found.documentation)),
            parameters: Some(parameters),
            active_parameter: active,
        }],
        active_signature: Some(0),
        active_parameter: active,
    }
}
