//! Searches for faster forms that editors ask for.
//!
//! A search runs on a thread and with a compiler of its own, behind everything else that wants a
//! processor. It holds no snapshot of the engine, so that no edit waits for it. One runs at a
//! time; it ends with its seconds, when the client takes the request back, or when it cancels
//! the progress. What came of a text is remembered.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use advise::{Figures, Outcome};
use engine::ide::ImprovableKind;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use tower_lsp::Client;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::notification::Progress;
use tower_lsp::ls_types::{
    ProgressParams, ProgressParamsValue, ProgressToken, WorkDoneProgress, WorkDoneProgressBegin,
    WorkDoneProgressEnd, WorkDoneProgressReport,
};

use super::extensions::{AdviceProof, FoundAdvice, TextPair};
use super::requests::{WantedAdvice, failed};
use crate::advice::{self, Advice, AdvisedFigures, Budget, Code, ShaderBench};
use crate::limits::REMEMBERED_ADVICE;

/// The seed of the order in which variants are tried: the same text is searched in the same way.
const SEED: u64 = 1;

/// The time between two reports of how far a search is.
const REPORTED_EVERY: Duration = Duration::from_millis(200);

/// A libLLVM to compile variants with, and its version.
pub(crate) type FoundCompiler = (llvm::Configuration, String);

/// The searches of a session.
#[derive(Default)]
pub(crate) struct Advisor {
    running: Arc<Mutex<Option<Running>>>,
    remembered: Mutex<Vec<Remembered>>,
}

/// The search that runs.
struct Running {
    token: Option<ProgressToken>,
    given_up: Arc<AtomicBool>,
}

/// Ends the search once nobody waits for it.
struct EndOnDrop {
    running: Arc<Mutex<Option<Running>>>,
    given_up: Arc<AtomicBool>,
}

impl Drop for EndOnDrop {
    fn drop(&mut self) {
        self.given_up.store(true, Ordering::Relaxed);
        self.running.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

/// A search that has ended.
#[derive(Clone)]
struct Remembered {
    text: Arc<str>,
    /// All besides the text that decides what comes of it.
    state: String,
    seconds: u64,
    result: Searched,
}

/// The result of a search, and the machine code of a shader before and after.
#[derive(Clone, Default)]
struct Searched {
    outcome: Outcome,
    machine_code: Option<TextPair>,
}

/// The progress of a search: the variants that were tried, the best figures, and how many parts of a
/// hundred of its time have passed.
type Report = (usize, Figures, u32);

impl Advisor {
    /// Searches, unless that was done before for the same text.
    pub(crate) async fn advise(
        &self,
        wanted: WantedAdvice,
        compiler: Option<FoundCompiler>,
        client: &Client,
        token: Option<ProgressToken>,
    ) -> Result<FoundAdvice> {
        if let Some(refusal) = refusal(&wanted) {
            return Ok(answer(&wanted, Searched::default(), Some(refusal), Recall::New));
        }
        if wanted.seconds == 0 {
            return Ok(answer(&wanted, Searched::default(), None, Recall::New));
        }
        if wanted.kind() == Code::Shader {
            let Some((_, version)) = &compiler else {
                return Err(failed("no libLLVM was found, so that nothing can be compiled"));
            };
            if crate::jobs::is_older(version, wanted.target) {
                let chip = wanted.target.name();
                return Err(failed(format!("LLVM {version} is older than {chip}")));
            }
        }
        let state = state(&wanted, compiler.as_ref());
        if let Some(result) = self.recall(&wanted, &state) {
            return Ok(answer(&wanted, result, None, Recall::Remembered));
        }
        let end = self.begin(token.clone())?;
        let (reports, received) = unbounded_channel();
        let (reply, result) = oneshot::channel();
        let given_up = Arc::clone(&end.given_up);
        let wanted = Arc::new(wanted);
        let of_thread = Arc::clone(&wanted);
        let thread = std::thread::Builder::new().name("advice".to_owned()).spawn(move || {
            stand_back();
            let _ = reply.send(searched(&of_thread, compiler, &given_up, &reports));
        });
        thread.map_err(|_| Error::internal_error())?;
        let result = tell_until(result, received, client, token).await;
        let result = result.ok_or_else(Error::internal_error)?;
        if end.given_up.load(Ordering::Relaxed) {
            return Err(Error::request_cancelled());
        }
        self.remember(&wanted, state, result.clone());
        Ok(answer(&wanted, result, None, Recall::New))
    }

    /// The client does not wait for the search under this token.
    pub(crate) fn cancel(&self, token: &ProgressToken) {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(running) = running.as_ref().filter(|it| it.token.as_ref() == Some(token)) {
            running.given_up.store(true, Ordering::Relaxed);
        }
    }

    fn begin(&self, token: Option<ProgressToken>) -> Result<EndOnDrop> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if running.is_some() {
            return Err(failed("another search is running: wait for it, or cancel it"));
        }
        let given_up = Arc::new(AtomicBool::new(false));
        *running = Some(Running { token, given_up: Arc::clone(&given_up) });
        Ok(EndOnDrop { running: Arc::clone(&self.running), given_up })
    }

    /// The result for the same text before, if it was searched as long or there is no more.
    fn recall(&self, wanted: &WantedAdvice, state: &str) -> Option<Searched> {
        let remembered = self.remembered.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |it: &&Remembered| *it.text == *wanted.code.text && it.state == state;
        let known = remembered.iter().find(is_it)?;
        let is_enough = known.result.outcome.is_complete || known.seconds >= wanted.seconds;
        is_enough.then(|| known.result.clone())
    }

    fn remember(&self, wanted: &WantedAdvice, state: String, result: Searched) {
        let mut remembered = self.remembered.lock().unwrap_or_else(PoisonError::into_inner);
        let (text, seconds) = (Arc::clone(&wanted.code.text), wanted.seconds);
        remembered.retain(|it| it.text != text || it.state != state);
        remembered.push(Remembered { text, state, seconds, result });
        let more = remembered.len().saturating_sub(REMEMBERED_ADVICE);
        remembered.drain(..more);
    }
}

/// The reason why nothing is tried.
fn refusal(wanted: &WantedAdvice) -> Option<&'static str> {
    match &wanted.code.kind {
        ImprovableKind::Shader { .. } => advise::shader::refusal(&wanted.code.text),
        ImprovableKind::Kernel { options, .. } => {
            advise::kernel::refusal(&wanted.code.text, options)
        }
    }
}

/// All besides the text that decides what comes of a search.
fn state(wanted: &WantedAdvice, compiler: Option<&FoundCompiler>) -> String {
    let (chip, most) = (wanted.target.name(), wanted.variants);
    match &wanted.code.kind {
        ImprovableKind::Shader { environment, .. } => {
            let version = compiler.map(|(_, version)| version.as_str()).unwrap_or_default();
            format!("{chip} {most} {version} {environment:?}")
        }
        ImprovableKind::Kernel { options, .. } => format!("{chip} {most} {options:?}"),
    }
}

/// Lets every other thread go before this one.
fn stand_back() {
    #[cfg(target_os = "linux")]
    {
        // Of the thread alone: Linux has one priority for each.
        let _ = rustix::process::setpriority_process(None, 15);
    }
}

fn searched(
    wanted: &WantedAdvice,
    compiler: Option<FoundCompiler>,
    given_up: &AtomicBool,
    reports: &UnboundedSender<Report>,
) -> Searched {
    let begin = Instant::now();
    let time = Duration::from_secs(wanted.seconds);
    let mut last = begin;
    let mut progress = |tried: usize, best: &Figures| {
        if tried > 0 && last.elapsed() >= REPORTED_EVERY {
            last = Instant::now();
            let passed = begin.elapsed().as_millis() * 100 / time.as_millis().max(1);
            let passed = u32::try_from(passed.min(100)).unwrap_or(100);
            // Nobody listens once nobody waits.
            let _ = reports.send((tried, *best, passed));
        }
        true
    };
    let budget = Budget {
        deadline: begin + time,
        most: wanted.variants,
        given_up: Some(given_up),
        progress: Some(&mut progress),
    };
    let text = &*wanted.code.text;
    match (&wanted.code.kind, compiler) {
        (ImprovableKind::Shader { environment, .. }, Some((configuration, _))) => {
            let mut compiler = llvm::Compiler::new(configuration);
            let (target, environment) = (wanted.target, **environment);
            let outcome = advice::of_shader(text, target, environment, &mut compiler, SEED, budget);
            let machine_code = outcome.found.as_ref().and_then(|found| {
                let budget = Budget::none();
                let mut bench = ShaderBench::new(text, target, environment, &mut compiler, budget);
                let (before, after) = (bench.listing(text)?, bench.listing(&found.text)?);
                Some(TextPair { before, after })
            });
            Searched { outcome, machine_code }
        }
        (ImprovableKind::Kernel { options, .. }, _) => {
            let outcome = advice::of_kernel(text, options, None, SEED, budget);
            Searched { outcome, machine_code: None }
        }
        (ImprovableKind::Shader { .. }, None) => Searched::default(),
    }
}

/// Tells the client how far the search is until its result is there; `None` where it panicked.
async fn tell_until(
    mut result: oneshot::Receiver<Searched>,
    mut reports: UnboundedReceiver<Report>,
    client: &Client,
    token: Option<ProgressToken>,
) -> Option<Searched> {
    let Some(token) = token else { return result.await.ok() };
    let tell = async |progress: WorkDoneProgress| {
        let value = ProgressParamsValue::WorkDone(progress);
        let params = ProgressParams { token: token.clone(), value };
        client.send_notification::<Progress>(params).await;
    };
    tell(WorkDoneProgress::Begin(WorkDoneProgressBegin {
        title: "Searching for a faster form".to_owned(),
        cancellable: Some(true),
        message: None,
        percentage: Some(0),
    }))
    .await;
    let result = loop {
        tokio::select! {
            result = &mut result => break result.ok(),
            Some((tried, best, passed)) = reports.recv() => {
                let Figures { waves, clocks, .. } = best;
                let message = format!("{tried} variants, best {waves} waves, {clocks} clocks");
                tell(WorkDoneProgress::Report(WorkDoneProgressReport {
                    cancellable: Some(true),
                    message: Some(message),
                    percentage: Some(passed),
                }))
                .await;
            }
        }
    };
    tell(WorkDoneProgress::End(WorkDoneProgressEnd { message: None })).await;
    result
}

/// The way in which a result came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Recall {
    New,
    Remembered,
}

fn answer(
    wanted: &WantedAdvice,
    searched: Searched,
    refusal: Option<&'static str>,
    recall: Recall,
) -> FoundAdvice {
    let Searched { outcome, machine_code } = searched;
    let advice = Advice {
        code: wanted.kind(),
        target: wanted.target,
        refusal,
        is_without_time: wanted.seconds == 0,
        outcome,
    };
    let found = advice.outcome.found.as_ref();
    FoundAdvice {
        status: advice.ending(),
        message: advice.sentence(),
        target: wanted.target.name().to_owned(),
        shader: match wanted.code.kind {
            ImprovableKind::Shader { shader, .. } => Some(shader),
            ImprovableKind::Kernel { .. } => None,
        },
        tried: advice.outcome.tried,
        complete: advice.outcome.is_complete,
        remembered: recall == Recall::Remembered,
        before: advice.outcome.before.as_ref().map(AdvisedFigures::from),
        after: found.map(|it| AdvisedFigures::from(&it.figures)),
        changes: found.map(|it| it.changes.clone()).unwrap_or_default(),
        assumes: found.map(|it| it.assumes.clone()).unwrap_or_default(),
        proof: found.map(|it| AdviceProof { inputs: it.inputs, open: it.open }),
        preview: found
            .map(|it| TextPair { before: wanted.code.text.to_string(), after: it.text.clone() }),
        machine_code,
        edit: found.and_then(|it| wanted.edit(&it.text)),
    }
}
