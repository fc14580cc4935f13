// Package warps finds the instructions of warps in what threads do one after another. It is what
// code that `gocuda prof` has rewritten calls.
//
// On a GPU the lanes of a warp do an access or a branch together; here each thread does its own,
// when its turn comes. Two lanes belong to one instruction of the warp if they come to the same
// site, in the same rounds of the loops around it, on the same way through calls and branches. For
// structured code that is what hardware does which lets the lanes of a warp meet again at the
// immediate post-dominator of a branch.
//
// A func of the rewritten source begins with [Enter], which returns its [Frame], and passes that to
// every event. A frame is nil on goroutines of the host, where an event does nothing. Sites and
// regions are numbers that the rewriter gave: a site is a place of the source, a region is a part
// of a func that runs as a whole, such as the body of a loop. The events build, for each warp, a
// tree of what its lanes have run. At a barrier of the block, and when the warp has ended, the tree
// is handed to the [Sink] and dropped.
//
// Rewritten code exists only during a run of the command. Nobody else should call this package.
package warps
