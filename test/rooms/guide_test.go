package rooms

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What the guide and the README call by its package or as a method exists.
func TestNamesOfTheGuide(t *testing.T) {
	rooms := map[string]*room{}
	for _, folder := range []string{"atomic", "cg", "device", "gocuda", "grid", "mem"} {
		rooms[folder] = readRoom(t, folder)
	}
	types := map[string]string{"dev": "Device", "t": "Thread", "b": "Block", "other": "Stream"}
	names := regexp.MustCompile(`\b(atomic|cg|device|gocuda|grid|mem)\.([A-Z]\w*)`)
	members := regexp.MustCompile("`[^`\n]*\\b(dev|t|b|other)\\.([A-Z]\\w*)")
	seen := 0
	for _, page := range []string{"docs/guide.md", "README.md"} {
		text, err := os.ReadFile("../../" + page)
		require.NoError(t, err)
		for _, m := range names.FindAllStringSubmatch(string(text), -1) {
			seen++
			assert.True(t, rooms[m[1]].has(m[2]), "%s: there is no %s.%s", page, m[1], m[2])
		}
		for _, m := range members.FindAllStringSubmatch(string(text), -1) {
			seen++
			assert.True(t, rooms["gocuda"].hasMember(types[m[1]], m[2]), "%s: a %s has no %s", page, types[m[1]], m[2])
		}
	}
	assert.Greater(t, seen, 100)
	assert.False(t, rooms["gocuda"].has("Ampere"))
}
