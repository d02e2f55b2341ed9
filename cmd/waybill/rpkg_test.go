package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/rpkg"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// rpkgFleet is a repository with two drafts and a published package, and the file that names it.
type rpkgFleet struct{ repo, file string }

const rpkgKptfile = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n"

func newRpkgFleet(t *testing.T) rpkgFleet {
	t.Helper()
	t.Setenv("SOURCE_DATE_EPOCH", "1767323045")
	repo := gittest.NewBare(t)
	gittest.Commit(t, repo, gittest.Change{Files: gittest.Files(map[string]string{"base/Kptfile": rpkgKptfile})})
	gittest.Git(t, repo, "tag", "base/v1", "main")
	for _, branch := range []string{"drafts/eu/web/one", "drafts/us/web/one"} {
		gittest.Git(t, repo, "branch", branch, "main")
		dir := strings.TrimSuffix(strings.TrimPrefix(branch, "drafts/"), "/one")
		gittest.Commit(t, repo, gittest.Change{Branch: branch, Files: gittest.Files(map[string]string{dir + "/Kptfile": rpkgKptfile})})
	}
	file := filepath.Join(t.TempDir(), "repositories.yaml")
	writeFile(t, file, repositoryYAML("fleet", "deployments", repo), 0o644)
	return rpkgFleet{repo, file}
}

func repositoryYAML(namespace, name, repo string) string {
	return "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata:\n  name: " + name + "\n  namespace: " + namespace +
		"\nspec:\n  type: git\n  git:\n    repo: " + repo + "\n    branch: main\n"
}

// TestRpkgGet prints the same in every form, and all of it.
func TestRpkgGet(t *testing.T) {
	fleet := newRpkgFleet(t)
	const table = `NAME                     PACKAGE   WORKSPACENAME   REVISION   LATEST   LIFECYCLE   REPOSITORY
deployments.base.main    base      main            -1         false    Published   deployments
deployments.base.v1      base      v1              1          true     Published   deployments
deployments.eu.web.one   eu/web    one             0          false    Draft       deployments
deployments.us.web.one   us/web    one             0          false    Draft       deployments
`
	if diff := cmp.Diff(table, runCLI(t, "rpkg", "get", "-f", fleet.file).stdout); diff != "" {
		t.Errorf("table (-want +got):\n%s", diff)
	}
	commit := func(rev string) string { return gittest.Git(t, fleet.repo, "rev-parse", rev) }
	row := rpkg.Row{Namespace: "fleet", Repository: "deployments"}
	var want []rpkg.Row
	for _, r := range []rpkg.Row{
		{Name: "deployments.base.main", Package: "base", Workspace: "main", Revision: -1, Lifecycle: "Published", Commit: commit("main")},
		{Name: "deployments.base.v1", Package: "base", Workspace: "v1", Revision: 1, Latest: true, Lifecycle: "Published", Commit: commit("base/v1"), PublishedBy: "seed@example.com", PublishedAt: "2026-01-01T00:00:00Z"},
		{Name: "deployments.eu.web.one", Package: "eu/web", Workspace: "one", Lifecycle: "Draft", Commit: commit("drafts/eu/web/one")},
		{Name: "deployments.us.web.one", Package: "us/web", Workspace: "one", Lifecycle: "Draft", Commit: commit("drafts/us/web/one")},
	} {
		r.Namespace, r.Repository = row.Namespace, row.Repository
		want = append(want, r)
	}
	var fromJSON, fromYAML cli.List[rpkg.Row]
	if err := json.Unmarshal([]byte(runCLI(t, "rpkg", "get", "-f", fleet.file, "-o", "json").stdout), &fromJSON); err != nil {
		t.Error(err)
	}
	if err := yaml.UnmarshalStrict([]byte(runCLI(t, "rpkg", "get", "-f", fleet.file, "-o", "yaml").stdout), &fromYAML); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(cli.NewList("PackageRevisionList", want), fromJSON); diff != "" {
		t.Errorf("JSON (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(cli.NewList("PackageRevisionList", want), fromYAML); diff != "" {
		t.Errorf("YAML (-want +got):\n%s", diff)
	}
	var one cli.List[rpkg.Row]
	if err := json.Unmarshal([]byte(runCLI(t, "rpkg", "get", "-f", fleet.file, "fleet/deployments.us.web.one", "-o", "json").stdout), &one); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(want[3:], one.Items); diff != "" {
		t.Errorf("by name (-want +got):\n%s", diff)
	}
}

// TestRpkgLife takes two drafts from proposal to publication, one of them in a second attempt, and
// does the same again elsewhere: the commits are the same.
func TestRpkgLife(t *testing.T) {
	live := func() rpkgFleet {
		fleet := newRpkgFleet(t)
		for _, step := range []struct{ verb, names, want string }{
			{"propose", "deployments.us.web.one deployments.eu.web.one", "deployments.eu.web.one proposed\ndeployments.us.web.one proposed\n"},
			{"reject", "deployments.eu.web.one", "deployments.eu.web.one rejected\n"},
			{"propose", "deployments.eu.web.one", "deployments.eu.web.one proposed\n"},
			{"approve", "deployments.eu.web.one deployments.us.web.one deployments.us.web.one", "deployments.eu.web.one approved\ndeployments.us.web.one approved\n"},
		} {
			r := runCLI(t, append([]string{"rpkg", step.verb, "-f", fleet.file}, strings.Fields(step.names)...)...)
			if r.code != exitDone || r.stderr != "" || r.stdout != step.want {
				t.Fatalf("%s %s: exit code %d, stderr %q, stdout %q", step.verb, step.names, r.code, r.stderr, r.stdout)
			}
		}
		return fleet
	}
	fleet := live()
	gittest.Fsck(t, fleet.repo)
	names := gittest.Git(t, fleet.repo, "for-each-ref", "--format=%(refname)")
	if diff := cmp.Diff("refs/heads/main\nrefs/tags/base/v1\nrefs/tags/eu/web/v1\nrefs/tags/us/web/v1", names); diff != "" {
		t.Errorf("refs (-want +got):\n%s", diff)
	}
	if files := gittest.Git(t, fleet.repo, "ls-tree", "-r", "--name-only", "main"); files != "base/Kptfile\neu/web/Kptfile\nus/web/Kptfile" {
		t.Errorf("main holds:\n%s", files)
	}
	if when := gittest.Git(t, fleet.repo, "log", "-1", "--format=%cI", "main"); when != "2026-01-02T03:04:05Z" && when != "2026-01-02T03:04:05+00:00" {
		t.Errorf("the approval is dated %s, not as SOURCE_DATE_EPOCH says", when)
	}
	if diff := cmp.Diff(gittest.Refs(t, fleet.repo), gittest.Refs(t, live().repo)); diff != "" {
		t.Errorf("the same again makes other commits (-first +second):\n%s", diff)
	}
}

// TestRpkgAuthor looks at who approved: the user, and never a constant.
func TestRpkgAuthor(t *testing.T) {
	for name, tc := range map[string]struct {
		reason, as string
		env        map[string]string
		author     string // of the approval; "" if it is refused
		code       int
		says       string
	}{
		"Git":      {"git's user", "", nil, "Grace <grace@example.com>", exitDone, ""},
		"Given":    {"--as wins", "Jane Doe <jane@example.com>", nil, "Jane Doe <jane@example.com>", exitDone, ""},
		"Address":  {"an address alone is a name, too", "jane@example.com", nil, "jane@example.com <jane@example.com>", exitDone, ""},
		"UserName": {"so is the name of a user in Kubernetes", "system:admin", nil, "system:admin <system:admin>", exitDone, ""},
		"TwoLines": {"a commit has one author", "jane\nfoo: bar", nil, "", exitUsage, `--as "jane\nfoo: bar": give a name and an address`},
		"Half":     {"an address ends", "Jane <jane", nil, "", exitUsage, `--as "Jane <jane": give a name and an address`},
		"Unknown": {
			"git would refuse this commit, too", "",
			map[string]string{"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "user.useConfigOnly", "GIT_CONFIG_VALUE_0": "true", "GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_SYSTEM": os.DevNull, "EMAIL": ""},
			"", exitFailed, "error: git does not know who you are: set user.name and user.email by 'git config --global', or name yourself by --as 'NAME <EMAIL>'\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			for key, value := range tc.env {
				t.Setenv(key, value)
			}
			fleet := newRpkgFleet(t)
			runCLI(t, "rpkg", "propose", "-f", fleet.file, "deployments.eu.web.one")
			before := gittest.Refs(t, fleet.repo)
			r := runCLI(t, "rpkg", "approve", "-f", fleet.file, "deployments.eu.web.one", "--as", tc.as)
			if r.code != tc.code || !strings.Contains(r.stderr, tc.says) {
				t.Fatalf("%s: exit code %d, stderr %q", tc.reason, r.code, r.stderr)
			}
			if tc.author == "" {
				if diff := cmp.Diff(before, gittest.Refs(t, fleet.repo)); diff != "" {
					t.Errorf("%s: refs moved (-before +after):\n%s", tc.reason, diff)
				}
				return
			}
			if author := gittest.Git(t, fleet.repo, "log", "-1", "--format=%an <%ae>", "main"); author != tc.author {
				t.Errorf("%s: %s approved", tc.reason, author)
			}
		})
	}
}

// TestRpkgRefuses takes steps in the wrong order, and names that do not fit: one clear error, and
// no ref moves.
func TestRpkgRefuses(t *testing.T) {
	cases := map[string]struct {
		reason, before, step string
		code                 int
		says                 string
	}{
		"ApproveDraft":       {"a draft was not reviewed", "", "approve deployments.eu.web.one", exitFailed, `approve deployments.eu.web.one: approve of package "eu/web", workspace "one": it is a draft: propose it first`},
		"RejectDraft":        {"it was not proposed", "", "reject deployments.eu.web.one", exitFailed, `it is Draft, not Proposed`},
		"ProposeTwice":       {"once is enough", "propose deployments.eu.web.one", "propose deployments.eu.web.one", exitFailed, `it is Proposed, not Draft`},
		"ProposePublished":   {"what is published is final", "", "propose deployments.base.v1", exitFailed, `it is Published, not Draft`},
		"ApprovePublished":   {"what is published is final", "", "approve deployments.base.v1", exitFailed, `it is Published, not Proposed`},
		"RejectPublished":    {"what is published is final", "", "reject deployments.base.v1", exitFailed, `it is Published, not Proposed`},
		"ApproveMain":        {"the main branch is no proposal", "", "approve deployments.base.main", exitFailed, `it is Published, not Proposed`},
		"DeletePublished":    {"what is in force is asked about first", "", "del deployments.base.v1", exitFailed, `del deployments.base.v1: it is published: propose its deletion by 'waybill rpkg propose-delete', then delete it`},
		"DeleteBoth":         {"then the draft stays, too", "", "del deployments.base.v1 deployments.eu.web.one", exitFailed, `del deployments.base.v1: it is published`},
		"ProposeDeleteDraft": {"a draft is just deleted", "", "propose-delete deployments.eu.web.one", exitFailed, `it is Draft, not Published`},
		"ProposeOneOfTwo":    {"all of a repository, or nothing", "propose deployments.eu.web.one", "propose deployments.us.web.one deployments.eu.web.one", exitFailed, `propose deployments.eu.web.one: propose of package "eu/web", workspace "one": it is Proposed, not Draft`},
		"UnknownName":        {"a typo", "", "approve deployments.eu.web.two", exitFailed, `there is no package revision "deployments.eu.web.two"; 'waybill rpkg get' lists them`},
		"OneOfTwoUnknown":    {"then the other one is left alone", "propose deployments.eu.web.one", "approve deployments.eu.web.one nope", exitFailed, `there is no package revision "nope"`},
		"UnknownNamespace":   {"the namespace counts", "", "propose other/deployments.eu.web.one", exitFailed, `there is no package revision "other/deployments.eu.web.one"`},
		"GetUnknown":         {"a list of what is not there is an error", "", "get nope", exitFailed, `there is no package revision "nope"`},
		"NoNames":            {"nothing is approved wholesale", "", "approve", exitUsage, `requires at least 1 arg(s)`},
		"InvalidSourceDate":  {"a date that is none", "SOURCE_DATE_EPOCH=yesterday", "propose deployments.eu.web.one", exitUsage, `environment variable SOURCE_DATE_EPOCH: "yesterday" is no number of seconds`},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			fleet := newRpkgFleet(t)
			if key, value, set := strings.Cut(tc.before, "="); set {
				t.Setenv(key, value)
			} else if tc.before != "" {
				runRpkg(t, fleet, tc.before)
			}
			before := gittest.Refs(t, fleet.repo)
			r := runRpkg(t, fleet, tc.step)
			if r.code != tc.code || r.stdout != "" || !strings.Contains(r.stderr, tc.says) || strings.Count(r.stderr, "\n") != 1 {
				t.Errorf("%s: exit code %d (want %d), stdout %q, stderr %q; want one line with %q", tc.reason, r.code, tc.code, r.stdout, r.stderr, tc.says)
			}
			if diff := cmp.Diff(before, gittest.Refs(t, fleet.repo)); diff != "" {
				t.Errorf("%s: refs moved (-before +after):\n%s", tc.reason, diff)
			}
		})
	}
}

// runRpkg runs "waybill rpkg" with a step such as "approve NAME".
func runRpkg(t *testing.T, fleet rpkgFleet, step string) cliRun {
	t.Helper()
	words := strings.Fields(step)
	return runCLI(t, append([]string{"rpkg", words[0], "-f", fleet.file}, words[1:]...)...)
}

// TestRpkgNamespaces has two Repositories of one name: a revision of both is named with its
// namespace, or refused.
func TestRpkgNamespaces(t *testing.T) {
	fleet := newRpkgFleet(t)
	other := gittest.NewBare(t)
	gittest.Commit(t, other, gittest.Change{Files: gittest.Files(map[string]string{"eu/web/Kptfile": rpkgKptfile})})
	gittest.Git(t, other, "branch", "drafts/eu/web/one", "main")
	both := repositoryYAML("fleet", "deployments", fleet.repo) + "---\n" + repositoryYAML("lab", "deployments", other)
	r := runCLIOn(t, both, "rpkg", "propose", "-f", "-", "deployments.eu.web.one")
	if r.code != exitFailed || !strings.Contains(r.stderr, `there are 2 package revisions "deployments.eu.web.one"; use NAMESPACE/NAME`) {
		t.Errorf("exit code %d, stderr %q", r.code, r.stderr)
	}
	r = runCLIOn(t, both, "rpkg", "propose", "-f", "-", "lab/deployments.eu.web.one")
	if r.code != exitDone || !strings.Contains(gittest.Refs(t, other), "refs/heads/proposed/eu/web/one") ||
		!strings.Contains(gittest.Refs(t, fleet.repo), "refs/heads/drafts/eu/web/one") {
		t.Errorf("exit code %d, stderr %q; lab:\n%s", r.code, r.stderr, gittest.Refs(t, other))
	}
}

// TestRpkgUnreachable names the Repository and where it should be.
func TestRpkgUnreachable(t *testing.T) {
	gone := filepath.Join(t.TempDir(), "gone.git")
	r := runCLIOn(t, repositoryYAML("fleet", "deployments", gone), "rpkg", "get", "-f", "-")
	if r.code != exitFailed || r.stdout != "" || !strings.Contains(r.stderr, `repository fleet/deployments: `) || !strings.Contains(r.stderr, "gone.git") {
		t.Errorf("exit code %d, stdout %q, stderr %q", r.code, r.stdout, r.stderr)
	}
}
