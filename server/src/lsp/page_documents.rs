//! Pages as virtual documents, which diagnostics and links lead to.

use std::str::FromStr;

use gcn::describe::LAYOUT;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::Uri;

use super::compiled_documents::{percent_decode, percent_encode};
use super::extensions::{PAGE_SCHEME, TextDocumentContentResult};
use crate::pages;

/// The document with the pages of a name: `tungsten-page:/name.md?name`.
pub(crate) fn uri(name: &str) -> Option<Uri> {
    let shown = name.rsplit(':').next().unwrap_or(name);
    let (shown, name) = (percent_encode(shown), percent_encode(name));
    Uri::from_str(&format!("{PAGE_SCHEME}:/{shown}.md?{name}")).ok()
}

/// The text of such a document.
pub(crate) fn content(uri: &Uri) -> Result<TextDocumentContentResult> {
    let name = uri.query().and_then(|name| percent_decode(name.as_str()));
    let pages = name.as_deref().map(pages::of).unwrap_or_default();
    if pages.is_empty() {
        return Err(Error::invalid_params(format!("{} names no page", uri.as_str())));
    }
    let name = name.unwrap_or_default();
    // The map of a matrix product is named by its mnemonic, without its modifiers and operands.
    let product = name.strip_prefix(LAYOUT).and_then(|it| it.split(' ').next());
    let heading = product.unwrap_or(&name);
    Ok(TextDocumentContentResult {
        text: format!("# {heading}\n\n{}\n", pages.join("\n\n---\n\n")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lsp::compiled_documents::has_scheme;

    #[test]
    fn what_has_a_page_is_found_again_by_its_uri() {
        let named = ["tgsi::unknown-opcode", "MAD", "v_mad_f32", ".p2align", "polaris10"];
        let map = "layout:v_mfma_f32_4x4x1f32 operands:a[0:3],v0,v1,a[0:3]";
        let headings = named.map(|name| (name, name));
        for (name, heading) in headings.into_iter().chain([(map, "v_mfma_f32_4x4x1f32")]) {
            let uri = uri(name).expect("a URI");
            assert!(has_scheme(&uri, PAGE_SCHEME));
            let page = content(&uri).expect("a page").text;
            assert!(page.starts_with(&format!("# {heading}\n")) && page.len() > 40, "{page}");
        }
        assert!(content(&uri("no-such-thing").expect("a URI")).is_err());
    }
}
