package learn

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

const (
	buildLimit = 5 * time.Minute // the first build makes the standard library and the runtime
	runLimit   = 60 * time.Second
	outputMax  = 1 << 20 // bytes of output that are kept
)

// Limits are what a program of a learner may use. They protect from mistakes: a program can do what
// its user can, and so they are no security boundary. A field that is 0 is the default of
// [DefaultLimits].
type Limits struct {
	Time   time.Duration // of each run, by the clock
	Memory int64         // bytes of data of each process; where the system counts it, which Linux does
	Disk   int64         // bytes of each file, and of all files in the program's folder together
	Files  int           // open ones of each process
}

// DefaultLimits are those of -class.
var DefaultLimits = Limits{Time: runLimit, Memory: 2 << 30, Disk: 64 << 20, Files: 256}

// orDefault fills in the fields that are 0.
func (l Limits) orDefault() Limits {
	if l.Time == 0 {
		l.Time = DefaultLimits.Time
	}
	if l.Memory == 0 {
		l.Memory = DefaultLimits.Memory
	}
	if l.Disk == 0 {
		l.Disk = DefaultLimits.Disk
	}
	if l.Files == 0 {
		l.Files = DefaultLimits.Files
	}
	return l
}

// A confinement is how one process is run.
type confinement struct {
	time   time.Duration
	memory int64  // 0 for none, and so the others
	disk   int64  // of the folder below
	files  int    //
	folder string // the only place for files of the program, and its home
	stdin  string // what it can read
}

// forBuild confines a run of the go command. It writes much, and reads the settings in its user's home.
func (l *Limits) forBuild() confinement {
	c := confinement{time: buildLimit}
	if l != nil {
		c.memory = l.Memory
	}
	return c
}

// forRun confines a run of a learner's program.
func (l *Limits) forRun() confinement {
	if l == nil {
		return confinement{time: runLimit}
	}
	return confinement{time: l.Time, memory: l.Memory, disk: l.Disk, files: l.Files}
}

// shell sets limits and becomes the program. A limit of the system's that is lower stays.
const shell = `set_limit() {
	ulimit "$1" "$2" 2>/dev/null || [ "$(ulimit -H "$1")" != unlimited ] || { echo "` + noLimit + ` ulimit $1 $2" >&2; exit 125; }
}
[ "$1" = 0 ] || set_limit -d "$1"
[ "$2" = 0 ] || set_limit -f "$2"
[ "$3" = 0 ] || set_limit -n "$3"
ulimit -c 0
shift 3
exec "$@"`

const noLimit = "gocuda learn has no"

// wrap puts the limits in front of a command.
func (c confinement) wrap(name string, args []string) (string, []string) {
	if c.memory == 0 && c.disk == 0 && c.files == 0 {
		return name, args
	}
	return "sh", append([]string{"-c", shell, "sh",
		strconv.FormatInt(c.memory>>10, 10), // units of 1024 bytes
		strconv.FormatInt(c.disk>>9, 10),    // units of 512 bytes
		strconv.Itoa(c.files), name}, args...)
}

// env is the environment of a process. A learner's program with limits has no business with that of
// the teacher.
func (c confinement) env(more []string) []string {
	if c.disk == 0 {
		return append(os.Environ(), more...)
	}
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + c.folder, "TMPDIR=" + c.folder}
	return append(env, more...)
}

// watchDisk looks now and then whether the files of the folder are too large together, and if so
// calls kill. A file that is too large by itself ends the program's writing as well (RLIMIT_FSIZE);
// whoever is first, the message says so. It returns at the end of done.
func (c confinement) watchDisk(done <-chan struct{}, kill func(error)) {
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return
		case <-tick.C:
		}
		var sum int64
		full := "" // a file that has reached the limit alone, at which the program sees EFBIG
		filepath.WalkDir(c.folder, func(_ string, d fs.DirEntry, err error) error {
			if err == nil {
				if info, err := d.Info(); err == nil {
					sum += info.Size()
					if info.Size() >= c.disk && info.Mode().IsRegular() {
						full = d.Name()
					}
				}
			}
			return nil
		})
		switch {
		case sum <= c.disk:
			continue
		case full != "":
			kill(fmt.Errorf("it was stopped, file too large: %s has all of the %d bytes that its files may have together", full, c.disk))
		default:
			kill(fmt.Errorf("it was stopped, since its files have %d bytes together, more than %d", sum, c.disk))
		}
		return
	}
}
