package sanitize

// A findingKey tells findings of a launch apart.
type findingKey struct {
	tool, kind   string
	first, other int // sites, -1 for none
	text         string
}

// A finding is a Finding in the making.
type finding struct {
	Finding
	bytes   map[byteKey]uint8 // of races: the bytes of each word
	pair    [2]stamp          // of races: the threads
	noted   bool
	told    string // the first text
	written int    // how much of the count was written to the log
	inLog   bool
}

// note adds a thread that did it.
func (f *finding) note(t Thread) {
	if !f.noted {
		f.Threads[0], f.noted = t, true
	}
	f.Threads[1] = t
	if f.Tool == "mem" || f.Kind == "arguments" || f.Kind == "divergence" {
		f.Count++
	}
}

// report returns the finding of a launch with key k, which it makes if there is none.
func (s *sanitizer) report(l *launchState, k findingKey, severity Severity) *finding {
	home := l
	if l.host || l.ended {
		home = &s.loose
		k.text += "\x00" + l.kernel
	}
	if home.findings == nil {
		home.findings = map[findingKey]*finding{}
	}
	f := home.findings[k]
	if f == nil {
		f = &finding{Finding: Finding{Tool: k.tool, Kind: k.kind, Kernel: l.kernel, Launch: l.id, First: s.place(k.first), Other: s.place(k.other)}}
		if k.tool == "sync" {
			f.Text = k.text
		}
		home.findings[k] = f
		home.order = append(home.order, k)
	}
	f.Severity = max(f.Severity, severity)
	return f
}

// flushFindings writes the findings of a launch.
func (s *sanitizer) flushFindings(l *launchState) {
	for _, k := range l.order {
		s.log1(l.findings[k])
	}
	l.findings, l.order = nil, nil
	l.ended = true
}

// log1 writes a finding, or what has been added to it since it was written.
func (s *sanitizer) log1(f *finding) {
	more := f.Finding
	more.Count -= f.written
	if f.inLog && more.Count == 0 {
		return
	}
	if f.Severity == SeverityError && !f.inLog {
		s.total++
	}
	f.written, f.inLog = f.Count, true
	s.write(more)
}

// flushLoose writes the findings of no launch, or of one that has ended.
func (s *sanitizer) flushLoose() {
	for _, k := range s.loose.order {
		s.log1(s.loose.findings[k])
	}
	if len(s.loose.order) > 0 && !s.busy() {
		s.loose.findings, s.loose.order = nil, nil
	}
}
