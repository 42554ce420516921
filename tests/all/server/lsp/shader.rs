//! A shader that is really compiled, and how a client waits for what is made of it.

use serde_json::{Value, json};

use super::{connect, find_compiler};
use tests::client::Client;

/// The address of the shader.
pub(crate) const URI: &str = "file:///dir/shader.tgsi";
/// Its addition stands in line 4, its multiplication in line 5.
pub(crate) const SHADER: &str = "\
VERT
DCL IN[0]
DCL OUT[0], POSITION
DCL TEMP[0]
  0: ADD TEMP[0], IN[0], IN[0]
  1: MUL OUT[0], TEMP[0], IN[0]
  2: END
";

/// A client with every refresh, which has the shader compiled for two targets.
pub(crate) fn start() -> Client {
    let capabilities = json!({
        "textDocument": {"diagnostic": {}},
        "workspace": {
            "textDocumentContent": {"dynamicRegistration": true},
            "inlayHint": {"refreshSupport": true},
            "codeLens": {"refreshSupport": true},
            "diagnostics": {"refreshSupport": true},
        },
        "window": {"workDoneProgress": true},
    });
    let mut client = connect(capabilities, json!({"targets": ["polaris10", "tahiti"]}));
    find_compiler(&mut client);
    client
}

/// Asks until the answer fits: after each one that does not, waits for news.
pub(crate) fn ask(
    client: &mut Client,
    method: &str,
    params: Value,
    fits: impl Fn(&Value) -> bool,
) -> Value {
    loop {
        let answer = client.call(method, params.clone()).unwrap();
        if fits(&answer) {
            return answer;
        }
        let news = client.message("tungsten/compiledCodeChanged");
        assert_eq!(news["textDocument"]["uri"], URI);
    }
}

/// Asks until the view has a state.
pub(crate) fn view(client: &mut Client, params: Value, state: &str) -> Value {
    ask(client, "tungsten/compiledCode", params, |view| view["state"] == state)
}
