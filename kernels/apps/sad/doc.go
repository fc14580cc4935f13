// Package sad is the motion search of an H.264 encoder, one of the applications of Ryoo et al.
// (Optimization Principles and Application Performance Evaluation of a Multithreaded GPU Using
// CUDA, PPoPP 2008).
//
// A frame of a film mostly shows what the frame before it showed, a little further to one side. An
// encoder cuts the frame into macroblocks of 16 by 16 pixels and looks up where each of them was:
// for every offset (dx, dy), 16 pixels or less to each side, it adds up how much the pixels c of
// the current frame differ from those of the reference frame r,
//
//	SAD(dx, dy) = sum over (x, y) of |c(x, y) - r(x+dx, y+dy)|,
//
// and takes the offset with the smallest sum of absolute differences: the motion vector. Pixels of
// r outside the frame are the nearest ones inside. Parts of a macroblock may move in different
// ways, so H.264 lets it be cut in seven ways, from 16x16 to 4x4 (ITU-T H.264, 7.4.5): 41 blocks in
// all, which [Blocks] lists. The sums of the 16 blocks of 4x4 are computed, and the others are sums
// of these. A full search does that for all 33 by 33 offsets.
//
// The paper's port reads the reference frame by way of a texture, whose addressing clamps
// coordinates at the border; its threads are the offsets. That is [Texture]. A processor has no
// texture unit, so each fetch is a function call. [Window] has the same threads, and lets the
// threads of a block copy what a macroblock can meet, 48 by 48 pixels, to shared memory first, with
// the clamping. There the pixels that one pixel of the macroblock meets at all offsets are a row of
// neighbours, so that neighbouring threads read neighbouring bytes.
//
// [SADs] returns all sums, [Search] the best vectors. Frames that are no multiple of 16 pixels wide
// or high are extended by their last column and row, as encoders do. [NewReader] reads films in the
// YUV4MPEG2 format.
package sad

//go:generate go run ../../../cmd/gocuda-gen .
