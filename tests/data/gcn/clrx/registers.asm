# Names of registers, with parts and ranges.
.rawcode
.gpu Fiji
matrix = %v[8:23]
row = %matrix[4:7]
pointer = %s[2:3]
    s_load_dwordx2 pointer, pointer, 16
    v_mov_b32 matrix[0], row[1]
    v_add_f64 matrix[2:3], row[0:1], -row[2:3]
    v_fma_f32 row[0], matrix[1], abs(matrix[2]), -|row[3]| mul:2 clamp
    s_endpgm
