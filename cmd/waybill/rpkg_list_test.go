package main

import (
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// TestRpkgGetWithoutSome lists what can be read beside what cannot, and says that it is not all.
func TestRpkgGetWithoutSome(t *testing.T) {
	fleet := newRpkgFleet(t)
	empty := repositoryYAML("fleet", "empty", gittest.NewBare(t)) + "---\n"
	good := repositoryYAML("fleet", "deployments", fleet.repo) + "---\n"
	gone := repositoryYAML("fleet", "gone", fleet.repo+".gone") + "---\n"
	lost := repositoryYAML("lab", "lost", fleet.repo+".lost") + "---\n"
	const all, none = "deployments.base.main\ndeployments.base.v1\ndeployments.eu.web.one\ndeployments.us.web.one\n", ""
	for name, tc := range map[string]struct {
		reason, in, args, stdout string
		says                     []string // of the lines on stderr
	}{
		"one":     {"one that is gone", good + gone, "-o name", all, []string{"warning: repository fleet/gone: "}},
		"two":     {"two that are gone", gone + good + lost, "-o name", all, []string{"warning: repository fleet/gone: ", "warning: repository lab/lost: "}},
		"filter":  {"what does not fit is left out as ever", gone + good, "-o name --package base --revision 1", "deployments.base.v1\n", []string{"warning: repository fleet/gone: "}},
		"nothing": {"nothing in what can be read is a list, too", gone + empty, "-o json", "{\n  \"kind\": \"PackageRevisionList\",\n  \"apiVersion\": \"waybill.dev/v1alpha1\",\n  \"items\": []\n}\n", []string{"warning: repository fleet/gone: "}},
		"neither": {"nothing that can be read is no list", gone + lost, "-o json", none, []string{"warning: repository fleet/gone: ", "warning: repository lab/lost: ", "error: 2 repositories cannot be read"}},
		"named":   {"a name is looked for where it begins", gone + good, "-o name deployments.base.v1", "deployments.base.v1\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			r := runCLIOn(t, tc.in, append([]string{"rpkg", "get", "-f", "-"}, strings.Fields(tc.args)...)...)
			if r.stdout != tc.stdout || (r.code == exitFailed) != (tc.stdout == none) || r.code > exitFailed {
				t.Errorf("%s: exit code %d, stdout %q", tc.reason, r.code, r.stdout)
			}
			lines := strings.SplitAfter(r.stderr, "\n")
			if len(lines) != len(tc.says)+1 {
				t.Fatalf("%s: stderr %q", tc.reason, r.stderr)
			}
			for i, says := range tc.says {
				if !strings.HasPrefix(lines[i], says) {
					t.Errorf("%s: want a line with %q, got %q", tc.reason, says, lines[i])
				}
			}
		})
	}
}

// TestRpkgSelector selects by the labels in Kptfiles, and by the one that is computed.
func TestRpkgSelector(t *testing.T) {
	fleet := newRpkgFleet(t)
	label := func(branch, file, labels string) {
		gittest.Commit(t, fleet.repo, gittest.Change{Branch: branch, Files: gittest.Files(map[string]string{file: rpkgKptfile + labels})})
	}
	label("drafts/eu/web/one", "eu/web/Kptfile", "  labels: {tier: web, region: eu}\n")
	label("drafts/us/web/one", "us/web/Kptfile", "  labels: {tier: web, kpt.dev/latest-revision: \"true\"}\n")
	label("drafts/odd/one", "odd/Kptfile", "  labels: [tier\n")
	for name, tc := range map[string]struct {
		reason, selector, want string
		says                   string
	}{
		"equal":    {"one label", "tier=web", "deployments.eu.web.one deployments.us.web.one", ""},
		"both":     {"two labels", "tier=web,region in (eu, fr)", "deployments.eu.web.one", ""},
		"without":  {"what cannot be read has none", "!tier", "deployments.base.main deployments.base.v1 deployments.odd.one", ""},
		"latest":   {"computed, not read from a Kptfile", "kpt.dev/latest-revision=true", "deployments.base.v1", ""},
		"no match": {"nothing fits", "tier=db", "", ""},
		"broken":   {"no selector", "tier==", "", ""},
		"typo":     {"no selector at all", "tier in", "", `--selector "tier in": `},
	} {
		t.Run(name, func(t *testing.T) {
			r := runCLI(t, "rpkg", "get", "-f", fleet.file, "-o", "name", "-l", tc.selector)
			if got := strings.Join(strings.Fields(r.stdout), " "); got != tc.want {
				t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
			}
			if (r.code == exitUsage) != (tc.says != "") || !strings.Contains(r.stderr, tc.says) || tc.says == "" && r.stderr != "" {
				t.Errorf("%s: exit code %d, stderr %q", tc.reason, r.code, r.stderr)
			}
		})
	}
}
