package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	waybillapi "github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// variantFleet is the example's fleet in folder fleet of a new working directory, with blueprints.git, in which the
// blueprint is published as shop/v1, and deployments.git, in which nothing is. It
// returns the blueprint's files.
func variantFleet(t *testing.T) (files map[string]string) {
	t.Helper()
	testenv.Need(t, testenv.Git)
	t.Setenv(cli.CacheDirVariable, t.TempDir())
	dir := t.TempDir()
	for _, name := range []string{"blueprints.git", "deployments.git"} {
		if err := os.Rename(gittest.NewBare(t), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.CopyFS(filepath.Join(dir, "fleet"), os.DirFS(fleetExample+"fleet")); err != nil {
		t.Fatal(err)
	}
	files = map[string]string{}
	for p, b := range readTree(t, blueprint).All() {
		files["shop/"+p] = string(b.Data())
	}
	t.Chdir(dir)
	gittest.Commit(t, "blueprints.git", gittest.Change{Files: gittest.Files(files)})
	gittest.Git(t, "blueprints.git", "tag", "shop/v1", "main")
	gittest.Commit(t, "deployments.git", gittest.Change{})
	return files
}

// foreseen runs a preview of the fleet, which is to move no ref.
func foreseen(t *testing.T, code int, args ...string) (*waybillapi.FleetPreview, string) {
	t.Helper()
	refs := gittest.Refs(t, "deployments.git")
	r := runCLI(t, append([]string{"fleet", "preview", "-o", "json", "-f", "fleet"}, args...)...)
	var p waybillapi.FleetPreview
	if err := json.Unmarshal([]byte(r.stdout), &p); err != nil || r.code != code {
		t.Fatalf("exit code %d, want %d: %v\n%s%s", r.code, code, err, r.stdout, r.stderr)
	}
	if diff := cmp.Diff(refs, gittest.Refs(t, "deployments.git")); diff != "" {
		t.Fatalf("a preview moved refs (-before +after):\n%s", diff)
	}
	return &p, r.stderr
}

// done runs a command that is to do well.
func done(t *testing.T, args ...string) string {
	t.Helper()
	r := runCLI(t, args...)
	if r.code != exitDone {
		t.Fatalf("%q: exit code %d\n%s", args, r.code, r.stderr)
	}
	return r.stdout
}

// approveAll approves every draft.
func approveAll(t *testing.T) {
	t.Helper()
	for _, verb := range []string{"propose", "approve"} {
		if names := drafted(t); len(names) > 0 {
			done(t, append([]string{"rpkg", verb, "-f", "fleet"}, names...)...)
		}
	}
}

// drafted are the names of what waits for approval.
func drafted(t *testing.T) (names []string) {
	t.Helper()
	for _, line := range strings.Split(done(t, "rpkg", "get", "-f", "fleet"), "\n") {
		if cells := strings.Fields(line); len(cells) > 0 && (strings.Contains(line, " Draft") || strings.Contains(line, " Proposed ") || strings.HasSuffix(line, " Proposed")) {
			names = append(names, cells[0])
		}
	}
	return names
}

func rewrite(t *testing.T, file, old, new string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(data), old) {
		t.Fatalf("%s has no %q: %v", file, old, err)
	}
	writeFile(t, file, strings.ReplaceAll(string(data), old, new), 0o644)
}

// TestFleetPreviewVariants follows a fleet from nothing to an upgrade and to its end: what is foreseen before anything is
// drafted is the same once it is, and it is what approving it does to the main branch.
func TestFleetPreviewVariants(t *testing.T) {
	files := variantFleet(t)
	all := []string{"austin-1", "berlin-1", "boston-1", "lab-1", "lyon-1", "zurich-1"}
	steps := []struct {
		reason   string
		change   func()
		clusters []string // that change
		groups   int
		does     string // what the first group does
	}{
		{"nothing is there yet", func() {}, all, 16, "added"},
		{"nothing changes without a reason", func() {}, nil, 0, ""},
		{"an upstream revision that two of three take", func() {
			files["shop/app/frontend.yaml"] = strings.Replace(files["shop/app/frontend.yaml"], "replicas: 2", "replicas: 7", 1)
			gittest.Commit(t, "blueprints.git", gittest.Change{Files: gittest.Files(files)})
			gittest.Git(t, "blueprints.git", "tag", "shop/v2", "main")
			rewrite(t, "fleet/variants.yaml", "revision: 1", "revision: 2")
			text, _ := os.ReadFile("fleet/variants.yaml")
			head, lab, _ := strings.Cut(string(text), "name: shop-lab")
			writeFile(t, "fleet/variants.yaml", head+"name: shop-lab"+strings.Replace(lab, "revision: 2", "revision: 1", 1), 0o644)
		}, []string{"austin-1", "berlin-1", "boston-1", "lyon-1", "zurich-1"}, 1, "changed"},
		{"a variant that goes", func() {
			rewrite(t, "fleet/variants.yaml", "name: shop-us\n", "name: shop-us\n  deletionTimestamp: \"2026-01-02T03:04:05Z\"\n")
		}, []string{"austin-1", "boston-1"}, 16, "removed"},
	}
	for _, step := range steps {
		step.change()
		before := strings.TrimSpace(gittest.Git(t, "deployments.git", "rev-parse", "main"))
		wanted, _ := foreseen(t, exitDone)
		checkForeseen(t, step.reason, wanted, step.clusters, step.groups, step.does)
		done(t, "reconcile", "-f", "fleet")
		again, _ := foreseen(t, exitDone)
		if diff := cmp.Diff(wanted.Groups, again.Groups); diff != "" {
			t.Errorf("%s: drafts are another thing than what is to be drafted (-wanted +drafted):\n%s", step.reason, diff)
		}
		approveAll(t)
		var shipped waybillapi.FleetPreview
		text := done(t, "fleet", "preview", "-o", "json", "--dir", "deployments.git", before+"..main")
		if err := json.Unmarshal([]byte(text), &shipped); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(placeless(wanted), placeless(&shipped)); diff != "" && step.does != "removed" { // which is not approved yet
			t.Errorf("%s: what ships is another thing than what was foreseen (-foreseen +shipped):\n%s", step.reason, diff)
		}
	}
}

// TestFleetPreviewVariantsWhatIf asks what PackageVariants would draft for another fleet.
func TestFleetPreviewVariantsWhatIf(t *testing.T) {
	variantFleet(t)
	done(t, "reconcile", "-f", "fleet")
	approveAll(t)
	p, _ := foreseen(t, exitDone, "--without-cluster", "lyon-1")
	checkForeseen(t, "a cluster that is no more", p, []string{"lyon-1"}, 16, "removed")
}

// TestApproveHydratorMetadata holds that a Repository may ask for what promotion tools ask for.
func TestApproveHydratorMetadata(t *testing.T) {
	variantFleet(t)
	rewrite(t, "fleet/repositories.yaml", "  name: deployments\n", "  name: deployments\n  annotations:\n    waybill.dev/hydrator-metadata: \"true\"\n")
	done(t, "reconcile", "-f", "fleet")
	approveAll(t)
	var said struct{ DrySHA, RepoURL string }
	if err := json.Unmarshal([]byte(gittest.Git(t, "deployments.git", "show", "main:hydrator.metadata")), &said); err != nil {
		t.Fatal(err)
	}
	at, err := filepath.Abs("blueprints.git")
	if err != nil {
		t.Fatal(err)
	}
	if want := gittest.Git(t, "blueprints.git", "rev-parse", "shop/v1"); said.DrySHA != want || said.RepoURL != at {
		t.Errorf("it names %v, want %s of %s", said, want, at)
	}
}

// placeless are the groups without where files lie.
func placeless(p *waybillapi.FleetPreview) []waybillapi.PreviewGroup {
	data, err := json.Marshal(p.Groups)
	if err != nil {
		panic(err)
	}
	var groups []waybillapi.PreviewGroup
	if err := json.Unmarshal([]byte(strings.ReplaceAll(string(data), "fleet/deployments/", "")), &groups); err != nil {
		panic(err)
	}
	return groups
}

func checkForeseen(t *testing.T, reason string, p *waybillapi.FleetPreview, clusters []string, groups int, change string) {
	t.Helper()
	touched := map[string]bool{}
	for _, g := range p.Groups {
		for _, s := range g.Shapes {
			for _, c := range s.Clusters {
				touched[c] = true
			}
		}
	}
	want := map[string]bool{}
	for _, c := range clusters {
		want[c] = true
	}
	if diff := cmp.Diff(want, touched); diff != "" {
		t.Errorf("%s: clusters (-want +got):\n%s", reason, diff)
	}
	if len(p.Groups) != groups || groups > 0 && p.Groups[0].Change != change {
		t.Errorf("%s: %d groups, want %d, the first %s:\n%v", reason, len(p.Groups), groups, change, groupsOf(p))
	}
}

// TestFleetPreviewVariantsTrouble reports failed variants, and shows the rest.
func TestFleetPreviewVariantsTrouble(t *testing.T) {
	variantFleet(t)
	steps := []struct { // each goes on where the one before was
		reason  string
		prepare func()
		args    []string
		code    int
		groups  int
		stderr  string
	}{
		{"bounds of the command are asked", func() {}, []string{"--max-clusters", "2"}, exitRefused, 16, "refused: 6 of 6 clusters would change"},
		{"something would change", func() {}, []string{"--exit-code"}, exitFailed, 16, ""},
		{"one variant has no upstream", func() {
			rewrite(t, "fleet/variants.yaml", "package: eu/shop", "package: ../shop")
		}, nil, exitFailed, 16, "error: fleet/shop-eu: "},
		{"and with --exit-code that is a 2", func() {}, []string{"--exit-code"}, exitUsage, 16, "error: fleet/shop-eu: "},
		{"a ChangeBudget has its say", func() {
			writeFile(t, "fleet/budget.yaml", "apiVersion: waybill.dev/v1alpha1\nkind: ChangeBudget\nmetadata:\n  name: few\n  namespace: fleet\nspec:\n  maxClusters: 1\n", 0o644)
		}, nil, exitRefused, 16, "change budget \"few\""},
	}
	for _, step := range steps {
		step.prepare()
		p, messages := foreseen(t, step.code, step.args...)
		if len(p.Groups) != step.groups || !strings.Contains(messages, step.stderr) {
			t.Errorf("%s: %d groups, want %d; %s", step.reason, len(p.Groups), step.groups, messages)
		}
	}
	for _, args := range [][]string{{"--dir", "x"}, {"--no-render"}} {
		if r := runCLI(t, append([]string{"fleet", "preview", "-f", "fleet"}, args...)...); r.code != exitUsage {
			t.Errorf("%q: exit code %d, want %d: %s", args, r.code, exitUsage, r.stderr)
		}
	}
}
