package depcheck

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestWorkflowsCallCI keeps the checks in one place: a workflow prepares its machine and calls .ci/run, or another workflow that does.
// It may read the repository and nothing else, and pins what it uses by hash, with the version as a comment. Only jobs of a release
// write, and each such permission has its reason.
func TestWorkflowsCallCI(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, ".github/workflows/*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no workflow found: %v", err)
	}
	for _, file := range files {
		text := read(t, strings.TrimPrefix(filepath.ToSlash(file), root+"/"))
		for _, fault := range workflowFaults(filepath.Base(file), text) {
			t.Errorf("%s %s", file, fault)
		}
	}
}

func workflowFaults(name, text string) (faults []string) {
	release := name == "release.yaml"
	checks := `run: \.ci/run\n`
	if release { // nothing is published before
		checks = `\n  checks:\n    needs: version\n    uses: \./\.github/workflows/ci\.yaml[^:]*\n  images:\n    needs: checks\n`
	}
	if !regexp.MustCompile(checks).MatchString(text) || strings.Contains(text, "go test") {
		faults = append(faults, "does not leave the checks to .ci/run")
	}
	if release && !regexp.MustCompile(`(?m)^    if: github\.repository == '`).MatchString(text) {
		faults = append(faults, "runs in forks, too")
	}
	for _, tag := range firsts(`(?m)^    tags: (.*\*.*)$`, text) { // a recipe of make has the tag
		faults = append(faults, "takes tags with characters that a shell interprets: "+tag)
	}
	if !strings.Contains(text, "\npermissions:\n  contents: read\n") {
		faults = append(faults, "asks for more than reading the repository")
	}
	for _, line := range firsts(`(?m)^(.*: write.*)$`, text) {
		if !release || !regexp.MustCompile(`^      [a-z-]+: write # .`).MatchString(line) {
			faults = append(faults, "asks for more than reading, or gives no reason: "+strings.TrimSpace(line))
		}
	}
	for _, action := range firsts(`uses: ([^.].*)`, text) {
		if !regexp.MustCompile(`@[0-9a-f]{40} # v[0-9.]+$`).MatchString(action) {
			faults = append(faults, action+" is not pinned by hash and version")
		}
	}
	return faults
}

func TestWorkflowFaults(t *testing.T) {
	const (
		head    = "permissions:\n  contents: read\n"
		ci      = "on:\n" + head + "jobs:\n  checks:\n    steps:\n      - run: .ci/run\n"
		release = "on:\n" + head + "jobs:\n  version:\n    if: github.repository == 'a/b'\n  checks:\n    needs: version\n    uses: ./.github/workflows/ci.yaml # it calls .ci/run\n" +
			"  images:\n    needs: checks\n"
		pinned = "      - uses: a/b@11bd71901bbe5b1630ceea73d27597364c9af683"
	)
	cases := map[string]struct {
		reason, file, text string
		want               int
	}{
		"checks":         {reason: "CI reads, and runs the checks", file: "ci.yaml", text: ci + pinned + " # v4.2.2\n"},
		"no checks":      {reason: "a workflow without the checks", file: "ci.yaml", text: "on:\n" + head, want: 1},
		"own checks":     {reason: "go test belongs to make", file: "ci.yaml", text: ci + "      - run: go test ./...\n", want: 1},
		"CI writes":      {reason: "CI never writes", file: "ci.yaml", text: ci + "      contents: write # to push\n", want: 1},
		"release":        {reason: "a job of a release writes for a reason", file: "release.yaml", text: release + "      contents: write # upload\n"},
		"no reason":      {reason: "a permission without a reason", file: "release.yaml", text: release + "      contents: write\n", want: 1},
		"for all jobs":   {reason: "permissions to write belong to a job", file: "release.yaml", text: release + "  contents: write # upload\n", want: 1},
		"write-all":      {reason: "all permissions at once", file: "release.yaml", text: release + "permissions: write-all\n", want: 1},
		"release alone":  {reason: "a release is checked first", file: "release.yaml", text: "on:\n" + head + "    if: github.repository == 'a/b'\n", want: 1},
		"too early":      {reason: "images wait for the checks", file: "release.yaml", text: strings.Replace(release, "needs: checks", "needs: version", 1), want: 1},
		"fork":           {reason: "a fork publishes nothing", file: "release.yaml", text: strings.Replace(release, "    if: github.repository == 'a/b'\n", "", 1), want: 1},
		"any tag":        {reason: "a tag may be a command", file: "release.yaml", text: "    tags: ['v1.2.3-*']\n" + release, want: 1},
		"tag of action":  {reason: "tags move", file: "ci.yaml", text: ci + "      - uses: a/b@v4 # v4\n", want: 1},
		"hash alone":     {reason: "a hash does not say which version it is", file: "ci.yaml", text: ci + pinned + "\n", want: 1},
		"no permissions": {reason: "the default may be to write", file: "ci.yaml", text: strings.Replace(ci, head, "", 1), want: 1},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if faults := workflowFaults(tc.file, tc.text); len(faults) != tc.want {
				t.Errorf("%s: want %d faults, got %q", tc.reason, tc.want, faults)
			}
		})
	}
}
