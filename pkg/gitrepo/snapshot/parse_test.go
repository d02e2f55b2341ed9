package snapshot

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"sync/atomic"
	"testing"
)

func FuzzParse(f *testing.F) {
	for _, out := range []string{"", "100644 blob 0123\ta/b c\x00", "120000 blob 01\tlink\x00160000 commit 02\tsub\x00", "100644 blob 01 5\ta\x00", "x", "\x00", "100644 blob 01\ta\tb\n\x00"} {
		f.Add(out)
	}
	f.Fuzz(func(t *testing.T, out string) {
		entries, _, err := parse([]byte(out), nil)
		if err != nil && (entries != nil || strings.ContainsAny(err.Error(), "\n\x00")) {
			t.Errorf("an error must have one line, and no result: %v, %q", entries, err)
		}
		for _, e := range entries {
			if !strings.Contains(out, "\t"+e.path) || !strings.Contains(out, e.id) {
				t.Errorf("%q is read as %v", out, e)
			}
		}
	})
}

func FuzzNext(f *testing.F) {
	f.Add([]byte("01 blob 3\nabc\nrest"), "01", int64(3))
	f.Add([]byte("01 missing\n"), "01", int64(3))
	f.Add([]byte("01 blob 99999999999\n"), "01", int64(3))
	f.Add([]byte("01 blob -1\n"), "01", int64(3))
	f.Add([]byte("01 blob 3\nabcd"), "01", int64(3))
	f.Add([]byte("01 blob 3\na"), "01", int64(3))
	f.Add([]byte("0"), "\n", int64(0))
	f.Fuzz(func(t *testing.T, out []byte, id string, most int64) {
		most &= 1<<20 - 1
		var left atomic.Int64
		left.Store(most)
		in := bufio.NewReaderSize(bytes.NewReader(out), 16)
		data, err := next(in, entry{id: id}, make([]byte, 2, 5), &left)
		if err != nil {
			if data != nil || strings.Contains(err.Error(), "\n") {
				t.Errorf("an error, and %q: %q", data, err)
			}
			return
		}
		rest, _ := io.ReadAll(in)
		if !strings.HasPrefix(string(out), id+" blob ") || !strings.HasSuffix(string(out), string(data)+string(rest)) || int64(len(data)) != most-left.Load()+1 {
			t.Errorf("%q has %q and %q", out, data, rest)
		}
	})
}

// FuzzParseIndex parses any output of git ls-files.
func FuzzParseIndex(f *testing.F) {
	f.Add("H 100644 01 0\ta b\x00S 160000 02 0\tc\x00M 100644 03 1\td\x00")
	f.Add("H 100644 01\ta\x00")
	f.Add("")
	f.Fuzz(func(t *testing.T, out string) {
		all, err := parseIndex([]byte(out))
		for _, l := range all {
			if err != nil || l.path == "" || !strings.Contains(out, l.id) || l.skipped && !l.trusted {
				t.Errorf("%q has %v, %v", out, l, err)
			}
		}
	})
}

// FuzzParseStatus parses any output of git status.
func FuzzParseStatus(f *testing.F) {
	f.Add(" M a b\x00M  c\x00UU d\x00")
	f.Add("M")
	f.Add("")
	f.Fuzz(func(t *testing.T, out string) {
		changed, err := parseStatus([]byte(out))
		for name := range changed {
			if err != nil || name == "" || !strings.Contains(out, name) {
				t.Errorf("%q has %q, %v", out, name, err)
			}
		}
	})
}
