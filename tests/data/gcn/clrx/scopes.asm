# Scopes with symbols and registers of their own.
.rawcode
.gpu Fiji
width = 4
.scope tile
width = 16
first = %v4
.scope deeper
height = width * 2
.ends
.ends
    v_mov_b32 tile::first, tile::width
    v_mov_b32 v0, width
    s_movk_i32 s0, tile::deeper::height
.using tile
    v_mov_b32 v1, first
.unusing tile
    s_endpgm
