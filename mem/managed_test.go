package mem_test

import (
	"slices"
	"testing"

	"github.com/gocuda/gocuda/mem"
)

func allocManaged[T any](t *testing.T, dev mem.Device, n int) *mem.Buffer[T] {
	t.Helper()
	b, err := mem.AllocManaged[T](dev, n, mem.MemAttachGlobal)
	must(t, err)
	return b
}

func TestAttachFlagsAreCUDAs(t *testing.T) { // driver_types.h
	if mem.MemAttachGlobal != 1 || mem.MemAttachHost != 2 || mem.MemAttachSingle != 4 || mem.AdviseSetReadMostly != 1 || mem.AdviseUnsetAccessedBy != 6 {
		t.Error(mem.MemAttachGlobal, mem.MemAttachHost, mem.MemAttachSingle, mem.AdviseSetReadMostly, mem.AdviseUnsetAccessedBy)
	}
}

// Managed memory is a device's by its size, and everybody's by its use.
func TestManaged(t *testing.T) {
	dev, other := newDevice(1000), newDevice(1<<20)
	m := allocManaged[int32](t, dev, 100)
	if got := used(dev); got < 400 || got >= 400+mem.Align {
		t.Errorf("100 int32 take %d bytes", got)
	}
	_, err := mem.AllocManaged[int32](dev, 200, mem.MemAttachHost)
	wantError(t, "more than there is", err, mem.ErrOutOfMemory)
	for what, flags := range map[string]mem.AttachFlags{"0": 0, "single": mem.MemAttachSingle, "both": 3} {
		_, err := mem.AllocManaged[int32](dev, 1, flags)
		wantError(t, what, err, mem.ErrInvalidValue)
	}
	_, err = mem.AllocManaged[int32](mem.CPU, 1, mem.MemAttachGlobal)
	wantError(t, "on the host", err, mem.ErrInvalidValue)
	_, err = mem.Alloc[int32](mem.CPU, 1)
	wantError(t, "on the host", err, mem.ErrInvalidValue)

	m.Data()[3] = 7 // the host
	there := filled(t, other, int32(1), 2, 3, 4)
	s := &stream{device: other}
	must(t, mem.Copy(there, part(t, m, 3, 4)))
	must(t, mem.CopyAsync(s, part(t, m, 0, 2), part(t, there, 0, 2)))
	must(t, mem.Memset2DAsync(s, m.Rows(10, 10).At(0, 1, 0), 0xff, 2, 1))
	must(t, mem.CopyToDevice(part(t, m, 4, 5), []int32{9}))
	s.run(t)
	if got, want := m.Data()[:13], []int32{7, 2, 0, 7, 9, 0, 0, 0, 0, 0, -1, -1, 0}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if data, err := m.DataOn(other); err != nil || len(data) != 100 {
		t.Errorf("other devices have %v, %v", data, err)
	}
	must(t, m.Free())
	wantError(t, "Advise", mem.Advise(m, mem.AdviseSetReadMostly, nil), mem.ErrFreed)
	if used(dev) != 0 {
		t.Errorf("%d bytes in use", used(dev))
	}

	poisoned := allocManaged[float32](t, &device{mem.NewSpace(1000, true)}, 10)
	if v := poisoned.Data()[9]; v == v {
		t.Errorf("new managed memory holds %v in checked mode", v)
	}
}

func TestAdvice(t *testing.T) {
	const page = mem.ManagedPage
	dev, other := newDevice(1<<20), newDevice(1<<20)
	m := allocManaged[byte](t, dev, 4*page)
	advise := func(b *mem.Buffer[byte], a mem.Advice, at mem.Device) {
		t.Helper()
		must(t, mem.Advise(b, a, at))
	}
	ask := func(i, j int) mem.RangeAttributes {
		t.Helper()
		r, err := mem.RangeAttributesOf(part(t, m, i, j))
		must(t, err)
		return r
	}
	if r := ask(0, 4*page); r.ReadMostly || r.PreferredLocation != nil || r.AccessedBy != nil || r.LastPrefetchLocation != nil {
		t.Errorf("at first: %+v", r)
	}
	// One byte stands for its page.
	advise(part(t, m, page+5, page+6), mem.AdviseSetReadMostly, nil)
	if !ask(page, 2*page).ReadMostly || ask(page-1, page+1).ReadMostly || ask(page, 2*page+1).ReadMostly {
		t.Error("advice is not on one page")
	}
	advise(m, mem.AdviseSetReadMostly, nil)
	advise(part(t, m, 0, page), mem.AdviseUnsetReadMostly, nil)
	if ask(0, 1).ReadMostly || !ask(page, 4*page).ReadMostly || ask(0, 4*page).ReadMostly {
		t.Error("unset is not on one page")
	}

	advise(part(t, m, 0, 2*page), mem.AdviseSetPreferredLocation, dev)
	advise(part(t, m, 2*page, 3*page), mem.AdviseSetPreferredLocation, mem.CPU)
	if ask(0, 2*page).PreferredLocation != mem.Device(dev) || ask(2*page, 3*page).PreferredLocation != mem.CPU ||
		ask(0, 3*page).PreferredLocation != nil || ask(2*page, 4*page).PreferredLocation != nil {
		t.Error("preferred location")
	}
	advise(part(t, m, 0, page), mem.AdviseUnsetPreferredLocation, nil)
	if ask(0, page).PreferredLocation != nil || ask(page, 2*page).PreferredLocation != mem.Device(dev) {
		t.Error("preferred location, unset")
	}

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
		if got := ask(c.i, c.j).AccessedBy; !slices.Equal(got, c.want) {
			t.Errorf("accessed by %v, want %v", got, c.want)
		}
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
		wantError(t, what, err, mem.ErrInvalidValue)
	}
}

// Prefetches and attachments take their turn.
func TestPrefetchAndAttach(t *testing.T) {
	dev := newDevice(1 << 20)
	s := &stream{device: dev}
	m := allocManaged[int64](t, dev, 3*mem.ManagedPage/8)
	must(t, mem.PrefetchAsync(s, m, dev))
	must(t, mem.PrefetchAsync(s, part(t, m, 0, 1), mem.CPU))
	must(t, mem.AttachAsync(s, m, mem.MemAttachSingle))
	if r, err := mem.RangeAttributesOf(m); err != nil || r.LastPrefetchLocation != nil {
		t.Errorf("before: %+v, %v", r, err)
	}
	if flag, to, err := mem.Attachment(m); flag != mem.MemAttachGlobal || to != nil || err != nil {
		t.Errorf("before: attached to %v, %v, %v", flag, to, err)
	}
	s.run(t)
	if r, err := mem.RangeAttributesOf(part(t, m, 0, 8)); err != nil || r.LastPrefetchLocation != mem.CPU {
		t.Errorf("first page: %+v, %v", r, err)
	}
	if r, err := mem.RangeAttributesOf(part(t, m, mem.ManagedPage/8, m.Len())); err != nil || r.LastPrefetchLocation != mem.Device(dev) {
		t.Errorf("others: %+v, %v", r, err)
	}
	if r, err := mem.RangeAttributesOf(m); err != nil || r.LastPrefetchLocation != nil {
		t.Errorf("all: %+v, %v", r, err)
	}
	if flag, to, err := mem.Attachment(m); flag != mem.MemAttachSingle || to != mem.Stream(s) || err != nil {
		t.Errorf("attached to %v, %v, %v", flag, to, err)
	}
	must(t, mem.AttachAsync(s, m, mem.MemAttachHost))
	s.run(t)
	if flag, to, err := mem.Attachment(m); flag != mem.MemAttachHost || to != nil || err != nil {
		t.Errorf("attached to %v, %v, %v", flag, to, err)
	}
}
