package gocuda

import (
	"fmt"

	"github.com/gocuda/gocuda/mem"
)

// Peer access is the permission for a device to use the memory of another device. Package mem
// implements its effects on buffers and copies.

// Errors of peer access; they are the ones of package mem.
var (
	ErrPeerAccessAlreadyEnabled = mem.ErrPeerAccessAlreadyEnabled // cudaErrorPeerAccessAlreadyEnabled
	ErrPeerAccessNotEnabled     = mem.ErrPeerAccessNotEnabled     // cudaErrorPeerAccessNotEnabled
	ErrPeerAccessUnsupported    = mem.ErrPeerAccessUnsupported    // cudaErrorPeerAccessUnsupported
)

// CanAccessPeer reports whether kernels of d can be allowed to use the memory of peer, CUDA's
// cudaDeviceCanAccessPeer. It is false for d itself, and if one of them has the limits of a
// generation before Fermi, which had no unified addressing.
func (d *Device) CanAccessPeer(peer *Device) (bool, error) {
	if err := peersOpen(d, peer); err != nil {
		return false, err
	}
	return d != peer && d.props.Major >= 2 && peer.props.Major >= 2, nil
}

// EnablePeerAccess allows d to use the memory of peer, present and future: CUDA's
// cudaDeviceEnablePeerAccess. It does not allow the reverse. A second time is an
// [ErrPeerAccessAlreadyEnabled], and where [Device.CanAccessPeer] says no it is an
// [ErrPeerAccessUnsupported], or for d itself a mem.ErrInvalidDevice.
func (d *Device) EnablePeerAccess(peer *Device) error {
	can, err := d.CanAccessPeer(peer)
	if err != nil {
		return err
	}
	if !can && d != peer {
		return fmt.Errorf("gocuda: enable peer access: %w", ErrPeerAccessUnsupported)
	}
	if err := mem.EnablePeerAccess(d, peer); err != nil {
		return fmt.Errorf("gocuda: enable peer access: %w", err)
	}
	return nil
}

// DisablePeerAccess takes back what [Device.EnablePeerAccess] has allowed, CUDA's
// cudaDeviceDisablePeerAccess. If nothing was allowed it is an [ErrPeerAccessNotEnabled].
func (d *Device) DisablePeerAccess(peer *Device) error {
	if err := peersOpen(d, peer); err != nil {
		return err
	}
	if err := mem.DisablePeerAccess(d, peer); err != nil {
		return fmt.Errorf("gocuda: disable peer access: %w", err)
	}
	return nil
}

// peersOpen returns an error if one of the devices is nil or closed.
func peersOpen(d, peer *Device) error {
	for _, o := range []*Device{d, peer} {
		if o == nil {
			return errNilDevice
		}
		if o.pool.closed.Load() {
			return errDeviceClosed
		}
	}
	return nil
}
