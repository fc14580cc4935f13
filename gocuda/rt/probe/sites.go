package probe

import (
	"encoding/json"
	"fmt"
	"os"
	"sync"
)

// SitesVariable is the environment variable with the path of the file that lists the sites.
const SitesVariable = "GOCUDA_PROBE_SITES"

// A Site is a place of the source that a call of this package stands for. Its number is the index in
// the list.
type Site struct {
	File string // as the go command names it
	Line int
	Col  int
	Text string // the expression or the head of the statement
	Func string // the function it stands in

	Padding [][2]int // of what is accessed: the first byte and the one after the last of each gap between fields

	Barrier bool // a barrier of the block
	Call    bool // a statement that calls a function with barriers, with no blocks in it
	Tail    bool // such a call after which its function returns
}

func (s Site) String() string { return fmt.Sprintf("%s:%d", s.File, s.Line) }

// Sites returns the sites of the program.
var Sites = sync.OnceValues(func() ([]Site, error) {
	data, err := os.ReadFile(os.Getenv(SitesVariable))
	if err != nil {
		return nil, err
	}
	var sites []Site
	if err := json.Unmarshal(data, &sites); err != nil {
		return nil, fmt.Errorf("sites of the probe overlay: %w", err)
	}
	return sites, nil
})
