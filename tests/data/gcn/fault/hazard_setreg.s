	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
	.text
main:
	s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 3
	s_getreg_b32 s0, hwreg(HW_REG_MODE, 0, 4)
	s_endpgm
