# Modifiers as CLRX writes them: SDWA, DPP, abs and neg by mask.
.rawcode
.gpu Fiji
    v_add_f32 v0, v1, v2 dst_sel:b0 dst_unused:sext src0_sel:w1 src1_sel:byte2
    v_add_f32 v0, v1, v2 quad_perm:[3,2,1,0] bank_mask:5 row_mask:3
    v_mov_b32 v3, v4 wave_shl
    v_add_f32 v0, v1, v2 vop3
    v_add_f32 v0, v1, v2 abs:1 neg:2
    v_mul_f32 v0, v1, v2 omod:1
    s_waitcnt vmcnt(3) & expcnt(2)
    s_getreg_b32 s0, hwreg(mode, 0, 8)
    s_sendmsg sendmsg(gs, emit, 0)
    s_endpgm
