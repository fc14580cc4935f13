package gocommand

import (
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
)

// An environment is the variables of the go command on which generated code depends.
type environment map[string]string

// readEnvironment asks the go command for them in a folder.
func readEnvironment(dir string) (environment, error) {
	cmd := exec.Command("go", "env", "-json", "CGO_ENABLED", "GOARCH", "GOEXPERIMENT", "GOFLAGS", "GOOS", "GOROOT", "GOVERSION")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) && len(exit.Stderr) > 0 {
			err = errors.New(strings.TrimSpace(string(exit.Stderr)))
		}
		return nil, fmt.Errorf("go env: %w", err)
	}
	e := environment{}
	if err := json.Unmarshal(out, &e); err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	return e, nil
}

// flag returns the value that GOFLAGS has for a flag of the go command, or "".
func (e environment) flag(name string) (value string) {
	for _, field := range e.fields() {
		if n, v, _ := strings.Cut(strings.TrimLeft(field, "-"), "="); n == name {
			value = v
		}
	}
	return value
}

// has reports whether GOFLAGS sets one of the flags.
func (e environment) has(names ...string) bool {
	return slices.ContainsFunc(e.fields(), func(field string) bool {
		name, value, _ := strings.Cut(strings.TrimLeft(field, "-"), "=")
		return slices.Contains(names, name) && value != "false"
	})
}

// fields returns the flags in GOFLAGS. They are separated by blanks; one that has blanks stands in
// quotes.
func (e environment) fields() (list []string) {
	rest := e["GOFLAGS"]
	for {
		if rest = strings.TrimSpace(rest); rest == "" {
			return list
		}
		var field string
		if q := rest[0]; q == '\'' || q == '"' {
			field, rest, _ = strings.Cut(rest[1:], string(q))
		} else if i := strings.IndexAny(rest, " \t\r\n"); i >= 0 {
			field, rest = rest[:i], rest[i:]
		} else {
			field, rest = rest, ""
		}
		list = append(list, field)
	}
}
