//go:build goexperiment.simd

#include "textflag.h"

// LOADSUMS and STORESUMS move the eight sums between memory and registers.
#define LOADSUMS \
	VMOVDQU64 (DI), Z0    \
	VMOVDQU64 64(DI), Z1  \
	VMOVDQU64 128(DI), Z2 \
	VMOVDQU64 192(DI), Z3 \
	VMOVDQU64 256(DI), Z4 \
	VMOVDQU64 320(DI), Z5 \
	VMOVDQU64 384(DI), Z6 \
	VMOVDQU64 448(DI), Z7

#define STORESUMS \
	VMOVDQU64 Z0, (DI)    \
	VMOVDQU64 Z1, 64(DI)  \
	VMOVDQU64 Z2, 128(DI) \
	VMOVDQU64 Z3, 192(DI) \
	VMOVDQU64 Z4, 256(DI) \
	VMOVDQU64 Z5, 320(DI) \
	VMOVDQU64 Z6, 384(DI) \
	VMOVDQU64 Z7, 448(DI)

// PRODUCTS has the numbers of eight rows at AX, R8 bytes apart, spread by the instruction that multiplies them.
#define PRODUCTS(fma) \
	MOVQ  sums+0(FP), DI   \
	MOVQ  a+8(FP), AX      \
	MOVQ  row+16(FP), R8   \
	MOVQ  aStep+24(FP), DX \
	MOVQ  b+32(FP), BX     \
	MOVQ  bStep+40(FP), SI \
	MOVQ  n+48(FP), CX     \
	TESTQ CX, CX           \
	JLE   none             \
	LEAQ  (R8)(R8*2), R9   \
	LEAQ  (R8)(R8*4), R10  \
	LEAQ  (R9)(R8*4), R11  \
	LOADSUMS               \
round:                     \
	VMOVDQU64 (BX), Z8     \
	fma (AX), Z8, Z0       \
	fma (AX)(R8*1), Z8, Z1 \
	fma (AX)(R8*2), Z8, Z2 \
	fma (AX)(R9*1), Z8, Z3 \
	fma (AX)(R8*4), Z8, Z4 \
	fma (AX)(R10*1), Z8, Z5 \
	fma (AX)(R9*2), Z8, Z6 \
	fma (AX)(R11*1), Z8, Z7 \
	ADDQ  DX, AX           \
	ADDQ  SI, BX           \
	DECQ  CX               \
	JNZ   round            \
	STORESUMS              \
	VZEROUPPER             \
none:                      \
	RET

// func products32(sums, a unsafe.Pointer, row, aStep int, b unsafe.Pointer, bStep, n int)
TEXT ·products32(SB), NOSPLIT, $0-56
	PRODUCTS(VFMADD231PS.BCST)

// func products64(sums, a unsafe.Pointer, row, aStep int, b unsafe.Pointer, bStep, n int)
TEXT ·products64(SB), NOSPLIT, $0-56
	PRODUCTS(VFMADD231PD.BCST)
