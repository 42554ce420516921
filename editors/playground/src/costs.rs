//! Costs of kernels for the page.

use engine::ide::CodeCosts;
use serde_json::Value;

/// Returns costs in the words of the protocol.
pub(crate) fn json(costs: &[CodeCosts]) -> Value {
    serde_json::to_value(costs).unwrap_or_default()
}
