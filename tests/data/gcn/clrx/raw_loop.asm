# Bare code with a loop and numeric labels.
.rawcode
.gpu Hawaii
    s_movk_i32 s0, 10
    v_mov_b32 v0, 0
1:  v_add_i32 v0, vcc, 3, v0
    s_sub_u32 s0, s0, 1
    s_cmp_lg_u32 s0, 0
    s_cbranch_scc1 1b
    s_endpgm
