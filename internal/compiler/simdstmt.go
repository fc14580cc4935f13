package compiler

// Statements of vectors.
