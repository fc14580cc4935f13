#include "textflag.h"

// func ask(address uintptr, lines int)
TEXT ·ask(SB), NOSPLIT, $0-16
	MOVQ address+0(FP), AX
	MOVQ lines+8(FP), CX
line:
	PREFETCHT0 (AX)
	ADDQ $64, AX
	DECQ CX
	JNZ  line
	RET
