//! The state that a shader is lowered for: its keys, and what they are given.

use lower::environment::ColorExport;
use lower::environment_keys::{KEYS, SetError};
use lower::{Channel, Environment, Fetch, StreamOutput, VertexFormat};
use tgsi::Stage;

/// The value of a key as it is written.
fn value_of(environment: &Environment, key: &str) -> String {
    let mut values = environment.values();
    values.find(|it| it.0.name == key).expect("a key").1
}

#[test]
fn every_key_takes_its_values_and_gives_them_back() {
    for key in KEYS {
        let mut environment = Environment::default();
        for value in key.values.examples() {
            assert_eq!(environment.set(key.name, &value), Ok(()));
            assert_eq!(value_of(&environment, key.name), value);
        }
        let before = environment;
        assert!(matches!(environment.set(key.name, "99999999999"), Err(SetError::BadValue(_))));
        assert!(matches!(environment.set(key.name, ""), Err(SetError::BadValue(_))));
        assert_eq!(environment, before);
    }
    assert_eq!(Environment::default().set("colour", "1"), Err(SetError::UnknownKey));
}

#[test]
fn formats_are_a_list_whose_last_goes_on() {
    let mut environment = Environment::default();
    assert!(environment.changes().is_empty());
    environment.set("color-format", "32_abgr,32_r,none").unwrap();
    assert_eq!(environment.color_exports[0], ColorExport::Full);
    assert_eq!(environment.color_exports[7], ColorExport::Nothing);
    assert_eq!(environment.changes(), [("color-format", "32_abgr,32_r,none".to_owned())]);
    assert!(environment.set("color-format", &["none"; 9].join(",")).is_err());
}

#[test]
fn lists_sizes_and_places_are_read_strictly() {
    let mut environment = Environment::default();
    for (key, value, written) in [
        ("vertex-format", "R32G32_FLOAT,any", "r32g32_float,any"),
        ("vertex-format", "any,r8g8b8_unorm", "any,r8g8b8_unorm"),
        ("instance-divisor", "0,1,4,0", "0,1,4,0"),
        ("user-clip-planes", "1,0", "0,1"),
        ("sprite-coordinates", "31", "31"),
        ("block-size", "64", "64x1x1"),
        ("stream-output", "BUF1<-OUT[3].xy", "BUF1[0..1]<-OUT[3].xy"),
        ("stream-output-strides", "0,16", "0,16"),
    ] {
        assert_eq!(environment.set(key, value), Ok(()), "{key}={value}");
        let changes = environment.changes();
        assert!(changes.contains(&(key, written.to_owned())), "{changes:?}");
    }
    let before = environment;
    for (key, value) in [
        ("vertex-format", "any,"),
        ("instance-divisor", "-1"),
        ("user-clip-planes", "8"),
        ("sprite-coordinates", "32"),
        ("block-size", "8x8x8x8"),
        ("block-size", "8x0"),
        ("block-size", "1025"),
    ] {
        assert!(environment.set(key, value).is_err(), "{key}={value}");
    }
    assert_eq!(environment, before);
}

#[test]
fn a_stage_is_told_what_it_depends_on() {
    let mut environment = Environment::default();
    environment.set("alpha-test", "less").unwrap();
    let of_fragments = environment.assumptions(Stage::Fragment);
    assert!(of_fragments.iter().all(|(key, _)| *key != "alpha-test"));
    assert!(of_fragments.contains(&("color-format", "fp16_abgr".to_owned())));
    assert!(of_fragments.iter().all(|(key, _)| *key != "next-stage"));
    assert_eq!(environment.changes_for(Stage::Fragment), environment.changes());
    assert_eq!(environment.changes_for(Stage::Vertex), []);
    assert!(KEYS.iter().all(|key| !key.stages.is_empty()));
}

#[test]
fn odd_formats_are_fetched_in_their_own_way() {
    for name in VertexFormat::names() {
        assert_eq!(VertexFormat::find(name).map(VertexFormat::name), Some(*name));
    }
    let fetch = |name: &str| VertexFormat::find(name).map(VertexFormat::fetch);
    assert_eq!(fetch("R8G8B8A8_UNORM"), Some(Fetch::Formatted));
    assert_eq!(fetch("r16g16b16_float"), Some(Fetch::Triple(Channel::Float, 2)));
    assert_eq!(fetch("r32g32_fixed"), Some(Fetch::Words(Channel::Fixed, 2)));
    assert_eq!(fetch("r64g64b64a64_float"), Some(Fetch::Doubles(4)));
    assert_eq!(fetch("b10g10r10a2_sint"), Some(Fetch::SignedAlpha(Channel::Sint)));
    assert_eq!(fetch("b10g10r10a2_uint"), Some(Fetch::Formatted));
    assert_eq!(fetch("rgba8"), None);
    assert_eq!(VertexFormat::default().name(), "any");
}

#[test]
fn captures_are_read_as_drivers_dump_them() {
    let mut environment = Environment::default();
    let mut set = |key: &str, value: &str| {
        environment.set(key, value).expect("captures");
        (value_of(&environment, key), environment.stream_output)
    };
    let captures = "BUF0[0..3]<-OUT[0].xyzw,BUF1<-OUT[2].y,BUF0<-OUT[1].zw";
    let (written, output) = set("stream-output", captures);
    assert_eq!(written, "BUF0[0..3]<-OUT[0].xyzw,BUF1[0..0]<-OUT[2].y,BUF0[4..5]<-OUT[1].zw");
    assert_eq!(output.strides(), [6, 1, 0, 0]);
    let (written, output) = set("stream-output-strides", "8,0");
    assert_eq!((written.as_str(), output.strides()), ("8", [8, 1, 0, 0]));
    let (written, _) = set("stream-output", "BUF3<-OUT[5]");
    assert_eq!(written, "BUF3[0..3]<-OUT[5].xyzw");
    let (written, output) = set("stream-output", "none");
    assert_eq!((written.as_str(), output.is_empty()), ("none", true));
}

#[test]
fn what_is_no_capture_changes_nothing() {
    let mut environment = Environment::default();
    environment.set("stream-output", "BUF0<-OUT[0]").expect("a capture");
    let before = environment.stream_output;
    assert_ne!(before, StreamOutput::default());
    for wrong in [
        "",
        "OUT[0]",
        "BUF4<-OUT[0]",
        "BUF0<-OUT[0].xz",
        "BUF0<-OUT[0].",
        "BUF0[0..3]<-OUT[0].xy",
        "BUF0[3..0]<-OUT[0].xy",
        "BUF0[65534..65535]<-OUT[0].xy",
        "BUF0[65535]<-OUT[0].x",
        "BUF0<-OUT[256]",
        "BUF0<-TEMP[0]",
        "BUF0<-OUT[0],",
        &["BUF0<-OUT[0]"; 65].join(","),
    ] {
        assert!(environment.set("stream-output", wrong).is_err(), "{wrong}");
    }
    for wrong in ["1,2,3,4,5", "512"] {
        assert!(environment.set("stream-output-strides", wrong).is_err(), "{wrong}");
    }
    assert_eq!(environment.stream_output, before);
}
