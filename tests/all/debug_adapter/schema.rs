//! Every message of whole sessions against the protocol's schema, where a copy of it is.

use serde_json::Value;

use super::sessions::{kernel_session, shader_session};

/// The part of JSON schemas that the protocol's uses.
struct Schema(Value);

impl Schema {
    /// Lists what is wrong with a value.
    fn check(&self, schema: &Value, value: &Value, at: &str, wrong: &mut Vec<String>) {
        if let Some(name) = schema["$ref"].as_str() {
            let definition = &self.0["definitions"][name.rsplit('/').next().unwrap_or(name)];
            assert!(definition.is_object(), "{name}");
            self.check(definition, value, at, wrong);
        }
        for part in schema["allOf"].as_array().into_iter().flatten() {
            self.check(part, value, at, wrong);
        }
        let fits = |name: &Value| match name.as_str() {
            Some("object") => value.is_object(),
            Some("array") => value.is_array(),
            Some("string") => value.is_string(),
            Some("integer") => value.is_i64() || value.is_u64(),
            Some("number") => value.is_number(),
            Some("boolean") => value.is_boolean(),
            Some("null") => value.is_null(),
            other => panic!("{other:?}"),
        };
        let has_type = match &schema["type"] {
            Value::Null => true,
            Value::Array(types) => types.iter().any(fits),
            one => fits(one),
        };
        if !has_type {
            wrong.push(format!("{at}: not {}", schema["type"]));
        }
        if let Some(words) = schema["enum"].as_array()
            && !words.contains(value)
        {
            wrong.push(format!("{at}: {value} is none of {words:?}"));
        }
        for name in schema["required"].as_array().into_iter().flatten() {
            if value.is_object() && value.get(name.as_str().unwrap()).is_none() {
                wrong.push(format!("{at}: without {name}"));
            }
        }
        for (name, inner) in schema["properties"].as_object().into_iter().flatten() {
            if let Some(own) = value.get(name) {
                self.check(inner, own, &format!("{at}.{name}"), wrong);
            }
        }
        if let (true, Some(items)) = (schema["items"].is_object(), value.as_array()) {
            for own in items {
                self.check(&schema["items"], own, &format!("{at}[]"), wrong);
            }
        }
    }

    /// Lists the properties of an object that its definition does not have.
    fn unknown(&self, name: &str, message: &Value) -> Vec<String> {
        let mut known = Vec::new();
        let mut parts = vec![&self.0["definitions"][name]["allOf"][1]["properties"]["body"]];
        while let Some(part) = parts.pop() {
            if let Some(name) = part["$ref"].as_str() {
                parts.push(&self.0["definitions"][name.rsplit('/').next().unwrap_or(name)]);
            }
            parts.extend(part["allOf"].as_array().into_iter().flatten());
            known.extend(part["properties"].as_object().into_iter().flatten().map(|(it, _)| it));
        }
        let own = message["body"].as_object().into_iter().flatten().map(|(it, _)| it);
        own.filter(|it| !known.contains(it)).cloned().collect()
    }
}

#[test]
#[ignore = "it reads the protocol's schema: TUNGSTEN_DAP_SCHEMA names the file"]
fn every_message_fits_the_schema() {
    let path = std::env::var_os("TUNGSTEN_DAP_SCHEMA").expect("TUNGSTEN_DAP_SCHEMA names a file");
    let text = std::fs::read_to_string(path).expect("the schema");
    let schema = Schema(serde_json::from_str(&text).expect("JSON"));
    let mut kinds = std::collections::BTreeSet::new();
    let (mut checked, mut all) = (0, Vec::new());
    for (_, message) in shader_session().into_iter().chain(kernel_session()) {
        let text = |key: &str| message[key].as_str().unwrap_or_default().to_owned();
        let capital = |word: String| word[..1].to_uppercase() + &word[1..];
        let name = match message["type"].as_str() {
            Some("event") => capital(text("event")) + "Event",
            Some("request") => capital(text("command")) + "Request",
            _ if message["success"] == true => capital(text("command")) + "Response",
            _ => "ErrorResponse".to_owned(),
        };
        let definition = &schema.0["definitions"][&name];
        assert!(definition.is_object(), "no definition of {name}");
        let mut wrong = Vec::new();
        schema.check(definition, &message, &name, &mut wrong);
        wrong.extend(schema.unknown(&name, &message).into_iter().map(|it| format!("{name}: {it}")));
        all.extend(wrong);
        checked += 1;
        kinds.insert(name);
    }
    assert_eq!(all, Vec::<String>::new());
    assert!(checked > 150 && kinds.len() > 40, "{checked} messages of {} kinds", kinds.len());
}
