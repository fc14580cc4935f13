//go:build goexperiment.simd

#include "textflag.h"
#include "go_asm.h"

// ARGS sets AX to the first number and R8 to how far the next row's is, BX to the first vector of b, and so on.
#define ARGS \
	MOVQ productsOf_a(R15), AX         \
	MOVQ productsOf_aRow(R15), R8      \
	MOVQ productsOf_aStep(R15), DX     \
	MOVQ productsOf_b(R15), BX         \
	MOVQ productsOf_bStep(R15), SI     \
	MOVQ productsOf_n(R15), CX         \
	MOVQ productsOf_near(R15), R12     \
	LEAQ (R8)(R8*2), R9

// SUMS sets DI to the first sum and R8 to how far those of the next row are.
#define SUMS \
	MOVQ productsOf_sums(R15), DI    \
	MOVQ productsOf_sumRow(R15), R8  \
	LEAQ (R8)(R8*2), R9

// NEXT goes on to the next round.
#define NEXT \
	ADDQ DX, AX       \
	ADDQ SI, BX       \
	DECQ CX

// KEEP stores the two vectors of b where those of neighbouring rounds are neighbours.
#define KEEP(x, y) \
	VMOVUPS x, (R12)       \
	VMOVUPS y, 32(R12)     \
	ADDQ $64, R12

#define NOTHING(x, y)

// FUSED adds x*y to s. APART rounds the product first, into t. In each kind both are for all elements of a vector.
#define FUSED32(x, y, t, s) VFMADD231PS x, y, s
#define FUSED64(x, y, t, s) VFMADD231PD x, y, s
#define APART32(x, y, t, s) \
	VMULPS x, y, t \
	VADDPS t, s, s
#define APART64(x, y, t, s) \
	VMULPD x, y, t \
	VADDPD t, s, s

// SIXTWO adds n rounds to six rows of two vectors. keep is what else is done with the vectors of b.
#define SIXTWO(splat, add, keep) \
	SUMS                       \
	LEAQ (DI)(R9*1), R13       \
	VMOVUPS (DI), Y0           \
	VMOVUPS 32(DI), Y1         \
	VMOVUPS (DI)(R8*1), Y2     \
	VMOVUPS 32(DI)(R8*1), Y3   \
	VMOVUPS (DI)(R8*2), Y4     \
	VMOVUPS 32(DI)(R8*2), Y5   \
	VMOVUPS (R13), Y6          \
	VMOVUPS 32(R13), Y7        \
	VMOVUPS (R13)(R8*1), Y8    \
	VMOVUPS 32(R13)(R8*1), Y9  \
	VMOVUPS (R13)(R8*2), Y10   \
	VMOVUPS 32(R13)(R8*2), Y11 \
	ARGS                       \
	LEAQ (AX)(R9*1), R13       \
	PCALIGN $32                \
round:                       \
	VMOVUPS (BX), Y12          \
	VMOVUPS 32(BX), Y13        \
	keep(Y12, Y13)             \
	splat (AX), Y14            \
	add(Y12, Y14, Y15, Y0)     \
	add(Y13, Y14, Y15, Y1)     \
	splat (AX)(R8*1), Y14      \
	add(Y12, Y14, Y15, Y2)     \
	add(Y13, Y14, Y15, Y3)     \
	splat (AX)(R8*2), Y14      \
	add(Y12, Y14, Y15, Y4)     \
	add(Y13, Y14, Y15, Y5)     \
	splat (R13), Y14           \
	add(Y12, Y14, Y15, Y6)     \
	add(Y13, Y14, Y15, Y7)     \
	splat (R13)(R8*1), Y14     \
	add(Y12, Y14, Y15, Y8)     \
	add(Y13, Y14, Y15, Y9)     \
	splat (R13)(R8*2), Y14     \
	add(Y12, Y14, Y15, Y10)    \
	add(Y13, Y14, Y15, Y11)    \
	ADDQ DX, R13               \
	NEXT                       \
	JNZ  round                 \
	SUMS                       \
	LEAQ (DI)(R9*1), R13       \
	VMOVUPS Y0, (DI)           \
	VMOVUPS Y1, 32(DI)         \
	VMOVUPS Y2, (DI)(R8*1)     \
	VMOVUPS Y3, 32(DI)(R8*1)   \
	VMOVUPS Y4, (DI)(R8*2)     \
	VMOVUPS Y5, 32(DI)(R8*2)   \
	VMOVUPS Y6, (R13)          \
	VMOVUPS Y7, 32(R13)        \
	VMOVUPS Y8, (R13)(R8*1)    \
	VMOVUPS Y9, 32(R13)(R8*1)  \
	VMOVUPS Y10, (R13)(R8*2)   \
	VMOVUPS Y11, 32(R13)(R8*2) \
	VZEROUPPER                 \
	RET

// FOURTWO is for four rows of two vectors.
#define FOURTWO(splat, add, keep) \
	SUMS                       \
	VMOVUPS (DI), Y0           \
	VMOVUPS 32(DI), Y1         \
	VMOVUPS (DI)(R8*1), Y2     \
	VMOVUPS 32(DI)(R8*1), Y3   \
	VMOVUPS (DI)(R8*2), Y4     \
	VMOVUPS 32(DI)(R8*2), Y5   \
	VMOVUPS (DI)(R9*1), Y6     \
	VMOVUPS 32(DI)(R9*1), Y7   \
	ARGS                       \
	PCALIGN $32                \
round:                       \
	VMOVUPS (BX), Y8           \
	VMOVUPS 32(BX), Y9         \
	keep(Y8, Y9)               \
	splat (AX), Y10            \
	splat (AX)(R8*1), Y11      \
	add(Y8, Y10, Y12, Y0)      \
	add(Y9, Y10, Y13, Y1)      \
	splat (AX)(R8*2), Y10      \
	add(Y8, Y11, Y14, Y2)      \
	add(Y9, Y11, Y15, Y3)      \
	splat (AX)(R9*1), Y11      \
	add(Y8, Y10, Y12, Y4)      \
	add(Y9, Y10, Y13, Y5)      \
	add(Y8, Y11, Y14, Y6)      \
	add(Y9, Y11, Y15, Y7)      \
	NEXT                       \
	JNZ  round                 \
	SUMS                       \
	VMOVUPS Y0, (DI)           \
	VMOVUPS Y1, 32(DI)         \
	VMOVUPS Y2, (DI)(R8*1)     \
	VMOVUPS Y3, 32(DI)(R8*1)   \
	VMOVUPS Y4, (DI)(R8*2)     \
	VMOVUPS Y5, 32(DI)(R8*2)   \
	VMOVUPS Y6, (DI)(R9*1)     \
	VMOVUPS Y7, 32(DI)(R9*1)   \
	VZEROUPPER                 \
	RET

// FOURONE is for four rows of one vector.
#define FOURONE(splat, add) \
	SUMS \
	VMOVUPS (DI), Y0           \
	VMOVUPS (DI)(R8*1), Y2     \
	VMOVUPS (DI)(R8*2), Y4     \
	VMOVUPS (DI)(R9*1), Y6     \
	ARGS \
round:                       \
	VMOVUPS (BX), Y8           \
	splat (AX), Y10            \
	splat (AX)(R8*1), Y11      \
	add(Y8, Y10, Y12, Y0)      \
	splat (AX)(R8*2), Y10      \
	add(Y8, Y11, Y13, Y2)      \
	splat (AX)(R9*1), Y11      \
	add(Y8, Y10, Y14, Y4)      \
	add(Y8, Y11, Y15, Y6)      \
	NEXT                       \
	JNZ  round                 \
	SUMS                       \
	VMOVUPS Y0, (DI)           \
	VMOVUPS Y2, (DI)(R8*1)     \
	VMOVUPS Y4, (DI)(R8*2)     \
	VMOVUPS Y6, (DI)(R9*1)     \
	VZEROUPPER                 \
	RET

// func sixTwo32(p *productsOf)
TEXT ·sixTwo32(SB), NOSPLIT, $0-8
	MOVQ p+0(FP), R15
	SIXTWO(VBROADCASTSS, APART32, NOTHING)

// func sixTwoKeep32(p *productsOf)
TEXT ·sixTwoKeep32(SB), NOSPLIT, $0-8
	MOVQ p+0(FP), R15
	SIXTWO(VBROADCASTSS, APART32, KEEP)

// func fourTwo32(p *productsOf)
TEXT ·fourTwo32(SB), NOSPLIT, $0-8
	MOVQ p+0(FP), R15
	FOURTWO(VBROADCASTSS, APART32, NOTHING)

// func fourTwoKeep32(p *productsOf)
TEXT ·fourTwoKeep32(SB), NOSPLIT, $0-8
	MOVQ p+0(FP), R15
	FOURTWO(VBROADCASTSS, APART32, KEEP)

// func fourOne32(p *productsOf)
TEXT ·fourOne32(SB), NOSPLIT, $0-8
	MOVQ p+0(FP), R15
	FOURONE(VBROADCASTSS, APART32)

// func sixTwo32Fused(p *productsOf)
TEXT ·sixTwo32Fused(SB), NOSPLIT, $0-8
	MOVQ p+0(FP), R15
	SIXTWO(VBROADCASTSS, FUSED32, NOTHING)

// func sixTwoKeep32Fused(p *productsOf)
TEXT ·sixTwoKeep32Fused(SB), NOSPLIT, $0-8
	MOVQ p+0(FP), R15
	SIXTWO(VBROADCASTSS, FUSED32, KEEP)

// func fourTwo32Fused(p *productsOf)
TEXT ·fourTwo32Fused(SB), NOSPLIT, $0-8
	MOVQ p+0(FP), R15
	FOURTWO(VBROADCASTSS, FUSED32, NOTHING)

// func fourTwoKeep32Fused(p *productsOf)
TEXT ·fourTwoKeep32Fused(SB), NOSPLIT, $0-8
	MOVQ p+0(FP), R15
	FOURTWO(VBROADCASTSS, FUSED32, KEEP)

// func fourOne32Fused(p *productsOf)
TEXT ·fourOne32Fused(SB), NOSPLIT, $0-8
	MOVQ p+0(FP), R15
	FOURONE(VBROADCASTSS, FUSED32)

// func sixTwo64(p *productsOf)
TEXT ·sixTwo64(SB), NOSPLIT, $0-8
	MOVQ p+0(FP), R15
	SIXTWO(VBROADCASTSD, APART64, NOTHING)

// func sixTwoKeep64(p *productsOf)
TEXT ·sixTwoKeep64(SB), NOSPLIT, $0-8
	MOVQ p+0(FP), R15
	SIXTWO(VBROADCASTSD, APART64, KEEP)

// func fourTwo64(p *productsOf)
TEXT ·fourTwo64(SB), NOSPLIT, $0-8
	MOVQ p+0(FP), R15
	FOURTWO(VBROADCASTSD, APART64, NOTHING)

// func fourTwoKeep64(p *productsOf)
TEXT ·fourTwoKeep64(SB), NOSPLIT, $0-8
	MOVQ p+0(FP), R15
	FOURTWO(VBROADCASTSD, APART64, KEEP)

// func fourOne64(p *productsOf)
TEXT ·fourOne64(SB), NOSPLIT, $0-8
	MOVQ p+0(FP), R15
	FOURONE(VBROADCASTSD, APART64)

// func sixTwo64Fused(p *productsOf)
TEXT ·sixTwo64Fused(SB), NOSPLIT, $0-8
	MOVQ p+0(FP), R15
	SIXTWO(VBROADCASTSD, FUSED64, NOTHING)

// func sixTwoKeep64Fused(p *productsOf)
TEXT ·sixTwoKeep64Fused(SB), NOSPLIT, $0-8
	MOVQ p+0(FP), R15
	SIXTWO(VBROADCASTSD, FUSED64, KEEP)

// func fourTwo64Fused(p *productsOf)
TEXT ·fourTwo64Fused(SB), NOSPLIT, $0-8
	MOVQ p+0(FP), R15
	FOURTWO(VBROADCASTSD, FUSED64, NOTHING)

// func fourTwoKeep64Fused(p *productsOf)
TEXT ·fourTwoKeep64Fused(SB), NOSPLIT, $0-8
	MOVQ p+0(FP), R15
	FOURTWO(VBROADCASTSD, FUSED64, KEEP)

// func fourOne64Fused(p *productsOf)
TEXT ·fourOne64Fused(SB), NOSPLIT, $0-8
	MOVQ p+0(FP), R15
	FOURONE(VBROADCASTSD, FUSED64)
