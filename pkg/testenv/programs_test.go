package testenv

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestProgramsDir(t *testing.T) {
	type answer struct {
		Dir  string
		Ours bool
		Err  string
	}
	cases := map[string]struct {
		reason   string
		programs Programs
		env      map[string]string
		want     answer
	}{
		"cache":     {"one folder for each version", APIServerPrograms, map[string]string{"HOME": "/home/me", "XDG_CACHE_HOME": "/cache"}, answer{"/cache/waybill/apiserver-" + APIServerPrograms.Version, true, ""}},
		"chosen":    {"a folder that we may fill", APIServerPrograms, map[string]string{"WAYBILL_APISERVER": "/own"}, answer{"/own", true, ""}},
		"assets":    {"a folder that others have filled comes first, and is theirs", APIServerPrograms, map[string]string{"WAYBILL_APISERVER": "/own", "KUBEBUILDER_ASSETS": "/theirs"}, answer{"/theirs", false, ""}},
		"relative":  {"make and the tests run in different folders", APIServerPrograms, map[string]string{"KUBEBUILDER_ASSETS": "bin"}, answer{Err: `KUBEBUILDER_ASSETS="bin": want an absolute path`}},
		"no folder": {"nowhere to look", APIServerPrograms, nil, answer{Err: "find a folder for the programs of apiserver: neither $XDG_CACHE_HOME nor $HOME are defined"}},
		"other set": {"each part has its folder", OCMPrograms, map[string]string{"HOME": "/home/me", "KUBEBUILDER_ASSETS": "/theirs"}, answer{"/home/me/.cache/waybill/ocm-" + OCMPrograms.Version, true, ""}},
		"its own":   {"and its variable", OCMPrograms, map[string]string{"WAYBILL_OCM": "/own", "WAYBILL_APISERVER": "/other"}, answer{"/own", true, ""}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			for _, name := range []string{"KUBEBUILDER_ASSETS", "WAYBILL_APISERVER", "WAYBILL_OCM", "XDG_CACHE_HOME", "HOME"} {
				t.Setenv(name, tc.env[name])
			}
			got := answer{}
			var err error
			if got.Dir, got.Ours, err = tc.programs.Dir(); err != nil {
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
			err := APIServerPrograms.run(dir)
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

// TestVersionsAgree holds the versions that name the caches to those that are built, and the published
// parts of Kubernetes to the release they belong to.
func TestVersionsAgree(t *testing.T) {
	modules := map[Part][]string{APIServer: {"k8s.io/kubernetes"}, OCM: {"open-cluster-management.io/ocm"}, Porch: {"github.com/nephio-project/porch"},
		Flux:     {"github.com/fluxcd/source-controller", "github.com/fluxcd/kustomize-controller"},
		Registry: {"github.com/distribution/distribution/v3"}}
	parts := strings.Replace(APIServerPrograms.Version, "v1.", "v0.", 1)
	for _, programs := range Built {
		file := filepath.Join("servers", string(programs.Part), "go.mod")
		text, err := os.ReadFile(file) // #nosec G304 -- in this folder
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.ReplaceAll(string(text), "\nrequire ", "\n\t") // of one module, on a line of its own
		for _, module := range modules[programs.Part] {
			if want := "\t" + module + " " + programs.Version; !strings.Contains(lines, want+"\n") && !strings.Contains(lines, want+" // indirect\n") {
				t.Errorf("%s does not require %s", file, want)
			}
		}
		if len(modules[programs.Part]) == 0 {
			t.Errorf("no module of %s is named here", programs.Part)
		}
		for line := range strings.Lines(string(text)) {
			if from, to, replaced := strings.Cut(strings.TrimSpace(line), " => "); replaced && to != from+" "+parts {
				t.Errorf("%s: %s => %s, want %s", file, from, to, parts)
			}
		}
	}
}
