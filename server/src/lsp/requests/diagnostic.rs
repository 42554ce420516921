//! `textDocument/diagnostic`: what is wrong, for clients that ask.

use tower_lsp::ls_types::{
    DocumentDiagnosticParams, DocumentDiagnosticReport, DocumentDiagnosticReportResult,
    FullDocumentDiagnosticReport, RelatedFullDocumentDiagnosticReport,
    RelatedUnchangedDocumentDiagnosticReport, UnchangedDocumentDiagnosticReport,
};

use super::{DocumentRequest, EmptyResponse, Stop};
use crate::lsp::documents::PublishedDiagnostics;
use crate::lsp::mailbox::Event;
use crate::lsp::tasks::shown_diagnostics;
use crate::lsp::workers::Context;

impl DocumentRequest for DocumentDiagnosticParams {
    type Answer = DocumentDiagnosticReportResult;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let PublishedDiagnostics { items, identity } = shown_diagnostics(context)?;
        let (uri, version) = (context.uri.clone(), context.version);
        context.mailbox.post(Event::DiagnosticsPulled(uri, identity.clone(), version));
        let report = if self.previous_result_id.as_ref() == Some(&identity) {
            DocumentDiagnosticReport::Unchanged(RelatedUnchangedDocumentDiagnosticReport {
                related_documents: None,
                unchanged_document_diagnostic_report: UnchangedDocumentDiagnosticReport {
                    result_id: identity,
                },
            })
        } else {
            full(Some(identity), items)
        };
        Ok(DocumentDiagnosticReportResult::Report(report))
    }
}

impl EmptyResponse for DocumentDiagnosticReportResult {
    fn nothing() -> Self {
        DocumentDiagnosticReportResult::Report(full(None, Vec::new()))
    }
}

fn full(
    result_id: Option<String>,
    items: Vec<tower_lsp::ls_types::Diagnostic>,
) -> DocumentDiagnosticReport {
    DocumentDiagnosticReport::Full(RelatedFullDocumentDiagnosticReport {
        related_documents: None,
        full_document_diagnostic_report: FullDocumentDiagnosticReport { result_id, items },
    })
}
