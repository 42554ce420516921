//! The order of mnemonics: those that the file uses around the cursor, by how often; then those
//! that most code is made of; then the rest by their encodings.

use rustc_hash::FxHashMap;
use source::TextSize;

use crate::assembler::result::StatementKind;
use crate::encoding::Encoding;
use crate::instruction::form::InstDesc;
use crate::mnemonics::{self, FormSuffix, OpInfo, Opcode};
use crate::service::View;

/// The instructions that most kernels and shaders are made of, those used most first. Chips and
/// dialects that lack one pass over it.
const USUAL: [Opcode; 64] = [
    Opcode::v_mov_b32,
    Opcode::s_mov_b32,
    Opcode::s_waitcnt,
    Opcode::v_add_f32,
    Opcode::v_mul_f32,
    Opcode::v_mac_f32,
    Opcode::v_fma_f32,
    Opcode::v_mad_f32,
    Opcode::v_add_u32,
    Opcode::v_add_co_u32,
    Opcode::v_add_i32,
    Opcode::s_add_u32,
    Opcode::s_addc_u32,
    Opcode::v_and_b32,
    Opcode::v_or_b32,
    Opcode::v_lshlrev_b32,
    Opcode::v_lshrrev_b32,
    Opcode::v_cndmask_b32,
    Opcode::s_and_b32,
    Opcode::s_lshl_b32,
    Opcode::s_lshr_b32,
    Opcode::s_mul_i32,
    Opcode::s_sub_u32,
    Opcode::s_and_saveexec_b64,
    Opcode::s_mov_b64,
    Opcode::s_and_b64,
    Opcode::s_or_b64,
    Opcode::s_andn2_b64,
    Opcode::s_load_dword,
    Opcode::s_load_dwordx2,
    Opcode::s_load_dwordx4,
    Opcode::s_buffer_load_dword,
    Opcode::s_buffer_load_dwordx4,
    Opcode::buffer_load_dword,
    Opcode::buffer_load_dwordx4,
    Opcode::buffer_store_dword,
    Opcode::buffer_store_dwordx4,
    Opcode::global_load_dword,
    Opcode::global_store_dword,
    Opcode::flat_load_dword,
    Opcode::flat_store_dword,
    Opcode::ds_read_b32,
    Opcode::ds_write_b32,
    Opcode::ds_read_b128,
    Opcode::image_sample,
    Opcode::image_load,
    Opcode::image_store,
    Opcode::exp,
    Opcode::v_interp_p1_f32,
    Opcode::v_interp_p2_f32,
    Opcode::v_cvt_pkrtz_f16_f32,
    Opcode::v_cmp_eq_u32,
    Opcode::v_cmp_gt_u32,
    Opcode::v_rcp_f32,
    Opcode::v_sub_f32,
    Opcode::v_max_f32,
    Opcode::v_min_f32,
    Opcode::s_cmp_eq_u32,
    Opcode::s_cbranch_scc0,
    Opcode::s_cbranch_scc1,
    Opcode::s_cbranch_execz,
    Opcode::s_branch,
    Opcode::s_barrier,
    Opcode::s_endpgm,
];

/// Statements of a program before and behind the cursor that tell what it uses.
const AROUND: usize = 2048;

/// Words with a rank of their own among those that a file uses.
const RANKS: usize = 64;

/// The fitness of every mnemonic at a place.
pub(super) struct Ranking {
    by_opcode: Vec<u8>,
    /// The words with suffixes that the program uses, each with its fitness.
    pub(super) suffixed: Vec<(String, Opcode, u8)>,
}

impl Ranking {
    /// Looks at the statements around a place of a file.
    pub(super) fn at(view: View<'_>, offset: TextSize) -> Ranking {
        let mut by_opcode = vec![u8::MAX; Opcode::all().len()];
        for (opcode, place) in USUAL.into_iter().zip(RANKS as u8..) {
            by_opcode[opcode as usize] = place;
        }
        let mut ranking = Ranking { by_opcode, suffixed: Vec::new() };
        for ((word, opcode), place) in used(view, offset).into_iter().zip(0..) {
            match mnemonics::split_suffix(&word) {
                (_, None) => ranking.by_opcode[opcode as usize] = place,
                (_, Some(_)) => ranking.suffixed.push((word, opcode, place)),
            }
        }
        ranking
    }

    /// The fitness of a mnemonic with these forms on the chip, in the dialect.
    pub(super) fn of(&self, info: &OpInfo, forms: &[InstDesc]) -> u8 {
        match self.by_opcode[info.opcode as usize] {
            u8::MAX => {
                let best = forms.iter().map(|form| rareness(form.encoding)).min();
                (RANKS + USUAL.len()) as u8 + best.unwrap_or_default()
            }
            rank => rank,
        }
    }
}

/// The mnemonics as statements around a place write them, those used most first.
fn used(view: View<'_>, offset: TextSize) -> Vec<(String, Opcode)> {
    let expansion = &view.program.expansion;
    let statements = &expansion.statements;
    let is_before = |span: crate::assembler::sources::Span| {
        span.source != view.source || span.range.start() < offset
    };
    let here = statements.iter().position(|it| !is_before(it.span)).unwrap_or(statements.len());
    let around = here.saturating_sub(AROUND)..(here + AROUND).min(statements.len());
    let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
    for statement in &statements[around] {
        let at_cursor =
            statement.span.source == view.source && statement.span.range.contains_inclusive(offset);
        if statement.kind == StatementKind::Instruction && !at_cursor {
            let word = expansion.text(statement).split_ascii_whitespace().next();
            *counts.entry(word.unwrap_or_default()).or_default() += 1;
        }
    }
    let find = |(word, count): (&str, usize)| {
        let word = word.to_ascii_lowercase();
        let opcode = Opcode::find_in(mnemonics::base_name(&word), view.program.dialect)?;
        Some((count, word, opcode))
    };
    let mut known: Vec<_> = counts.into_iter().filter_map(find).collect();
    known.sort_unstable_by(|left, right| right.0.cmp(&left.0).then_with(|| left.1.cmp(&right.1)));
    known.truncate(RANKS);
    known.into_iter().map(|(_, word, opcode)| (word, opcode)).collect()
}

/// The suffixes of a mnemonic's forms.
pub(super) const SUFFIXES: [FormSuffix; 4] =
    [FormSuffix::Short, FormSuffix::Long, FormSuffix::Sdwa, FormSuffix::Dpp];

/// The rank of an encoding: instructions that have a short one are what code is made of,
/// those for which there is only a long one are rare.
fn rareness(encoding: Encoding) -> u8 {
    match encoding {
        Encoding::Sop2
        | Encoding::Sop1
        | Encoding::Sopc
        | Encoding::Sopp
        | Encoding::Smrd
        | Encoding::Smem
        | Encoding::Vop2
        | Encoding::Vop1
        | Encoding::Exp => 0,
        Encoding::Sopk
        | Encoding::Vopc
        | Encoding::Vintrp
        | Encoding::Ds
        | Encoding::Flat
        | Encoding::Global
        | Encoding::Mubuf
        | Encoding::Mimg => 1,
        Encoding::Vop3
        | Encoding::Vop3p
        | Encoding::Vop3px
        | Encoding::Mtbuf
        | Encoding::Scratch => 2,
    }
}
