package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/fleet/format"
)

// stubGH is a gh that lists the comments in a file, and writes down what else it is asked to do.
const stubGH = `#!/bin/bash
case "$*" in
*--jq*) cat listed; printf '%s\n' "$*" > asked ;;
*) printf '%s\n' "$*" >> done ;;
esac
`

// TestCommentStep writes the comment of a pull request, rewrites it, or leaves it.
func TestCommentStep(t *testing.T) {
	script := stepWith(t, "gh api")
	cases := map[string]struct {
		reason, preview, listed string
		want                    string
	}{
		"First":  {"no comment yet", "<!-- -->", "", "api --silent --method POST repos/o/r/issues/7/comments --field body=@preview.md\n"},
		"Again":  {"the first that is ours", "<!-- -->", "12\n34\n", "api --silent --method PATCH repos/o/r/issues/comments/12 --field body=@preview.md\n"},
		"Failed": {"no preview", "", "12\n", ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			t.Chdir(dir)
			writeFile(t, "bin/gh", stubGH, 0o755)
			writeFile(t, "listed", tc.listed, 0o644)
			writeFile(t, "done", "", 0o644)
			if tc.preview != "" {
				writeFile(t, "preview.md", tc.preview, 0o644)
			}
			runStep(t, dir, script, "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"), "GITHUB_REPOSITORY=o/r", "NUMBER=7")
			got, err := os.ReadFile("done")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, string(got)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if asked, err := os.ReadFile("asked"); err == nil && !strings.Contains(string(asked), `startswith("`+format.Marker+`")`) {
				t.Errorf("it does not look for %s: %s", format.Marker, asked)
			}
		})
	}
}

// TestPreviewStep leaves no half of a preview where one fails, and has the page even where a bound refuses.
func TestPreviewStep(t *testing.T) {
	script := stepWith(t, "--max-clusters")
	cases := map[string]struct {
		reason, waybill string
		want            []string // of files afterwards
	}{
		"Done":    {"a comment and a page", `case "$*" in *report.html*) echo page > report.html ;; *) echo text ;; esac`, []string{"preview.md", "report.html"}},
		"Refused": {"all the same", `case "$*" in *report.html*) echo page > report.html ;; *--max-clusters*) exit 3 ;; *) echo text ;; esac`, []string{"preview.md", "report.html"}},
		"Failed":  {"nothing to show", `echo half; exit 1`, []string{}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			t.Chdir(dir)
			writeFile(t, "bin/waybill", "#!/bin/bash\n"+tc.waybill+"\n", 0o755)
			runStep(t, dir, "bash -e -c '"+script+"' || true", "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"), "BASE=a", "HEAD=b")
			got := []string{}
			for _, file := range []string{"preview.md", "report.html"} {
				if info, err := os.Stat(file); err == nil && info.Size() > 0 {
					got = append(got, file)
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}
