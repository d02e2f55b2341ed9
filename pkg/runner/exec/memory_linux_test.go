package exec

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/fn"
)

func TestMemory(t *testing.T) {
	limits := Limits{Memory: 64 << 20}
	if _, _, err := run(t, "cat", limits); err != nil {
		t.Errorf("a program within its limit: %v", err)
	}
	_, _, err := run(t, "ulimit -d >&2; exit 1", limits)
	if err == nil || !strings.Contains(err.Error(), "65536;") {
		t.Errorf("err = %v, want the limit in KiB", err)
	}
	if _, err := New("cat", Limits{Memory: 1}); err == nil {
		t.Error("a limit that nothing can keep was accepted")
	}
	r, err := New("/no/such/program", limits)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Run(context.Background(), &fn.Input{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("err = %v, want one that says the program does not exist", err)
	}
}

// TestOutOfMemory has programs take more than they may: they come to their end in one way or another,
// and the limit is named.
func TestOutOfMemory(t *testing.T) {
	const variable = "WAYBILL_TEST_SELF"
	if os.Getenv(variable) != "" {
		var parts [16][]byte
		for i := range parts {
			parts[i] = make([]byte, 64<<20) // Linux lets pass the first one that is too many
		}
		t.Fatalf("a GiB fits into 256 MiB: %d", len(slices.Concat(parts[:]...)))
	}
	t.Setenv(variable, os.Args[0])
	cases := map[string]struct {
		reason, body string
		limit        int64
		want         string
	}{
		"shell":    {"one that is told that there is no more", `v=$(head -c 200000000 /dev/zero | tr '\0' x); echo "$v"`, 64 << 20, " (its memory limit is 67108864 bytes)"},
		"runtime":  {"a runtime that gives up", `"$WAYBILL_TEST_SELF" -test.run='^TestOutOfMemory$'`, 256 << 20, " (its memory limit is 268435456 bytes)"},
		"signal":   {"one that is ended by a signal", "cat >/dev/null; kill -ABRT $$", 64 << 20, "was ended by a signal (its memory limit is 67108864 bytes)"},
		"other":    {"one that fails for reasons of its own", "echo no good >&2; exit 3", 64 << 20, "no good; exit status 3"},
		"no limit": {"one that has no limit and complains", "echo out of memory >&2; exit 3", 0, "out of memory; exit status 3"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, _, err := run(t, c.body, Limits{Memory: c.limit})
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "memory limit") != strings.Contains(c.want, "memory limit") {
				t.Errorf("%s: err = %v, want %q", c.reason, err, c.want)
			}
		})
	}
}
