package folder

import (
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"
)

func TestWrap(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		err    error
		want   string
	}{
		"file":  {"the temporary file is not named", &os.PathError{Op: "openat", Path: ".waybill-tmp-0", Err: syscall.ENOSPC}, "a/b: no space left on device"},
		"names": {"nor are two files", &os.LinkError{Op: "renameat", Old: ".waybill-tmp-0", New: "b", Err: syscall.EDQUOT}, "a/b: disk quota exceeded"},
		"other": {"an error of another kind stays", errors.New("other"), "a/b: other"},
	} {
		if got := Wrap("a/b", tc.err); got.Error() != tc.want || !errors.Is(got, Cause(tc.err)) {
			t.Errorf("%s: %s: got %v, want %s", name, tc.reason, got, tc.want)
		}
	}
	if Wrap("a", nil) != nil {
		t.Error("wrapping nil must return nil")
	}
}

func FuzzShort(f *testing.F) {
	f.Add("a")
	f.Add(strings.Repeat("ü", 300))
	f.Add("x" + strings.Repeat("\U0001f600", 100))
	f.Fuzz(func(t *testing.T, p string) {
		got := Short(p)
		if len(p) <= maxShown && got != p || len(got) > maxShown {
			t.Errorf("%q is shown as %q", p, got)
		}
		if utf8.ValidString(p) && !utf8.ValidString(got) {
			t.Errorf("%q is cut within a character: %q", p, got)
		}
	})
}

func TestWrapWrite(t *testing.T) {
	want := `sub/c.yaml: no permission to write to its folder "sub", which is necessary to replace, add or remove a file`
	if err := WrapWrite("sub/c.yaml", &os.PathError{Op: "openat", Path: ".waybill-tmp-2", Err: syscall.EACCES}); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	full := &os.PathError{Op: "openat", Path: ".waybill-tmp-2", Err: syscall.ENOSPC}
	if err := WrapWrite("x", full); !errors.Is(err, syscall.ENOSPC) || err.Error() != "x: no space left on device" {
		t.Errorf("another error became %v", err)
	}
}
