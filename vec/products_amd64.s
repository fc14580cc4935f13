//go:build goexperiment.simd

#include "textflag.h"

// LOADSUMS and STORESUMS move the eight sums, of which DI points to the first. They lie R12 bytes apart.
#define LOADSUMS \
	LEAQ      (R12)(R12*2), R13 \
	LEAQ      (R12)(R12*4), R15 \
	LEAQ      (R13)(R12*4), CX  \
	VMOVDQU64 (DI), Z0          \
	VMOVDQU64 (DI)(R12*1), Z1   \
	VMOVDQU64 (DI)(R12*2), Z2   \
	VMOVDQU64 (DI)(R13*1), Z3   \
	VMOVDQU64 (DI)(R12*4), Z4   \
	VMOVDQU64 (DI)(R15*1), Z5   \
	VMOVDQU64 (DI)(R13*2), Z6   \
	VMOVDQU64 (DI)(CX*1), Z7

#define STORESUMS \
	LEAQ      (R13)(R12*4), CX  \
	VMOVDQU64 Z0, (DI)          \
	VMOVDQU64 Z1, (DI)(R12*1)   \
	VMOVDQU64 Z2, (DI)(R12*2)   \
	VMOVDQU64 Z3, (DI)(R13*1)   \
	VMOVDQU64 Z4, (DI)(R12*4)   \
	VMOVDQU64 Z5, (DI)(R15*1)   \
	VMOVDQU64 Z6, (DI)(R13*2)   \
	VMOVDQU64 Z7, (DI)(CX*1)

// PRODUCTS has the numbers of eight rows at AX, R8 bytes apart, spread by the instruction that multiplies them.
#define PRODUCTS(fma) \
	MOVQ  n+56(FP), CX      \
	TESTQ CX, CX            \
	JLE   none              \
	MOVQ  sums+0(FP), DI    \
	MOVQ  sumRow+8(FP), R12 \
	LOADSUMS                \
	MOVQ  a+16(FP), AX      \
	MOVQ  row+24(FP), R8    \
	MOVQ  aStep+32(FP), DX  \
	MOVQ  b+40(FP), BX      \
	MOVQ  bStep+48(FP), SI  \
	MOVQ  n+56(FP), CX      \
	LEAQ  (R8)(R8*2), R9    \
	LEAQ  (R8)(R8*4), R10   \
	LEAQ  (R9)(R8*4), R11   \
round:                      \
	VMOVDQU64 (BX), Z8      \
	fma (AX), Z8, Z0        \
	fma (AX)(R8*1), Z8, Z1  \
	fma (AX)(R8*2), Z8, Z2  \
	fma (AX)(R9*1), Z8, Z3  \
	fma (AX)(R8*4), Z8, Z4  \
	fma (AX)(R10*1), Z8, Z5 \
	fma (AX)(R9*2), Z8, Z6  \
	fma (AX)(R11*1), Z8, Z7 \
	ADDQ  DX, AX            \
	ADDQ  SI, BX            \
	DECQ  CX                \
	JNZ   round             \
	STORESUMS               \
	VZEROUPPER              \
none:                       \
	RET

// func products32(sums unsafe.Pointer, sumRow int, a unsafe.Pointer, row, aStep int, b unsafe.Pointer, bStep, n int)
TEXT ·products32(SB), NOSPLIT, $0-64
	PRODUCTS(VFMADD231PS.BCST)

// func products64(sums unsafe.Pointer, sumRow int, a unsafe.Pointer, row, aStep int, b unsafe.Pointer, bStep, n int)
TEXT ·products64(SB), NOSPLIT, $0-64
	PRODUCTS(VFMADD231PD.BCST)
