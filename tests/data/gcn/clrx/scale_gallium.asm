# A buffer scaled by two, as a kernel of Gallium compute.
.gallium
.gpu Bonaire
.kernel scale
    .args
        .arg global, 8
        .arg scalar, 4, 4, 4, zext, general
    .config
        .dims x
        .priority 0
        .floatmode 0xc0
        .ieeemode
        .pgmrsrc2 0x00000090
.text
scale:
    s_load_dwordx4 s[4:7], s[0:1], 0x9
    v_lshlrev_b32 v0, 2, v0
    s_waitcnt lgkmcnt(0)
    buffer_load_dword v1, v0, s[4:7], 0 offen
    s_waitcnt vmcnt(0)
    v_add_f32 v1, v1, v1
    buffer_store_dword v1, v0, s[4:7], 0 offen
    s_endpgm
