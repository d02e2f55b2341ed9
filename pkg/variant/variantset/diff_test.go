package variantset_test

import (
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/variant/variantset"
)

// existing are the variants that a set with these targets made.
func existing(t testing.TB, targets string, change ...func(*porchconfig.PackageVariant)) []porchconfig.PackageVariant {
	t.Helper()
	plan := variantset.Decide(newSet(t, upstreamV3, targets), newState())
	var out []porchconfig.PackageVariant
	for _, pv := range plan.Create {
		for _, c := range change {
			c(pv)
		}
		out = append(out, *pv)
	}
	if len(out) == 0 {
		t.Fatal(plan.Message)
	}
	return out
}

func TestCreated(t *testing.T) {
	yes := true
	owner := []metav1.OwnerReference{{APIVersion: "config.porch.kpt.dev/v1alpha2", Kind: "PackageVariantSet", Name: "upf", UID: "u1", Controller: &yes}}
	for name, tc := range map[string]struct {
		reason, uid string
		annotations map[string]string
		want        metav1.ObjectMeta
	}{
		"cluster": {"label, finalizer and owner", "u1", nil, metav1.ObjectMeta{Labels: map[string]string{"config.porch.kpt.dev/packagevariantset": "u1"}, OwnerReferences: owner}},
		"files":   {"without a uid the name is the label and there is no owner", "", nil, metav1.ObjectMeta{Labels: map[string]string{"config.porch.kpt.dev/packagevariantset": "upf"}}},
		"budget": {
			"the word on budgets is passed on, nothing else", "", map[string]string{waybill.ExceedBudgetAnnotation: "move to v3", "other": "x"},
			metav1.ObjectMeta{Labels: map[string]string{"config.porch.kpt.dev/packagevariantset": "upf"}, Annotations: map[string]string{"waybill.dev/exceed-budget": "move to v3"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			set := newSet(t, upstreamV3, "targets: [{repositories: [{name: a}]}]")
			set.UID, set.Annotations = types.UID(tc.uid), tc.annotations
			plan := decide(t, set, newState())
			tc.want.Name, tc.want.Namespace, tc.want.Finalizers = "upf-a-upf", "fleet", []string{"config.porch.kpt.dev/packagevariants"}
			want := &porchconfig.PackageVariant{
				TypeMeta: metav1.TypeMeta{APIVersion: "config.porch.kpt.dev/v1alpha1", Kind: "PackageVariant"}, ObjectMeta: tc.want,
				Spec: porchconfig.PackageVariantSpec{
					Upstream:   &porchconfig.Upstream{Repo: "blueprints", Package: "upf", WorkspaceName: "v3"},
					Downstream: &porchconfig.Downstream{Repo: "a", Package: "upf"},
				},
			}
			if diff := cmp.Diff([]*porchconfig.PackageVariant{want}, plan.Create); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestSettle(t *testing.T) {
	const both = "targets: [{repositories: [{name: a}, {name: b}]}]"
	first := func(change func(*porchconfig.PackageVariant)) func(*porchconfig.PackageVariant) {
		return func(pv *porchconfig.PackageVariant) {
			if pv.Name == "upf-a-upf" {
				change(pv)
			}
		}
	}
	for name, tc := range map[string]struct {
		reason   string
		existing []porchconfig.PackageVariant
		want     string
	}{
		"nothing yet": {"all are made, by name", nil, "create upf-a-upf (a, upf)\ncreate upf-b-upf (b, upf)\n"},
		"all there":   {"what is as it should be is left alone", existing(t, both), ""},
		"removed":     {"what no target wants goes", existing(t, "targets: [{repositories: [{name: a}, {name: b}, {name: c}]}]"), "delete upf-c-upf (c, upf)\n"},
		"moved":       {"another downstream is another variant", existing(t, "targets: [{repositories: [{name: a}, {name: b, packageNames: [old]}]}]"), "create upf-b-upf (b, upf)\ndelete upf-b-old (b, old)\n"},
		"changed": {
			"the spec is the set's", existing(t, both, first(func(pv *porchconfig.PackageVariant) { pv.Spec.DeletionPolicy = porchconfig.DeletionOrphan })),
			"update upf-a-upf (a, upf)\n",
		},
		"other name": {
			"a variant is known by its downstream, whatever it is called", existing(t, both, first(func(pv *porchconfig.PackageVariant) { pv.Name = "x" })), "",
		},
		"other downstream": {
			"who changes the downstream by hand gets it back; the variant's own reconciler retires what it made meanwhile",
			existing(t, both, first(func(pv *porchconfig.PackageVariant) { pv.Spec.Downstream.Package = "mine" })), "update upf-a-upf (a, upf)\n",
		},
		"no downstream": {"nor does it help to take it away", existing(t, both, first(func(pv *porchconfig.PackageVariant) { pv.Spec = porchconfig.PackageVariantSpec{} })), "update upf-a-upf (a, upf)\n"},
		"twice": {
			"two variants with one downstream would fight; the one with the right name stays",
			append(existing(t, both), existing(t, both, first(func(pv *porchconfig.PackageVariant) { pv.Name = "a-copy" }))[0]), "delete a-copy (a, upf)\n",
		},
		"empty values": {"an empty map is the same as none", existing(t, both, func(pv *porchconfig.PackageVariant) { pv.Spec.Labels = map[string]string{} }), ""},
		"own labels": {"labels of a variant are its own affair", existing(t, both, func(pv *porchconfig.PackageVariant) {
			pv.Labels["x"], pv.Annotations = "y", map[string]string{"z": "z"}
		}), ""},
		"going": {
			"one that is being deleted is left alone until it is gone",
			existing(t, both, first(func(pv *porchconfig.PackageVariant) { pv.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)} })), "wait for upf-a-upf\n",
		},
		"going and unwanted": {
			"there is nothing left to do",
			append(existing(t, both), existing(t, "targets: [{repositories: [{name: c}]}]", func(pv *porchconfig.PackageVariant) { pv.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)} })...), "",
		},
		"another set's":    {"other labels are others' variants", append(existing(t, both), existing(t, "targets: [{repositories: [{name: c}]}]", func(pv *porchconfig.PackageVariant) { pv.Labels[variantset.Label] = "u2" })...), ""},
		"elsewhere":        {"other namespaces, too", existing(t, both, func(pv *porchconfig.PackageVariant) { pv.Namespace = "other" }), "create upf-a-upf (a, upf)\ncreate upf-b-upf (b, upf)\n"},
		"other controller": {"and those with another controller", append(existing(t, both), existing(t, "targets: [{repositories: [{name: c}]}]", func(pv *porchconfig.PackageVariant) { pv.OwnerReferences[0].UID = "u2" })...), ""},
		"budget": {
			"what was allowed before is not allowed any more", existing(t, both, first(func(pv *porchconfig.PackageVariant) {
				pv.Annotations = map[string]string{waybill.ExceedBudgetAnnotation: "once", "other": "x"}
			})), "update upf-a-upf (a, upf)\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			state := newState()
			state.Repositories = append(state.Repositories, object("b", ""))
			state.Variants = tc.existing
			if diff := cmp.Diff(reconciled+tc.want, show(decide(t, newSet(t, upstreamV3, both), state))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestUpdateKeepsWhatIsNotItsOwn(t *testing.T) {
	state := newState()
	state.Variants = existing(t, "targets: [{repositories: [{name: a}]}]", func(pv *porchconfig.PackageVariant) {
		pv.ResourceVersion, pv.Labels["x"] = "7", "y"
		pv.Annotations = map[string]string{"other": "x"}
		pv.Status.DownstreamTargets = []porchconfig.DownstreamTarget{{Name: "t"}}
	})
	set := newSet(t, "upstream: {repo: blueprints, package: upf, revision: 2}", "targets: [{repositories: [{name: a}]}]")
	set.Annotations = map[string]string{waybill.ExceedBudgetAnnotation: "why"}
	want := state.Variants[0].DeepCopy()
	want.Spec.Upstream = &porchconfig.Upstream{Repo: "blueprints", Package: "upf", Revision: 2}
	want.Annotations[waybill.ExceedBudgetAnnotation] = "why"
	if diff := cmp.Diff([]*porchconfig.PackageVariant{want}, decide(t, set, state).Update); diff != "" {
		t.Errorf("spec and the word on budgets change, all else stays (-want +got):\n%s", diff)
	}
}

func TestNames(t *testing.T) {
	// upf-<repo>-upf: 8 characters around the repository.
	for name, tc := range map[string]struct{ reason, repo, pkg, want string }{
		"short": {"set, repository, package", "edge", "upf", "upf-edge-upf"},
		"slash": {"slashes become dashes", "edge", "net/core/upf", "upf-edge-net-core-upf"},
		"63":    {"the longest name that is not cut", strings.Repeat("r", 55), "upf", "upf-" + strings.Repeat("r", 55) + "-upf"},
		"64":    {"54 characters, a dash and 8 of the SHA-1 of the whole", strings.Repeat("r", 56), "upf", "upf-" + strings.Repeat("r", 50) + "-7195fda7"},
		"slash in a long one": {
			"the slash is replaced before the hash is taken", strings.Repeat("r", 56), "u/f", "upf-" + strings.Repeat("r", 50) + "-b76abc4b",
		},
	} {
		t.Run(name, func(t *testing.T) {
			set := newSet(t, upstreamV3, "targets: [{repositories: [{name: "+tc.repo+", packageNames: ["+tc.pkg+"]}]}]")
			plan := decide(t, set, newState())
			if len(plan.Create) != 1 {
				t.Fatal(plan.Message)
			}
			if diff := cmp.Diff(tc.want, plan.Create[0].Name); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestBadNames(t *testing.T) {
	const rule = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character ` +
		`(e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`
	for name, tc := range map[string]struct{ reason, repositories, want string }{
		"uppercase": {"packages may be called so, objects not", "{name: a, packageNames: [Upf]}", `the variant for package "Upf" in repo "a" would be called "upf-a-Upf": ` + rule + ` (spec.targets[0], "a/Upf")`},
		"end":       {"a name ends in a letter or digit", "{name: a, packageNames: [upf/]}", `the variant for package "upf/" in repo "a" would be called "upf-a-upf-": ` + rule + ` (spec.targets[0], "a/upf/")`},
		"cut at a dot": {
			"a part of a name does not start with a dash", "{name: " + strings.Repeat("r", 49) + ".x, packageNames: [" + strings.Repeat("p", 20) + "]}",
			`the variant for package "pppppppppppppppppppp" in repo "` + strings.Repeat("r", 49) + `.x" would be called "upf-` + strings.Repeat("r", 49) + `.-cc620e58": ` + rule + ` (spec.targets[0], "` + strings.Repeat("r", 49) + `.x/pppppppppppppppppppp")`,
		},
		"dash and slash": {
			"two downstreams must not share a name: one would get the other's package", "{name: a, packageNames: [x/y, x-y]}",
			`the variants for package "x-y" in repo "a" and for package "x/y" in repo "a" would both be called "upf-a-x-y"`,
		},
		"shifted dash": {"nor when the border moves", "{name: a-b, packageNames: [c]}, {name: a, packageNames: [b-c]}", `the variants for package "b-c" in repo "a" and for package "c" in repo "a-b" would both be called "upf-a-b-c"`},
	} {
		t.Run(name, func(t *testing.T) {
			plan := decide(t, newSet(t, upstreamV3, "targets: [{repositories: ["+tc.repositories+"]}]"), newState())
			if diff := cmp.Diff("UnexpectedError: "+tc.want+"\n", show(plan)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestInTheWay(t *testing.T) {
	state := newState()
	state.Variants = existing(t, "targets: [{repositories: [{name: a}]}]", func(pv *porchconfig.PackageVariant) { pv.Labels = nil })
	plan := decide(t, newSet(t, upstreamV3, "targets: [{repositories: [{name: a}, {name: b}]}]"), state)
	if diff := cmp.Diff("UnexpectedError: the PackageVariant \"upf-a-upf\" exists already and is not of this set, which wants to create one of this name: rename or delete it\n", show(plan)); diff != "" {
		t.Errorf("what another user made is never overwritten (-want +got):\n%s", diff)
	}
}

// TestCopiedLabels copies labels from a set to its variants: they say which controller works on them.
func TestCopiedLabels(t *testing.T) {
	const targets = "targets: [{repositories: [{name: a}]}]"
	for name, tc := range map[string]struct {
		reason           string
		keys             []string
		set, before      map[string]string
		create, existing map[string]string // nil: not changed
	}{
		"none":    {"no key, no label", nil, map[string]string{"shard": "a"}, nil, map[string]string{}, nil},
		"given":   {"a new variant has it, another gets it", []string{"shard"}, map[string]string{"shard": "a", "other": "x"}, nil, map[string]string{"shard": "a"}, map[string]string{"shard": "a"}},
		"same":    {"what has it stays", []string{"shard"}, map[string]string{"shard": "a"}, map[string]string{"shard": "a", "mine": "y"}, map[string]string{"shard": "a"}, nil},
		"changed": {"labels of users stay", []string{"shard"}, map[string]string{"shard": "b"}, map[string]string{"shard": "a", "mine": "y"}, map[string]string{"shard": "b"}, map[string]string{"shard": "b", "mine": "y"}},
		"removed": {"what the set lacks goes", []string{"shard"}, nil, map[string]string{"shard": "a", "mine": "y"}, map[string]string{}, map[string]string{"mine": "y"}},
	} {
		t.Run(name, func(t *testing.T) {
			set := newSet(t, upstreamV3, targets)
			set.Labels = tc.set
			check := func(pvs []*porchconfig.PackageVariant, want map[string]string) {
				t.Helper()
				if want == nil {
					if len(pvs) > 0 {
						t.Errorf("%s: %s is changed", tc.reason, pvs[0].Name)
					}
					return
				}
				if len(pvs) != 1 {
					t.Fatalf("%s: want a change of one variant, got %d", tc.reason, len(pvs))
				}
				got := maps.Clone(pvs[0].Labels)
				delete(got, variantset.Label)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
				}
			}
			state := newState()
			state.CopiedLabels = tc.keys
			check(decide(t, set, state).Create, tc.create)
			state.Variants = existing(t, targets, func(pv *porchconfig.PackageVariant) { maps.Copy(pv.Labels, tc.before) })
			check(decide(t, set, state).Update, tc.existing)
		})
	}
}
