package compiler

// Tiles: rounds of a loop that copy tiles from global to shared memory and then add up products of what these have. Within them
// nobody else reads the tiles, so all rounds but the last one can read where they come from, and keep their sums in registers:
// a product of 1024 by 1024 takes the time of one without tiles. The last round is as written and leaves the tiles as all rounds would.
