package mem

import "fmt"

// Several devices. In CUDA a kernel can use the memory of another device once peer access is
// enabled, and copies between devices always work, through the host if there is no other way. In
// gocuda all memory is the host's. Only CUDA's rules remain, so that a program which breaks them
// gets an error.
//
// A [Buffer] can't know on which device a kernel with its Data will run. [Buffer.DataOn] checks
// that for a given device.

// CanAccessPeer reports whether kernels of dev can be allowed to use the memory of peer, CUDA's
// cudaDeviceCanAccessPeer: any other device of the process. It is false for the device itself, as
// in CUDA.
func CanAccessPeer(dev, peer Device) (bool, error) {
	s, p, err := peers(dev, peer)
	return err == nil && s != p, err
}

// EnablePeerAccess allows kernels and copies of dev to use the memory of peer, present and future:
// CUDA's cudaDeviceEnablePeerAccess. It does not allow the reverse.
func EnablePeerAccess(dev, peer Device) error {
	s, p, err := peers(dev, peer)
	if err != nil {
		return err
	}
	if s == p {
		return fmt.Errorf("%w: a device is no peer of itself", ErrInvalidDevice)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return errClosed
	case s.peers[p]:
		return ErrPeerAccessAlreadyEnabled
	case s.peers == nil:
		s.peers = map[*Space]bool{}
	}
	s.peers[p] = true
	return nil
}

// DisablePeerAccess takes back what [EnablePeerAccess] has allowed, CUDA's
// cudaDeviceDisablePeerAccess. Copies that are queued still take place.
func DisablePeerAccess(dev, peer Device) error {
	s, p, err := peers(dev, peer)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.peers[p] {
		return ErrPeerAccessNotEnabled
	}
	delete(s.peers, p)
	return nil
}

func peers(dev, peer Device) (s, p *Space, err error) {
	if s, err = spaceOf(dev); err != nil {
		return nil, nil, err
	}
	if p, err = spaceOf(peer); err != nil {
		return nil, nil, fmt.Errorf("peer: %w", err)
	}
	return s, p, nil
}

// reaches reports whether work of the device can use a. s is nil for the host.
func (s *Space) reaches(a *allocation) bool {
	if a.kind != MemoryTypeDevice || a.home() == s {
		return true
	}
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.peers[a.home()]
}

// DataOn is [Buffer.Data] for a kernel that will run on dev. Memory of another device is an
// [ErrPeerAccessNotEnabled] unless dev has peer access; a GPU's kernel would stop with
// cudaErrorIllegalAddress.
func (b *Buffer[T]) DataOn(dev Device) ([]T, error) {
	s, err := spaceOf(dev)
	if err != nil {
		return nil, err
	}
	if err := b.check(); err != nil {
		return nil, err
	}
	if !s.reaches(b.owner) {
		return nil, ErrPeerAccessNotEnabled
	}
	return b.data, nil
}

// CopyPeer copies all of src to the beginning of dst, which may be on another device: CUDA's
// cudaMemcpyPeer. It needs no peer access.
func CopyPeer[T any](dst, src *Buffer[T]) error {
	end, err := turnOf(dst, src)
	if err != nil {
		return err
	}
	defer end()
	if err := bothNow(dst, src); err != nil {
		return err
	}
	return move(dst.data, src.data)
}

// CopyPeerAsync queues [CopyPeer] on s, CUDA's cudaMemcpyPeerAsync. The stream may be any device's.
func CopyPeerAsync[T any](s Stream, dst, src *Buffer[T]) error {
	if _, err := streamSpace(s); err != nil {
		return err
	}
	if err := dst.check(); err != nil {
		return fmt.Errorf("destination: %w", err)
	}
	if err := src.check(); err != nil {
		return fmt.Errorf("source: %w", err)
	}
	return queueMove(s, dst.data, src.data, dst.owner, src.owner)
}

// CopyDefault copies src to the beginning of dst, wherever they are: in memory of the program,
// page-locked, managed, or of any device. It is CUDA's cudaMemcpy with cudaMemcpyDefault, which
// tells by the addresses. A slice of a buffer that was freed is memory of the program.
func CopyDefault[T any](dst, src []T) error {
	end, err := inTurn(homeOf(ownerOf(dst)), homeOf(ownerOf(src)))
	if err != nil {
		return err
	}
	defer end()
	for _, a := range ownersOf(dst, src) {
		if err := a.inOrder(); err != nil {
			return err
		}
	}
	return moveFree(dst, src)
}

// CopyDefaultAsync queues [CopyDefault] on s, which may be any device's. Both slices must be left
// alone until then.
func CopyDefaultAsync[T any](s Stream, dst, src []T) error {
	if _, err := streamSpace(s); err != nil {
		return err
	}
	if err := pointerFree[T](); err != nil {
		return err
	}
	return queueMove(s, dst, src, ownersOf(dst, src)...)
}

func moveFree[T any](dst, src []T) error {
	if err := pointerFree[T](); err != nil {
		return err
	}
	return move(dst, src)
}

// ownersOf returns the allocations that slices are parts of.
func ownersOf[T any](slices ...[]T) (all []*allocation) {
	for _, s := range slices {
		if a := ownerOf(s); a != nil {
			all = append(all, a)
		}
	}
	return all
}
