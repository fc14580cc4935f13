package compiler

// Atomic operations of all lanes on one place, whose results nobody wants, such as a count: the lanes are put together first, and
// one operation does it for all of them. Only for integers, for which the order of operations does not matter.
