.rawcode
.gpu Fiji
    v_mov_b32 v0, neg(v1)
    s_getreg_b32 s0, hwreg(mode)
    exp mrt0 v0, v1, v2, v3
    v_nonsense v0
    s_movk_i32 s0, nothing
    s_endpgm
