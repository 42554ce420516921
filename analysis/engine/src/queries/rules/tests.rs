//! Profiles, pipelines and what is allowed, as diagnostics of whole files.

use std::sync::Arc;

use tgsi::profiles::Profile;

use crate::{Host, Language, RuleSettings, Settings};

fn host(rules: RuleSettings) -> Host {
    Host::new(Settings { rules, ..Settings::default() })
}

/// The diagnostics of a text: the text that they are about, and their code.
fn found(rules: RuleSettings, text: &str) -> Vec<String> {
    let mut host = host(rules);
    let id = host.set_file("a.tgsi", text.into(), Language::Tgsi);
    let found = host.snapshot().diagnostics(id).expect("not cancelled");
    found.iter().map(|it| format!("{} {}", &text[it.range], it.code.0)).collect()
}

fn plain(text: &str) -> Vec<String> {
    found(RuleSettings::default(), text)
}

const DOUBLES: &str =
    "FRAG\nDCL TEMP[0]\nIMM[0] FLT64 {1.0, 2.0}\nDADD TEMP[0], IMM[0], IMM[0]\nEND\n";

#[test]
fn the_settings_or_a_line_choose_the_profile() {
    assert_eq!(plain(DOUBLES), [""; 0]);
    let profile = Profile::find("r600").cloned();
    let rules = RuleSettings { profile, ..RuleSettings::default() };
    assert_eq!(found(rules.clone(), DOUBLES), ["FLT64 tgsi::capability"]);
    let own = format!("# tungsten: profile=radeonsi-gfx8\n{DOUBLES}");
    assert_eq!(found(rules, &own), [""; 0], "the file decides");
    let second = format!("{DOUBLES}# tungsten: profile=r600\n{DOUBLES}");
    assert_eq!(plain(&second).len(), 1, "the line is for the next shader");
    let wrong = format!("# tungsten: profile=radeonsi-gfx88\n{DOUBLES}");
    assert_eq!(plain(&wrong), ["radeonsi-gfx88 file::unknown-setting"]);
}

#[test]
fn a_line_names_the_chips_of_the_next_shader() {
    let shader = "FRAG\nDCL IN[0], COLOR, COLOR\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n";
    let text = format!("# tungsten: target=tahiti,vega10,tahiti\n{shader}{shader}");
    assert_eq!(plain(&text), [""; 0]);
    let mut host = Host::new(Settings {
        targets: vec![gcn::Target::default()],
        compile: true,
        ..Settings::default()
    });
    let id = host.set_file("a.tgsi", text.as_str().into(), Language::Tgsi);
    let chips = |host: &Host, shader| {
        let targets = host.snapshot().targets(id, shader).unwrap();
        targets.iter().map(|target| target.name()).collect::<Vec<_>>()
    };
    let jobs = |host: &Host| {
        let jobs = host.snapshot().wanted_jobs(id).unwrap();
        jobs.iter().map(|job| (job.shader, job.build.target.name())).collect::<Vec<_>>()
    };
    let lenses = |host: &Host| host.snapshot().code_lenses(id).unwrap().len();
    assert_eq!(chips(&host, 0), ["tahiti", "vega10"]);
    assert_eq!(chips(&host, 1), ["polaris10"]);
    assert_eq!(jobs(&host), [(0, "tahiti"), (0, "vega10"), (1, "polaris10")]);
    assert_eq!(lenses(&host), 3);
    let extra_builds = crate::Build::find("vega10").into_iter().collect();
    host.set_settings(Settings { extra_builds, ..host.settings() });
    assert_eq!(chips(&host, 0), ["tahiti", "vega10"]);
    assert_eq!(chips(&host, 1), ["polaris10", "vega10"]);
}

#[test]
fn a_chip_that_does_not_exist_is_refused_and_replaced_by_none() {
    let shader = "FRAG\nDCL IN[0], COLOR, COLOR\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n";
    for (line, wrong) in [("target=tahit", "tahit"), ("target=", "target=")] {
        let text = format!("# tungsten: {line}\n{shader}");
        assert_eq!(plain(&text), [format!("{wrong} file::unknown-target")]);
        let targets = vec![gcn::Target::default()];
        let mut host = Host::new(Settings { targets, compile: true, ..Settings::default() });
        let id = host.set_file("a.tgsi", text.as_str().into(), Language::Tgsi);
        let snapshot = host.snapshot();
        assert_eq!(snapshot.wanted_jobs(id), Ok(Vec::new()));
        assert_eq!(snapshot.code_lenses(id), Ok(Vec::new()));
        let found = snapshot.diagnostics(id).unwrap();
        assert_eq!(found[0].severity, source::Severity::Error);
    }
}

#[test]
fn a_line_sets_the_state_that_the_next_shader_is_compiled_for() {
    let shader = "FRAG\nDCL IN[0], COLOR, COLOR\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n";
    let text = format!("# tungsten: color-format=32_abgr,none flat-shade=on\n{shader}{shader}");
    assert_eq!(plain(&text), [""; 0]);
    let mut host = Host::new(Settings { compile: true, ..Settings::default() });
    let id = host.set_file("a.tgsi", text.as_str().into(), Language::Tgsi);
    let snapshot = host.snapshot();
    let ir = |shader| {
        let target = gcn::Target::default();
        snapshot.ir(id, &crate::ide::CompiledRef::new(shader, target)).unwrap().unwrap()
    };
    assert!(ir(0).contains("interp.mov") && ir(0).contains("exp.f32("));
    assert!(ir(1).contains("interp.p1") && ir(1).contains("exp.compr.v2f16("));
    let wrong = format!("# tungsten: alpha-test=sometimes colour-format=none\n{shader}");
    let unknown = ["alpha-test=sometimes", "colour-format=none"];
    assert_eq!(plain(&wrong), unknown.map(|it| format!("{it} file::unknown-setting")));
}

const UNUSED: &str = "DCL TEMP[0]";

#[test]
fn a_statement_a_line_a_shader_or_a_file_can_be_allowed_something() {
    let shader = |before: &str, inside: &str, behind: &str| {
        format!("{before}FRAG\n{inside}{UNUSED}{behind}\nDCL TEMP[1]\nEND\n")
    };
    let both = ["DCL TEMP[0] tgsi::unused-declaration", "DCL TEMP[1] tgsi::unused-declaration"];
    assert_eq!(plain(&shader("", "", "")), both);
    let allow = "# tungsten: allow=unused-declaration";
    assert_eq!(plain(&shader("", &format!("{allow}\n"), "")), both[1..]);
    assert_eq!(plain(&shader("", "", &format!(" {allow}"))), both[1..]);
    assert_eq!(plain(&shader(&format!("{allow}\n"), "", "")), [""; 0]);
    let file = "# tungsten: allow-file=tgsi::unused-declaration\n";
    let two = shader("", "", "") + &shader(file, "", "");
    assert_eq!(plain(&two), [""; 0]);
    let rules =
        RuleSettings { allow: vec!["unused-declaration".to_owned()], ..RuleSettings::default() };
    assert_eq!(found(rules, &shader("", "", "")), [""; 0]);
}

#[test]
fn what_allows_nothing_or_is_not_known_is_said() {
    let text = "# tungsten: allow=unused-declaration,unused-declarations colour=red target=tahiti\n\
                FRAG\nEND\n";
    assert_eq!(
        plain(text),
        [
            "unused-declaration file::unused-allow",
            "unused-declarations file::unknown-setting",
            "colour=red file::unknown-setting",
        ]
    );
}

#[test]
fn errors_are_never_allowed() {
    let text = "# tungsten: allow-file=unknown-opcode\nFRAG\nFOO TEMP[0]\nEND\n";
    let found = plain(text);
    assert!(found.contains(&"FOO tgsi::unknown-opcode".to_owned()), "{found:?}");
    assert!(found.contains(&"unknown-opcode file::unused-allow".to_owned()), "{found:?}");
}

const VERTEX: &str = "VERT\nDCL IN[0]\nDCL OUT[0], GENERIC[1]\nDCL OUT[1], POSITION\nMOV OUT[0], IN[0]\n\
    MOV OUT[1], IN[0]\nEND\n";
const FRAGMENT: &str =
    "FRAG\nDCL IN[0], GENERIC[2], PERSPECTIVE\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n";

#[test]
fn a_file_with_one_pipeline_is_linked() {
    let pair = [VERTEX, FRAGMENT].concat();
    assert_eq!(plain(&pair), ["GENERIC[1] tgsi::link-output", "GENERIC[2] tgsi::link-input"]);
    let several = [VERTEX, FRAGMENT, VERTEX, FRAGMENT].concat();
    assert_eq!(plain(&several), [""; 0], "which belong together is not known");
}

#[test]
fn files_are_linked_in_the_order_named() {
    let mut host = host(RuleSettings::default());
    let first = host.set_file("a", Arc::from(VERTEX), Language::Tgsi);
    let second = host.set_file("b", Arc::from(FRAGMENT), Language::Tgsi);
    let snapshot = host.snapshot();
    let found = snapshot.link(&[first, second]).expect("not cancelled").expect("a pipeline");
    let found: Vec<_> = found.iter().map(|(file, it)| (*file, it.code.0)).collect();
    assert_eq!(found, [(second, "tgsi::link-input"), (first, "tgsi::link-output")]);
    assert_eq!(snapshot.link(&[second, first]).expect("not cancelled"), None);
}

#[test]
fn files_of_a_named_pipeline_are_linked_and_each_says_its_part() {
    let mut host = host(RuleSettings::default());
    let first = host.set_file("a", Arc::from(VERTEX), Language::Tgsi);
    let second = host.set_file("b", Arc::from(FRAGMENT), Language::Tgsi);
    for file in [first, second] {
        host.set_pipelines(file, &[vec![first, second], vec![first, second]]);
    }
    let codes = |host: &Host, file| {
        let found = host.snapshot().diagnostics(file).expect("not cancelled");
        found.iter().map(|it| it.code.0).collect::<Vec<_>>()
    };
    assert_eq!(codes(&host, first), ["tgsi::link-output"]);
    assert_eq!(codes(&host, second), ["tgsi::link-input"]);
    // The other stage is fixed.
    host.set_file("a", Arc::from(VERTEX.replace("[1]", "[2]")), Language::Tgsi);
    assert_eq!(codes(&host, second), [""; 0]);
    host.set_pipelines(first, &[vec![second, first]]);
    assert_eq!(codes(&host, first), ["project::pipeline"]);
    // What cannot be read is no reason to doubt the order.
    host.set_file("b", Arc::from("FRAG\nFOO\nEND\n"), Language::Tgsi);
    assert_eq!(codes(&host, first), [""; 0]);
    host.set_pipelines(first, &[]);
    assert_eq!(codes(&host, first), [""; 0]);
}

#[test]
fn the_header_says_what_the_shader_needs() {
    let mut host =
        host(RuleSettings { profile: Profile::find("r600").cloned(), ..RuleSettings::default() });
    let id = host.set_file("a", Arc::from(DOUBLES), Language::Tgsi);
    let snapshot = host.snapshot();
    let hover = snapshot.hover(id, 1.into()).expect("not cancelled").expect("a hover");
    assert!(hover.markdown.contains("Needs `PIPE_CAP_DOUBLES`"), "{}", hover.markdown);
    assert!(hover.markdown.contains("`r600` lacks `PIPE_CAP_DOUBLES`"), "{}", hover.markdown);
    let needs = snapshot.needs(id).expect("not cancelled");
    assert_eq!(needs[0].requirements.len(), 4, "{needs:?}");
}

#[test]
fn severities_are_those_of_the_settings_and_a_file_may_have_its_own() {
    let severities = vec![("unused-declaration".to_owned(), source::Severity::Error)];
    let rules = RuleSettings { severities, ..RuleSettings::default() };
    let mut host = host(RuleSettings::default());
    let text = format!("FRAG\n{UNUSED}\nEND\n");
    let files = ["a.tgsi", "b.tgsi"];
    let [first, second] =
        files.map(|name| host.set_file(name, text.as_str().into(), Language::Tgsi));
    let own = Settings { rules, ..Settings::default() };
    host.set_own_settings(second, Some(own));
    let severity = |host: &Host, file| {
        let found = host.snapshot().diagnostics(file).expect("no change comes between");
        found.into_iter().map(|diagnostic| diagnostic.severity).collect::<Vec<_>>()
    };
    assert_eq!(severity(&host, first), [source::Severity::Hint]);
    assert_eq!(severity(&host, second), [source::Severity::Error]);
    host.set_own_settings(second, None);
    assert_eq!(severity(&host, second), [source::Severity::Hint]);
}
