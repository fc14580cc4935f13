package mem_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/mem"
)

func allocManaged[T any](t *testing.T, dev mem.Device, n int) *mem.Buffer[T] {
	t.Helper()
	b, err := mem.AllocManaged[T](dev, n, mem.MemAttachGlobal)
	require.NoError(t, err)
	return b
}

func TestAttachFlagsAreCUDAs(t *testing.T) { // driver_types.h
	assert.Equal(t, mem.AttachFlags(1), mem.MemAttachGlobal)
	assert.Equal(t, mem.AttachFlags(2), mem.MemAttachHost)
	assert.Equal(t, mem.AttachFlags(4), mem.MemAttachSingle)
	assert.Equal(t, mem.Advice(1), mem.AdviseSetReadMostly)
	assert.Equal(t, mem.Advice(6), mem.AdviseUnsetAccessedBy)
}

// Managed memory is a device's by its size, and everybody's by its use.
func TestManaged(t *testing.T) {
	dev, other := newDevice(1000), newDevice(1<<20)
	m := allocManaged[int32](t, dev, 100)
	assertUsed(t, dev, 400, 1)
	_, err := mem.AllocManaged[int32](dev, 200, mem.MemAttachHost)
	assert.ErrorIs(t, err, mem.ErrOutOfMemory, "more than there is")
	for what, flags := range map[string]mem.AttachFlags{"0": 0, "single": mem.MemAttachSingle, "both": 3} {
		_, err := mem.AllocManaged[int32](dev, 1, flags)
		assert.ErrorIs(t, err, mem.ErrInvalidValue, what)
	}
	_, err = mem.AllocManaged[int32](mem.CPU, 1, mem.MemAttachGlobal)
	assert.ErrorIs(t, err, mem.ErrInvalidValue, "on the host")
	_, err = mem.Alloc[int32](mem.CPU, 1)
	assert.ErrorIs(t, err, mem.ErrInvalidValue, "on the host")

	m.Data()[3] = 7 // the host
	there := filled(t, other, int32(1), 2, 3, 4)
	s := &stream{device: other}
	require.NoError(t, mem.Copy(there, part(t, m, 3, 4)))
	require.NoError(t, mem.CopyAsync(s, part(t, m, 0, 2), part(t, there, 0, 2)))
	require.NoError(t, mem.Memset2DAsync(s, m.Rows(10, 10).At(0, 1, 0), 0xff, 2, 1))
	require.NoError(t, mem.CopyToDevice(part(t, m, 4, 5), []int32{9}))
	s.run(t)
	slicetest.Equal(t, []int32{7, 2, 0, 7, 9, 0, 0, 0, 0, 0, -1, -1, 0}, m.Data()[:13])
	data, err := m.DataOn(other)
	assert.NoError(t, err)
	assert.Len(t, data, 100, "what other devices have")
	require.NoError(t, m.Free())
	assert.ErrorIs(t, mem.Advise(m, mem.AdviseSetReadMostly, nil), mem.ErrFreed, "Advise")
	assert.Zero(t, used(dev), "bytes in use")

	poisoned := allocManaged[float32](t, &device{mem.NewSpace(1000, true)}, 10)
	assert.True(t, math.IsNaN(float64(poisoned.Data()[9])), "new managed memory in checked mode")
}

func TestAdvice(t *testing.T) {
	const page = mem.ManagedPage
	dev, other := newDevice(1<<20), newDevice(1<<20)
	m := allocManaged[byte](t, dev, 4*page)
	advise := func(b *mem.Buffer[byte], a mem.Advice, at mem.Device) {
		t.Helper()
		require.NoError(t, mem.Advise(b, a, at))
	}
	ask := func(i, j int) mem.RangeAttributes {
		t.Helper()
		r, err := mem.RangeAttributesOf(part(t, m, i, j))
		require.NoError(t, err)
		return r
	}
	r := ask(0, 4*page)
	assert.False(t, r.ReadMostly, "at first")
	assert.Equal(t, nil, r.PreferredLocation, "at first")
	assert.Nil(t, r.AccessedBy, "at first")
	assert.Equal(t, nil, r.LastPrefetchLocation, "at first")
	// One byte stands for its page.
	advise(part(t, m, page+5, page+6), mem.AdviseSetReadMostly, nil)
	assert.True(t, ask(page, 2*page).ReadMostly, "advice is not on one page")
	assert.False(t, ask(page-1, page+1).ReadMostly, "advice is not on one page")
	assert.False(t, ask(page, 2*page+1).ReadMostly, "advice is not on one page")
	advise(m, mem.AdviseSetReadMostly, nil)
	advise(part(t, m, 0, page), mem.AdviseUnsetReadMostly, nil)
	assert.False(t, ask(0, 1).ReadMostly, "unset is not on one page")
	assert.True(t, ask(page, 4*page).ReadMostly, "unset is not on one page")
	assert.False(t, ask(0, 4*page).ReadMostly, "unset is not on one page")

	advise(part(t, m, 0, 2*page), mem.AdviseSetPreferredLocation, dev)
	advise(part(t, m, 2*page, 3*page), mem.AdviseSetPreferredLocation, mem.CPU)
	assert.Same(t, dev, ask(0, 2*page).PreferredLocation)
	assert.Equal(t, mem.CPU, ask(2*page, 3*page).PreferredLocation)
	assert.Equal(t, nil, ask(0, 3*page).PreferredLocation)
	assert.Equal(t, nil, ask(2*page, 4*page).PreferredLocation)
	advise(part(t, m, 0, page), mem.AdviseUnsetPreferredLocation, nil)
	assert.Equal(t, nil, ask(0, page).PreferredLocation, "unset")
	assert.Same(t, dev, ask(page, 2*page).PreferredLocation)

	advise(m, mem.AdviseSetAccessedBy, dev)
	advise(m, mem.AdviseSetAccessedBy, dev)
	advise(part(t, m, page, 3*page), mem.AdviseSetAccessedBy, other)
	advise(part(t, m, 2*page, 3*page), mem.AdviseUnsetAccessedBy, dev)
	for _, c := range []struct {
		i, j int
		want []mem.Device
	}{
		{0, page, []mem.Device{dev}},
		{page, 2 * page, []mem.Device{dev, other}},
		{2 * page, 3 * page, []mem.Device{other}},
		{page, 3 * page, []mem.Device{other}},
		{0, 4 * page, nil},
	} {
		slicetest.Equal(t, c.want, ask(c.i, c.j).AccessedBy, "accessed by")
	}

	b := filled(t, dev, byte(1))
	for what, err := range map[string]error{
		"no managed memory":    mem.Advise(b, mem.AdviseSetReadMostly, nil),
		"no elements":          mem.Advise(part(t, m, 5, 5), mem.AdviseSetReadMostly, nil),
		"no buffer":            mem.Advise[int](nil, mem.AdviseSetReadMostly, nil),
		"no such advice":       mem.Advise(m, 7, dev),
		"no advice":            mem.Advise(m, 0, dev),
		"no place":             mem.Advise(m, mem.AdviseSetPreferredLocation, nil),
		"no place to use it":   mem.Advise(m, mem.AdviseSetAccessedBy, &device{}),
		"prefetch nowhere":     mem.PrefetchAsync(&stream{device: dev}, m, nil),
		"prefetch of no such":  mem.PrefetchAsync(&stream{device: dev}, b, dev),
		"prefetch, no stream":  mem.PrefetchAsync(nil, m, dev),
		"attach a part":        mem.AttachAsync(&stream{device: dev}, part(t, m, 0, 4*page), mem.MemAttachSingle),
		"attach, flags":        mem.AttachAsync(&stream{device: dev}, m, 3),
		"attach, no stream":    mem.AttachAsync(nil, m, mem.MemAttachGlobal),
		"attach, memory":       mem.AttachAsync(&stream{device: dev}, b, mem.MemAttachGlobal),
		"range, memory":        func() error { _, err := mem.RangeAttributesOf(b); return err }(),
		"attachment, memory":   func() error { _, _, err := mem.Attachment(b); return err }(),
		"attachment, no such":  func() error { _, _, err := mem.Attachment[int](nil); return err }(),
		"stream without space": mem.AttachAsync(&stream{device: &device{}}, m, mem.MemAttachGlobal),
	} {
		assert.ErrorIs(t, err, mem.ErrInvalidValue, what)
	}
}

// Prefetches and attachments take their turn.
func TestPrefetchAndAttach(t *testing.T) {
	dev := newDevice(1 << 20)
	s := &stream{device: dev}
	m := allocManaged[int64](t, dev, 3*mem.ManagedPage/8)
	require.NoError(t, mem.PrefetchAsync(s, m, dev))
	require.NoError(t, mem.PrefetchAsync(s, part(t, m, 0, 1), mem.CPU))
	require.NoError(t, mem.AttachAsync(s, m, mem.MemAttachSingle))
	r, err := mem.RangeAttributesOf(m)
	assert.NoError(t, err, "before")
	assert.Equal(t, nil, r.LastPrefetchLocation, "before")
	flag, to, err := mem.Attachment(m)
	assert.Equal(t, mem.MemAttachGlobal, flag, "before")
	assert.Equal(t, nil, to, "before")
	assert.NoError(t, err, "before")
	s.run(t)
	r, err = mem.RangeAttributesOf(part(t, m, 0, 8))
	assert.NoError(t, err)
	assert.Equal(t, mem.CPU, r.LastPrefetchLocation, "first page")
	r, err = mem.RangeAttributesOf(part(t, m, mem.ManagedPage/8, m.Len()))
	assert.NoError(t, err)
	assert.Same(t, dev, r.LastPrefetchLocation, "others")
	r, err = mem.RangeAttributesOf(m)
	assert.NoError(t, err, "all")
	assert.Equal(t, nil, r.LastPrefetchLocation, "all")
	flag, to, err = mem.Attachment(m)
	assert.NoError(t, err)
	assert.Equal(t, mem.MemAttachSingle, flag)
	assert.Same(t, s, to)
	require.NoError(t, mem.AttachAsync(s, m, mem.MemAttachHost))
	s.run(t)
	flag, to, err = mem.Attachment(m)
	assert.Equal(t, mem.MemAttachHost, flag)
	assert.Equal(t, nil, to)
	assert.NoError(t, err)
}
