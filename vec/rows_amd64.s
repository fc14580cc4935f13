//go:build goexperiment.simd

#include "textflag.h"

// EIGHT copies eight rows of a line and goes on to the next ones.
#define EIGHT \
	VMOVDQU64 (SI), Z0          \
	VMOVDQU64 (SI)(R9*1), Z1    \
	VMOVDQU64 (SI)(R9*2), Z2    \
	VMOVDQU64 (SI)(R11*1), Z3   \
	VMOVDQU64 (SI)(R9*4), Z4    \
	VMOVDQU64 (SI)(R12*1), Z5   \
	VMOVDQU64 (SI)(R11*2), Z6   \
	VMOVDQU64 (SI)(R13*1), Z7   \
	LEAQ      (SI)(R9*8), SI    \
	VMOVDQU64 Z0, (DI)          \
	VMOVDQU64 Z1, (DI)(R8*1)    \
	VMOVDQU64 Z2, (DI)(R8*2)    \
	VMOVDQU64 Z3, (DI)(R10*1)   \
	VMOVDQU64 Z4, (DI)(R8*4)    \
	VMOVDQU64 Z5, (DI)(R15*1)   \
	VMOVDQU64 Z6, (DI)(R10*2)   \
	VMOVDQU64 Z7, (DI)(BX*1)    \
	LEAQ      (DI)(R8*8), DI

// MULTIPLES sets registers to 3, 5 and 7 times the distances of rows.
#define MULTIPLES \
	LEAQ (R8)(R8*2), R10  \
	LEAQ (R9)(R9*2), R11  \
	LEAQ (R9)(R9*4), R12  \
	LEAQ (R11)(R9*4), R13 \
	LEAQ (R8)(R8*4), R15  \
	LEAQ (R10)(R8*4), BX

// func copyRows(d unsafe.Pointer, dNext int, s unsafe.Pointer, sNext, rows, bytes int)
TEXT ·copyRows(SB), NOSPLIT, $0-48
	MOVQ d+0(FP), DI
	MOVQ dNext+8(FP), R8
	MOVQ s+16(FP), SI
	MOVQ sNext+24(FP), R9
	MOVQ rows+32(FP), CX
	MOVQ bytes+40(FP), DX
	MULTIPLES
	CMPQ DX, $128
	JEQ  two
	CMPQ DX, $64
	JNE  rest

	// Rows of a line, eight at a time.
one:
	SUBQ $8, CX
	JLT  fewOne
	EIGHT
	JMP  one
fewOne:
	ADDQ $8, CX
	JMP rest

	// Rows of two lines, four at a time.
two:
	SUBQ      $4, CX
	JLT       few
	VMOVDQU64 (SI), Z0
	VMOVDQU64 64(SI), Z1
	VMOVDQU64 (SI)(R9*1), Z2
	VMOVDQU64 64(SI)(R9*1), Z3
	VMOVDQU64 (SI)(R9*2), Z4
	VMOVDQU64 64(SI)(R9*2), Z5
	VMOVDQU64 (SI)(R11*1), Z6
	VMOVDQU64 64(SI)(R11*1), Z7
	VMOVDQU64 Z0, (DI)
	VMOVDQU64 Z1, 64(DI)
	VMOVDQU64 Z2, (DI)(R8*1)
	VMOVDQU64 Z3, 64(DI)(R8*1)
	VMOVDQU64 Z4, (DI)(R8*2)
	VMOVDQU64 Z5, 64(DI)(R8*2)
	VMOVDQU64 Z6, (DI)(R10*1)
	VMOVDQU64 Z7, 64(DI)(R10*1)
	LEAQ      (SI)(R9*4), SI
	LEAQ      (DI)(R8*4), DI
	JMP       two

	// The rows that are left, or rows of any number of lines.
few:
	ADDQ $4, CX
rest:
	TESTQ CX, CX
	JLE   done
row:
	XORQ AX, AX
line:
	VMOVDQU64 (SI)(AX*1), Z0
	VMOVDQU64 Z0, (DI)(AX*1)
	ADDQ      $64, AX
	CMPQ      AX, DX
	JLT       line
	ADDQ      R9, SI
	ADDQ      R8, DI
	DECQ      CX
	JNZ       row
done:
	VZEROUPPER
	RET

// func copyRowsOnce(d unsafe.Pointer, dNext int, s unsafe.Pointer, sNext, eights int)
TEXT ·copyRowsOnce(SB), NOSPLIT, $0-40
	MOVQ d+0(FP), DI
	MOVQ dNext+8(FP), R8
	MOVQ s+16(FP), SI
	MOVQ sNext+24(FP), R9
	MOVQ eights+32(FP), CX
	MULTIPLES
eight:
	PREFETCHNTA (SI)
	PREFETCHNTA (SI)(R9*1)
	PREFETCHNTA (SI)(R9*2)
	PREFETCHNTA (SI)(R11*1)
	PREFETCHNTA (SI)(R9*4)
	PREFETCHNTA (SI)(R12*1)
	PREFETCHNTA (SI)(R11*2)
	PREFETCHNTA (SI)(R13*1)
	EIGHT
	DECQ CX
	JNZ  eight
	VZEROUPPER
	RET

// func copyRowsAVX2(d unsafe.Pointer, dNext int, s unsafe.Pointer, sNext, rows, bytes int)
TEXT ·copyRowsAVX2(SB), NOSPLIT, $0-48
	MOVQ d+0(FP), DI
	MOVQ dNext+8(FP), R8
	MOVQ s+16(FP), SI
	MOVQ sNext+24(FP), R9
	MOVQ rows+32(FP), CX
	MOVQ bytes+40(FP), DX
	MULTIPLES
	CMPQ DX, $64
	JNE  rest

	// Rows of a line, eight at a time.
one:
	SUBQ    $8, CX
	JLT     few
	VMOVUPS (SI), Y0
	VMOVUPS 32(SI), Y1
	VMOVUPS (SI)(R9*1), Y2
	VMOVUPS 32(SI)(R9*1), Y3
	VMOVUPS (SI)(R9*2), Y4
	VMOVUPS 32(SI)(R9*2), Y5
	VMOVUPS (SI)(R11*1), Y6
	VMOVUPS 32(SI)(R11*1), Y7
	VMOVUPS (SI)(R9*4), Y8
	VMOVUPS 32(SI)(R9*4), Y9
	VMOVUPS (SI)(R12*1), Y10
	VMOVUPS 32(SI)(R12*1), Y11
	VMOVUPS (SI)(R11*2), Y12
	VMOVUPS 32(SI)(R11*2), Y13
	VMOVUPS (SI)(R13*1), Y14
	VMOVUPS 32(SI)(R13*1), Y15
	LEAQ    (SI)(R9*8), SI
	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	VMOVUPS Y2, (DI)(R8*1)
	VMOVUPS Y3, 32(DI)(R8*1)
	VMOVUPS Y4, (DI)(R8*2)
	VMOVUPS Y5, 32(DI)(R8*2)
	VMOVUPS Y6, (DI)(R10*1)
	VMOVUPS Y7, 32(DI)(R10*1)
	VMOVUPS Y8, (DI)(R8*4)
	VMOVUPS Y9, 32(DI)(R8*4)
	VMOVUPS Y10, (DI)(R15*1)
	VMOVUPS Y11, 32(DI)(R15*1)
	VMOVUPS Y12, (DI)(R10*2)
	VMOVUPS Y13, 32(DI)(R10*2)
	VMOVUPS Y14, (DI)(BX*1)
	VMOVUPS Y15, 32(DI)(BX*1)
	LEAQ    (DI)(R8*8), DI
	JMP     one

	// The rows that are left, or rows of any number of vectors.
few:
	ADDQ $8, CX
rest:
	TESTQ CX, CX
	JLE   done
row:
	XORQ AX, AX
vector:
	VMOVUPS (SI)(AX*1), Y0
	VMOVUPS Y0, (DI)(AX*1)
	ADDQ    $32, AX
	CMPQ    AX, DX
	JLT     vector
	ADDQ    R9, SI
	ADDQ    R8, DI
	DECQ    CX
	JNZ     row
done:
	VZEROUPPER
	RET
