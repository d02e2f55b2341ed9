package testenv

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReleaseOf(t *testing.T) {
	for name, tc := range map[string]struct {
		reason   string
		metadata string // of the release; "" for none
		want     string // how the error ends; "" for none
	}{
		"this commit":    {"the release is of this checkout", `{"commit":"abc","version":"1.2.3"}`, ""},
		"another commit": {"it would be tested in place of the one that is meant", `{"commit":"abd"}`, ` is of commit "abd", and this checkout is at abc`},
		"no commit":      {"it may be of any checkout", `{}`, ` is of commit "", and this checkout is at abc`},
		"no JSON":        {"the file was not written to its end", `{"commit":`, "metadata.json: unexpected end of JSON input"},
		"no release":     {"nothing was made", "", "no such file or directory"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if tc.metadata != "" {
				if err := os.WriteFile(filepath.Join(dir, "metadata.json"), []byte(tc.metadata), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			err := isReleaseOf(dir, "abc")
			if (err == nil) != (tc.want == "") || err != nil && !strings.HasSuffix(err.Error(), tc.want) {
				t.Errorf("%s: want %q, got %v", tc.reason, tc.want, err)
			}
		})
	}
}

// TestReleaseDir reads the folder from the environment; another one would be tested if a relative path were taken from the folder of a test.
func TestReleaseDir(t *testing.T) {
	t.Setenv(releaseVariable, "dist/release")
	if _, err := ReleaseDir(); err == nil || err.Error() != `WAYBILL_RELEASE="dist/release": want an absolute path` {
		t.Errorf("a relative path: %v", err)
	}
	own := t.TempDir()
	t.Setenv(releaseVariable, own)
	if dir, err := ReleaseDir(); dir != own || err == nil {
		t.Errorf("want %s, in which there is no release, got %s, %v", own, dir, err)
	}
}
