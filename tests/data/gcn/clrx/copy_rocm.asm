# A copy by global memory, as a kernel of ROCm.
.rocm
.gpu GFX900
.kernel copy
    .config
        .dims x
        .sgprsnum 16
        .vgprsnum 8
        .codeversion 1, 1
        .machine 1, 9, 0, 0
        .use_kernarg_segment_ptr
        .user_data_num 2
        .kernarg_segment_size 16
.text
copy:
.skip 256
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32 v0, 2, v0
    s_waitcnt lgkmcnt(0)
    global_load_dword v1, v0, s[4:5]
    s_waitcnt vmcnt(0)
    global_store_dword v0, v1, s[6:7]
    s_endpgm
