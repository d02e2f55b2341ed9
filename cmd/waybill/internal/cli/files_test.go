package cli

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

// TestPatterns expands patterns as a shell would, and refuses one that matches nothing.
func TestPatterns(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"a.yaml", "b.yaml", "c,d.yaml", "[e].yaml", "f.txt"} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, tc := range map[string]struct {
		args, want []string
		err        string
	}{
		"Plain":   {[]string{"-f", "a.yaml", "-f", "nowhere.yaml"}, []string{"a.yaml", "nowhere.yaml"}, ""},
		"List":    {[]string{"-f", "a.yaml,b.yaml"}, []string{"a.yaml", "b.yaml"}, ""},
		"Pattern": {[]string{"-f", "*.yaml"}, []string{"[e].yaml", "a.yaml", "b.yaml", "c,d.yaml"}, ""},
		"Several": {[]string{"-f", "[ab].yaml", "-f", "f.txt", "-f", "?.txt"}, []string{"a.yaml", "b.yaml", "f.txt", "f.txt"}, ""},
		"Literal": {[]string{"-f", "[e].yaml"}, []string{"[e].yaml"}, ""},
		"Stdin":   {[]string{"-f", "-"}, []string{"-"}, ""},
		"None":    {[]string{"-f", "*.json"}, nil, `pattern "*.json": no file matches`},
		"Bad":     {[]string{"-f", "[a"}, nil, `pattern "[a": syntax error in pattern`},
		"Empty":   {[]string{"-f", ""}, nil, "the path is empty"},
	} {
		t.Run(name, func(t *testing.T) {
			var files []string
			cmd := &cobra.Command{Run: func(*cobra.Command, []string) {}, SilenceErrors: true, SilenceUsage: true}
			AddFiles(cmd, &files)
			cmd.SetArgs(tc.args)
			err := cmd.Execute()
			if (err == nil) != (tc.err == "") || err != nil && !strings.Contains(err.Error(), tc.err) {
				t.Fatalf("error %v, want %q", err, tc.err)
			}
			if diff := cmp.Diff(tc.want, files); err == nil && diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
