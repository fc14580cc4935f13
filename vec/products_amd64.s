//go:build goexperiment.simd

#include "textflag.h"
#include "funcdata.h"

// MULTIPLES sets R9, R10 and R11 to 3, 5 and 7 times R8.
#define MULTIPLES \
	LEAQ (R8)(R8*2), R9  \
	LEAQ (R8)(R8*4), R10 \
	LEAQ (R9)(R8*4), R11

// LOAD and STORE move eight sums, of which DI points to the first. They lie R8 bytes apart.
#define LOAD(z0, z1, z2, z3, z4, z5, z6, z7) \
	VMOVDQU64 (DI), z0         \
	VMOVDQU64 (DI)(R8*1), z1   \
	VMOVDQU64 (DI)(R8*2), z2   \
	VMOVDQU64 (DI)(R9*1), z3   \
	VMOVDQU64 (DI)(R8*4), z4   \
	VMOVDQU64 (DI)(R10*1), z5  \
	VMOVDQU64 (DI)(R9*2), z6   \
	VMOVDQU64 (DI)(R11*1), z7

#define STORE(z0, z1, z2, z3, z4, z5, z6, z7) \
	VMOVDQU64 z0, (DI)         \
	VMOVDQU64 z1, (DI)(R8*1)   \
	VMOVDQU64 z2, (DI)(R8*2)   \
	VMOVDQU64 z3, (DI)(R9*1)   \
	VMOVDQU64 z4, (DI)(R8*4)   \
	VMOVDQU64 z5, (DI)(R10*1)  \
	VMOVDQU64 z6, (DI)(R9*2)   \
	VMOVDQU64 z7, (DI)(R11*1)

// ADD adds to eight sums the numbers at p, R8 bytes apart, times b. They are spread by the instruction that multiplies them.
#define ADD(fma, p, b, z0, z1, z2, z3, z4, z5, z6, z7) \
	fma (p), b, z0        \
	fma (p)(R8*1), b, z1  \
	fma (p)(R8*2), b, z2  \
	fma (p)(R9*1), b, z3  \
	fma (p)(R8*4), b, z4  \
	fma (p)(R10*1), b, z5 \
	fma (p)(R9*2), b, z6  \
	fma (p)(R11*1), b, z7

#define ARGS \
	MOVQ a+16(FP), AX     \
	MOVQ row+24(FP), R8   \
	MOVQ aStep+32(FP), DX \
	MOVQ b+40(FP), BX     \
	MOVQ bStep+48(FP), SI \
	MOVQ n+64(FP), CX     \
	MULTIPLES

// SUMS sets DI to the first sum.
#define SUMS \
	MOVQ sumRow+8(FP), R8 \
	MOVQ sums+0(FP), DI   \
	MULTIPLES

// PRODUCTS is for eight rows, and for sixteen.
#define PRODUCTS(fma) \
	MOVQ  n+64(FP), CX     \
	TESTQ CX, CX           \
	JLE   none             \
	MOVQ  rows+56(FP), CX  \
	SUMS                   \
	LOAD(Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7) \
	CMPQ  CX, $16          \
	JEQ   sixteen          \
	ARGS                   \
round:                     \
	VMOVDQU64 (BX), Z16    \
	ADD(fma, AX, Z16, Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7) \
	ADDQ  DX, AX           \
	ADDQ  SI, BX           \
	DECQ  CX               \
	JNZ   round            \
	SUMS                   \
	STORE(Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7) \
	VZEROUPPER             \
none:                      \
	RET                    \
sixteen:                   \
	LEAQ  (DI)(R8*8), DI   \
	LOAD(Z8, Z9, Z10, Z11, Z12, Z13, Z14, Z15) \
	ARGS                   \
	LEAQ  (AX)(R8*8), R12  \
round16:                   \
	VMOVDQU64 (BX), Z16    \
	ADD(fma, AX, Z16, Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7) \
	ADD(fma, R12, Z16, Z8, Z9, Z10, Z11, Z12, Z13, Z14, Z15) \
	ADDQ  DX, AX           \
	ADDQ  DX, R12          \
	ADDQ  SI, BX           \
	DECQ  CX               \
	JNZ   round16          \
	SUMS                   \
	STORE(Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7) \
	LEAQ  (DI)(R8*8), DI   \
	STORE(Z8, Z9, Z10, Z11, Z12, Z13, Z14, Z15) \
	VZEROUPPER             \
	RET

// TAKE copies the lines at p, R8 bytes apart, to DI.
#define TAKE(p, at) \
	VMOVDQU64 (p), Z17          \
	VMOVDQU64 (p)(R8*1), Z18    \
	VMOVDQU64 (p)(R8*2), Z19    \
	VMOVDQU64 (p)(R9*1), Z20    \
	VMOVDQU64 (p)(R8*4), Z21    \
	VMOVDQU64 (p)(R10*1), Z22   \
	VMOVDQU64 (p)(R9*2), Z23    \
	VMOVDQU64 (p)(R11*1), Z24   \
	VMOVDQU64 Z17, at+0(DI)     \
	VMOVDQU64 Z18, at+64(DI)    \
	VMOVDQU64 Z19, at+128(DI)   \
	VMOVDQU64 Z20, at+192(DI)   \
	VMOVDQU64 Z21, at+256(DI)   \
	VMOVDQU64 Z22, at+320(DI)   \
	VMOVDQU64 Z23, at+384(DI)   \
	VMOVDQU64 Z24, at+448(DI)

// PRODUCTSFAR copies a line of each of sixteen rows to the stack, goes through its rounds, and takes the next. DI is the middle
// of the copy, so that all places fit in a byte. It asks for what the 32nd round from now reads of b.
#define PRODUCTSFAR(fma, size) \
	NO_LOCAL_POINTERS            \
	SUMS                         \
	LOAD(Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7) \
	LEAQ  (DI)(R8*8), DI         \
	LOAD(Z8, Z9, Z10, Z11, Z12, Z13, Z14, Z15) \
	MOVQ  a+16(FP), AX           \
	MOVQ  row+24(FP), R8         \
	MOVQ  b+32(FP), BX           \
	MOVQ  bStep+40(FP), SI       \
	MOVQ  lines+48(FP), CX       \
	MULTIPLES                    \
	LEAQ  (AX)(R8*8), R12        \
	MOVQ  SI, R13                \
	SHLQ  $5, R13                \
	LEAQ  copy-1088(SP), DI      \
	ADDQ  $(63+512), DI          \
	ANDQ  $~63, DI               \
	LEAQ  64(DI), DX             \
line:                          \
	TAKE(AX, -512)               \
	TAKE(R12, 0)                 \
	ADDQ  $64, AX                \
	ADDQ  $64, R12               \
round:                         \
	VMOVDQU64  (BX), Z16         \
	PREFETCHT1 (BX)(R13*1)       \
	fma   -512(DI), Z16, Z0      \
	fma   -448(DI), Z16, Z1      \
	fma   -384(DI), Z16, Z2      \
	fma   -320(DI), Z16, Z3      \
	fma   -256(DI), Z16, Z4      \
	fma   -192(DI), Z16, Z5      \
	fma   -128(DI), Z16, Z6      \
	fma   -64(DI), Z16, Z7       \
	fma   (DI), Z16, Z8          \
	fma   64(DI), Z16, Z9        \
	fma   128(DI), Z16, Z10      \
	fma   192(DI), Z16, Z11      \
	fma   256(DI), Z16, Z12      \
	fma   320(DI), Z16, Z13      \
	fma   384(DI), Z16, Z14      \
	fma   448(DI), Z16, Z15      \
	ADDQ  SI, BX                 \
	ADDQ  $size, DI              \
	CMPQ  DI, DX                 \
	JNE   round                  \
	SUBQ  $64, DI                \
	DECQ  CX                     \
	JNZ   line                   \
	SUMS                         \
	STORE(Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7) \
	LEAQ  (DI)(R8*8), DI         \
	STORE(Z8, Z9, Z10, Z11, Z12, Z13, Z14, Z15) \
	VZEROUPPER                   \
	RET

// func products32(sums unsafe.Pointer, sumRow int, a unsafe.Pointer, row, aStep int, b unsafe.Pointer, bStep, rows, n int)
TEXT ·products32(SB), NOSPLIT, $0-72
	PRODUCTS(VFMADD231PS.BCST)

// func products64(sums unsafe.Pointer, sumRow int, a unsafe.Pointer, row, aStep int, b unsafe.Pointer, bStep, rows, n int)
TEXT ·products64(SB), NOSPLIT, $0-72
	PRODUCTS(VFMADD231PD.BCST)

// func productsFar32(sums unsafe.Pointer, sumRow int, a unsafe.Pointer, row int, b unsafe.Pointer, bStep, lines int)
TEXT ·productsFar32(SB), 0, $1088-56
	PRODUCTSFAR(VFMADD231PS.BCST, 4)

// func productsFar64(sums unsafe.Pointer, sumRow int, a unsafe.Pointer, row int, b unsafe.Pointer, bStep, lines int)
TEXT ·productsFar64(SB), 0, $1088-56
	PRODUCTSFAR(VFMADD231PD.BCST, 8)
