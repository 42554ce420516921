//! Files that others include are renamed.

use serde_json::json;

use super::plain;
use crate::server::folder::Folder;

#[test]
fn includes_follow_a_file_that_is_renamed() {
    let folder = Folder::with("renaming", &[("inc/a.inc", ".macro twice\n  s_nop 0\n.endm\n")]);
    let uri = |name: &str| folder.uri(name);
    let mut client = plain();
    client.open_as("gcn", &uri("main.s"), ".include \"inc/a.inc\"\ntwice\ns_endpgm\n");
    let found = client.diagnostics(&uri("main.s"), 0);
    assert!(found.iter().all(|it| it["severity"] != 1), "{found:?}");

    for (old, new, name) in
        [("inc/a.inc", "inc/b.inc", "inc/b.inc"), ("inc", "shared", "shared/a.inc")]
    {
        let params = json!({"files": [{"oldUri": uri(old), "newUri": uri(new)}]});
        let edit = client.call("workspace/willRenameFiles", params).unwrap();
        let edits = &edit["changes"][uri("main.s")];
        assert_eq!(edits[0]["newText"], name, "{edit}");
        let start = json!({"line": 0, "character": 10});
        assert_eq!(edits[0]["range"]["start"], start, "{edit}");
    }
    let params = json!({"files": [{"oldUri": uri("c.inc"), "newUri": uri("d.inc")}]});
    let none = client.call("workspace/willRenameFiles", params).unwrap();
    assert!(none.is_null(), "nobody includes it: {none}");
    client.finish();
}
