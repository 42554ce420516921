# A buffer filled with a number, as a kernel of AMD Catalyst.
.amd
.gpu Tahiti
.32bit
.kernel fill
    .config
        .dims x
        .uavid 11
        .arg out, uint*, global
        .arg value, uint
        .cws 64
    .text
    s_buffer_load_dword s0, s[4:7], 0x0
    s_buffer_load_dword s1, s[4:7], 0x4
    s_waitcnt lgkmcnt(0)
    v_lshlrev_b32 v0, 2, v0
    v_mov_b32 v1, s1
    buffer_store_dword v1, v0, s[8:11], s0 offen
    s_endpgm
