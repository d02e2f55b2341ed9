package variant_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/variant"
)

const us = "PackageVariant fleet/eu-upf"

// newVariant reads a PackageVariant eu-upf that follows workspace v3 of upf into net/upf; more
// are further lines of its spec.
func newVariant(t testing.TB, more ...string) *porchconfig.PackageVariant {
	t.Helper()
	text := "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata: {name: eu-upf, namespace: fleet}\nspec:\n"
	lines := map[string]string{"upstream": "{repo: blueprints, package: upf, workspaceName: v3}", "downstream": "{repo: edge, package: net/upf}"}
	for _, line := range more {
		key, value, _ := strings.Cut(line, ": ")
		lines[key] = value
	}
	for _, key := range slices.Sorted(maps.Keys(lines)) {
		text += "  " + key + ": " + lines[key] + "\n"
	}
	objects, err := krm.Read("pv.yaml", []byte(text), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	pv, err := porchconfig.ReadPackageVariant(objects[0])
	if err != nil {
		t.Fatal(err)
	}
	return pv
}

func lockOf(n int) kptfilev1.GitLock {
	return kptfilev1.GitLock{Repo: "https://git.example/b.git", Directory: "upf", Ref: fmt.Sprintf("upf/v%d", n), Commit: fmt.Sprintf("c%d", n)}
}

// published is an upstream revision n with workspace v<n>.
func published(n int) variant.Revision {
	return variant.Revision{
		Name: fmt.Sprintf("blueprints.upf.v%d", n), Repo: "blueprints", Package: "upf", Workspace: fmt.Sprintf("v%d", n),
		Number: n, Lifecycle: porch.Published, Self: lockOf(n),
	}
}

func upstreams() []variant.Revision {
	main := published(-1)
	main.Name, main.Workspace = "blueprints.upf.main", "main"
	draft := variant.Revision{Name: "blueprints.upf.next", Repo: "blueprints", Package: "upf", Workspace: "next", Lifecycle: porch.Draft}
	return []variant.Revision{published(1), published(2), published(3), main, draft}
}

// down is a downstream revision of ours, made of upstream revision 3; number 0 is a draft.
func down(workspace string, number int, change ...func(*variant.Revision)) variant.Revision {
	lock := lockOf(3)
	r := variant.Revision{
		Name: "edge.net.upf." + workspace, Repo: "edge", Package: "net/upf", Workspace: workspace,
		Number: number, Lifecycle: porch.Published, Owner: us, Lock: &lock,
	}
	if number == 0 {
		r.Lifecycle = porch.Draft
	}
	for _, c := range change {
		c(&r)
	}
	return r
}

func from(n int) func(*variant.Revision) {
	return func(r *variant.Revision) { lock := lockOf(n); r.Lock = &lock }
}
func owner(o string) func(*variant.Revision) { return func(r *variant.Revision) { r.Owner = o } }
func in(l porch.Lifecycle) func(*variant.Revision) {
	return func(r *variant.Revision) { r.Lifecycle = l }
}
func elsewhere(r *variant.Revision) { r.Package, r.Name = "old", "edge.old."+r.Workspace }
func noLock(r *variant.Revision)    { r.Lock = nil }
func through(repo string) func(*variant.Revision) {
	return func(r *variant.Revision) { r.Through = repo }
}

func placed(r *variant.Revision) {
	r.Self.Ref, r.Self.Commit = "drafts/"+r.Package+"/"+r.Workspace, r.Workspace
}

// inCore is a revision as another Repository object shows it, which is a mirror.
func inCore(r variant.Revision) variant.Revision {
	placed(&r)
	r.Repo, r.Name = "core", "core"+strings.TrimPrefix(r.Name, "edge")
	return r
}
func lock(change func(*kptfilev1.GitLock)) func(*variant.Revision) {
	return func(r *variant.Revision) { change(r.Lock) }
}

// summary is a plan in one line per part.
func summary(p variant.Plan) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", p.Kind, p.Reason)
	names := func(title string, rs ...variant.Revision) {
		for _, r := range rs {
			fmt.Fprintf(&b, "%s %s\n", title, r.Name)
		}
	}
	if p.OldUpstream != nil {
		fmt.Fprintf(&b, "old %s\n", p.OldUpstream.Title())
	}
	names("target", p.Targets...)
	names("adopt", p.Adopt...)
	for _, r := range p.Retire {
		fmt.Fprintf(&b, "%s %s\n", r.Action, r.Revision.Name)
	}
	if p.Restore {
		b.WriteString("restore\n")
	}
	if p.Workspace != "" {
		fmt.Fprintf(&b, "workspace %s\n", p.Workspace)
	}
	for _, k := range p.Kept {
		fmt.Fprintf(&b, "kept %s: %s\n", k.Revision.Name, k.Reason)
	}
	if p.Newer != nil {
		names("newer", *p.Newer)
	}
	return b.String()
}
