package snapshot

import (
	"bytes"
	"compress/zlib"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
)

// TestLooseReader reads files as git writes them, and leaves all others to git, which reports what is wrong. Each file is read after a
// whole one, with the same reader.
func TestLooseReader(t *testing.T) {
	long := strings.Repeat("a line\n", 10_000)
	object := func(text string) string { return "blob " + strconv.Itoa(len(text)) + "\x00" + text }
	cases := map[string]struct {
		reason, file string
		want         string // "" if git must read it
		err          error
	}{
		"long":     {"most of it is behind the head", deflated(object(long)), long, nil},
		"short":    {"all of it is read with the head", deflated(object("a\n")), "a\n", nil},
		"as large": {"the limit allows it", deflated(object(long + "0123456789")), long + "0123456789", nil},
		"larger":   {"the limit does not", deflated(object(long + "0123456789-")), "", errTooLarge},
		"cut":      {"it ends early", deflated(object(long))[:50], "", nil},
		"checksum": {"a byte is another one", deflated(object(long))[:len(deflated(object(long)))-1] + "!", "", nil},
		"more":     {"something follows", deflated(object(long)) + "x", "", nil},
		"too long": {"there is more than the size says", deflated("blob 3\x00abcd"), "", nil},
		"longer":   {"and much more", deflated("blob 3\x00" + long), "", nil},
		"too few":  {"there is less", deflated("blob 5\x00abcd"), "", nil},
		"large":    {"the size is above what is read here", deflated("blob " + strconv.Itoa(maxLoose+1) + "\x00a"), "", nil},
		"big file": {"the file is", strings.Repeat("x", maxLoose+1), "", nil},
		"type":     {"a folder", deflated("tree 1\x00a"), "", nil},
		"no size":  {"the size is no number", deflated("blob x\x00a"), "", nil},
		"no end":   {"the head does not end", deflated("blob 1" + strings.Repeat("0", maxHead)), "", nil},
		"text":     {"it is not compressed", object(long), "", nil},
		"empty":    {"it is", "", "", nil},
		"none":     {"there is no file", "-", "", nil},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			l := looseReader{dir: t.TempDir()}
			writeLoose(t, l.dir, "aa01", deflated(object("first")))
			if tc.file != "-" {
				writeLoose(t, l.dir, "aa02", tc.file)
			}
			var left atomic.Int64
			left.Store(int64(len("first") + len(long) + 10))
			if data, err := l.read("aa01", &left); string(data) != "first" || err != nil {
				t.Fatalf("a whole file: %q, %v", data, err)
			}
			data, err := l.read("aa02", &left)
			if string(data) != tc.want || !errors.Is(err, tc.err) {
				t.Errorf("%s: %d bytes, %v", tc.reason, len(data), err)
			}
			if got := len(long) + 10 - int(left.Load()); got != len(tc.want) {
				t.Errorf("%s: %d bytes count", tc.reason, got)
			}
		})
	}
}

func deflated(text string) string {
	var out bytes.Buffer
	w := zlib.NewWriter(&out)
	_, _ = w.Write([]byte(text))
	_ = w.Close()
	return out.String()
}

func writeLoose(t *testing.T, dir, id, data string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, id[:2]), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, id[:2], id[2:]), []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
}
