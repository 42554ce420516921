/* Random numbers by the name that Rust's library asks Windows for, from the older function
   that Wine has had for long. Debian 12's Wine lacks the library itself. */
#include <windows.h>
#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length) {
    return RtlGenRandom(data, (ULONG)length);
}
