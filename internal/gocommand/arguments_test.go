package gocommand

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		line     string
		patterns string
		build    string
		overlay  string
		dir      string
	}{
		{"build", ".", "", "", ""},
		{"build ./a ./b", "./a ./b", "", "", ""},
		{"build -o out -v ./...", "./...", "", "", ""},
		{"build -C there -tags x,y -race .", ".", "-tags=x,y -race", "", "there"},
		{"build -C=there -tags=x .", ".", "-tags=x", "", "there"},
		{"build --tags x -- -odd", "-odd", "-tags=x", "", ""},
		{"build -race=false a.go b.go", "a.go b.go", "-race=false", "", ""},
		{"build -overlay o.json -mod mod .", ".", "-mod=mod", "o.json", ""},
		{"run . ./a -tags x", ".", "", "", ""},
		{"run . -- a", ".", "", "", ""},
		{"run -exec env ./a b.go", "./a", "", "", ""},
		{"run a.go b.go c", "a.go b.go", "", "", ""},
		{"run", ".", "", "", ""},
		{"test", ".", "", "", ""},
		{"test -run X -bench . ./a ./b -race -overlay=o.json -count 1", "./a ./b", "-race", "o.json", ""},
		{"test ./a -tags x -args -tags y", "./a", "-tags=x", "", ""},
		{"test ./a -- -tags y", "./a", "", "", ""},
		{"test -v -short ./a b", "./a b", "", "", ""},
		{"test -update ./a", ".", "", "", ""}, // an unknown flag may have a value, and ends the packages
		{"test -update=x ./a -tags y", ".", "", "", ""},
		{"test ./a -update y -tags x", "./a", "-tags=x", "", ""},
		{"test ./a -v y -tags x", "./a", "", "", ""},
		{"test -test.run X ./a", "./a", "", "", ""},
		{"vet -c 3 -printf.funcs f ./a", "./a", "", "", ""},
		{"vet -unsafeptr=false -copylocks ./a", "./a", "", "", ""},
		{"build -tags", ".", "", "", ""},
	} {
		a := parse(strings.Fields(c.line))
		assert.Equal(t, c.patterns, strings.Join(a.patterns(), " "), c.line)
		assert.Equal(t, c.build, strings.Join(a.build, " "), c.line)
		assert.Equal(t, c.overlay, a.overlay, c.line)
		assert.Equal(t, c.dir, a.dir, c.line)
	}
}

func TestParseFindsTheRaceDetector(t *testing.T) {
	for line, want := range map[string]bool{
		"test ./a": false, "test -race ./a": true, "test ./a -race=true -v": true, "build -race=false .": false,
		"test -race -race=false ./a": false, "test -race -tags x ./a": true, "test ./a -args -race": false, "run . -race": false,
	} {
		assert.Equal(t, want, parse(strings.Fields(line)).races, line)
	}
}

func TestArgumentsWithFlags(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"build", "build -overlay=f"},
		{"build -C there -overlay o -v ./...", "build -C there -overlay=f -v ./..."},
		{"run . -overlay o", "run -overlay=f . -overlay o"},
		{"run a.go x", "run -overlay=f a.go g.go x"},
		{"test ./a -overlay=o -run X", "test -overlay=f ./a -run X"},
		{"build -toolexec t .", "build -overlay=f -toolexec t ."},
	} {
		var named []string
		if strings.Contains(c.line, "a.go") {
			named = []string{"g.go"}
		}
		assert.Equal(t, c.want, strings.Join(parse(strings.Fields(c.line)).with([]string{"-overlay=f"}, named), " "), c.line)
	}
	assert.Equal(t, "build -overlay=f -toolexec=u .", strings.Join(parse(strings.Fields("build -toolexec t .")).with([]string{"-overlay=f", "-toolexec=u"}, nil), " "))
}

// The go command's own texts say which of its flags have a value.
func TestFlagsOfTheGoCommand(t *testing.T) {
	flags := regexp.MustCompile(`(?m)^\t-(\w+)( \S.*)?$`)
	found := 0
	for _, topic := range []string{"build", "test", "testflag"} {
		out, err := exec.Command("go", "help", topic).Output()
		require.NoError(t, err)
		for _, m := range flags.FindAllStringSubmatch(string(out), -1) {
			name, value := m[1], m[2]
			if name == "args" {
				continue
			}
			found++
			assert.True(t, isKnown(name), "go help %s has -%s", topic, name)
			assert.Equal(t, value != "", valued[name], "go help %s has -%s%s", topic, name, value)
		}
	}
	assert.Greater(t, found, 50)
}

func TestGOFLAGS(t *testing.T) {
	e := environment{"GOFLAGS": `-tags=a '-overlay=a b.json' --toolexec=x "-ldflags=-X a=b" -cover=false`}
	assert.Equal(t, "a b.json", e.flag("overlay"))
	assert.Equal(t, "x", e.flag("toolexec"))
	assert.Equal(t, "-X a=b", e.flag("ldflags"))
	assert.False(t, e.has(coverFlags...))
	assert.True(t, environment{"GOFLAGS": "-v -coverpkg=./..."}.has(coverFlags...))
	assert.Empty(t, environment{}.flag("overlay"))
}
