package sanitize

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
)

// A Suppression describes findings that are known and not to be reported. An empty field fits all.
type Suppression struct {
	Tool   string `json:"tool,omitempty"`
	Kind   string `json:"kind,omitempty"`
	Kernel string `json:"kernel,omitempty"`
	First  Place  `json:"first,omitzero"`
	Other  Place  `json:"other,omitzero"`
}

// SuppressionsOf returns what suppresses the findings. Lines change when a program is worked on:
// places with an expression have no line.
func SuppressionsOf(findings []Finding) []Suppression {
	var all []Suppression
	for _, f := range findings {
		s := Suppression{Tool: f.Tool, Kind: f.Kind, Kernel: f.Kernel, First: lasting(f.First), Other: lasting(f.Other)}
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

func lasting(p Place) Place {
	if p.Text != "" {
		p.Line, p.Col = 0, 0
	}
	return p
}

func (s *Suppression) fits(f *Finding) bool {
	fit := func(want, is string) bool { return want == "" || want == is }
	return fit(s.Tool, f.Tool) && fit(s.Kind, f.Kind) && fit(s.Kernel, f.Kernel) && s.First.covers(f.First) && s.Other.covers(f.Other)
}

// covers reports whether q is as p says, whose empty fields fit all.
func (p Place) covers(q Place) bool {
	return (p.File == "" || p.File == q.File) && (p.Line == 0 || p.Line == q.Line) && (p.Col == 0 || p.Col == q.Col) && (p.Text == "" || p.Text == q.Text)
}

// ReadSuppressions reads what WriteSuppressions has written.
func ReadSuppressions(r io.Reader) ([]Suppression, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	in := json.NewDecoder(bytes.NewReader(data))
	in.DisallowUnknownFields()
	var all []Suppression
	if err := in.Decode(&all); err != nil {
		return nil, fmt.Errorf("suppressions: %w", err)
	}
	for i, s := range all {
		if s == (Suppression{}) {
			return nil, fmt.Errorf("suppressions: the one at index %d is empty, and would suppress all", i)
		}
	}
	return all, nil
}

// WriteSuppressions writes suppressions as a list in JSON.
func WriteSuppressions(w io.Writer, all []Suppression) error {
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	out.SetEscapeHTML(false)
	if all == nil {
		all = []Suppression{}
	}
	return out.Encode(all)
}

// Suppress splits findings into those to report and those that are suppressed.
func Suppress(findings []Finding, all []Suppression) (left, suppressed []Finding) {
	for _, f := range findings {
		if slices.ContainsFunc(all, func(s Suppression) bool { return s.fits(&f) }) {
			suppressed = append(suppressed, f)
		} else {
			left = append(left, f)
		}
	}
	return left, suppressed
}
