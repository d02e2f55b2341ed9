package variantset_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig/v1alpha2"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/variant"
	"github.com/waybill-dev/waybill/pkg/variant/variantset"
)

const upstreamV3 = "upstream: {repo: blueprints, package: upf, workspaceName: v3}"

// newSet is the set fleet/upf of uid u1 with that spec.
func newSet(t testing.TB, spec ...string) *v1alpha2.PackageVariantSet {
	t.Helper()
	text := "apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\nmetadata: {name: upf, namespace: fleet, uid: u1}\nspec: {" + strings.Join(spec, ", ") + "}\n"
	objects, err := krm.Read("set.yaml", []byte(text), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	set, err := v1alpha2.ReadPackageVariantSet(objects[0])
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func revision(name string, number int, l porch.Lifecycle) variant.Described {
	return variant.Described{
		Revision: variant.Revision{Name: "blueprints.upf." + name, Repo: "blueprints", Package: "upf", Workspace: name, Number: number, Lifecycle: l},
		Labels:   map[string]string{"tier": name},
	}
}

func object(name, labels string) variantset.Object {
	o := variantset.Object{Name: name, Namespace: "fleet", Labels: map[string]string{}, Annotations: map[string]string{"note": "about " + name}}
	for _, pair := range strings.Fields(labels) {
		key, value, _ := strings.Cut(pair, "=")
		o.Labels[key] = value
	}
	return o
}

var sites = variantset.Kind{APIVersion: "infra.example/v1", Kind: "Site"}

// newState has an upstream with everything that is refused beside what is found, repositories and
// sites of two regions.
func newState() variantset.State {
	elsewhere := object("edge-9", "role=edge")
	elsewhere.Namespace = "other"
	other := revision("v3", 3, porch.Published)
	other.Repo = "others"
	return variantset.State{
		Upstream: []variant.Described{
			other, revision("main", -1, porch.Published), revision("v1", 1, porch.Published), revision("v2", 2, porch.Published),
			revision("v3", 3, porch.Published), revision("v4", 4, porch.DeletionProposed), revision("next", 0, porch.Draft),
		},
		Repositories: []variantset.Object{object("edge-2", "role=edge region=eu"), object("core", "role=core"), object("edge-1", "role=edge"), elsewhere},
		Listings:     []variantset.Listing{{Kind: sites, Objects: []variantset.Object{object("lyon-2", "role=edge region=fr"), object("core", "role=core"), object("oslo-1", "role=edge"), elsewhere}}},
	}
}

// show is a plan in lines: how it ends, and who is created, updated, deleted or waited for.
func show(plan variantset.Plan) string {
	out := plan.Reason + ": " + strings.TrimSuffix(plan.Message, "; "+strings.Join(plan.Unmatched, "; ")) + "\n"
	for _, step := range []struct {
		verb string
		list []*porchconfig.PackageVariant
	}{{"create", plan.Create}, {"update", plan.Update}, {"delete", plan.Delete}} {
		for _, pv := range step.list {
			d := pv.Spec.Downstream
			out += fmt.Sprintf("%s %s (%s, %s)\n", step.verb, pv.Name, d.Repo, d.Package)
		}
	}
	for _, name := range plan.Waiting {
		out += "wait for " + name + "\n"
	}
	for _, text := range plan.Unmatched {
		out += "unmatched " + text + "\n"
	}
	return out
}

// carryOut is the state after the plan.
func carryOut(state variantset.State, plan variantset.Plan) variantset.State {
	gone := map[string]bool{}
	for _, pv := range slices.Concat(plan.Update, plan.Delete) {
		gone[pv.Name] = true
	}
	var now []porchconfig.PackageVariant
	for _, pv := range state.Variants {
		if !gone[pv.Name] || pv.Namespace != "fleet" {
			now = append(now, pv)
		}
	}
	for _, pv := range slices.Concat(plan.Create, plan.Update) {
		now = append(now, *pv)
	}
	state.Variants = now
	return state
}

// turned is a state whose lists are the other way round.
func turned(state variantset.State) variantset.State {
	state.Upstream, state.Repositories = slices.Clone(state.Upstream), slices.Clone(state.Repositories)
	state.Listings, state.Variants = slices.Clone(state.Listings), slices.Clone(state.Variants)
	slices.Reverse(state.Upstream)
	slices.Reverse(state.Repositories)
	slices.Reverse(state.Variants)
	slices.Reverse(state.Listings)
	for i := range state.Listings {
		state.Listings[i].Objects = slices.Clone(state.Listings[i].Objects)
		slices.Reverse(state.Listings[i].Objects)
	}
	return state
}

// decide is Decide, and the laws.
func decide(t testing.TB, set *v1alpha2.PackageVariantSet, state variantset.State) variantset.Plan {
	t.Helper()
	before, beforeState := asJSON(t, set), asJSON(t, printable(state))
	plan := variantset.Decide(set, state)
	law(t, "deciding twice gives the same plan", asJSON(t, plan), asJSON(t, variantset.Decide(set, state)))
	law(t, "the order of the state's lists does not matter", asJSON(t, plan), asJSON(t, variantset.Decide(set, turned(state))))
	law(t, "the set is left alone", before, asJSON(t, set))
	law(t, "the state is left alone", beforeState, asJSON(t, printable(state)))
	again := variantset.Decide(set, carryOut(state, plan))
	law(t, "a plan that was carried out leaves nothing to do", 0, len(again.Create)+len(again.Update)+len(again.Delete))
	if plan.Err() != nil {
		law(t, "a plan that fails does nothing", 0, len(plan.Create)+len(plan.Update)+len(plan.Delete)+len(plan.Waiting))
	}
	for _, pv := range slices.Concat(plan.Create, plan.Update) {
		law(t, "what is planned is valid and belongs to the set", true, pv.Validate() == nil && variantset.Belongs(pv, set))
	}
	law(t, "a message is one line", false, strings.Contains(plan.Message, "\n"))
	return plan
}

func law(t testing.TB, name string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("law: %s (-want +got):\n%s", name, diff)
	}
}

// printable is the state without its errors.
func printable(state variantset.State) any {
	return []any{state.Upstream, state.Repositories, state.Variants}
}

func asJSON(t testing.TB, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// conditions are a plan's, in lines.
func conditions(list []metav1.Condition) string {
	out := ""
	for _, c := range list {
		out += fmt.Sprintf("%s %s %s: %s\n", c.Type, c.Status, c.Reason, c.Message)
	}
	return out
}
