package upstream_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/merge"
)

// shop is the package that these tests edit.
var shop = kptfileOf("apply-setters @setters.yaml", "set-namespace namespace=prod", "set-labels tier=gold") + web + settings + extra + setters

// TestLocalEditsStillConflict edits fields that functions also changed: when upstream changes the same field, there is
// a conflict with the three values.
func TestLocalEditsStillConflict(t *testing.T) {
	for name, tc := range map[string]struct {
		reason   string
		inputs   []edit // here, before rendering
		ours     []edit // here, after rendering
		theirs   []edit
		conflict string
		chosen   [2]string // when upstream, and when ours is preferred
	}{
		"field": {
			reason:   "a number of replicas",
			ours:     []edit{{"web.yaml", "replicas: 1", "replicas: 5"}},
			theirs:   []edit{{"web.yaml", "replicas: 1", "replicas: 3"}},
			conflict: "web.yaml Deployment spec.replicas: 1, 3, 5", chosen: [2]string{"3", "5"},
		},
		"label": {
			reason:   "a label that both add, beside the one that a function sets",
			ours:     []edit{{"web.yaml", "tier: gold\n  annotations", "tier: gold\n    team: ours\n  annotations"}},
			theirs:   []edit{{"web.yaml", "tier: bronze\nspec", "tier: bronze\n    team: theirs\nspec"}},
			conflict: "web.yaml Deployment metadata.labels.team: -, theirs, ours", chosen: [2]string{"theirs", "ours"},
		},
		"deleted here": {
			reason:   "an object that functions change, deleted here and changed upstream",
			ours:     []edit{{"extra.yaml", "", ""}},
			theirs:   []edit{{"extra.yaml", "port: 80", "port: 81"}},
			conflict: "extra.yaml Service : present, changed, -", chosen: [2]string{"-", "-"},
		},
		"deleted upstream": {
			reason:   "an object that functions change, edited here and deleted upstream",
			ours:     []edit{{"extra.yaml", "port: 80", "port: 81"}},
			theirs:   []edit{{"extra.yaml", "", ""}},
			conflict: "extra.yaml Service : present, -, changed", chosen: [2]string{"ours", "ours"},
		},
		"setter": {
			reason:   "the same setting, once, and not once more for every field that it sets",
			inputs:   []edit{{"setters.yaml", "tag: v1", "tag: v5"}},
			theirs:   []edit{{"setters.yaml", "tag: v1", "tag: v3"}},
			conflict: "setters.yaml ConfigMap data.tag: v1, v3, v5", chosen: [2]string{"v3", "v5"},
		},
		"pipeline": {
			reason:   "the same option of a function",
			inputs:   []edit{{"Kptfile", "namespace: prod", "namespace: north"}},
			theirs:   []edit{{"Kptfile", "namespace: prod", "namespace: south"}},
			conflict: "Kptfile Kptfile pipeline.mutators[image=ghcr.io/waybill-dev/set-namespace].configMap.namespace: prod, south, north", chosen: [2]string{"south", "north"},
		},
		"what a function overrules": {
			reason: "a hand on a field that a setter sets is no setting, and nothing is lost without a word",
			ours:   []edit{{"web.yaml", "web:v1", "web:v9"}},
			theirs: []edit{{"setters.yaml", "tag: v1", "tag: v3"}},
			conflict: "web.yaml Deployment spec.template.spec.containers[name=web].image: " +
				"reg.example/web:v1, reg.example/web:v3, reg.example/web:v9",
			chosen: [2]string{"reg.example/web:v3", "reg.example/web:v9"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			base := archive(t, shop)
			x := triple{base, edited(t, base, tc.theirs...), edited(t, got(t, edited(t, base, tc.inputs...)), tc.ours...)}
			for prefer, chosen := range map[merge.Prefer]string{merge.Upstream: tc.chosen[0], merge.Local: tc.chosen[1], merge.Fail: "-"} {
				res := x.merged(t, prefer)
				if diff := cmp.Diff([]string{tc.conflict + ": " + chosen}, lines(res.Conflicts)); diff != "" {
					t.Errorf("%s: conflicts when %s is preferred (-want +got):\n%s", tc.reason, prefer, diff)
				}
				if prefer == merge.Fail {
					sameTrees(t, "nothing is changed", x.ours, res.Tree)
				}
			}
			if name != "what a function overrules" { // which is not rendered
				checkRenderedLaws(t, x)
			}
		})
	}
}

// TestLocalEditsStay makes edits of other fields than upstream: the result has both changes.
func TestLocalEditsStay(t *testing.T) {
	theirs := []edit{{"web.yaml", "replicas: 1", "replicas: 3"}, {"settings.yaml", "", ""}}
	for name, tc := range map[string]struct {
		reason string
		inputs []edit // here, before rendering
		ours   []edit // here, after rendering
	}{
		"another field":  {"of an object that both change", nil, []edit{{"web.yaml", "- name: web\n", "- name: web\n        args:\n        - --fast\n"}}},
		"an object":      {"added here", []edit{{"own.yaml", "", "apiVersion: v1\nkind: ConfigMap\nmetadata: # kpt-merge: example/own\n  name: own\n  namespace: example\n  annotations:\n    internal.kpt.dev/upstream-identifier: '|ConfigMap|example|own'\n"}}, nil},
		"a deletion":     {"of what upstream left alone", nil, []edit{{"extra.yaml", "", ""}}},
		"a function":     {"added here", []edit{{"Kptfile", "  - image: ghcr.io/waybill-dev/set-labels", "  - image: ghcr.io/waybill-dev/set-annotations:v0.1.0\n    configMap:\n      note: ours\n  - image: ghcr.io/waybill-dev/set-labels"}}, nil},
		"a setting":      {"of a function of upstream's", []edit{{"setters.yaml", "tag: v1", "tag: v8"}, {"Kptfile", "gold", "lead"}}, nil},
		"a new config":   {"in a folder of its own, for a function of its own", []edit{{"Kptfile", "  - image: ghcr.io/waybill-dev/set-labels", "  - image: ghcr.io/waybill-dev/set-annotations:v0.1.0\n    configPath: conf/own.yaml\n  - image: ghcr.io/waybill-dev/set-labels"}, {"conf/own.yaml", "", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: conf\n  namespace: example\ndata:\n  note: ours\n"}}, nil},
		"the context":    {"of the package, which getting it adds", []edit{{"package-context.yaml", "", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: kptfile.kpt.dev\n  annotations:\n    config.kubernetes.io/local-config: \"true\"\ndata:\n  name: shop\n"}}, nil},
		"another place":  {"that functions do not look into", []edit{{".krmignore", "", "settings.yaml\n"}, {"settings.yaml", "", ""}}, nil},
		"a plain file":   {"added here", []edit{{"NOTES", "", "ours\n"}}, nil},
		"a subpackage":   {"added here, whose functions miss what upstream does not have", []edit{{"mine/Kptfile", "", "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: mine\npipeline:\n  mutators:\n  - image: ghcr.io/waybill-dev/apply-setters:v0.1.0\n    configPath: mine.yaml\n"}, {"mine/mine.yaml", "", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: mine\n  namespace: example\ndata:\n  tag: mine\n"}}, nil},
		"no more labels": {"taken out of the pipeline", []edit{{"Kptfile", "  - image: ghcr.io/waybill-dev/set-labels:v0.1.0\n    configMap:\n      tier: gold\n", ""}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			base := archive(t, shop)
			ours := edited(t, merge.AddMarks(edited(t, base, tc.inputs...)))
			if name == "the context" { // which is added after the marks
				ours = edited(t, merge.AddMarks(base), tc.inputs...)
			}
			x := triple{base, edited(t, base, theirs...), edited(t, rendered(t, ours), tc.ours...)}
			want := edited(t, x.ours, edit{"web.yaml", "replicas: 1", "replicas: 3"}, edit{"settings.yaml", "", ""})
			for _, prefer := range []merge.Prefer{merge.Upstream, merge.Local, merge.Fail} {
				res := x.merged(t, prefer)
				if diff := cmp.Diff([]string(nil), lines(res.Conflicts)); diff != "" {
					t.Errorf("%s: conflicts when %s is preferred (-want +got):\n%s", tc.reason, prefer, diff)
				}
				sameTrees(t, tc.reason, want, res.Tree)
			}
			checkRenderedLaws(t, x)
		})
	}
}
