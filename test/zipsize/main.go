// Command zipsize prints how large the zip of the root module is, which whoever requires the module
// downloads and unpacks: as Go makes it of the last commit, folder by folder.
//
//	go run ./test/zipsize [-depth 2] [-max 2000000]
package main

import (
	"archive/zip"
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"text/tabwriter"

	"golang.org/x/mod/module"
	modzip "golang.org/x/mod/zip"
)

func main() {
	depth := flag.Int("depth", 1, "how many folders deep the table goes")
	most := flag.Int("max", 0, "the exit status is 1 if the zip has more bytes; 0 is no limit")
	flag.Parse()
	size, err := report(os.Stdout, *depth)
	if err == nil && *most > 0 && size > *most {
		err = fmt.Errorf("the zip has %d bytes, more than %d", size, *most)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "zipsize:", err)
		os.Exit(1)
	}
}

// report prints the table and returns the size of the zip.
func report(w io.Writer, depth int) (int, error) {
	root, err := exec.Command("git", "rev-parse", "--show-toplevel").Output()
	if err != nil {
		return 0, fmt.Errorf("git rev-parse: %w", err)
	}
	var b bytes.Buffer
	m := module.Version{Path: "github.com/gocuda/gocuda", Version: "v0.0.0"}
	if err := modzip.CreateFromVCS(&b, m, strings.TrimSpace(string(root)), "HEAD", ""); err != nil {
		return 0, err
	}
	r, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		return 0, err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "folder\tfiles\tunpacked\tin the zip\tof that generated\t")
	list := sums(r.File, m.Path+"@"+m.Version+"/", depth)
	for _, s := range list {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t\n", s.name, s.files, s.unpacked, s.zipped, s.generated)
	}
	fmt.Fprintf(t, "the zip\t%d\t\t%d\t\t\n", len(r.File), b.Len())
	return b.Len(), t.Flush()
}

// A sum is what the files of a folder have together.
type sum struct {
	name                               string
	files, unpacked, zipped, generated int
}

// sums returns the sums of the folders, the largest first, and of all files at the end.
func sums(files []*zip.File, prefix string, depth int) []sum {
	byName, all := map[string]*sum{}, sum{name: "all"}
	for _, f := range files {
		dir := path.Dir(strings.TrimPrefix(f.Name, prefix))
		parts := strings.Split(dir, "/")
		name := strings.Join(parts[:min(depth, len(parts))], "/")
		if byName[name] == nil {
			byName[name] = &sum{name: name}
		}
		for _, s := range []*sum{byName[name], &all} {
			s.files++
			s.unpacked += int(f.UncompressedSize64)
			s.zipped += int(f.CompressedSize64)
			if strings.Contains(path.Base(f.Name), "_gocuda") {
				s.generated += int(f.CompressedSize64)
			}
		}
	}
	var list []sum
	for _, s := range byName {
		list = append(list, *s)
	}
	slices.SortFunc(list, func(a, b sum) int { return cmp.Or(b.zipped-a.zipped, cmp.Compare(a.name, b.name)) })
	return append(list, all)
}
