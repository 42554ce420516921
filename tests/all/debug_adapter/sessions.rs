//! Sessions as an editor has them, and what goes wrong in one.

use serde_json::{Value, json};

use super::client::{Client, KERNEL, SHADER, Stops};

/// The line of a text in a source, from 1.
fn line(source: &str, text: &str) -> u64 {
    source.lines().position(|line| line.starts_with(text)).expect("a line") as u64 + 1
}

/// Steps, breakpoints and values of a shader; gives all messages.
pub(super) fn shader_session() -> Vec<(char, Value)> {
    let mut client = Client::launched("/home/user/a.tgsi", Stops::OnEntry);
    let of = |text: &str| line(SHADER, text);
    let source = json!({ "path": "/home/user/a.tgsi" });
    let set = client.ask(
        "setBreakpoints",
        json!({ "source": source, "breakpoints": [
            { "line": of("SQRT"), "condition": "TEMP[0].x < 0 && lane == 2" },
            { "line": of("MUL"), "logMessage": "x is {TEMP[0].x}" },
            { "line": 1 },
            { "line": 99 },
            { "line": of("MOV"), "condition": "1 +" },
        ] }),
    );
    let verified: Vec<&Value> =
        set["breakpoints"].as_array().unwrap().iter().map(|it| &it["verified"]).collect();
    assert_eq!(verified, [true, true, true, false, false]);
    assert_eq!(set["breakpoints"][2]["line"], of("ADD"), "the first line with an instruction");
    let message = set["breakpoints"][4]["message"].as_str().unwrap();
    assert!(message.starts_with("the condition: a number, a register"), "{message}");
    client.ask(
        "setBreakpoints",
        json!({ "source": source, "breakpoints": [
            { "line": of("SQRT"), "condition": "TEMP[0].x < 0 && lane == 2" },
            { "line": of("MUL"), "logMessage": "x is {TEMP[0].x}" },
        ] }),
    );
    client.ask("setExceptionBreakpoints", json!({ "filters": ["nan"] }));
    client.ask("configurationDone", json!({}));
    assert_eq!(client.stop(), ("entry".to_owned(), of("ADD")));
    let threads = client.ask("threads", json!({}));
    assert_eq!(threads["threads"], json!([{ "id": 1, "name": "quad of pixels" }]));
    assert_eq!(client.go("next", 1), ("step".to_owned(), of("CAL")));
    assert_eq!(client.go("stepIn", 1), ("step".to_owned(), of("MUL")));
    let stack = client.ask("stackTrace", json!({ "threadId": 1 }));
    assert_eq!(
        (&stack["totalFrames"], &stack["stackFrames"][1]["line"]),
        (&json!(2), &json!(of("SQRT")))
    );
    assert_eq!(client.go("stepOut", 1).0, "breakpoint", "a breakpoint is there");
    assert_eq!(client.go("stepBack", 1), ("step".to_owned(), of("RET")));
    assert_eq!(client.go("continue", 1), ("breakpoint".to_owned(), of("SQRT")));
    assert_eq!(
        client.evaluate("TEMP[0].x", "hover"),
        "-0.5 | int -1090519040 | 0xbf000000 | lanes differ"
    );
    assert_eq!(client.evaluate("any(isnan(TEMP[0].z))", "watch"), "false");
    assert_eq!(client.evaluate("lane 1", "repl"), "pixel (1, 0)");
    assert_eq!(client.evaluate("TEMP[0].x > 3.5", "watch"), "true | lanes differ");
    let temporaries = client.scope("Temporaries");
    assert_eq!(
        (&temporaries[0]["name"], &temporaries[0]["value"]),
        (&json!("TEMP[0]"), &json!("(4.0, 0, 0, 0)"))
    );
    let parts = client.parts(&temporaries[0]["variablesReference"]);
    assert_eq!(parts[0]["value"], "4.0 | lanes 1.0*, 4.0, -0.5*, 1.0*");
    let lanes = client.parts(&parts[0]["variablesReference"]);
    assert_eq!(
        lanes[2],
        json!({
            "name": "pixel (0, 1)", "value": "-0.5 | int -1090519040 | 0xbf000000 (differs)", "variablesReference": 0,
        })
    );
    let focus = client.scope("Focus");
    assert_eq!(focus[1]["value"], "0xf | 4 of 4 | 1111");
    let info = client.ask("dataBreakpointInfo", json!({ "name": "OUT[0].x" }));
    assert_eq!(info["description"], "OUT[0].x changes");
    client.ask("setDataBreakpoints", json!({ "breakpoints": [{ "dataId": info["dataId"] }] }));
    let stopped = client.go("continue", 1);
    assert_eq!(stopped, ("exception".to_owned(), of("MOV")));
    let info = client.ask("exceptionInfo", json!({ "threadId": 1 }));
    assert_eq!(
        (&info["exceptionId"], &info["description"]),
        (&json!("nan"), &json!("lane 2: TEMP[0].z became NaN"))
    );
    assert_eq!(client.go("continue", 1), ("data breakpoint".to_owned(), of("END")));
    let (reason, end) = client.go("continue", 1);
    assert_eq!((reason.as_str(), end), ("pause", line(SHADER, "ENDSUB")), "the end of the run");
    // All the way back: to the change, the NaN, the breakpoint, the beginning.
    let data = client.go("reverseContinue", 1);
    assert_eq!(data, ("data breakpoint".to_owned(), of("MOV")));
    assert_eq!(client.go("reverseContinue", 1), ("breakpoint".to_owned(), of("SQRT")));
    assert_eq!(client.go("reverseContinue", 1), ("entry".to_owned(), of("ADD")));
    client.ask("restart", json!({}));
    assert_eq!(client.stop().1, of("ADD"));
    client.ask("terminate", json!({}));
    client.event("terminated");
    client.close().unwrap();
    let logged = client.log.iter().filter(|(_, message)| message["event"] == "output");
    let logged: Vec<&str> = logged.filter_map(|(_, it)| it["body"]["output"].as_str()).collect();
    assert_eq!(logged, ["it runs on made-up inputs\n", "x is 1.0\n"]);
    std::mem::take(&mut client.log)
}

/// Instructions, memory and registers of a kernel; gives all messages.
pub(super) fn kernel_session() -> Vec<(char, Value)> {
    let mut client = Client::launched("/home/user/k.s", Stops::Later);
    let of = |text: &str| line(KERNEL, text);
    client.ask(
        "setBreakpoints",
        json!({ "source": { "path": "/home/user/k.s" }, "breakpoints": [
            { "line": of("v_add_u32"), "hitCondition": "3" },
        ] }),
    );
    client.ask("configurationDone", json!({}));
    assert_eq!(client.stop(), ("breakpoint".to_owned(), of("v_add_u32")));
    assert_eq!(client.evaluate("v2[63] == 6 && s6 == 2", "repl"), "true");
    let stack = client.ask("stackTrace", json!({ "threadId": 1 }));
    let here = stack["stackFrames"][0]["instructionPointerReference"].clone();
    let listed = client.ask(
        "disassemble",
        json!({ "memoryReference": here, "instructionOffset": -200, "instructionCount": 400 }),
    );
    let listed = listed["instructions"].as_array().unwrap().clone();
    assert_eq!(listed.len(), 400);
    assert_eq!(
        (&listed[200]["address"], &listed[200]["instruction"], &listed[200]["instructionBytes"]),
        (&here, &json!("v_add_u32_e32 v2, 3, v2"), &json!("68040483"))
    );
    let mut addresses: Vec<&str> =
        listed.iter().map(|it| it["address"].as_str().unwrap()).collect();
    assert_eq!(
        (listed[199]["instruction"].as_str(), listed[0]["presentationHint"].as_str()),
        (Some("s_mov_b32 s6, 0"), Some("invalid"))
    );
    addresses.sort_unstable();
    addresses.dedup();
    assert_eq!(addresses.len(), 400, "each has an address of its own");
    // The same place asked for by the address of one outside.
    let again = client.ask(
        "disassemble",
        json!({ "memoryReference": listed[0]["address"], "instructionOffset": 200, "instructionCount": 1 }),
    );
    assert_eq!(again["instructions"][0]["address"], here);
    let last = client.ask(
        "disassemble",
        json!({ "memoryReference": listed[399]["address"], "instructionOffset": -199, "instructionCount": 1 }),
    );
    assert_eq!(last["instructions"][0]["address"], here);
    let store = listed.iter().find(|it| it["line"] == of("global_store")).unwrap();
    let set = client.ask(
        "setInstructionBreakpoints",
        json!({ "breakpoints": [
            { "instructionReference": store["address"] },
            { "instructionReference": store["address"], "offset": 2 },
        ] }),
    );
    assert_eq!(
        (&set["breakpoints"][0]["verified"], &set["breakpoints"][1]["verified"]),
        (&json!(true), &json!(false))
    );
    client.ask("stepIn", json!({ "threadId": 1, "granularity": "instruction" }));
    assert_eq!(client.stop().1, of("s_add_u32"));
    assert_eq!(client.go("continue", 1), ("breakpoint".to_owned(), of("global_store")));
    let memory = client.scope("Memory");
    assert_eq!(memory[0]["name"], "buf[0]");
    let read = json!({ "memoryReference": memory[0]["memoryReference"], "count": 6 });
    assert_eq!(client.ask("readMemory", read.clone())["data"], "AAAAAAAA");
    assert_eq!(client.go("next", 1).1, of("s_endpgm"));
    assert_eq!(client.ask("readMemory", read)["data"], "GwAAABsA");
    let outside =
        json!({ "memoryReference": memory[0]["memoryReference"], "offset": 250, "count": 10 });
    assert_eq!(client.ask("readMemory", outside)["unreadableBytes"], 4);
    let vectors = client.scope("Vector registers");
    assert_eq!(vectors[2]["value"], "3.8e-44 | int 27 | 0x0000001b");
    let value = vectors[0]["value"].as_str().unwrap();
    assert!(value.starts_with("0.0 | int 0 | 0x00000000 | 63 lanes differ | ▁▁"), "{value}");
    assert!(value.ends_with("██") && value.chars().filter(|it| *it >= '▁').count() == 64);
    let row = client.evaluate("row v0", "repl");
    assert!(row.starts_with("0, 1*, 2*, 3*") && row.ends_with("63*"), "{row}");
    assert_eq!(client.parts(&vectors[0]["variablesReference"]).len(), 64);
    let special = client.scope("Special registers");
    assert!(special[0]["value"].as_str().unwrap().starts_with("0xffffffffffffffff | 64 of 64"));
    let refused = client
        .refused("setVariable", json!({ "variablesReference": 1, "name": "v0", "value": "1" }));
    assert!(refused.starts_with("`v0` is kept"), "{refused}");
    client.ask("setVariable", json!({ "variablesReference": 1, "name": "lane", "value": "5" }));
    let at = client.ask("evaluate", json!({ "expression": "v1" }));
    assert!(at["result"].as_str().unwrap().contains("int 20"), "{at}");
    client.ask("disconnect", json!({}));
    client.close().unwrap();
    std::mem::take(&mut client.log)
}

#[test]
fn a_shader_is_debugged() {
    assert!(shader_session().len() > 80);
}

#[test]
fn a_kernel_is_debugged() {
    assert!(kernel_session().len() > 60);
}

#[test]
fn a_run_without_end_is_paused_and_ended() {
    let mut client = Client::launched("/home/user/endless.tgsi", Stops::Later);
    let done = client.send("configurationDone", json!({}));
    client.response(done);
    client.ask("pause", json!({ "threadId": 1 }));
    assert_eq!(client.event("stopped")["reason"], "pause");
    let number = client.send("continue", json!({ "threadId": 1 }));
    client.response(number);
    client.send("disconnect", json!({}));
    client.close().unwrap();
    // Who goes without a word ends it too.
    let mut client = Client::launched("/home/user/endless.tgsi", Stops::Later);
    client.ask("configurationDone", json!({}));
    client.close().unwrap();
}

#[test]
fn what_cannot_be_done_is_refused_in_words() {
    let mut client = Client::new();
    assert_eq!(client.refused("threads", json!({})), "`initialize` comes first");
    client.ask("initialize", json!({ "adapterID": "tungsten" }));
    let missing = client.refused("launch", json!({ "program": "/none.tgsi" }));
    assert_eq!(missing, "/none.tgsi: there is no such file");
    client.event("terminated");
    let nameless = client.refused("launch", json!({}));
    assert_eq!(nameless, "the arguments of `launch`: missing field `program`");
    client.ask("launch", json!({ "program": "/home/user/k.s", "stopOnEntry": true }));
    client.event("initialized");
    client.ask("configurationDone", json!({}));
    client.event("stopped");
    for (command, arguments, reason) in [
        ("next", json!({ "threadId": 9 }), "there is no thread 9"),
        ("fly", json!({}), "`fly` is not known"),
        ("scopes", json!({ "frameId": 5 }), "there is no thread 0"),
        (
            "variables",
            json!({ "variablesReference": 77 }),
            "these variables are of a moment that has passed",
        ),
        (
            "evaluate",
            json!({ "expression": "v0 +" }),
            "a number, a register or a function is expected at the end",
        ),
        ("setExceptionBreakpoints", json!({ "filters": ["rain"] }), "`rain` is not a filter"),
        (
            "disassemble",
            json!({ "memoryReference": "x", "instructionCount": 1 }),
            "the address is none",
        ),
        (
            "readMemory",
            json!({ "memoryReference": "0x0", "count": 9_999_999 }),
            "more than 1048576 bytes at once",
        ),
    ] {
        assert_eq!(client.refused(command, arguments), reason);
    }
    let elsewhere =
        json!({ "source": { "path": "/home/user/other.s" }, "breakpoints": [{ "line": 1 }] });
    let set = client.ask("setBreakpoints", elsewhere);
    assert_eq!(set["breakpoints"][0]["message"], "this file is not the one that runs");
    client.raw(b"Content-Length: 3\r\n\r\nabc");
    let error = client.close().unwrap_err();
    assert_eq!(error.to_string(), "a message is not JSON");
}
