package sanitize

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
)

// The static analysis results interchange format, SARIF 2.1.0 (OASIS, 2020), as far as it is used here.

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool    sarifTool     `json:"tool"`
	Results []sarifResult `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name  string      `json:"name"`
	Rules []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID    string       `json:"id"`
	Short sarifMessage `json:"shortDescription"`
}

type sarifMessage struct {
	Text string `json:"text"`
}

type sarifResult struct {
	Rule         string             `json:"ruleId"`
	Index        int                `json:"ruleIndex"`
	Level        string             `json:"level"`
	Message      sarifMessage       `json:"message"`
	Locations    []sarifLocation    `json:"locations,omitempty"`
	Related      []sarifLocation    `json:"relatedLocations,omitempty"`
	Count        int                `json:"occurrenceCount,omitempty"`
	Suppressions []sarifSuppression `json:"suppressions,omitempty"`
}

type sarifLocation struct {
	Physical sarifPhysical `json:"physicalLocation"`
	Message  *sarifMessage `json:"message,omitempty"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	Line    int           `json:"startLine"`
	Col     int           `json:"startColumn,omitempty"`
	Snippet *sarifMessage `json:"snippet,omitempty"`
}

type sarifSuppression struct {
	Kind string `json:"kind"`
}

// sarifRules are the tools.
var sarifRules = []sarifRule{
	{"race", sarifMessage{"two accesses to the same memory without an order, one of them a write"}},
	{"init", sarifMessage{"memory is read before it is written"}},
	{"sync", sarifMessage{"a barrier or warp operation that not all its threads come to"}},
	{"mem", sarifMessage{"an access beyond its array or allocation, or to memory that was freed"}},
}

// SARIF writes a report in the format of that name, version 2.1.0. Suppressed findings are in it,
// and marked so.
func (r *Report) SARIF(w io.Writer) error {
	run := sarifRun{Tool: sarifTool{sarifDriver{Name: "gocuda sanitize", Rules: sarifRules}}, Results: []sarifResult{}}
	for _, f := range r.Findings {
		run.Results = append(run.Results, sarifOf(f))
	}
	for _, f := range r.Suppressed {
		s := sarifOf(f)
		s.Suppressions = []sarifSuppression{{"external"}}
		run.Results = append(run.Results, s)
	}
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	return out.Encode(sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

func sarifOf(f Finding) sarifResult {
	s := sarifResult{
		Rule: f.Tool, Level: [...]string{"none", "note", "warning", "error"}[f.Severity],
		Message: sarifMessage{f.sentence()}, Count: max(1, f.Count),
	}
	for i, rule := range sarifRules {
		if rule.ID == f.Tool {
			s.Index = i
		}
	}
	if f.First.File != "" {
		s.Locations = append(s.Locations, sarifPlace(f.First, ""))
	}
	if f.Other.File != "" {
		text := otherRole(f)
		if f.Tool == "race" {
			text = f.Access[1] + " access"
		}
		s.Related = append(s.Related, sarifPlace(f.Other, text))
	}
	return s
}

func sarifPlace(p Place, text string) sarifLocation {
	l := sarifLocation{Physical: sarifPhysical{Artifact: sarifArtifact{(&url.URL{Path: p.File}).String()}}}
	if p.Line > 0 {
		l.Physical.Region = &sarifRegion{Line: p.Line, Col: p.Col}
		if p.Text != "" {
			l.Physical.Region.Snippet = &sarifMessage{p.Text}
		}
	}
	if text != "" {
		l.Message = &sarifMessage{text}
	}
	return l
}

// sentence says in one line what was found.
func (f *Finding) sentence() string {
	if f.Tool == "race" {
		return fmt.Sprintf("%s race between %s of %s by %v and %s of %s at %v by %v, kernel %s, %d bytes",
			f.Kind, f.Access[0], f.First.Text, f.Threads[0], f.Access[1], f.Other.Text, f.Other, f.Threads[1], f.Kernel, f.Count)
	}
	if f.Kernel == "" {
		return f.Text
	}
	return fmt.Sprintf("%s by %v, kernel %s, %s", f.Text, f.Threads[0], f.Kernel, number(f.Count, "time"))
}
