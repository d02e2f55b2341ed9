package memo

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/pkg/diskcache"
)

// question and its answer number i; answers differ in size.
func question(i int) (key, *answer) {
	return keyOf("f@1", []byte(strconv.Itoa(i))),
		&answer{bytes.Repeat([]byte(strconv.Itoa(i)), 100+i*7), fmt.Appendf(nil, "talk of %d", i)}
}

func (a *answer) equal(b *answer) bool {
	return bytes.Equal(a.stdout, b.stdout) && bytes.Equal(a.stderr, b.stderr)
}

// work asks and answers questions from..to; an error says what it was told wrongly.
func work(c *Cache, from, to int) error {
	for i := from; i < to; i++ {
		k, want := question(i)
		if got := c.read(k); got != nil && !got.equal(want) {
			return fmt.Errorf("question %d got another's answer", i)
		}
		c.write(k, want)
	}
	return nil
}

// sizeOf is what the folder holds; every entry must be whole and at its place.
func sizeOf(t *testing.T, dir string, questions int) (total int64, entries int) {
	t.Helper()
	known := map[string]key{}
	for i := range questions {
		k, _ := question(i)
		_, name := diskcache.Key(k).File()
		known[name] = k
	}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(p)
		total += int64(len(data))
		name, _ := filepath.Rel(dir, p)
		if strings.HasPrefix(name, diskcache.Temporary) {
			return err
		}
		entries++
		if readEntry(known[name], data) == nil {
			t.Errorf("%s is no whole entry", name)
		}
		return err
	})
	must(t, err)
	return total, entries
}

// TestLimit puts far more into a cache than it holds: it never does.
func TestLimit(t *testing.T) {
	dir, limit := t.TempDir()+"/cache", int64(50_000)
	c := open(t, dir, limit)
	for i := range 300 {
		must(t, work(c, i, i+1))
		if i%10 > 0 {
			continue
		}
		if total, entries := sizeOf(t, dir, 300); total > limit || entries == 0 {
			t.Fatalf("after %d answers it holds %d bytes in %d entries, limit %d", i, total, entries, limit)
		}
	}
	k := keyOf("f@1", []byte("huge"))
	c.write(k, &answer{stdout: make([]byte, limit/4)})
	if c.read(k) != nil {
		t.Error("an answer that would push out all others is kept")
	}
}

// TestLeastRecentlyUsed gives entries an age, uses the oldest, and makes room: it stays.
func TestLeastRecentlyUsed(t *testing.T) {
	dir, limit := t.TempDir()+"/cache", int64(20_000)
	must(t, work(open(t, dir, limit), 0, 30))
	long := time.Now().Add(-time.Hour)
	for i := range 30 {
		k, _ := question(i)
		_, name := diskcache.Key(k).File()
		must(t, os.Chtimes(filepath.Join(dir, name), long, long.Add(time.Duration(i)*time.Minute)))
	}
	c := open(t, dir, limit)
	oldest, _ := question(0)
	next, _ := question(1)
	if c.read(oldest) == nil {
		t.Fatal("the oldest is gone before there was need")
	}
	must(t, work(c, 100, 103))
	if c.read(oldest) == nil || c.read(next) != nil {
		t.Error("what was used last went, or what was not used for longest stayed")
	}
}

// TestAbandoned finds what a killed process was writing: it is removed once no process can be writing it.
func TestAbandoned(t *testing.T) {
	dir := t.TempDir() + "/cache"
	must(t, os.Mkdir(dir, 0o700))
	for name, age := range map[string]time.Duration{"tmp-old": 2 * time.Hour, "tmp-new": time.Minute, "mine.txt": 2 * time.Hour} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600))
		then := time.Now().Add(-age)
		must(t, os.Chtimes(filepath.Join(dir, name), then, then))
	}
	must(t, work(open(t, dir, 0), 0, 1))
	for name, stays := range map[string]bool{"tmp-old": false, "tmp-new": true, "mine.txt": true} {
		if _, err := os.Stat(filepath.Join(dir, name)); (err == nil) != stays {
			t.Errorf("%s: %v, want it to stay: %v", name, err, stays)
		}
	}
}

// TestConcurrent is for the race detector, too: many use one Cache at once, and others its folder.
func TestConcurrent(t *testing.T) {
	dir, limit := t.TempDir()+"/cache", int64(100_000)
	var all sync.WaitGroup
	for range 3 {
		c := open(t, dir, limit)
		for range 3 {
			all.Go(func() {
				if err := work(c, 0, 100); err != nil {
					t.Error(err)
				}
			})
		}
	}
	all.Wait()
	if total, entries := sizeOf(t, dir, 100); total > limit+3*limit/16 || entries == 0 {
		t.Errorf("it holds %d bytes in %d entries", total, entries)
	}
}

// TestWorker is not a check of its own: it is what the processes of TestProcesses do.
func TestWorker(t *testing.T) {
	if dir := os.Getenv("WAYBILL_TEST_CACHE"); dir != "" {
		c := open(t, dir, 200_000)
		for {
			must(t, work(c, 0, 200))
			if os.Getenv("WAYBILL_TEST_ENDLESS") == "" {
				return
			}
		}
	}
}

// TestProcesses has processes share a folder, and kills some in the middle: whatever is there
// afterwards is whole, and the others were never told wrong.
func TestProcesses(t *testing.T) {
	dir := t.TempDir() + "/cache"
	start := func(env ...string) *exec.Cmd {
		cmd := exec.Command(os.Args[0], "-test.run=^TestWorker$")
		cmd.Env = append(append(os.Environ(), "WAYBILL_TEST_CACHE="+dir), env...)
		must(t, cmd.Start())
		return cmd
	}
	for range 5 {
		victim, worker := start("WAYBILL_TEST_ENDLESS=yes"), start()
		if err := worker.Wait(); err != nil {
			t.Errorf("a process was told wrong: %v", err)
		}
		must(t, victim.Process.Kill())
		if err := victim.Wait(); err == nil || !strings.Contains(err.Error(), "killed") {
			t.Errorf("the victim ended by itself: %v", err)
		}
		if _, entries := sizeOf(t, dir, 200); entries == 0 {
			t.Error("nothing is kept")
		}
	}
	must(t, work(open(t, dir, 200_000), 0, 200))
}
