.rawcode
.gpu Fiji
pool = %v[4:7]
    v_mov_b32 v0, pool[4]
    v_mov_b32 v0, pool
.ends
.scope open
    s_endpgm
