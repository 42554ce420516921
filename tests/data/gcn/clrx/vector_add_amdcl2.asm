# The sum of two buffers as a kernel of AMD OpenCL 2.
.amdcl2
.gpu Fiji
.64bit
.driver_version 234800
.kernel vadd
    .config
        .dims x
        .useargs
        .arg n, uint
        .arg a, float*, global, const
        .arg b, float*, global, const
        .arg c, float*, global
        .cws 64, 1, 1
    .text
    s_load_dwordx2 s[6:7], s[4:5], 0x38
    s_lshl_b32 s3, s8, 6
    s_load_dwordx2 s[8:9], s[4:5], 0x40
    s_load_dwordx2 s[10:11], s[4:5], 0x48
    s_waitcnt lgkmcnt(0)
    v_add_u32 v0, vcc, s3, v0
    v_lshlrev_b32 v0, 2, v0
    v_mov_b32 v1, s7
    v_add_u32 v2, vcc, s6, v0
    v_addc_u32 v3, vcc, v1, 0, vcc vop3
    flat_load_dword v4, v[2:3]
    v_mov_b32 v1, s9
    v_add_u32 v2, vcc, s8, v0
    v_addc_u32 v3, vcc, v1, 0, vcc vop3
    flat_load_dword v5, v[2:3]
    v_mov_b32 v1, s11
    v_add_u32 v2, vcc, s10, v0
    v_addc_u32 v3, vcc, v1, 0, vcc vop3
    s_waitcnt vmcnt(0) & lgkmcnt(0)
    v_add_f32 v4, v4, v5
    flat_store_dword v[2:3], v4
    s_endpgm
