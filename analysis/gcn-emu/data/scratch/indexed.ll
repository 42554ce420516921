; Eight words of scratch are filled, and one of them is read by a flat address. The files beside
; this one are what LLVM 19 makes of it:
;   llc-19 -O2 -mtriple=amdgcn-amd-amdhsa --amdhsa-code-object-version=4 -mcpu=CHIP indexed.ll
; without comments and what follows the code.
target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @k(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %a = alloca [8 x i32], addrspace(5)
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  br label %loop
loop:
  %i = phi i32 [0, %0], [%n, %loop]
  %p = getelementptr [8 x i32], ptr addrspace(5) %a, i32 0, i32 %i
  %m = mul i32 %i, %id
  store volatile i32 %m, ptr addrspace(5) %p
  %n = add i32 %i, 1
  %c = icmp ult i32 %n, 8
  br i1 %c, label %loop, label %done
done:
  %g = getelementptr i32, ptr addrspace(1) %in, i32 %id
  %x = load i32, ptr addrspace(1) %g
  %y = and i32 %x, 7
  %q = getelementptr [8 x i32], ptr addrspace(5) %a, i32 0, i32 %y
  %f = addrspacecast ptr addrspace(5) %q to ptr
  %v = load volatile i32, ptr %f
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %v, ptr addrspace(1) %o
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
attributes #0 = { "amdgpu-flat-work-group-size"="1,256"}
