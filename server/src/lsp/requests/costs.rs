//! `tungsten/costs`: what lines cost, for maps of heat and sums in a status line.

use engine::ide;

use super::{DocumentRequest, Stop};
use crate::lsp::extensions::{ChipCosts, CodeCosts, Costs, CostsParams, RegisterCosts};
use crate::lsp::mailbox::Event;
use crate::lsp::workers::Context;

impl DocumentRequest for CostsParams {
    type Answer = Option<Costs>;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        // Whoever asks wants to know of changes, also where there is nothing yet.
        context.mailbox.post(Event::CostsAsked(context.uri.clone()));
        let codes = context.snapshot.code_costs(context.file)?;
        let lines = context.snapshot.line_index(context.file)?;
        let codes = codes.into_iter().map(|code| CodeCosts {
            name: code.name,
            number: code.number,
            first_line: lines.line(code.range.start()),
            last_line: lines.line(code.range.end()),
            state: code.state,
            chips: std::iter::once(&code.figures).chain(&code.chips).map(chip).collect(),
            lines: code.lines,
        });
        Ok(Some(Costs { codes: codes.collect() }))
    }
}

fn chip(figures: &ide::Figures) -> ChipCosts {
    ChipCosts {
        target: figures.target.name().to_owned(),
        waves: figures.waves,
        limiter: figures.limiter.to_owned(),
        vgprs: RegisterCosts {
            used: figures.vgprs,
            allocated: figures.allocated_vgprs,
            peak: figures.peak_vgprs,
            spare: figures.spare_vgprs,
        },
        sgprs: RegisterCosts {
            used: figures.sgprs,
            allocated: figures.allocated_sgprs,
            peak: figures.peak_sgprs,
            spare: figures.spare_sgprs,
        },
        relief: figures.relief,
        ladder: figures.ladder().collect(),
        clocks: figures.clocks,
        best: figures.best,
        worst: figures.worst,
        inverse_throughput: figures.inverse_throughput,
        bound: figures.bound.to_owned(),
    }
}
