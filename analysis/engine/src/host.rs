//! The engine's front for the thread that owns it: texts, settings and compile
//! results go in.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use salsa::Setter;

use crate::ide::CompiledRef;
use crate::inputs::{
    Baseline, Build, CompileSlot, CompileSlotState, CompilerOutput, Database, File, FileId,
    FileSettings, HostAnswer, Include, Language, LastGood, LastProgram, Settings,
};
use crate::queries::compile::{JobResult, WantedJob, slot};
use crate::snapshot::Snapshot;

/// Owns the inputs. Every change cancels what snapshots compute and waits
/// until they are dropped.
#[derive(Debug)]
pub struct Host {
    db: Database,
    /// The settings of files that have none of their own.
    settings: FileSettings,
    /// The ones that have or had some: inputs cannot be deleted, so they are used again.
    own_settings: FxHashMap<FileId, FileSettings>,
    by_name: FxHashMap<String, FileId>,
    files: Arc<Vec<File>>,
    removed: Vec<FileId>,
    /// The files that include each, by their names.
    includers: FxHashMap<FileId, BTreeSet<(Arc<str>, FileId)>>,
}

impl Host {
    /// An engine without files.
    pub fn new(settings: Settings) -> Host {
        Host::with_database(Database::default(), settings)
    }

    pub(crate) fn with_database(db: Database, settings: Settings) -> Host {
        Host {
            settings: FileSettings::with(&db, settings),
            db,
            own_settings: FxHashMap::default(),
            by_name: FxHashMap::default(),
            files: Arc::default(),
            removed: Vec::new(),
            includers: FxHashMap::default(),
        }
    }

    /// Replaces the settings of files that have none of their own; what stays equal
    /// changes nothing.
    pub fn set_settings(&mut self, settings: Settings) {
        self.settings.replace(&mut self.db, settings);
    }

    /// The settings of files that have none of their own.
    pub fn settings(&self) -> Settings {
        self.settings.values(&self.db)
    }

    /// Gives a file settings of its own, in place of those of all files; `None` takes
    /// them away. What stays equal changes nothing.
    pub fn set_own_settings(&mut self, id: FileId, settings: Option<Settings>) {
        let Some(file) = self.files.get(id.0 as usize).copied() else { return };
        let input = match (settings, self.own_settings.get(&id).copied()) {
            (None, _) => self.settings,
            (Some(settings), Some(own)) => {
                own.replace(&mut self.db, settings);
                own
            }
            (Some(settings), None) => {
                let own = FileSettings::with(&self.db, settings);
                self.own_settings.insert(id, own);
                own
            }
        };
        if file.settings(&self.db) != input {
            file.set_settings(&mut self.db).to(input);
        }
    }

    /// Gives a file the settings of its own that another has.
    pub fn share_own_settings(&mut self, from: FileId, to: FileId) {
        let settings = self.files.get(from.0 as usize).map(|file| file.settings(&self.db));
        let own = settings.filter(|it| *it != self.settings).map(|it| it.values(&self.db));
        self.set_own_settings(to, own);
    }

    /// Says which pipelines a file is a part of: the files of each, in order. Equal
    /// ones change nothing.
    pub fn set_pipelines(&mut self, file: FileId, pipelines: &[Vec<FileId>]) {
        let Some(stage) = self.files.get(file.0 as usize).copied() else { return };
        let input = |id: &FileId| self.files.get(id.0 as usize).copied();
        let joined: Vec<Arc<[File]>> =
            pipelines.iter().map(|files| files.iter().filter_map(input).collect()).collect();
        if *stage.pipelines(&self.db) != *joined {
            stage.set_pipelines(&mut self.db).to(joined.into());
        }
    }

    /// The pipelines that [`Host::set_pipelines`] said last of a file.
    pub fn pipelines(&self, file: FileId) -> Vec<Vec<FileId>> {
        let Some(stage) = self.files.get(file.0 as usize) else { return Vec::new() };
        let pipelines = stage.pipelines(&self.db);
        let ids = |files: &Arc<[File]>| files.iter().map(|file| file.id(&self.db)).collect();
        pipelines.iter().map(ids).collect()
    }

    /// Says what names in the `.include` directives of a file, or of its inputs, mean. Names
    /// said before and missing here are forgotten.
    pub fn set_includes(&mut self, file: FileId, includes: Vec<(String, impl Into<Include>)>) {
        let Some(includer) = self.files.get(file.0 as usize).copied() else { return };
        let input = |id: FileId| self.files.get(id.0 as usize).copied();
        let resolved: Vec<(Arc<str>, Include<File>)> = includes
            .into_iter()
            .map(|(name, included)| (Arc::from(name), included.into().and_then(input)))
            .collect();
        let before = includer.includes(&self.db);
        if *before == *resolved {
            return;
        }
        let own = (includer.name(&self.db), file);
        let others = |(_, included): &(Arc<str>, Include<File>)| {
            included.found().filter(|it| *it != includer)
        };
        for included in before.iter().filter_map(others) {
            self.includers.entry(included.id(&self.db)).or_default().remove(&own);
        }
        for included in resolved.iter().filter_map(others) {
            self.includers.entry(included.id(&self.db)).or_default().insert(own.clone());
        }
        // Of several includers that of the first name counts, whoever came first.
        for included in before.iter().chain(&resolved).filter_map(others) {
            let all = self.includers.get(&included.id(&self.db));
            let first = all.and_then(BTreeSet::first).and_then(|(_, it)| input(*it));
            if included.includer(&self.db) != first {
                included.set_includer(&mut self.db).to(first);
            }
        }
        includer.set_includes(&mut self.db).to(resolved.into());
    }

    /// The includes that [`Host::set_includes`] said last of a file.
    pub fn includes(&self, file: FileId) -> Vec<(String, Include)> {
        let Some(file) = self.files.get(file.0 as usize) else { return Vec::new() };
        let includes = file.includes(&self.db);
        includes
            .iter()
            .map(|(name, file)| (name.to_string(), file.and_then(|it| Some(it.id(&self.db)))))
            .collect()
    }

    /// Adds a file, or replaces its text and language. `name` identifies it: a path or URI.
    pub fn set_file(&mut self, name: &str, text: Arc<str>, language: Language) -> FileId {
        if let Some(id) = self.by_name.get(name).copied() {
            let file = self.files[id.0 as usize];
            if file.language(&self.db) != language {
                file.set_language(&mut self.db).to(language);
            }
            if file.text(&self.db) != text {
                file.set_text(&mut self.db).to(text);
            }
            return id;
        }
        let id = FileId(self.files.len() as u32);
        let file = File::new(
            &self.db,
            id,
            Arc::from(name),
            text,
            language,
            Arc::default(),
            Arc::default(),
            None,
            self.settings,
            Arc::default(),
            Arc::default(),
            LastProgram::default(),
        );
        Arc::make_mut(&mut self.files).push(file);
        self.by_name.insert(name.to_owned(), id);
        id
    }

    /// The name that a file was added under.
    pub fn name(&self, file: FileId) -> Option<Arc<str>> {
        self.files.get(file.0 as usize).map(|file| file.name(&self.db))
    }

    /// The file that was added under a name.
    pub fn file(&self, name: &str) -> Option<FileId> {
        self.by_name.get(name).copied()
    }

    /// Forgets a file's text and results; its identity stays, and the name may be added
    /// again. Computes nothing: what queries have kept of the text stays until somebody
    /// evicts it.
    pub fn remove_file(&mut self, file: FileId) {
        self.set_includes(file, Vec::<(String, Include)>::new());
        let Some(file) = self.files.get(file.0 as usize).copied() else { return };
        file.set_text(&mut self.db).to(Arc::from(""));
        file.last_program(&self.db).keep(None);
        if !file.pipelines(&self.db).is_empty() {
            file.set_pipelines(&mut self.db).to(Arc::default());
        }
        file.set_answers(&mut self.db).to(Arc::default());
        for slot in file.slots(&self.db).iter() {
            slot.set_state(&mut self.db).to(Arc::default());
            slot.set_baseline(&mut self.db).to(None);
        }
        self.removed.push(file.id(&self.db));
    }

    /// The files that were removed since this was asked last, whose caches
    /// [`Snapshot::evict_caches`] empties.
    pub fn take_removed(&mut self) -> Vec<FileId> {
        std::mem::take(&mut self.removed)
    }

    /// Empties the caches of files that were removed, for who has no other thread to do it.
    pub fn evict_caches(&mut self) {
        for file in self.take_removed() {
            // No other thread changes anything, so that nothing cancels it.
            let _ = self.snapshot().evict_caches(file);
        }
    }

    /// Keeps a result of a shader to compare later ones with, in place of the one kept
    /// before; `None` forgets that.
    pub fn pin_baseline(
        &mut self,
        file: FileId,
        compiled: &CompiledRef,
        baseline: Option<Arc<Baseline>>,
    ) {
        let Some(file) = self.files.get(file.0 as usize).copied() else { return };
        let slot = slot(&self.db, file, compiled.shader, compiled.build());
        // What has no slot has no result that could have been kept.
        if let Some(slot) = slot
            && slot.baseline(&self.db) != baseline
        {
            slot.set_baseline(&mut self.db).to(baseline);
        }
    }

    /// Says what hosts answered about the shaders of a file, in place of all said before; equal
    /// answers change nothing.
    pub fn set_host_answers(&mut self, file: FileId, answers: Vec<HostAnswer>) {
        let Some(file) = self.files.get(file.0 as usize).copied() else { return };
        if *file.answers(&self.db) != *answers {
            file.set_answers(&mut self.db).to(answers.into());
        }
    }

    /// The answers that [`Host::set_host_answers`] said last of a file.
    pub fn host_answers(&self, file: FileId) -> Arc<[HostAnswer]> {
        self.files.get(file.0 as usize).map(|file| file.answers(&self.db)).unwrap_or_default()
    }

    /// Takes results, all in one change.
    pub fn finish_jobs(&mut self, results: Vec<(WantedJob, JobResult)>) {
        for (job, outcome) in results {
            let Some(file) = self.files.get(job.file.0 as usize).copied() else { continue };
            let slot = self.slot(file, job.shader, job.build);
            let mut state = CompileSlotState::clone(&slot.state(&self.db));
            let failure = match outcome {
                JobResult::Compiled { assembly, code, warnings } => {
                    let output = CompilerOutput::Text { assembly, code, warnings };
                    state.good = Some(last_good(&job, output));
                    None
                }
                JobResult::Read { compiled, notes } => {
                    let output = CompilerOutput::Read { compiled, notes };
                    state.good = Some(last_good(&job, output));
                    None
                }
                JobResult::Failed(message) => Some(message),
            };
            state.newest = Some((job.key, failure));
            slot.set_state(&mut self.db).to(Arc::new(state));
        }
    }

    fn slot(&mut self, file: File, shader: usize, build: Build) -> CompileSlot {
        if let Some(slot) = slot(&self.db, file, shader, build) {
            return slot;
        }
        let slot = CompileSlot::new(&self.db, shader, build, Arc::default(), None);
        let slots: Arc<[CompileSlot]> =
            file.slots(&self.db).iter().copied().chain([slot]).collect();
        file.set_slots(&mut self.db).to(slots);
        slot
    }

    /// A consistent view for another thread.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot::new(self.db.clone(), self.files.clone())
    }
}

/// The result of a job that did not fail.
fn last_good(job: &WantedJob, output: CompilerOutput) -> LastGood {
    LastGood { key: job.key, output, fingerprints: Arc::clone(&job.fingerprints) }
}
