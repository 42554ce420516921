//! The meaning of an instruction to the wave that executes it: the unit that takes it, the
//! counters it raises, its class of issue time, and the registers it uses without naming
//! them.

pub use isa::gcn::behaviour::{
    Behaviour, BranchCondition, Condition, Control, Counter, CounterEvent, CounterInc, Implicit,
    IssueClass, Special, Unit,
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Generation;
    use crate::mnemonics::{self, op_info};

    fn of(name: &str, generation: Generation) -> Behaviour {
        let info = op_info(name).unwrap_or_else(|| panic!("no {name}"));
        info.behaviour(generation).unwrap_or_else(|| panic!("{name} has no row"))
    }

    /// The counters as the table writes them.
    fn counters(name: &str, generation: Generation) -> String {
        let raises = of(name, generation).counters.iter().map(|inc| {
            let suffix = if inc.condition == Condition::Gds { "@gds" } else { "" };
            format!("{}:{}{suffix}", inc.counter.name(), inc.event.name())
        });
        raises.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn every_mnemonic_has_a_row_where_it_exists() {
        let mut count = 0;
        for info in mnemonics::all() {
            for generation in Generation::ALL {
                let exists =
                    !info.generation_forms(generation).is_empty() || info.is_later(generation);
                count += usize::from(exists);
                assert!(
                    !exists || info.behaviour(generation).is_some(),
                    "{generation} {}",
                    info.name
                );
            }
        }
        eprintln!("{count} mnemonics of generations have unit, counters and class");
        assert!(count > 3_800, "{count}");
    }

    #[test]
    fn every_class_and_unit_is_used() {
        let all: Vec<Behaviour> = mnemonics::all()
            .iter()
            .flat_map(|info| Generation::ALL.into_iter().filter_map(|it| info.behaviour(it)))
            .collect();
        for class in IssueClass::ALL {
            assert!(all.iter().any(|it| it.issue == class), "{}", class.name());
        }
        for unit in Unit::ALL {
            assert!(all.iter().any(|it| it.unit == unit), "{}", unit.name());
        }
    }

    #[test]
    fn counters_follow_generation_and_kind() {
        use Generation::{Gfx6, Gfx8, Gfx9};
        assert_eq!(counters("buffer_store_dword", Gfx6), "vm:done exp:source");
        assert_eq!(counters("buffer_store_dword", Gfx8), "vm:done");
        assert_eq!(counters("flat_load_dword", Gfx9), "vm:result lgkm:result");
        assert_eq!(counters("global_load_dword", Gfx9), "vm:result");
        assert_eq!(counters("ds_add_u32", Gfx8), "lgkm:done exp:source@gds");
        assert_eq!(counters("s_buffer_load_dwordx8", Gfx9), "lgkm:result");
        assert_eq!(counters("tbuffer_load_format_xy", Gfx8), "vm:result");
        assert_eq!(counters("buffer_wbinvl1", Gfx8), "");
        assert_eq!(counters("exp", Gfx6), "exp:source");
    }

    #[test]
    fn classes_follow_the_operation() {
        use Generation::{Gfx8, Gfx9};
        for (name, class) in [
            ("v_rcp_f32", IssueClass::Trans),
            ("v_rcp_f64", IssueClass::F64Trans),
            ("v_cmpx_lt_u64", IssueClass::I64Compare),
            ("v_cmp_class_f64", IssueClass::F64Compare),
            ("v_cvt_f64_i32", IssueClass::Convert64),
            ("v_ldexp_f64", IssueClass::F64Simple),
            ("v_mul_hi_u32_u24", IssueClass::Valu32),
            ("v_mul_hi_u32", IssueClass::Imul),
            ("v_lshlrev_b64", IssueClass::Shift64),
            ("s_lshl_b64", IssueClass::Salu),
            ("s_setprio", IssueClass::Sequencer),
            ("s_and_saveexec_b64", IssueClass::SaveExec),
            ("s_load_dwordx16", IssueClass::Smem16),
            ("ds_min_rtn_f64", IssueClass::LdsAtomic64),
            ("buffer_load_format_xyzw", IssueClass::VmemLoad4),
            ("image_sample_c_d_cl_o", IssueClass::ImageSample),
        ] {
            assert_eq!(of(name, Gfx8).issue, class, "{name}");
        }
        assert_eq!(of("v_pk_fma_f16", Gfx9).issue, IssueClass::Packed);
    }

    #[test]
    fn registers_that_nobody_names() {
        use Generation::{Gfx6, Gfx8, Gfx9};
        let names = |set: Implicit| set.iter().map(Special::name).collect::<Vec<_>>().join(" ");
        let reads = |name, generation| names(of(name, generation).reads);
        let writes = |name, generation| names(of(name, generation).writes);
        assert_eq!(reads("v_add_f32", Gfx6), "exec");
        assert_eq!(reads("v_readlane_b32", Gfx6), "");
        assert_eq!(reads("v_readfirstlane_b32", Gfx6), "exec");
        assert_eq!(reads("v_div_fmas_f64", Gfx8), "vcc exec");
        assert_eq!(reads("ds_read_b32", Gfx8), "exec m0");
        assert_eq!(reads("ds_read_b32", Gfx9), "exec");
        assert_eq!(reads("flat_store_dword", Gfx8), "exec m0 flat_scratch");
        assert_eq!(reads("scratch_load_dword", Gfx9), "exec flat_scratch");
        assert_eq!(reads("v_interp_p1_f32", Gfx6), "exec m0");
        assert_eq!(reads("s_addc_u32", Gfx6), "scc");
        assert_eq!(writes("s_addc_u32", Gfx6), "scc");
        assert_eq!(writes("v_cmpx_lt_f32", Gfx9), "exec");
        assert_eq!(writes("s_or_saveexec_b64", Gfx9), "exec scc");
        assert_eq!(writes("s_mul_i32", Gfx9), "");
    }
}
