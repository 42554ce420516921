//! Images and sampler views: accesses against what is declared of them.
//!
//! Facts: "Declaration Sampler View", "Resource Access Opcodes" and "Inter-
//! invocation communication" of the Gallium documentation of 2020; `WR` of the
//! reference parser's image declarations.

use source::{Diagnostic, Severity, TextRange};

use super::context::Context;
use super::textures::is_shadow;
use crate::ast::{Declaration, Instruction, Register};
use crate::codes;
use crate::opcodes::{Family, Lookup, Opcode, VIEW};
use crate::report::Report;
use crate::words::{File, ReturnType, TextureTarget};

/// The most declarations that are searched for each access; drivers have far
/// fewer images and views.
const MOST_DECLARED: usize = 256;

/// The images and views of a shader.
pub(super) struct Resources<'a> {
    images: Vec<&'a Declaration>,
    historic: Vec<&'a Declaration>,
    views: Vec<&'a Declaration>,
}

impl<'a> Resources<'a> {
    /// Gathers them, and checks what each says for itself.
    pub(super) fn new(context: &Context<'a>, report: &mut Report) -> Resources<'a> {
        let resources = Resources {
            images: context.declared(File::Image).take(MOST_DECLARED).collect(),
            historic: context.declared(File::Resource).take(MOST_DECLARED).collect(),
            views: context.declared(File::SamplerView).take(MOST_DECLARED).collect(),
        };
        for declared in &resources.views {
            let Some(view) = declared.sampler_view else { continue };
            let target = view.target;
            let integer = |ty: &ReturnType| matches!(ty, ReturnType::Sint | ReturnType::Uint);
            if is_shadow(target.value) && view.returns.iter().any(integer) {
                let message =
                    "a comparison returns a share of passed tests, which is not an integer";
                report.warning(codes::VIEW_TYPE, target.range, || message);
            }
        }
        resources
    }
}

fn find<'a>(declared: &[&'a Declaration], register: &Register) -> Option<&'a Declaration> {
    let number = register.number().filter(|_| register.dimension.is_none())?;
    declared.iter().copied().find(|declared| declared.range.value.contains(number))
}

impl<'a> Resources<'a> {
    /// Tells whether any view is declared.
    pub(super) fn has_views(&self) -> bool {
        !self.views.is_empty()
    }

    /// The view of a sampler's or view's number.
    pub(super) fn view(&self, register: &Register) -> Option<&'a Declaration> {
        find(&self.views, register)
    }
}

/// Checks one instruction.
pub(super) fn check(resources: &Resources<'_>, instruction: &Instruction, report: &mut Report) {
    let row = instruction.info();
    match row.family {
        Family::Texture => check_view(resources, instruction, report),
        Family::Sample | Family::View => {
            let declared = instruction.sources.get(VIEW);
            let declared = declared.and_then(|source| resources.view(&source.register));
            if let Some(declared) = declared.and_then(|it| it.sampler_view)
                && let Some(why) = refusal(row.lookup, declared.target.value)
            {
                let (range, target) = (instruction.sources[VIEW].range, declared.target);
                report.push(|| {
                    let word = row.mnemonic;
                    let message = format!("`{word}` cannot take a view of {}: {why}", target.value);
                    Diagnostic::warning(codes::TEXTURE_TARGET, range, message)
                        .with_related(target.range, "the view's target")
                });
            }
        }
        Family::Store => {
            if let Some(destination) = instruction.destinations.first() {
                check_image(resources, instruction, &destination.register, true, report);
            }
        }
        Family::Access | Family::Atomic => {
            if let Some(source) = instruction.sources.first() {
                let writes = row.family == Family::Atomic;
                check_image(resources, instruction, &source.register, writes, report);
            }
        }
        Family::Plain
        | Family::Handle
        | Family::Interpolate
        | Family::Framebuffer
        | Family::Immediate
        | Family::Historic => {}
    }
}

/// Returns why an opcode of the SAMPLE family cannot take a view of a target.
fn refusal(lookup: Lookup, target: TextureTarget) -> Option<&'static str> {
    use TextureTarget as Target;
    let multisample = matches!(target, Target::Multisample2D | Target::MultisampleArray2D);
    match plain(target) {
        Target::Unknown => None,
        Target::Buffer if !matches!(lookup, Lookup::Fetch | Lookup::Size) => {
            Some("a buffer is fetched by `SAMPLE_I`, never filtered")
        }
        _ if multisample && !matches!(lookup, Lookup::FetchSample | Lookup::Size) => {
            Some("its texels are fetched by `SAMPLE_I_MS`, sample by sample")
        }
        _ if !multisample && lookup == Lookup::FetchSample => Some("it has one sample a texel"),
        Target::Cube | Target::CubeArray if lookup == Lookup::Fetch => {
            Some("cube maps cannot be fetched by texel")
        }
        Target::Texture1D | Target::Texture3D | Target::Array1D if lookup == Lookup::Gather => {
            Some("four texels are gathered from 2D textures, cube maps and their arrays only")
        }
        _ => None,
    }
}

/// The target of a look-up is that of the view behind its sampler.
fn check_view(resources: &Resources<'_>, instruction: &Instruction, report: &mut Report) {
    let (Some(target), Some(sampler)) = (instruction.target, instruction.sources.last()) else {
        return;
    };
    if sampler.register.file != File::Sampler || target.value == TextureTarget::Unknown {
        return;
    }
    let Some(view) = find(&resources.views, &sampler.register) else { return };
    let Some(declared) = view.sampler_view.map(|view| view.target) else { return };
    if plain(declared.value) != plain(target.value) && declared.value != TextureTarget::Unknown {
        report.push(|| {
            let message = format!("the view of this sampler is declared as {}", declared.value);
            Diagnostic::warning(codes::VIEW_TARGET, target.range, message)
                .with_related(declared.range, "the view's target")
        });
    }
}

/// The target without a comparison: the same view serves look-ups with and
/// without one.
fn plain(target: TextureTarget) -> TextureTarget {
    match target {
        TextureTarget::Shadow1D => TextureTarget::Texture1D,
        TextureTarget::Shadow2D => TextureTarget::Texture2D,
        TextureTarget::ShadowRectangle => TextureTarget::Rectangle,
        TextureTarget::ShadowArray1D => TextureTarget::Array1D,
        TextureTarget::ShadowArray2D => TextureTarget::Array2D,
        TextureTarget::ShadowCube => TextureTarget::Cube,
        TextureTarget::ShadowCubeArray => TextureTarget::CubeArray,
        target => target,
    }
}

fn check_image(
    resources: &Resources<'_>,
    instruction: &Instruction,
    register: &Register,
    writes: bool,
    report: &mut Report,
) {
    let declared = match register.file {
        File::Image => &resources.images,
        File::Resource => &resources.historic,
        _ => return,
    };
    let Some(declared) = find(declared, register) else { return };
    let Some(image) = &declared.image else { return };
    let word = instruction.opcode.value.mnemonic();
    if writes && !image.writable {
        let key = (codes::IMAGE_ACCESS, Severity::Warning, "");
        report.note(key, register.range, || {
            let (file, number) = (register.file, register.index.offset);
            format!("`{word}` writes {file}[{number}], which is not declared `WR`")
        });
    }
    if let Some(target) = instruction.target
        && target.value != image.target.value
        && target.value != TextureTarget::Unknown
    {
        report.push(|| {
            let message = format!("this image is declared as {}", image.target.value);
            Diagnostic::warning(codes::IMAGE_MISMATCH, target.range, message)
                .with_related(image.target.range, "the image's target")
        });
    }
    let opcode = instruction.opcode.value;
    if opcode.row().family == Family::Atomic
        && let Some(format) = instruction.format.as_deref().or(image.format.as_ref())
        && !is_atomic(opcode, &format.value)
    {
        report.push(|| {
            let message = format!(
                "`{word}` works on formats of one 32-bit integer; {} is none",
                format.value
            );
            Diagnostic::warning(codes::IMAGE_FORMAT, format.range, message)
                .with_related(register.range, "the atomic access")
        });
    }
    let (Some(ours), Some(theirs)) = (&instruction.format, &image.format) else { return };
    if !ours.value.eq_ignore_ascii_case(&theirs.value) && !is_none(&ours.value) {
        mismatch(ours.range, &theirs.value, theirs.range, report);
    }
}

/// Tells whether an atomic may work on images of a format: "Atomic opcodes" says 32-bit integers;
/// drivers exchange and add floats too, which languages above them allow.
fn is_atomic(opcode: Opcode, format: &str) -> bool {
    let format = format.trim_start_matches("PIPE_FORMAT_");
    let float = matches!(opcode, Opcode::ATOMXCHG | Opcode::ATOMFADD);
    matches!(format, "NONE" | "R32_UINT" | "R32_SINT") || float && format == "R32_FLOAT"
}

fn is_none(format: &str) -> bool {
    format.eq_ignore_ascii_case("PIPE_FORMAT_NONE")
}

#[cold]
fn mismatch(range: TextRange, declared: &str, place: TextRange, report: &mut Report) {
    report.push(|| {
        let message = format!("this image is declared as {declared}");
        Diagnostic::warning(codes::IMAGE_MISMATCH, range, message)
            .with_related(place, "the image's format")
    });
}
