package compiler

// Mirrored calls: functions at x and at -x share nearly all of their work, and vectors compute both at once. The
// probability above a value and the one below it are such calls of erfc, which a helper makes of arguments that look
// different: -x*c, and -(-x)*c. So values are numbered: two expressions have the same number if they are the same
// but for the sign, for whatever the variables in them hold. Negation is exact, and goes through products and quotients.
