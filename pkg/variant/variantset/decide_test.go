package variantset_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/selection"
	"github.com/waybill-dev/waybill/pkg/variant/variantset"
)

const reconciled = "Reconciled: package variants successfully reconciled\n"

func TestTargets(t *testing.T) {
	for name, tc := range map[string]struct{ reason, upstream, targets, want string }{
		"repositories": {
			"one for each entry and package; without packages the upstream's name", "", "[{repositories: [{name: edge-2, packageNames: [b, a/x]}, {name: none}]}]",
			"create upf-edge-2-a-x (edge-2, a/x)\ncreate upf-edge-2-b (edge-2, b)\ncreate upf-none-upf (none, upf)\n",
		},
		"repository selector": {
			"one for each Repository that matches, in this namespace", "", "[{repositorySelector: {matchLabels: {role: edge}}}]",
			"create upf-edge-1-upf (edge-1, upf)\ncreate upf-edge-2-upf (edge-2, upf)\n",
		},
		"empty selector": {
			"it matches everything", "", "[{repositorySelector: {}}]",
			"create upf-core-upf (core, upf)\ncreate upf-edge-1-upf (edge-1, upf)\ncreate upf-edge-2-upf (edge-2, upf)\n",
		},
		"expressions": {
			"every operator of a label selector", "", "[{repositorySelector: {matchExpressions: [{key: role, operator: In, values: [edge]}, {key: region, operator: Exists}, {key: role, operator: NotIn, values: [core]}, {key: x, operator: DoesNotExist}]}}]",
			"create upf-edge-2-upf (edge-2, upf)\n",
		},
		"object selector": {
			"one for each object of the kind; the repository is called like the object", "", "[{objectSelector: {apiVersion: infra.example/v1, kind: Site, matchLabels: {role: edge}}}]",
			"create upf-lyon-2-upf (lyon-2, upf)\ncreate upf-oslo-1-upf (oslo-1, upf)\n",
		},
		"object by name": {
			"the name counts, which Porch ignores", "", "[{objectSelector: {apiVersion: infra.example/v1, kind: Site, name: lyon-2}}]",
			"create upf-lyon-2-upf (lyon-2, upf)\n",
		},
		"name and labels": {
			"both must match", "", "[{objectSelector: {apiVersion: infra.example/v1, kind: Site, name: lyon-2, matchLabels: {role: core}}}]",
			`unmatched spec.targets[0].objectSelector matches no Site: name "lyon-2", role=core; similar: role=edge` + "\n",
		},
		"no match": {
			"that nothing matches is no error where nothing goes", "", "[{repositorySelector: {matchLabels: {role: egde}}}]",
			"unmatched spec.targets[0].repositorySelector matches no Repository: role=egde; similar: role=edge\n",
		},
		"no name": {
			"a name that is misspelt", "", "[{objectSelector: {apiVersion: infra.example/v1, kind: Site, name: lyon2}}]",
			`unmatched spec.targets[0].objectSelector matches no Site: name "lyon2"; similar: lyon-2` + "\n",
		},
		"duplicates": {"two targets with one downstream are one variant", "", "[{repositories: [{name: edge-1}]}, {repositorySelector: {matchLabels: {role: edge}}}]", "create upf-edge-1-upf (edge-1, upf)\ncreate upf-edge-2-upf (edge-2, upf)\n"},
		"by number":  {"a published revision", "upstream: {repo: blueprints, package: upf, revision: 2}", "[{repositories: [{name: a}]}]", "create upf-a-upf (a, upf)\n"},
		"by draft":   {"a workspace may be a draft", "upstream: {repo: blueprints, package: upf, workspaceName: next}", "[{repositories: [{name: a}]}]", "create upf-a-upf (a, upf)\n"},
		"by both":    {"both fit", "upstream: {repo: blueprints, package: upf, workspaceName: v2, revision: 2}", "[{repositories: [{name: a}]}]", "create upf-a-upf (a, upf)\n"},
		"by range":   {"something fits", "upstream: {repo: blueprints, package: upf, follow: '>=2 <3'}", "[{repositories: [{name: a}]}]", "create upf-a-upf (a, upf)\n"},
	} {
		t.Run(name, func(t *testing.T) {
			upstream := tc.upstream
			if upstream == "" {
				upstream = upstreamV3
			}
			plan := decide(t, newSet(t, upstream, "targets: "+tc.targets), newState())
			if diff := cmp.Diff(reconciled+tc.want, show(plan)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestEmptySelectors are sets that made variants before, by which a selector that selects nothing is judged.
func TestEmptySelectors(t *testing.T) {
	const (
		typo    = "{repositorySelector: {matchLabels: {role: egde}}}"
		says    = "spec.targets[0].repositorySelector matches no Repository: role=egde; similar: role=edge"
		refused = "NoMatchingTargets: " + says + `, and %s would be deleted (first %q); ` + selection.HowToAllow + "\n"
	)
	all := existing(t, "targets: [{repositorySelector: {matchLabels: {role: edge}}}]")
	for name, tc := range map[string]struct {
		reason, targets, allow string
		variants               []porchconfig.PackageVariant
		want                   string
	}{
		"All":     {"a misspelt label keeps every variant", "[" + typo + "]", "", all, fmt.Sprintf(refused, "2 variants", "upf-edge-1-upf")},
		"Some":    {"and those that another target does not keep", "[" + typo + ", {repositories: [{name: edge-1}]}]", "", all, fmt.Sprintf(refused, "1 variant", "upf-edge-2-upf")},
		"Kept":    {"nothing goes, so nothing is wrong", "[" + typo + ", {repositories: [{name: edge-1}, {name: edge-2}]}]", "", all, "unmatched " + says + "\n"},
		"None":    {"there never was one", "[" + typo + "]", "", nil, "unmatched " + says + "\n"},
		"Allowed": {"it is meant", "[" + typo + "]", "true", all, "delete upf-edge-1-upf (edge-1, upf)\ndelete upf-edge-2-upf (edge-2, upf)\nunmatched " + says + "\n"},
		"Refused": {"it is not", "[" + typo + "]", "false", all, fmt.Sprintf(refused, "2 variants", "upf-edge-1-upf")},
		"Yes": {"the annotation takes two values", "[" + typo + "]", "yes", all,
			`ValidationError: metadata.annotations[waybill.dev/allow-empty-selection]: Unsupported value: "yes": supported values: "false", "true"` + "\n"},
		"Written": {"what was written down and is not any more goes: no selector says so", "[{repositories: [{name: edge-1}]}]", "", all, "delete upf-edge-2-upf (edge-2, upf)\n"},
		"Absent": {"a misspelt name of a Repository keeps what another name made", "[{repositories: [{name: edge-1}, {name: egde-2}]}]", "", all,
			`NoMatchingTargets: spec.targets names Repository "egde-2", which does not exist; similar: edge-2 or edge-1, and 1 variant would be deleted (first "upf-edge-2-upf"); ` + selection.HowToAllow + "\n"},
		"AbsentAllowed": {"it is meant", "[{repositories: [{name: edge-1}, {name: egde-2}]}]", "true", all,
			"create upf-egde-2-upf (egde-2, upf)\ndelete upf-edge-2-upf (edge-2, upf)\nunmatched spec.targets names Repository \"egde-2\", which does not exist; similar: edge-2 or edge-1\n"},
		"AbsentAtFirst": {"a Repository may come later, and nothing goes", "[{repositories: [{name: edge-1}, {name: edge-2}, {name: edge-3}]}]", "", all, "create upf-edge-3-upf (edge-3, upf)\n"},
		"Matched":       {"a selector that selects less goes by what it selects", "[{repositorySelector: {matchLabels: {region: eu}}}]", "", all, "delete upf-edge-1-upf (edge-1, upf)\n"},
	} {
		t.Run(name, func(t *testing.T) {
			set, state := newSet(t, upstreamV3, "targets: "+tc.targets), newState()
			if tc.allow != "" {
				set.Annotations = map[string]string{selection.Annotation: tc.allow}
			}
			state.Variants = tc.variants
			got := strings.TrimPrefix(show(decide(t, set, state)), reconciled)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestRivals are targets with one downstream.
func TestRivals(t *testing.T) {
	const one = "template: {downstream: {repo: core, package: shop}"
	for name, tc := range map[string]struct{ reason, targets, want string }{
		"different": {"a second object must not replace the first", "[{repositorySelector: {matchLabels: {role: edge}}, " + one + ", injectors: [{nameExpr: target.name}]}}]",
			`UnexpectedError: spec.targets[0] makes package "shop" in repo "core" for "edge-1" and for "edge-2": give each a downstream of its own` + "\n"},
		"equal": {"nor serve both: what each had before would go", "[{repositorySelector: {matchLabels: {role: edge}}, " + one + "}}]",
			`UnexpectedError: spec.targets[0] makes package "shop" in repo "core" for "edge-1" and for "edge-2": give each a downstream of its own` + "\n"},
		"twice": {"a Repository that is listed twice is one", "[{repositories: [{name: core, packageNames: [shop, shop]}, {name: core, packageNames: [shop]}]}]",
			reconciled + "create upf-core-shop (core, shop)\n"},
		"entries": {"a later entry overrides an earlier one", "[{repositories: [{name: core, packageNames: [shop]}]}, {repositories: [{name: core}], " + one + ", labels: {a: b}}}]",
			reconciled + "create upf-core-shop (core, shop)\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, show(decide(t, newSet(t, upstreamV3, "targets: "+tc.targets), newState()))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestUpstreamOfExpressions(t *testing.T) {
	for name, tc := range map[string]struct{ reason, upstream, want string }{
		"workspace": {"the one of that workspace", "workspaceName: v2", "v2"},
		"revision":  {"the published one of that number, not a draft, which has 0", "revision: 1", "v1"},
		"latest":    {"the highest; one that is to be deleted only when there is no other", "follow: latest", "v3"},
		"range":     {"the highest in the range", "follow: '<3'", "v2"},
		"going":     {"there is no other", "follow: '~4'", "v4"},
		"main":      {"a placeholder has no number that counts", "workspaceName: main", "main"},
	} {
		t.Run(name, func(t *testing.T) {
			set := newSet(t, "upstream: {repo: blueprints, package: upf, "+tc.upstream+"}",
				`targets: [{repositories: [{name: core}], template: {labelExprs: [{key: seen, valueExpr: "upstream.name + ' ' + upstream.namespace + ' ' + upstream.labels.tier"}]}}]`)
			plan := decide(t, set, newState())
			if len(plan.Create) != 1 {
				t.Fatal(plan.Message)
			}
			want := "blueprints.upf." + tc.want + " fleet " + tc.want
			if diff := cmp.Diff(want, plan.Create[0].Spec.Labels["seen"]); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(set.Spec.Upstream, plan.Create[0].Spec.Upstream); diff != "" {
				t.Errorf("the variant's upstream is the set's, as it is written (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFailures(t *testing.T) {
	const missing = "could not find upstream package revision "
	site := "targets: [{objectSelector: {apiVersion: infra.example/v1, kind: Site}}]"
	for name, tc := range map[string]struct {
		reason   string
		upstream string
		targets  string
		listing  error
		want     string // reason and message of both conditions
	}{
		"invalid":       {reason: "the words of validation", targets: "targets: [{repositories: []}]", want: "ValidationError: spec.targets[0].repositories must not be an empty list if specified"},
		"no workspace":  {reason: "Porch's words", upstream: "workspaceName: v9", want: "UpstreamNotFound: " + missing + "'upf/v9' in repo 'blueprints'"},
		"no revision":   {reason: "a number is that of a published revision", upstream: "revision: 9", want: "UpstreamNotFound: " + missing + "'upf/v9' in repo 'blueprints'"},
		"do not agree":  {reason: "every given field must match; Porch is content with one", upstream: "workspaceName: v2, revision: 3", want: "UpstreamNotFound: " + missing + "'upf/v2' in repo 'blueprints'"},
		"none in range": {reason: "the range is named", upstream: "follow: '>=9'", want: "UpstreamNotFound: " + missing + "'upf/>=9' in repo 'blueprints'"},
		"unknown kind": {
			reason: "it differs from other errors", targets: site,
			listing: &meta.NoKindMatchError{GroupKind: schema.GroupKind{Group: "infra.example", Kind: "Site"}, SearchedVersions: []string{"v1"}},
			want:    `NoMatchingTargets: spec.targets[0].objectSelector: no matches for kind "Site" in version "infra.example/v1"`,
		},
		"unknown resource": {
			reason: "this is how others say it", targets: site,
			listing: errors.Join(&meta.NoResourceMatchError{PartialResource: schema.GroupVersionResource{Version: "v1", Resource: "sites"}}),
			want:    `NoMatchingTargets: spec.targets[0].objectSelector: no matches for /v1, Resource=sites`,
		},
		"not listed": {reason: "any other error", targets: site, listing: errors.New("forbidden"), want: "UnexpectedError: spec.targets[0].objectSelector: forbidden"},
		"no list": {
			reason: "no list is not an empty list", targets: "targets: [{objectSelector: {apiVersion: v1, kind: Secret}}]",
			want: `UnexpectedError: spec.targets[0].objectSelector: objects of apiVersion "v1" and kind "Secret" were not listed`,
		},
		"no repository": {
			reason: "a template needs the Repository", targets: "targets: [{repositories: [{name: none}, {name: core}, {name: nil}], template: {}}]",
			want: `UnexpectedError: repository "none" could not be loaded (spec.targets[0], "none/upf"); and 1 more targets fail`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			state := newState()
			state.Listings[0].Err = tc.listing
			state.Variants = existing(t, "targets: [{repositories: [{name: old}]}]")
			if tc.upstream == "" {
				tc.upstream = "workspaceName: v3"
			}
			if tc.targets == "" {
				tc.targets = "targets: [{repositories: [{name: core}]}]"
			}
			plan := decide(t, newSet(t, "upstream: {repo: blueprints, package: upf, "+tc.upstream+"}", tc.targets), state)
			if diff := cmp.Diff("Stalled True "+tc.want+"\nReady False "+tc.want+"\n", conditions(variantset.Conditions(plan, nil))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestConditions(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		plan   variantset.Plan
		err    error
		want   string
	}{
		"success":  {"Porch's words", variantset.Plan{Reason: variantset.ReasonReconciled, Message: "package variants successfully reconciled"}, nil, "Stalled False Valid: all validation checks passed\nReady True Reconciled: package variants successfully reconciled\n"},
		"acting":   {"what fails while the plan is carried out", variantset.Plan{Reason: variantset.ReasonReconciled}, errors.New("conflict"), "Stalled True UnexpectedError: conflict\nReady False UnexpectedError: conflict\n"},
		"deciding": {"the plan's trouble comes first", variantset.Plan{Reason: variantset.ReasonNoMatchingTargets, Message: "m"}, errors.New("conflict"), "Stalled True NoMatchingTargets: m\nReady False NoMatchingTargets: m\n"},
		"long":     {"an API server takes 32768 bytes", variantset.Plan{Reason: "ValidationError", Message: strings.Repeat("é", 20000)}, nil, "Stalled True ValidationError: " + strings.Repeat("é", 16382) + "...\nReady False ValidationError: " + strings.Repeat("é", 16382) + "...\n"},
		"deleting": {"a set that is being deleted gets no condition", variantset.Plan{Reason: variantset.Deleting}, errors.New("conflict"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, conditions(variantset.Conditions(tc.plan, tc.err))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestDeletingSetDoesNothing(t *testing.T) {
	set, state := newSet(t, upstreamV3, "targets: [{repositories: [{name: a}]}]"), newState()
	state.Variants = existing(t, "targets: [{repositories: [{name: old}]}]")
	set.DeletionTimestamp = &metav1.Time{}
	set.DeletionTimestamp.Time = set.DeletionTimestamp.AddDate(2026, 0, 0)
	plan := decide(t, set, state)
	if diff := cmp.Diff("Deleting: the PackageVariantSet is being deleted\n", show(plan)); diff != "" {
		t.Errorf("its variants are garbage collected (-want +got):\n%s", diff)
	}
}

func TestDepends(t *testing.T) {
	for name, tc := range map[string]struct {
		reason, targets string
		want            variantset.Dependencies
	}{
		"names": {"an absent Repository keeps variants", "[{repositories: [{name: core}]}]", variantset.Dependencies{Repositories: []string{"core"}}},
		"looked up": {
			"there or not, each once", "[{repositories: [{name: none}, {name: core, packageNames: [a, b]}], template: {downstream: {repoExpr: 'repoDefault'}}}]",
			variantset.Dependencies{Repositories: []string{"core", "none"}},
		},
		"selected": {"all Repositories may match", "[{repositorySelector: {}}]",
			variantset.Dependencies{AllRepositories: true, Repositories: []string{"core", "edge-1", "edge-2"}}},
		"kinds": {
			"each once, in order, and also when listing fails",
			"[{objectSelector: {apiVersion: v1, kind: Node}}, {objectSelector: {apiVersion: infra.example/v1, kind: Site}}, {objectSelector: {apiVersion: v1, kind: ConfigMap}}, {objectSelector: {apiVersion: v1, kind: Node}}]",
			variantset.Dependencies{Kinds: []variantset.Kind{sites, {APIVersion: "v1", Kind: "ConfigMap"}, {APIVersion: "v1", Kind: "Node"}}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			set := newSet(t, upstreamV3, "targets: "+tc.targets)
			plan := decide(t, set, newState())
			if len(plan.Depends.Repositories) == 0 {
				plan.Depends.Repositories = nil
			}
			if diff := cmp.Diff(tc.want, plan.Depends); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(tc.want.Kinds, variantset.Kinds(set)); diff != "" {
				t.Errorf("what must be listed is what is depended on (-want +got):\n%s", diff)
			}
		})
	}
}
