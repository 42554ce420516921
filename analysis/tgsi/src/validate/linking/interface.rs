//! The interface of a shader to the stages beside it.

use source::TextRange;

use super::tessellated;
use crate::Stage;
use crate::ast::{Declaration, PropertyValue, Semantic, Shader};
use crate::validate::context::Context;
use crate::validate::unused::Used;
use crate::words::{File, Interpolation, Primitive, PropertyName, SemanticName};

/// The most registers of a shader that are joined; drivers have far fewer.
const MOST_SLOTS: usize = 4096;

/// One input or output register.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct IoRegister {
    pub(super) semantic: Semantic,
    /// The components declared.
    pub(super) mask: u8,
    /// The semantic's place.
    pub(super) range: TextRange,
    pub(super) interpolation: Option<Interpolation>,
    /// Set where an instruction names it.
    pub(super) used: bool,
}

/// The interface of a shader to the stages before and behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interface {
    /// The shader's stage.
    pub stage: Stage,
    pub(super) header: TextRange,
    pub(super) inputs: Vec<IoRegister>,
    pub(super) outputs: Vec<IoRegister>,
    /// The primitive that leaves a tessellator.
    pub(super) made: Option<Primitive>,
    /// The primitive that a geometry shader takes.
    pub(super) taken: Option<(Primitive, TextRange)>,
    /// The number of vertices of a control shader's patch.
    pub(super) patch_vertices: Option<(u32, TextRange)>,
    /// The highest vertex number that is read by a plain number.
    pub(super) last_vertex: Option<(u32, TextRange)>,
    /// Set where zero times anything is zero.
    pub(super) zero_wins: bool,
    /// The place that says that its positions are those of the window.
    pub(super) window_position: Option<TextRange>,
    /// The stage that it says follows.
    pub(super) next: Option<(Stage, TextRange)>,
}

impl Interface {
    /// Gathers what a shader shows.
    pub fn new(shader: &Shader) -> Interface {
        let context = Context::new(shader);
        let mut used = Used::default();
        let mut last_vertex: Option<(u32, TextRange)> = None;
        for (instruction, _) in &context.instructions {
            for source in &instruction.sources {
                used.register(&source.register);
                let vertex = source.register.dimension.filter(|it| it.indirect.is_none());
                if let (File::Input, Some(vertex)) = (source.register.file, vertex)
                    && let Ok(number) = u32::try_from(vertex.offset)
                    && last_vertex.is_none_or(|(last, _)| number > last)
                {
                    last_vertex = Some((number, source.register.range));
                }
            }
        }
        let number = |name| context.number(name);
        let points = number(PropertyName::EvaluationPointMode).is_some_and(|(on, _)| on != 0);
        let mode = number(PropertyName::EvaluationPrimitiveMode);
        Interface {
            stage: context.stage.value,
            header: context.stage.range,
            inputs: slots(&context, File::Input, &used),
            outputs: slots(&context, File::Output, &used),
            made: mode.and_then(|(mode, _)| tessellated(mode, points)),
            taken: match context.value(PropertyName::GeometryInputPrimitive) {
                Some((PropertyValue::Primitive(primitive), range)) => Some((primitive, range)),
                _ => None,
            },
            patch_vertices: number(PropertyName::ControlVerticesOut),
            last_vertex,
            zero_wins: [PropertyName::MultiplyZeroWins, PropertyName::LegacyMathRules]
                .into_iter()
                .any(|name| number(name).is_some_and(|(on, _)| on != 0)),
            window_position: number(PropertyName::WindowSpacePosition)
                .filter(|(on, _)| *on != 0)
                .map(|(_, range)| range),
            next: match context.value(PropertyName::NextShader) {
                Some((PropertyValue::Stage(stage), range)) => Some((stage, range)),
                _ => None,
            },
        }
    }
}

fn slots(context: &Context<'_>, file: File, used: &Used) -> Vec<IoRegister> {
    // What control and evaluation shaders read of a level is not a slot to join.
    let joined = |declared: &&Declaration| {
        declared.semantic.is_some_and(|it| it.value.name != SemanticName::PrimitiveId)
    };
    let declared = context.declared(file).filter(joined);
    let slots = declared.flat_map(|declared| {
        let range = declared.range.value;
        let used = used.has(declared);
        let semantic = declared.semantic;
        (0..=range.last.saturating_sub(range.first).min(MOST_SLOTS as u32)).filter_map(
            move |more| {
                let semantic = semantic?;
                let index = semantic.value.index.saturating_add(more);
                Some(IoRegister {
                    semantic: Semantic { index, ..semantic.value },
                    mask: declared.components().0,
                    range: semantic.range,
                    interpolation: declared.interpolation.map(|it| it.value),
                    used,
                })
            },
        )
    });
    slots.take(MOST_SLOTS).collect()
}
