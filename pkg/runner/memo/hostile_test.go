package memo

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/diskcache"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// filled is a cache folder with one entry, and what leads to it.
func filled(t *testing.T) (dir, entry string, p *program) {
	t.Helper()
	dir = t.TempDir() + "/cache"
	p = &program{answer: linked("set-namespace"), name: "f@1"}
	try(t, open(t, dir, 0).Wrap(p), input(t, web, "shop"))
	found, err := filepath.Glob(dir + "/*/*")
	if err != nil || len(found) != 1 {
		t.Fatalf("entries: %v, %v", found, err)
	}
	return dir, found[0], p
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestSpoiltEntries puts other things in the place of an entry. Each is a miss, after which the entry
// is good again.
func TestSpoiltEntries(t *testing.T) {
	write := func(data func(good []byte) []byte) func(t *testing.T, entry string, good []byte) {
		return func(t *testing.T, entry string, good []byte) {
			must(t, os.WriteFile(entry, data(bytes.Clone(good)), 0o600))
		}
	}
	replace := func(by func(entry string) error) func(t *testing.T, entry string, good []byte) {
		return func(t *testing.T, entry string, _ []byte) {
			must(t, os.Remove(entry))
			must(t, by(entry))
		}
	}
	cases := map[string]func(t *testing.T, entry string, good []byte){
		"empty":     write(func([]byte) []byte { return nil }),
		"garbage":   write(func([]byte) []byte { return bytes.Repeat([]byte("x"), 5000) }),
		"appended":  write(func(good []byte) []byte { return append(good, '\n') }),
		"cut":       write(func(good []byte) []byte { return good[:len(good)-1] }),
		"head only": write(func(good []byte) []byte { return good[:headSize] }),
		"new magic": write(func(good []byte) []byte { good[len(magic)-2]++; return good }),
		"huge":      func(t *testing.T, entry string, _ []byte) { must(t, os.Truncate(entry, 1<<40)) },
		"symlink":   replace(func(entry string) error { return os.Symlink("/etc/passwd", entry) }),
		"loop":      replace(func(entry string) error { return os.Symlink(entry, entry) }),
		"pipe":      replace(func(entry string) error { return testenv.Mkfifo(entry) }),
		"folder":    replace(func(entry string) error { return os.Mkdir(entry, 0o700) }),
		"of another": func(t *testing.T, entry string, _ []byte) {
			other := &program{answer: says(list+"items: []\n", "", 0), name: "evil@1"}
			dir := t.TempDir() + "/cache"
			try(t, open(t, dir, 0).Wrap(other), input(t, web, "shop"))
			found, err := filepath.Glob(dir + "/*/*")
			must(t, err)
			must(t, os.Rename(found[0], entry))
		},
	}
	for name, spoil := range cases {
		t.Run(name, func(t *testing.T) {
			dir, entry, p := filled(t)
			want := try(t, p, input(t, web, "shop"))
			good, err := os.ReadFile(entry)
			must(t, err)
			spoil(t, entry, good)
			for _, runs := range []int{1, 0} {
				p.ran = 0
				if diff := cmp.Diff(want, try(t, open(t, dir, 0).Wrap(p), input(t, web, "shop"))); diff != "" {
					t.Errorf("the outcome changed (-want +got):\n%s", diff)
				}
				if p.ran != runs {
					t.Errorf("the program ran %d times, want %d", p.ran, runs)
				}
			}
			if again, err := os.ReadFile(entry); err != nil || !bytes.Equal(good, again) {
				t.Errorf("the entry is not what it was (%v)", err)
			}
		})
	}
}

// TestEveryByteCounts changes each byte of an entry: none is believed.
func TestEveryByteCounts(t *testing.T) {
	k := keyOf("f@1", []byte("in"))
	a := &answer{[]byte("stdout"), []byte("stderr")}
	good := append(a.head(k), "stdoutstderr"...)
	if got := readEntry(k, good); got == nil || string(got.stdout) != "stdout" || string(got.stderr) != "stderr" {
		t.Fatalf("a good entry is read as %v", got)
	}
	for i := range good {
		bad := bytes.Clone(good)
		bad[i] ^= 1
		if readEntry(k, bad) != nil {
			t.Errorf("with byte %d changed it is believed", i)
		}
		if readEntry(k, good[:i]) != nil {
			t.Errorf("cut to %d bytes it is believed", i)
		}
	}
}

// TestUselessFolders gives folders that cannot be used: the program runs as it would without, and
// only the first trouble is reported.
func TestUselessFolders(t *testing.T) {
	cases := map[string]struct {
		make func(t *testing.T, dir string) string
		want string
	}{
		"file":           {func(t *testing.T, dir string) string { must(t, os.WriteFile(dir, nil, 0o600)); return dir }, "not a directory"},
		"below a file":   {func(*testing.T, string) string { return "/dev/null/cache" }, "not a directory"},
		"no file system": {func(*testing.T, string) string { return "/proc/self/waybill-cache" }, "no such file"}, // nothing can be made there, even by root
		"dangling":       {func(t *testing.T, dir string) string { must(t, os.Symlink(dir+"/gone", dir)); return dir }, "file exists"},
		"others may":     {func(t *testing.T, dir string) string { folder(t, dir, 0o777); return dir }, "others may write to it (mode 0777)"},
		"group may":      {func(t *testing.T, dir string) string { folder(t, dir, 0o770); return dir }, "others may write to it (mode 0770)"},
		"another's":      {anothers, "it belongs to another user"},
		"links inside":   {func(t *testing.T, dir string) string { linkAll(t, dir); return dir }, "escapes"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir := c.make(t, t.TempDir()+"/cache")
			var told []error
			cache := New(dir, 0, func(err error) { told = append(told, err) })
			p := &program{answer: linked("set-namespace"), name: "f@1"}
			want := try(t, p, input(t, web, "shop"))
			for range 3 {
				p.ran = 0
				if diff := cmp.Diff(want, try(t, cache.Wrap(p), input(t, web, "shop"))); diff != "" || p.ran != 1 {
					t.Errorf("the program ran %d times; outcome (-want +got):\n%s", p.ran, diff)
				}
			}
			if len(told) != 1 || !strings.Contains(told[0].Error(), c.want) || !strings.HasPrefix(told[0].Error(), `function cache "`+dir+`": `) {
				t.Errorf("reported %v, want one trouble, that says %q", told, c.want)
			}
		})
	}
}

func folder(t *testing.T, dir string, mode os.FileMode) {
	t.Helper()
	must(t, os.Mkdir(dir, 0o700))
	must(t, os.Chmod(dir, mode)) // whatever the umask
}

// anothers is a folder of another user: the user nobody if the process may change owners, else root.
func anothers(t *testing.T, dir string) string {
	if os.Geteuid() != 0 {
		return "/"
	}
	folder(t, dir, 0o700)
	must(t, os.Chown(dir, 65534, 65534))
	return dir
}

// linkAll fills a cache folder with links that lead out of it.
func linkAll(t *testing.T, dir string) {
	t.Helper()
	must(t, os.Mkdir(dir, 0o700))
	for i := range 256 {
		folder, _ := diskcache.Key{byte(i)}.File()
		must(t, os.Symlink(t.TempDir(), filepath.Join(dir, folder)))
	}
}

// TestFolderGoes takes the folder away between two runs.
func TestFolderGoes(t *testing.T) {
	dir := t.TempDir() + "/cache"
	told := 0
	c := New(dir, 0, func(error) { told++ })
	p := &program{answer: linked("set-namespace"), name: "f@1"}
	want := try(t, c.Wrap(p), input(t, web, "shop"))
	must(t, os.RemoveAll(dir))
	for range 2 {
		if diff := cmp.Diff(want, try(t, c.Wrap(p), input(t, web, "shop"))); diff != "" {
			t.Errorf("the outcome changed (-want +got):\n%s", diff)
		}
	}
	if p.ran != 3 || told != 1 {
		t.Errorf("the program ran %d times and %d troubles were reported, want 3 and 1", p.ran, told)
	}
}

// TestPrivate looks at who may read what is kept.
func TestPrivate(t *testing.T) {
	dir, entry, _ := filled(t)
	for file, want := range map[string]os.FileMode{dir: 0o700, filepath.Dir(entry): 0o700, entry: 0o600} {
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v (%v), want %v", file, info.Mode().Perm(), err, want)
		}
	}
}

func FuzzEntry(f *testing.F) {
	k := keyOf("f@1", []byte("in"))
	a := &answer{[]byte("stdout"), []byte("stderr")}
	f.Add(append(a.head(k), "stdoutstderr"...))
	f.Add(magic)
	f.Fuzz(func(t *testing.T, data []byte) {
		// What is believed is what would be written; and bytes that no digest vouches for are not.
		if a := readEntry(k, data); a != nil {
			if again := append(append(a.head(k), a.stdout...), a.stderr...); !bytes.Equal(data, again) {
				t.Errorf("%q is read and written as %q", data, again)
			}
			if readEntry(keyOf("f@2", []byte("in")), data) != nil {
				t.Errorf("%q answers two questions", data)
			}
		}
		whole := &answer{data, data}
		if got := readEntry(k, append(append(whole.head(k), data...), data...)); got == nil || !bytes.Equal(got.stdout, data) || !bytes.Equal(got.stderr, data) {
			t.Errorf("%q does not come back", data)
		}
	})
}
