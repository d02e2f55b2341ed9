package gitcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

func TestRun(t *testing.T) {
	testenv.Need(t, testenv.Git)
	t.Chdir(t.TempDir()) // the checkout may be a worktree, and Git says so to the programs that it starts
	for _, name := range foreign {
		t.Setenv(name, "elsewhere")
	}
	t.Setenv("GIT_X", "x")
	call := Call{Options: []string{"-c", `alias.show-env=!printf '%s,' "$GIT_DIR" "$GIT_NAMESPACE" "$LANGUAGE" "$GIT_X" "$ADDED"; cat`}, Verb: "show-env", Env: []string{"ADDED=a"}, Unset: []string{"GIT_X"}, Stdin: "in"}
	if out, err := call.Run(t.Context()); err != nil || string(out) != ",,en,,a,in" {
		t.Errorf("git sees what it is given, and no repository of others: %q, %v", out, err)
	}
	_, err := Call{Verb: "rev-parse", Args: []string{"s3cret"}, Options: []string{"--git-dir=/nonexistent"}}.Run(t.Context())
	var failed *ExitError
	if !errors.As(err, &failed) || err.Error() != "git rev-parse: fatal: not a git repository: '/nonexistent'" {
		t.Errorf("git's words are the error: %v", err)
	}
	if _, err := (Call{Options: []string{"-c", "alias.quiet=!exit 3"}, Verb: "quiet"}).Run(t.Context()); err == nil || err.Error() != "git quiet: exit status 3" {
		t.Errorf("and its status when it has none: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (Call{Verb: "version"}).Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended starts nothing: %v", err)
	}
	t.Setenv("PATH", "")
	var missing *MissingError
	if _, err := (Call{Verb: "version"}).Run(t.Context()); !errors.As(err, &missing) {
		t.Errorf("there may be no git: %v", err)
	}
}

// TestStream reads all, too little and too much of what git writes.
func TestStream(t *testing.T) {
	testenv.Need(t, testenv.Git)
	t.Chdir(t.TempDir())
	odd := errors.New("odd")
	all := func(n int) func(io.Reader) error {
		return func(r io.Reader) error { _, err := io.ReadFull(r, make([]byte, n)); return err }
	}
	for name, tc := range map[string]struct {
		reason, script string
		read           func(io.Reader) error
		want           string
	}{
		"all":         {"as much as git writes", "cat", all(2), ""},
		"beginning":   {"git does not wait for a reader that has enough", "cat /dev/zero", func(io.Reader) error { return odd }, "odd"},
		"too much":    {"git ended well, but early", "cat", all(3), "unexpected EOF"},
		"git fails":   {"the message of git says more than its output that ends", "printf x; echo because >&2; exit 3", all(2), "git stream: because"},
		"both fail":   {"the reader saw enough to say why", "cat; exit 3", func(io.Reader) error { return odd }, "odd"},
		"fails after": {"git reports what was wrong with output that looks well", "cat; echo late >&2; exit 3", all(2), "git stream: late"},
	} {
		t.Run(name, func(t *testing.T) {
			call := Call{Options: []string{"-c", "alias.stream=!" + tc.script}, Verb: "stream", Stdin: "in"}
			got := ""
			if err := call.Stream(t.Context(), tc.read); err != nil {
				got = err.Error()
			}
			if got != tc.want {
				t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := (Call{Verb: "version"}).Stream(ctx, all(1)); !errors.Is(err, context.Canceled) {
		t.Errorf("with a cancelled context: %v", err)
	}
}

func TestHeard(t *testing.T) {
	var h Output
	for i := range 10_000 {
		if n, err := fmt.Fprintf(&h, "line %d\r\n\x1b[31m", i); n == 0 || err != nil {
			t.Fatal(n, err)
		}
	}
	if s := h.String(); !strings.HasPrefix(s, "line 0 [31mline 1 ") || !strings.HasSuffix(s, "…") || len(s) > maxMessage+len("…") || h.buf.Len() > maxOutput {
		t.Errorf("the beginning is kept, fit for one line: %q", s)
	}
}
