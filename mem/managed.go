package mem

import (
	"fmt"
	"slices"
	"sync"
)

// Managed memory: one address for the host and all devices. CUDA moves its pages to where they are
// used, and programs give it advice. On a processor there is nothing to move, and any slice is
// managed memory in that sense. AllocManaged adds the rest: its memory counts against a device, is
// poisoned in checked mode, is accepted by the copies of all devices, and records the advice as
// CUDA does, page by page. Devices behave as CUDA's devices with concurrentManagedAccess: host and
// kernels may use the memory at the same time.

// AttachFlags say which streams may use managed memory.
type AttachFlags int

const (
	MemAttachGlobal AttachFlags = 1 // all, of all devices: cudaMemAttachGlobal
	MemAttachHost   AttachFlags = 2 // none, at first: cudaMemAttachHost
	MemAttachSingle AttachFlags = 4 // one stream: cudaMemAttachSingle
)

// AllocManaged allocates n elements of managed memory, CUDA's cudaMallocManaged. They count against
// dev, as does all that a GPU has no room for elsewhere. Contents are as with [Alloc]. The buffer's
// Data is for the host and for kernels of all devices, and copies take it on either side. attach is
// MemAttachGlobal or MemAttachHost.
func AllocManaged[T any](dev Device, n int, attach AttachFlags) (*Buffer[T], error) {
	if attach != MemAttachGlobal && attach != MemAttachHost {
		return nil, fmt.Errorf("mem: %w: attach flags %d", ErrInvalidValue, attach)
	}
	s, err := spaceOf(dev)
	if err != nil {
		return nil, err
	}
	if major, minor := s.capability(); major > 0 && major < 3 {
		return nil, fmt.Errorf("mem: %w: managed memory is there since compute capability 3.0, the device has %d.%d", ErrNotSupported, major, minor)
	}
	b, err := allocate[T](s, MemoryTypeManaged, n)
	if err != nil {
		return nil, err
	}
	b.owner.pages = new(managedPages)
	b.owner.pages.moves.attach(attach, nil)
	return b, nil
}

// CPU is the host as a place for managed memory, CUDA's cudaCpuDeviceId. Nothing can be allocated
// on it.
var CPU Device = cpu{}

type cpu struct{}

func (cpu) Memory() *Space { return nil }

// ManagedPage is the unit in bytes of advice and prefetches, which reach to the end of a page that
// they touch.
const ManagedPage = 64 << 10

// managedPages is what is known of each page of an allocation.
type managedPages struct {
	mu    sync.Mutex
	pages map[int]RangeAttributes // of those on which advice was given; what else is known is in moves
	moves moves
}

// moves is the state of managed memory that streams change. To the race detector, a goroutine that
// reads it must not be ordered after the work of the stream. So the lock is hidden, and so are the
// accesses.
type moves struct {
	mu       hiddenMutex
	at       []Device // the last prefetch of each page; shorter than the memory if there was none of the last pages
	attached AttachFlags
	stream   Stream
}

//go:norace
func (m *moves) prefetch(from, to int, at Device) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.at) < to {
		all := make([]Device, to)
		for i := range m.at { // copy would tell the race detector
			all[i] = m.at[i]
		}
		m.at = all
	}
	for i := from; i < to; i++ {
		m.at[i] = at
	}
}

// prefetched returns the last prefetch of a page.
//
//go:norace
func (m *moves) prefetched(page int) Device {
	m.mu.Lock()
	defer m.mu.Unlock()
	if page >= len(m.at) {
		return nil
	}
	return m.at[page]
}

//go:norace
func (m *moves) attach(flags AttachFlags, s Stream) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.attached, m.stream = flags, s
}

//go:norace
func (m *moves) attachment() (AttachFlags, Stream) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.attached, m.stream
}

// RangeAttributes is what advice and prefetches have left, CUDA's cudaMemRangeAttribute. Devices
// are those that were given; [CPU] is the host. nil stands for none, CUDA's cudaInvalidDeviceId.
type RangeAttributes struct {
	ReadMostly           bool     // on all pages
	PreferredLocation    Device   // of all pages; nil if there is none, or not the same for all
	AccessedBy           []Device // those that all pages have
	LastPrefetchLocation Device   // of all pages; nil if one was never prefetched, or to another place
}

// Advice is how managed memory will be used, CUDA's cudaMemoryAdvise.
type Advice int

const (
	AdviseSetReadMostly          Advice = 1 + iota // mostly read, seldom written
	AdviseUnsetReadMostly                          // the opposite
	AdviseSetPreferredLocation                     // best kept on the device
	AdviseUnsetPreferredLocation                   // no such place
	AdviseSetAccessedBy                            // the device will use it
	AdviseUnsetAccessedBy                          // the device will not
)

// Advise gives advice on the pages of b, which must be managed memory or a part of it: CUDA's
// cudaMemAdvise. at is a device or [CPU]. AdviseSetReadMostly, AdviseUnsetReadMostly and
// AdviseUnsetPreferredLocation don't use at, which may then be nil. Advice changes nothing in the
// behaviour of copies and kernels.
func Advise[T any](b *Buffer[T], advice Advice, at Device) error {
	m, from, to, err := pagesOf(b)
	if err != nil {
		return err
	}
	switch advice {
	case AdviseSetReadMostly, AdviseUnsetReadMostly, AdviseUnsetPreferredLocation:
	case AdviseSetPreferredLocation, AdviseSetAccessedBy, AdviseUnsetAccessedBy:
		if err := validPlace(at); err != nil {
			return err
		}
	default:
		return fmt.Errorf("mem: %w: advice %d", ErrInvalidValue, advice)
	}
	m.change(from, to, func(a *RangeAttributes) {
		switch advice {
		case AdviseSetReadMostly, AdviseUnsetReadMostly:
			a.ReadMostly = advice == AdviseSetReadMostly
		case AdviseSetPreferredLocation:
			a.PreferredLocation = at
		case AdviseUnsetPreferredLocation:
			a.PreferredLocation = nil
		default: // pages share the list, so it is made anew
			others := slices.DeleteFunc(slices.Clone(a.AccessedBy), func(d Device) bool { return samePlace(d, at) })
			if advice == AdviseSetAccessedBy {
				others = append(others, at)
			}
			a.AccessedBy = others
		}
	})
	return nil
}

// PrefetchAsync queues on s that the pages of b are brought to a device or to [CPU], CUDA's
// cudaMemPrefetchAsync. Its only effect is on the result of [RangeAttributesOf].
func PrefetchAsync[T any](s Stream, b *Buffer[T], to Device) error {
	if _, err := streamSpace(s); err != nil {
		return err
	}
	m, first, end, err := pagesOf(b)
	if err != nil {
		return err
	}
	if err := validPlace(to); err != nil {
		return err
	}
	return s.Enqueue(func() error {
		m.moves.prefetch(first, end, to)
		return nil
	})
}

// RangeAttributesOf returns what holds for all pages of b, CUDA's cudaMemRangeGetAttributes.
func RangeAttributesOf[T any](b *Buffer[T]) (RangeAttributes, error) {
	m, from, to, err := pagesOf(b)
	if err != nil {
		return RangeAttributes{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	all := m.page(from)
	all.AccessedBy = slices.Clone(all.AccessedBy)
	for i := from + 1; i < to; i++ {
		p := m.page(i)
		all.ReadMostly = all.ReadMostly && p.ReadMostly
		if !samePlace(all.PreferredLocation, p.PreferredLocation) {
			all.PreferredLocation = nil
		}
		if !samePlace(all.LastPrefetchLocation, p.LastPrefetchLocation) {
			all.LastPrefetchLocation = nil
		}
		all.AccessedBy = slices.DeleteFunc(all.AccessedBy, func(d Device) bool {
			return !slices.ContainsFunc(p.AccessedBy, func(o Device) bool { return samePlace(d, o) })
		})
	}
	return all, nil
}

// AttachAsync queues on s that managed memory is attached to s (MemAttachSingle), to all streams
// (MemAttachGlobal), or to none (MemAttachHost): CUDA's cudaStreamAttachMemAsync. b must be all of
// an allocation. In gocuda host and kernels may use managed memory at the same time, so attaching
// restricts no access. Its only effect is on the result of [Attachment].
func AttachAsync[T any](s Stream, b *Buffer[T], attach AttachFlags) error {
	if _, err := streamSpace(s); err != nil {
		return err
	}
	if attach != MemAttachGlobal && attach != MemAttachHost && attach != MemAttachSingle {
		return fmt.Errorf("mem: %w: attach flags %d", ErrInvalidValue, attach)
	}
	m, _, _, err := pagesOf(b)
	if err != nil {
		return err
	}
	if b.part {
		return fmt.Errorf("mem: %w: a part of a buffer can't be attached", ErrInvalidValue)
	}
	to := s
	if attach != MemAttachSingle {
		to = nil
	}
	return s.Enqueue(func() error {
		m.moves.attach(attach, to)
		return nil
	})
}

// Attachment returns what b is attached to: the flag, and the stream of MemAttachSingle.
func Attachment[T any](b *Buffer[T]) (AttachFlags, Stream, error) {
	m, _, _, err := pagesOf(b)
	if err != nil {
		return 0, nil, err
	}
	flags, s := m.moves.attachment()
	return flags, s, nil
}

// pagesOf returns the records of managed memory, and the range of the pages of b.
func pagesOf[T any](b *Buffer[T]) (m *managedPages, from, to int, err error) {
	if err := b.check(); err != nil {
		return nil, 0, 0, err
	}
	if b.owner.pages == nil {
		return nil, 0, 0, fmt.Errorf("mem: %w: the memory is not managed", ErrInvalidValue)
	}
	bytes := bytesOf(b.data)
	if len(bytes) == 0 {
		return nil, 0, 0, fmt.Errorf("mem: %w: no memory", ErrInvalidValue)
	}
	at := int(addressOf(bytes) - b.owner.from)
	return b.owner.pages, at / ManagedPage, (at+len(bytes)-1)/ManagedPage + 1, nil
}

// page returns what is known of a page, with m.mu held.
func (m *managedPages) page(i int) RangeAttributes {
	a := m.pages[i]
	a.LastPrefetchLocation = m.moves.prefetched(i)
	return a
}

// change applies f to the pages.
func (m *managedPages) change(from, to int, f func(*RangeAttributes)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.pages == nil {
		m.pages = map[int]RangeAttributes{}
	}
	for i := from; i < to; i++ {
		a := m.pages[i]
		f(&a)
		m.pages[i] = a
	}
}

// validPlace returns an error unless at is CPU or a device.
func validPlace(at Device) error {
	if at == CPU {
		return nil
	}
	_, err := spaceOf(at)
	return err
}

// samePlace reports whether two devices that were found valid, or nil, are the same.
func samePlace(a, b Device) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return a.Memory() == b.Memory()
}
