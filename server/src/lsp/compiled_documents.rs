//! Compiled code, expanded assembly and the like as virtual documents: their URIs, and which
//! views the client was shown and wants news of.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::str::FromStr;

use engine::ide::{ComparisonPart, CompiledRef, CompiledView, ViewKind};
use engine::{Build, Cancelled, FileId, Snapshot};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use rustc_hash::FxBuildHasher;
use tower_lsp::ls_types::Uri;

use super::extensions::{SCHEME, VIEW_SCHEME};

/// Names a compiled view: a shader of a source document for a target.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct ViewKey {
    /// The source document.
    pub(crate) source: Uri,
    /// The number of the shader in it, from 0.
    pub(crate) shader: usize,
    /// The target and the compiler.
    pub(crate) build: Build,
    /// The host whose GLSL is shown.
    pub(crate) host: Option<vrend::Host>,
    /// The builds beside it, where several are shown.
    pub(crate) beside: Vec<Build>,
    /// The view that is shown.
    pub(crate) view: ViewKind,
}

/// The ending of each view's name. Editors choose colours by it.
const EXTENSIONS: [(ViewKind, &str); 12] = [
    (ViewKind::Code, "gcn"),
    (ViewKind::Ir, "ll"),
    (ViewKind::Spirv, "spvasm"),
    (ViewKind::Glsl, "glsl"),
    (ViewKind::Hosts, "hosts"),
    (ViewKind::Hex, "hex"),
    (ViewKind::Tokens, "tokens"),
    (ViewKind::Expanded, "s"),
    (ViewKind::Registers, "registers"),
    (ViewKind::Waits, "waits"),
    (ViewKind::Targets, "targets"),
    (ViewKind::Baseline, "diff"),
];

impl ViewKey {
    /// `tungsten-gcn:/target.name.shader.gcn?source`, where the name is for
    /// the reader only and the source is percent-encoded; ending in `.s` of expanded
    /// assembly; of other views
    /// `tungsten-view:/target+target.name.shader.extension?source`. The targets come first:
    /// the title of a tab is cut at its end.
    pub(crate) fn uri(&self) -> Option<Uri> {
        let path = self.source.path().as_str();
        let name = path.rsplit('/').next().unwrap_or("shader");
        let scheme = if is_assembly(self.view) { SCHEME } else { VIEW_SCHEME };
        let (_, extension) = EXTENSIONS.iter().find(|(view, _)| *view == self.view)?;
        let shader = self.shader;
        let builds = match &self.host {
            Some(host) => host.to_string(),
            // A table of all hosts is of no build.
            None if self.view == ViewKind::Hosts => "all".to_owned(),
            None => {
                let names: Vec<String> = self.builds().iter().map(|build| build.name()).collect();
                names.join("+")
            }
        };
        let source = percent_encode(self.source.as_str());
        Uri::from_str(&format!("{scheme}:/{builds}.{name}.{shader}.{extension}?{source}")).ok()
    }

    /// Reads such a URI, also after an editor has respelled it.
    pub(crate) fn parse(uri: &Uri) -> Option<ViewKey> {
        let is_code = is_compiled(uri);
        if !is_code && !has_scheme(uri, VIEW_SCHEME) {
            return None;
        }
        let path = percent_decode(uri.path().as_str())?;
        let (path, extension) = path.rsplit_once('.')?;
        let (path, shader) = path.rsplit_once('.')?;
        let (targets, _) = path.strip_prefix('/')?.split_once('.')?;
        let source = percent_decode(uri.query()?.as_str())?;
        let (view, _) = *EXTENSIONS.iter().find(|(_, own)| *own == extension)?;
        let source = Uri::from_str(&source).ok()?;
        let shader = shader.parse().ok()?;
        if is_of_hosts(view) {
            let host = match view {
                ViewKind::Glsl => Some(targets.parse().ok()?),
                _ => None,
            };
            let build = gcn::Target::default().into();
            let key = ViewKey { source, shader, build, host, beside: Vec::new(), view };
            return (!is_code).then_some(key);
        }
        let mut builds = targets.split('+').map(Build::find);
        let build = builds.next()??;
        let beside: Vec<Build> = builds.collect::<Option<_>>()?;
        if is_assembly(view) != is_code || (view != ViewKind::Targets && !beside.is_empty()) {
            return None;
        }
        Some(ViewKey { source, shader, build, host: None, beside, view })
    }

    /// The builds shown, in order.
    pub(crate) fn builds(&self) -> Vec<Build> {
        std::iter::once(self.build).chain(self.beside.iter().copied()).collect()
    }

    /// Tells whether hosts have to be asked for it.
    pub(crate) fn is_of_hosts(&self) -> bool {
        is_of_hosts(self.view)
    }

    /// The name of what it is for: the host of GLSL, else the build.
    pub(crate) fn build_name(&self) -> String {
        self.host.as_ref().map_or_else(|| self.build.name(), vrend::Host::to_string)
    }

    /// The shader and the build.
    pub(crate) fn compiled(&self) -> CompiledRef {
        CompiledRef::new(self.shader, self.build)
    }

    /// The view as it looks; `None` where the source has no such shader.
    pub(crate) fn look(
        &self,
        snapshot: &Snapshot,
        file: FileId,
    ) -> Result<Option<CompiledView>, Cancelled> {
        match self.view {
            ViewKind::Targets => {
                let found = snapshot.compare_builds(file, self.shader, &self.builds())?;
                Ok(found.map(|found| found.document(ComparisonPart::All)))
            }
            ViewKind::Glsl => {
                let host = self.host.clone().unwrap_or_default().to_string();
                snapshot.glsl_view(file, self.shader, &host)
            }
            ViewKind::Hosts => snapshot.hosts_view(file, self.shader, &crate::hosts::names()),
            alone => snapshot.compiled_view(file, &self.compiled(), alone),
        }
    }
}

/// Tells whether a view is of hosts, and of no build.
pub(crate) fn is_of_hosts(view: ViewKind) -> bool {
    matches!(view, ViewKind::Glsl | ViewKind::Hosts)
}

/// Tells whether a view is assembly, which is served as such when it is opened.
fn is_assembly(view: ViewKind) -> bool {
    matches!(view, ViewKind::Code | ViewKind::Expanded)
}

/// Tells whether a document is of a scheme, as one that the server itself writes.
pub(crate) fn has_scheme(uri: &Uri, scheme: &str) -> bool {
    uri.scheme().as_str().eq_ignore_ascii_case(scheme)
}

/// Tells whether a document is compiled code that the server itself wrote.
pub(crate) fn is_compiled(uri: &Uri) -> bool {
    has_scheme(uri, SCHEME)
}

/// The views that the client was shown, with how they looked then. `None` is a
/// view of a shader that was not there.
#[derive(Debug, Default)]
pub(crate) struct ShownViews {
    signatures: HashMap<ViewKey, Option<u64>, FxBuildHasher>,
}

/// More views than anybody looks at; older ones get no news.
const MOST_VIEWS: usize = 256;

impl ShownViews {
    /// The client was shown a view.
    pub(crate) fn shown(&mut self, key: ViewKey, signature: Option<u64>) {
        if self.signatures.len() < MOST_VIEWS || self.signatures.contains_key(&key) {
            self.signatures.insert(key, signature);
        }
    }

    /// Notes how a view looks now. Returns whether the client saw it otherwise.
    pub(crate) fn changed(&mut self, key: &ViewKey, signature: Option<u64>) -> bool {
        match self.signatures.entry(key.clone()) {
            Entry::Occupied(mut entry) => entry.insert(signature) != signature,
            Entry::Vacant(_) => false,
        }
    }

    /// The views of a document.
    pub(crate) fn of(&self, source: &Uri) -> Vec<ViewKey> {
        self.signatures.keys().filter(|key| key.source == *source).cloned().collect()
    }

    /// The document was closed.
    pub(crate) fn forget(&mut self, source: &Uri) {
        self.signatures.retain(|key, _| key.source != *source);
    }
}

/// The characters of a URI that never stand for themselves.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A text as a part of a URI.
pub(crate) fn percent_encode(text: &str) -> String {
    utf8_percent_encode(text, RESERVED).to_string()
}

/// The text of a percent-encoded part of a URI; `None` where it is not UTF-8.
pub(crate) fn percent_decode(text: &str) -> Option<String> {
    percent_decode_str(text).decode_utf8().ok().map(Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use engine::Compiler;

    use super::*;

    fn key(source: Uri) -> ViewKey {
        let build = Build { target: gcn::Target::default(), compiler: Compiler::Aco };
        let beside = Vec::new();
        ViewKey { source, shader: 0, build, host: None, beside, view: ViewKind::Code }
    }

    #[test]
    fn a_view_is_found_again_by_its_uri() {
        for source in
            ["file:///home/a%20b/l%C3%A9on.v2.tgsi", "untitled:Untitled-1", "file:///x?q#f"]
        {
            let tahiti = Build::find("tahiti").unwrap();
            for (view, _) in EXTENSIONS {
                let beside =
                    if view == ViewKind::Targets { vec![tahiti, tahiti] } else { Vec::new() };
                let source = Uri::from_str(source).unwrap();
                let host = (view == ViewKind::Glsl).then(|| "gles31-GL_a+GL_b".parse().unwrap());
                // GLSL is of a host, and of no build.
                let build = match is_of_hosts(view) {
                    true => gcn::Target::default().into(),
                    false => key(source.clone()).build,
                };
                let key = ViewKey { shader: 3, build, host, beside, view, ..key(source) };
                let uri = key.uri().unwrap();
                assert_eq!(is_compiled(&uri), is_assembly(view));
                assert_eq!(ViewKey::parse(&uri), Some(key), "{uri:?}");
            }
        }
    }

    #[test]
    fn other_uris_are_not_views() {
        for uri in [
            "file:///polaris10.a.0.gcn?file%3A%2F%2F%2Fa",
            "tungsten-gcn:/polaris10.a.0.gcn",
            "tungsten-gcn:/nothing.a.0.gcn?file%3A%2F%2F%2Fa",
            "tungsten-gcn:/polaris10.a.x.gcn?file%3A%2F%2F%2Fa",
            "tungsten-gcn:/gcn?file%3A",
            "tungsten-gcn:/polaris10.a.0.ll?file%3A%2F%2F%2Fa",
            "tungsten-view:/polaris10.a.0.gcn?file%3A%2F%2F%2Fa",
            "tungsten-view:/polaris10+.a.0.targets?file%3A%2F%2F%2Fa",
            "tungsten-view:/polaris10+tahiti.a.0.ll?file%3A%2F%2F%2Fa",
        ] {
            assert_eq!(ViewKey::parse(&Uri::from_str(uri).unwrap()), None, "{uri}");
        }
    }

    #[test]
    fn only_news_of_shown_views_counts() {
        let source = Uri::from_str("file:///a").unwrap();
        let key = key(source.clone());
        let mut views = ShownViews::default();
        assert!(!views.changed(&key, Some(1)));
        views.shown(key.clone(), Some(1));
        assert!(!views.changed(&key, Some(1)));
        assert!(views.changed(&key, Some(2)));
        assert!(!views.changed(&key, Some(2)));
        views.forget(&source);
        assert!(views.of(&source).is_empty());
    }

    #[test]
    fn more_views_than_anybody_looks_at_get_no_news() {
        let source = Uri::from_str("file:///a").unwrap();
        let numbered = |shader| ViewKey { shader, ..key(source.clone()) };
        let mut views = ShownViews::default();
        for shader in 0..=MOST_VIEWS {
            views.shown(numbered(shader), Some(1));
        }
        assert_eq!(views.of(&source).len(), MOST_VIEWS);
        assert!(views.changed(&numbered(MOST_VIEWS - 1), Some(2)));
        assert!(!views.changed(&numbered(MOST_VIEWS), Some(2)));
        // One that is known may be shown anew.
        views.shown(numbered(0), Some(3));
        assert!(!views.changed(&numbered(0), Some(3)));
    }
}
