package testenv

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAPIServerDir(t *testing.T) {
	type answer struct {
		Dir  string
		Ours bool
		Err  string
	}
	cases := map[string]struct {
		reason string
		env    map[string]string
		want   answer
	}{
		"cache":     {"one folder for each version", map[string]string{"HOME": "/home/me", "XDG_CACHE_HOME": "/cache"}, answer{"/cache/waybill/apiserver-" + APIServerVersion, true, ""}},
		"chosen":    {"a folder that we may fill", map[string]string{"WAYBILL_APISERVER": "/own"}, answer{"/own", true, ""}},
		"assets":    {"a folder that others have filled comes first, and is theirs", map[string]string{"WAYBILL_APISERVER": "/own", "KUBEBUILDER_ASSETS": "/theirs"}, answer{"/theirs", false, ""}},
		"relative":  {"make and the tests run in different folders", map[string]string{"KUBEBUILDER_ASSETS": "bin"}, answer{Err: `KUBEBUILDER_ASSETS="bin": want an absolute path`}},
		"no folder": {"nowhere to look", nil, answer{Err: "find a folder for the API server: neither $XDG_CACHE_HOME nor $HOME are defined"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			for _, name := range []string{"KUBEBUILDER_ASSETS", "WAYBILL_APISERVER", "XDG_CACHE_HOME", "HOME"} {
				t.Setenv(name, tc.env[name])
			}
			got := answer{}
			var err error
			if got.Dir, got.Ours, err = APIServerDir(); err != nil {
				got.Err = err.Error()
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestProgramsRun wants an error that says what to do, unless all programs run.
func TestProgramsRun(t *testing.T) {
	const runs, broken, missing = "exit 0", "echo wrong machine; exit 126", ""
	cases := map[string]struct {
		reason  string
		kubectl string
		want    string
	}{
		"all there": {"nothing to say", runs, ""},
		"one fails": {"to be there is not enough", broken, "exit status 126 wrong machine; make apiserver builds it, once, in some minutes"},
		"one lacks": {"all are needed", missing, "no such file or directory; make apiserver builds it, once, in some minutes"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for program, line := range map[string]string{"etcd": runs, "kube-apiserver": runs, "kubectl": tc.kubectl} {
				writeProgram(t, filepath.Join(dir, program), line)
			}
			err := programsRun(dir)
			if (err == nil) != (tc.want == "") || err != nil && !strings.HasSuffix(err.Error(), tc.want) {
				t.Errorf("%s: want %q, got %v", tc.reason, tc.want, err)
			}
		})
	}
}

func writeProgram(t *testing.T, file, line string) {
	t.Helper()
	if line == "" {
		return
	}
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"+line+"\n"), 0o755); err != nil { // #nosec G306 -- a program must be executable
		t.Fatal(err)
	}
}

// TestVersionsAgree holds the version that names the cache to the one that is built, and the published
// parts of Kubernetes to the release they belong to.
func TestVersionsAgree(t *testing.T) {
	text, err := os.ReadFile("apiserver/servers/go.mod")
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Replace(APIServerVersion, "v1.", "v0.", 1)
	if !strings.Contains(string(text), "\tk8s.io/kubernetes "+APIServerVersion+"\n") {
		t.Errorf("servers/go.mod does not require Kubernetes %s", APIServerVersion)
	}
	for line := range strings.Lines(string(text)) {
		if from, to, replaced := strings.Cut(strings.TrimSpace(line), " => "); replaced && to != from+" "+parts {
			t.Errorf("servers/go.mod: %s => %s, want %s", from, to, parts)
		}
	}
}
