package judge

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A line counts if it was signed with the key, whatever else is in the file.
func TestReadReports(t *testing.T) {
	key := []byte("key")
	line := func(r Report, key []byte) string {
		text, err := json.Marshal(r)
		require.NoError(t, err)
		signed, err := json.Marshal(signedReport{text, signature(text, key)})
		require.NoError(t, err)
		return string(signed)
	}
	plain, err := json.Marshal(Report{Check: "hidden", Passed: true})
	require.NoError(t, err)
	good := line(Report{Check: "example", Passed: true}, key)
	file := strings.Join([]string{
		string(plain), line(Report{Check: "order", Passed: true}, nil), good, "", "noise", line(Report{Check: "budget", Size: 8}, key),
	}, "\n")
	all, err := ReadReports(strings.NewReader(file), key)
	require.NoError(t, err)
	assert.Equal(t, []Report{{Check: "example", Passed: true}, {Check: "budget", Size: 8}}, all)

	var s signedReport
	require.NoError(t, json.Unmarshal([]byte(good), &s))
	s.Report = plain
	changed, err := json.Marshal(s)
	require.NoError(t, err)
	all, err = ReadReports(strings.NewReader(string(changed)), key)
	require.NoError(t, err)
	assert.Empty(t, all)
}
