package compiler

// Products: the innermost loop of a product of matrices. Threads of several rows each have a sum, and add in each round a
// number of their row times a vector that they share. A call of vec does all rounds: with numbers that are
// spread as they are multiplied, which Go does not emit, a round of eight rows has 13 instructions. Go needs 22 for four
// rows, and for eight it spills.
