package mem

// Copy3D copies a box of width x height x depth elements from the place of src to the place of dst,
// CUDA's cudaMemcpy3D with cudaMemcpyDefault. What [Copy2D] says of rectangles holds for boxes.
//
//	mem.Copy3D(vol.Rows().At(x, y, z), mem.HostRows(host, w, h), w, h, d)
//
// Neither side needs the size of the box: a box is a part of both.
func Copy3D[T any](dst, src Rows[T], width, height, depth int) error {
	c, err := boxOf(dst, src, width, height, depth)
	if err != nil {
		return err
	}
	if err := c.reached(nil); err != nil {
		return err
	}
	return c.runNow()
}

// Copy3DAsync queues [Copy3D] on s, CUDA's cudaMemcpy3DAsync. What is wrong with the arguments is
// reported at once. Memory of the host must be left alone until the copy is done.
func Copy3DAsync[T any](s Stream, dst, src Rows[T], width, height, depth int) error {
	c, err := boxOf(dst, src, width, height, depth)
	if err != nil {
		return err
	}
	space, err := streamSpace(s)
	if err != nil {
		return err
	}
	if err := c.reached(space); err != nil {
		return err
	}
	return s.Enqueue(c.run)
}

// Copy3DPeer is [Copy3D] between devices that need no peer access, CUDA's cudaMemcpy3DPeer.
func Copy3DPeer[T any](dst, src Rows[T], width, height, depth int) error {
	c, err := boxOf(dst, src, width, height, depth)
	if err != nil {
		return err
	}
	return c.runNow()
}

// Copy3DPeerAsync queues [Copy3DPeer] on s, which may be any device's: CUDA's cudaMemcpy3DPeerAsync.
func Copy3DPeerAsync[T any](s Stream, dst, src Rows[T], width, height, depth int) error {
	c, err := boxOf(dst, src, width, height, depth)
	if err != nil {
		return err
	}
	if _, err := streamSpace(s); err != nil {
		return err
	}
	return s.Enqueue(c.run)
}

// Memset3D sets every byte of a box of width x height x depth elements, from the place of dst on,
// to value: CUDA's cudaMemset3D. Memory of the program that is not page-locked is an
// [ErrInvalidValue].
func Memset3D[T any](dst Rows[T], value byte, width, height, depth int) error {
	f, err := fillOf(dst, width, height, depth)
	if err != nil {
		return err
	}
	return f.now(func() error { return f.run(value) })
}

// Memset3DAsync queues [Memset3D] on s, CUDA's cudaMemset3DAsync.
func Memset3DAsync[T any](s Stream, dst Rows[T], value byte, width, height, depth int) error {
	f, err := fillOf(dst, width, height, depth)
	if err != nil {
		return err
	}
	space, err := streamSpace(s)
	if err != nil {
		return err
	}
	if f.owner != nil && !space.reaches(f.owner) {
		return ErrForeign
	}
	return s.Enqueue(func() error { return f.run(value) })
}
