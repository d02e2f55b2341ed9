package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-containerregistry/pkg/v1/random"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/rpkg"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/image"
	"github.com/waybill-dev/waybill/pkg/oci/ocitest"
)

// documentedKinds are the commands of the page about output, and the kind that each prints; "" if it prints none.
func documentedKinds(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for line := range strings.Lines(readText(t, "../../docs/output.md")) {
		cells := strings.Split(line, "|")
		if !strings.HasPrefix(line, "| `waybill ") {
			continue
		}
		kind := ""
		if len(cells) == 5 { // the table of kinds
			kind = strings.Split(cells[3], "`")[1]
		}
		for _, name := range regexp.MustCompile("`(waybill [a-z -]+)`").FindAllStringSubmatch(cells[1], -1) {
			out[name[1]] = kind
		}
	}
	return out
}

// TestOutputDocumented wants every command on the page about output, and every flag that prints JSON.
func TestOutputDocumented(t *testing.T) {
	kinds := documentedKinds(t)
	for _, cmd := range commands() {
		name := cmd.CommandPath()
		if cmd.HasSubCommands() || strings.HasPrefix(name, "waybill completion ") || name == "waybill help" {
			continue
		}
		kind, there := kinds[name]
		asJSON := false
		for _, flag := range []string{"output", "format", "conflicts"} {
			if f := cmd.Flag(flag); f != nil && strings.Contains(f.Usage, "json") {
				asJSON = true
			}
		}
		if !there || asJSON != (kind != "") {
			t.Errorf("%s: it is on the page: %v, with kind %q; it prints JSON: %v", name, there, kind, asJSON)
		}
	}
}

// TestOutputKinds runs every command that prints JSON, and finds the documented kind.
func TestOutputKinds(t *testing.T) {
	root, err := filepath.Abs("../..")
	must(t, err)
	kinds := documentedKinds(t)
	revisions := newRpkgFleet(t)
	writeFile(t, filepath.Join(filepath.Dir(revisions.file), "variant.yaml"), missingVariant, 0o644)
	o := conflicted(t)
	must(t, os.CopyFS(".", os.DirFS(writeArchive(t, shopFleet))))
	must(t, os.CopyFS(".", os.DirFS(writeArchive(t, shopZone))))
	backend := []string{"--backend", "rest-example", "--url", "http://127.0.0.1:1/v1", "--token-file", "token"}
	writeFile(t, "token", "t0ken\n", 0o600)
	registry, _ := newImageRegistry(t)
	index, err := random.Index(100, 1, 1)
	must(t, err)
	must(t, image.WriteLayout("layout", image.Registry+"/bundle:v1", index))
	blueprint := filepath.Join(root, "examples/edge-fleet/blueprint")
	drafts := newDraftFleet(t)
	drafts.release(t, "shop/v2", strings.Replace(shopObject, "hello", "good day", 1))
	for _, step := range []string{"clone blueprints.shop.v1 eu/web --repository deployments --workspace one", "propose deployments.eu.web.one",
		"approve deployments.eu.web.one", "copy blueprints.shop.v1 --workspace two", "pull blueprints.shop.two pulled", "del blueprints.shop.two"} {
		verb, _, _ := strings.Cut(step, " ")
		if verb != "propose" && verb != "pull" {
			step += " --as ada@example.com"
		}
		drafts.do(t, step)
	}
	rendered := t.TempDir()
	gittest.Git(t, rendered, "init", "--quiet", "--initial-branch=main")
	writeFile(t, filepath.Join(rendered, "clusters/a/work.yaml"), "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: shop\n", 0o644)
	commitAll(t, rendered, "one")
	ran := map[string]bool{"waybill image build": true} // that compiles; the list has its kind
	for _, run := range []struct {
		name string
		args []string
	}{
		{"waybill doctor", nil},
		{"waybill fleet adopt", []string{blueprint, "-f", "reports.yaml"}},
		{"waybill fleet explain", []string{"zurich-1", "--dir", blueprint}},
		{"waybill fleet preview", []string{blueprint, blueprint}},
		{"waybill fleet status", []string{"shop", "-f", "reports.yaml"}},
		{"waybill fn list", nil},
		{"waybill helm lock", []string{"edge", "--check"}},
		{"waybill image list", []string{"--dir", root}},
		{"waybill image push", []string{"--layout", "layout", "--to", registry, "--dry-run"}},
		{"waybill pkg diff", []string{"edge"}},
		{"waybill pkg get", []string{o.bare + "/edge@v1", "got"}},
		{"waybill pkg merge", []string{"--base", "edge", "--theirs", "edge", "--ours", "edge", "--output", "merged"}},
		{"waybill pkg push", []string{"edge", ocitest.InMemory(t).URL("edge:v1")}},
		{"waybill pkg tree", []string{"edge"}},
		{"waybill pkg update", []string{"edge@v2", "--dry-run", "--allow-dirty"}},
		{"waybill publish", []string{rendered, "oci://" + registry + "/published", "--dry-run"}},
		{"waybill push apply", append(backend, "net", "--dry-run")},
		{"waybill push plan", []string{"net", "--backend", "rest-example"}},
		{"waybill push table", []string{"midonet"}},
		{"waybill push tables", nil},
		{"waybill reconcile", []string{"-f", filepath.Dir(revisions.file)}},
		{"waybill rpkg get", []string{"-f", revisions.file}},
		{"waybill rpkg propose", []string{"-f", revisions.file, "deployments.eu.web.one"}},
		{"waybill rpkg reject", []string{"-f", revisions.file, "deployments.eu.web.one"}},
		{"waybill rpkg propose", []string{"-f", revisions.file, "deployments.us.web.one"}},
		{"waybill rpkg approve", []string{"-f", revisions.file, "deployments.us.web.one", "--as", "jane@example.com"}},
		{"waybill rpkg propose-delete", []string{"-f", revisions.file, "deployments.base.v1"}},
		{"waybill rpkg del", []string{"-f", revisions.file, "deployments.base.v1"}},
		{"waybill repo get", []string{"-f", revisions.file}},
		{"waybill rpkg clone", []string{"-f", drafts.file, "blueprints.shop.v1", "eu/shop", "--repository", "deployments", "--as", "ada@example.com"}},
		{"waybill rpkg init", []string{"-f", drafts.file, "eu/net", "--repository", "deployments", "--workspace", "one", "--as", "ada@example.com"}},
		{"waybill rpkg copy", []string{"-f", drafts.file, "blueprints.shop.v1", "--workspace", "two", "--as", "ada@example.com"}},
		{"waybill rpkg push", []string{"-f", drafts.file, "blueprints.shop.two", "pulled", "--as", "ada@example.com"}},
		{"waybill rpkg diff", []string{"-f", drafts.file, "blueprints.shop.two"}},
		{"waybill rpkg upgrade", []string{"-f", drafts.file, "deployments.eu.web.one", "--workspace", "two", "--as", "ada@example.com"}},
		{"waybill version", nil},
	} {
		want := kinds[run.name]
		ran[run.name] = true
		flag := "-o"
		if run.name == "waybill pkg merge" {
			flag = "--conflicts"
		}
		r := runCLI(t, append(append(strings.Fields(run.name)[1:], run.args...), flag, "json")...)
		var got metav1.TypeMeta
		if err := json.Unmarshal([]byte(r.stdout), &got); err != nil {
			t.Errorf("%s: %v: %s%s", run.name, err, r.stdout, r.stderr)
		}
		group := map[bool]string{true: "v1", false: "waybill.dev/v1alpha1"}[want == "List"]
		if diff := cmp.Diff(metav1.TypeMeta{APIVersion: group, Kind: want}, got); diff != "" {
			t.Errorf("%s (-documented +got):\n%s%s", run.name, diff, r.stderr)
		}
	}
	for name, kind := range kinds {
		if kind != "" && !ran[name] {
			t.Errorf("%s was not run", name)
		}
	}
}

// missingVariant is a PackageVariant whose upstream is not there.
const missingVariant = `apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: web, namespace: fleet}
spec:
  upstream: {repo: deployments, package: none, revision: 1}
  downstream: {repo: deployments, package: new}
`

// TestRpkgChanges prints what changed for programs, also if a later repository refuses.
func TestRpkgChanges(t *testing.T) {
	fleet := newRpkgFleet(t)
	change := func(name, what string) rpkg.Changed {
		pkg := strings.ReplaceAll(strings.TrimSuffix(name, ".one"), ".", "/")
		return rpkg.Changed{Name: "deployments." + name, Namespace: "fleet", Package: pkg, Workspace: "one", Repository: "deployments", Change: what}
	}
	for _, tc := range []struct {
		step string
		code int
		want []rpkg.Changed
	}{
		{"propose deployments.us.web.one deployments.eu.web.one", exitDone, []rpkg.Changed{change("eu.web.one", "proposed"), change("us.web.one", "proposed")}},
		{"propose deployments.us.web.one", exitFailed, nil},
		{"approve deployments.us.web.one", exitDone, []rpkg.Changed{change("us.web.one", "approved")}},
		{"reject deployments.eu.web.one", exitDone, []rpkg.Changed{change("eu.web.one", "rejected")}},
		{"del deployments.eu.web.one", exitDone, []rpkg.Changed{change("eu.web.one", "deleted")}},
	} {
		r := runRpkg(t, fleet, tc.step+" -o json")
		got := fromJSON[cli.List[rpkg.Changed]](t, r)
		if diff := cmp.Diff(cli.NewList("PackageRevisionChangeList", tc.want), got); diff != "" || r.code != tc.code {
			t.Errorf("%s: exit code %d (-want +got):\n%s%s", tc.step, r.code, diff, r.stderr)
		}
	}
	if r := runRpkg(t, fleet, "propose deployments.base.v1 -o table"); r.code != exitUsage || !strings.Contains(r.stderr, `--output "table": want text, json or yaml`) {
		t.Errorf("exit code %d: %s", r.code, r.stderr)
	}
}
