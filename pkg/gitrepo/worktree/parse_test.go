package worktree

import (
	"slices"
	"strings"
	"testing"
)

func FuzzParse(f *testing.F) {
	for _, out := range []string{"", " M pkg/a\x00", "?? pkg/new\nline\x00 D pkg/b\x00", "?? pkg/other/\x00", "UU pkg/x", "R  pkg/a\x00pkg/b\x00", "x\x00", "\x00"} {
		f.Add(out, "pkg/")
	}
	f.Fuzz(func(t *testing.T, out, prefix string) {
		paths, err := parse([]byte(out), prefix)
		if err != nil {
			if paths != nil || strings.ContainsAny(err.Error(), "\n\x00") {
				t.Errorf("an error must have one line, and no result: %q, %v", paths, err)
			}
			return
		}
		if (len(paths) == 0) != (out == "") || len(paths) > strings.Count(out, "\x00")+1 || !slices.IsSorted(paths) {
			t.Errorf("the paths are not one for each entry, sorted: %q of %q", paths, out)
		}
	})
}
