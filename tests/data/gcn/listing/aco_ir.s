BB0
/* logical preds: / linear preds: / kind: top-level, */
	s2: %1:s[0-1], v1: %2:v[0] = p_startpgm
	s[4-7] = s_load_dwordx4 s[0-1], 0
	v[1] = v_lshlrev_b32 2, v[0]
	s_waitcnt lgkmcnt(0)
	v[2] = buffer_load_dword s[4-7], v[1], 0 offen
	s_waitcnt vmcnt(0)
	v[2] = v_mul_f32 2.0, v[2]
	buffer_store_dword s[4-7], v[1], 0, v[2] offen
	s_endpgm
