package variant_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/variant"
)

// TestUpgradeKeepsWhatIsOurs makes both sides of an upgrade as the reconciler does, and merges them.
func TestUpgradeKeepsWhatIsOurs(t *testing.T) {
	const own = "pipeline:\n  mutators:\n  - image: theirs:v1\n"
	for name, tc := range map[string]struct {
		reason           string
		v1, v2, local    string // what the Kptfile says besides its head
		mutators, status string
	}{
		"unnamed functions of ours": {
			"the functions of the PackageVariant have names and the package's have not; that loses none of them",
			own, own, own + "  - image: ours:v1\n", "PackageVariant.eu-upf.tier.0 theirs:v1 ours:v1", "",
		},
		"functions of upstream": {
			"nor those that upstream adds", own, own + "  - image: new:v1\n", own, "PackageVariant.eu-upf.tier.0 theirs:v1 new:v1", "",
		},
		"status": {
			"conditions are about our package, not upstream's", "", "status: {conditions: [{type: theirs, status: \"False\"}]}\n", "status: {conditions: [{type: ours, status: \"True\"}]}\n",
			"PackageVariant.eu-upf.tier.0", "ours",
		},
	} {
		t.Run(name, func(t *testing.T) {
			clone := func(kptfileRest string) pkgtree.Tree {
				tree, err := variant.Clone(newTree(t, map[string]string{"Kptfile": kptfileText + kptfileRest}), variant.CloneInput{Name: "upf", Upstream: lockOf(4)})
				if err != nil {
					t.Fatal(err)
				}
				return tree
			}
			ours, err := variant.Mutate(clone(tc.local), newVariant(t, "pipeline: {mutators: [{image: label:v1, name: tier}]}"), nil)
			if err != nil {
				t.Fatal(err)
			}
			merged, err := merge.Packages(clone(tc.v1), clone(tc.v2), ours, merge.Options{Prefer: merge.Fail})
			if err != nil || len(merged.Conflicts) > 0 {
				t.Fatalf("%v, conflicts %v", err, merged.Conflicts)
			}
			f := parseKptfile(t, merged.Tree)
			var mutators, status []string
			for _, fn := range f.Functions(kptfile.Mutators) {
				mutators = append(mutators, orImage(fn))
			}
			for _, c := range f.Conditions() {
				status = append(status, c.Type)
			}
			if diff := cmp.Diff([]string{tc.mutators, tc.status}, []string{strings.Join(mutators, " "), strings.Join(status, " ")}); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func orImage(fn kptfilev1.Function) string {
	if fn.Name != "" {
		return fn.Name
	}
	return fn.Image
}

// TestFailuresShow checks that what fails while the plan is carried out is what Ready says.
func TestFailuresShow(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		plan   variant.Kind
		err    string
	}{
		"retire": {"a draft that cannot be deleted", variant.CreateClone, "retire edge.old.a: refused by the remote"},
		"adopt":  {"a revision that cannot be taken over", variant.UpdateDraft, "adopt edge.net.upf.v1: refused by the remote"},
		"delete": {"what a deleted variant leaves behind", variant.Release, "retire edge.net.upf.v1: refused by the remote"},
	} {
		t.Run(name, func(t *testing.T) {
			c := variant.Conditions(variant.Plan{Kind: tc.plan}, errors.New(tc.err))
			want := []string{"Stalled", "False", porchconfig.ReasonValid, "Ready", "False", tc.err}
			if diff := cmp.Diff(want, []string{c[0].Type, string(c[0].Status), c[0].Reason, c[1].Type, string(c[1].Status), c[1].Message}); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}
