package gocommand

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gocuda/gocuda/internal/compiler"
)

// CacheVariable is the environment variable that names the folder of the cache, if that is another
// than gocuda in the user's folder for caches.
const CacheVariable = "GOCUDACACHE"

// A cache is a folder with generated code: a folder for each hash of what the code was made of.
type cache struct{ dir string }

// An entry is the generated code of a package.
type entry struct {
	Files               []string // their names; they lie in dir
	Warnings, Fallbacks []compiler.Note
	dir                 string
}

// entryFile is the file of an entry.
const entryFile = "entry.json"

// An entry that nobody has asked for in this time is removed.
const kept = 5 * 24 * time.Hour

// openCache opens the cache, and removes old entries from it once a day.
func openCache() (*cache, error) {
	dir := os.Getenv(CacheVariable)
	if dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return nil, fmt.Errorf("there is no folder for generated code (%w); set %s to one", err, CacheVariable)
		}
		dir = filepath.Join(user, "gocuda")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	c := &cache{dir}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	c.trim(time.Now())
	return c, nil
}

// get returns the entry with a key, or nil.
func (c *cache) get(key string) *entry {
	e := &entry{dir: filepath.Join(c.dir, key)}
	data, err := os.ReadFile(filepath.Join(e.dir, entryFile))
	if err != nil || json.Unmarshal(data, e) != nil {
		return nil
	}
	for _, name := range e.Files {
		if !exists(filepath.Join(e.dir, name)) {
			return nil
		}
	}
	c.use(e.dir)
	return e
}

// put makes an entry of what the compiler returned, with positions relative to dir.
func (c *cache) put(key string, r compiler.Result, dir string) (*entry, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	absolute := func(notes []compiler.Note) []compiler.Note {
		for i, n := range notes {
			if !filepath.IsAbs(n.Pos.Filename) {
				notes[i].Pos.Filename = filepath.Join(dir, n.Pos.Filename)
			}
		}
		return notes
	}
	e := &entry{Warnings: absolute(r.Warnings), Fallbacks: absolute(r.Fallbacks), dir: filepath.Join(c.dir, key)}
	files := map[string][]byte{}
	for _, f := range r.Files {
		if f.Data != nil {
			e.Files = append(e.Files, filepath.Base(f.Path))
			files[filepath.Base(f.Path)] = f.Data
		}
	}
	if files[entryFile], err = json.Marshal(e); err != nil {
		return nil, err
	}
	return e, c.write(key, files)
}

// file makes an entry of one file, and returns its name.
func (c *cache) file(key, name string, data []byte) (string, error) {
	path := filepath.Join(c.dir, key, name)
	if exists(path) {
		c.use(filepath.Dir(path))
		return path, nil
	}
	return path, c.write(key, map[string][]byte{name: data})
}

// write writes the files of an entry: all of them, or none if another process was faster.
func (c *cache) write(key string, files map[string][]byte) error {
	temp, err := os.MkdirTemp(c.dir, "new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp) // which is not there any more if all went well
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(temp, name), data, 0o666); err != nil {
			return err
		}
	}
	if err := os.Chmod(temp, 0o777&^0o022); err != nil {
		return err
	}
	to := filepath.Join(c.dir, key)
	if err := os.Rename(temp, to); err == nil {
		return nil
	}
	// There is one already. If it is whole, it has the same files; if not, it is replaced.
	whole := true
	for name := range files {
		whole = whole && exists(filepath.Join(to, name))
	}
	if whole {
		return nil
	}
	return errors.Join(os.RemoveAll(to), os.Rename(temp, to))
}

// use notes that an entry is used, not more than once an hour.
func (c *cache) use(dir string) {
	now := time.Now()
	if info, err := os.Stat(dir); err == nil && now.Sub(info.ModTime()) > time.Hour {
		os.Chtimes(dir, now, now) // if it can't be noted, the entry is made again one day
	}
}

// trim removes entries that have not been used for long, if that has not been done for a day. What
// can't be removed stays.
func (c *cache) trim(now time.Time) {
	mark := filepath.Join(c.dir, "trimmed")
	if info, err := os.Stat(mark); err == nil && now.Sub(info.ModTime()) < 24*time.Hour {
		return
	}
	if err := os.WriteFile(mark, nil, 0o666); err != nil {
		return
	}
	entries, _ := os.ReadDir(c.dir)
	for _, e := range entries {
		// Only what this package has made: folders that are called by a hash, and those under way.
		made := len(e.Name()) == 64 || len(e.Name()) > 4 && e.Name()[:4] == "new-"
		if info, err := e.Info(); err == nil && e.IsDir() && made && now.Sub(info.ModTime()) > kept {
			os.RemoveAll(filepath.Join(c.dir, e.Name()))
		}
	}
}
