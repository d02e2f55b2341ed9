package explain

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// randomFleet is a random package: clusters, objects and policies, each with labels or conditions on labels.
type randomFleet struct {
	clusters map[string]map[string]string
	objects  map[string]map[string]string // by kind and name
	policies []randomPolicy
	managed  bool // each cluster an object of its own
	setters  bool
}

type randomPolicy struct {
	clusters []selector
	clauses  []randomClause
}

type randomClause struct {
	resources, namespaces string
	objects               []selector
}

// selector holds conditions: by label =value, in, exists, absent.
type selector map[string]string

var labelKeys = []string{"tier", "site", "example.com/ring"}

func drawLabels(t *rapid.T) map[string]string {
	out := map[string]string{}
	for _, key := range labelKeys {
		if v := rapid.SampledFrom([]string{"", "a", "b", "c"}).Draw(t, key); v != "" {
			out[key] = v
		}
	}
	return out
}

func drawConditions(t *rapid.T) (out []selector) {
	for range rapid.IntRange(0, 2).Draw(t, "selectors") {
		c := selector{}
		for _, key := range labelKeys {
			if v := rapid.SampledFrom([]string{"", "", "=a", "=b", "in", "exists", "absent"}).Draw(t, key); v != "" {
				c[key] = v
			}
		}
		out = append(out, c)
	}
	return out
}

func drawFleet(t *rapid.T) *randomFleet {
	f := &randomFleet{clusters: map[string]map[string]string{}, objects: map[string]map[string]string{}, managed: rapid.Bool().Draw(t, "managed"), setters: rapid.Bool().Draw(t, "setters")}
	for i := range rapid.IntRange(1, 3).Draw(t, "clusters") {
		f.clusters[fmt.Sprintf("edge-%d", i)] = drawLabels(t)
	}
	for _, kind := range []string{"ConfigMap", "Deployment", "Namespace", "Secret"} {
		for i := range rapid.IntRange(0, 2).Draw(t, kind) {
			f.objects[fmt.Sprintf("%s o%d", kind, i)] = drawLabels(t)
		}
	}
	for range rapid.IntRange(0, 3).Draw(t, "policies") {
		p := randomPolicy{clusters: drawConditions(t)}
		for range rapid.IntRange(1, 2).Draw(t, "clauses") {
			p.clauses = append(p.clauses, randomClause{
				resources:  rapid.SampledFrom([]string{"", "[configmaps]", "[deployments, secrets]", "['*']"}).Draw(t, "resources"),
				namespaces: rapid.SampledFrom([]string{"", "", "[shop]", "['']"}).Draw(t, "namespaces"), objects: drawConditions(t)})
		}
		f.policies = append(f.policies, p)
	}
	return f
}

func (c selector) yaml() string {
	var matches, expressions []string
	for _, key := range slices.Sorted(maps.Keys(c)) {
		switch v := c[key]; v {
		case "in":
			expressions = append(expressions, fmt.Sprintf("{key: %s, operator: In, values: [a, c]}", key))
		case "exists":
			expressions = append(expressions, fmt.Sprintf("{key: %s, operator: Exists}", key))
		case "absent":
			expressions = append(expressions, fmt.Sprintf("{key: %s, operator: DoesNotExist}", key))
		default:
			matches = append(matches, fmt.Sprintf("%s: %s", key, v[1:]))
		}
	}
	return fmt.Sprintf("{matchLabels: {%s}, matchExpressions: [%s]}", strings.Join(matches, ", "), strings.Join(expressions, ", "))
}

func listOf(all []selector) string {
	var out []string
	for _, c := range all {
		out = append(out, c.yaml())
	}
	return "[" + strings.Join(out, ", ") + "]"
}

func flow(labels map[string]string) string {
	var out []string
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		out = append(out, key+": "+labels[key])
	}
	return "{" + strings.Join(out, ", ") + "}"
}

// files are those of the package.
func (f *randomFleet) files() map[string][]byte {
	kptfile := "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: shop}\npipeline:\n  mutators:\n"
	if f.setters {
		kptfile += "  - image: ghcr.io/kptdev/krm-functions-catalog/apply-setters:v0.2.0\n    configMap: {word: second}\n"
	}
	kptfile += "  - image: ghcr.io/waybill-dev/bind-resolve:v0.1.0\n    configMap: {allowEmptyInventory: \"true\"}\n  - image: ghcr.io/waybill-dev/bundle-manifestwork:v0.1.0\n    configMap: {allowEmptyInventory: \"true\", customTransforms: apply}\n"
	var clusters, app, policies []string
	for _, name := range slices.Sorted(maps.Keys(f.clusters)) {
		if f.managed {
			clusters = append(clusters, fmt.Sprintf("apiVersion: cluster.open-cluster-management.io/v1\nkind: ManagedCluster\nmetadata: {name: %s, labels: %s}\n", name, flow(f.clusters[name])))
		} else {
			clusters = append(clusters, fmt.Sprintf("apiVersion: fn.waybill.dev/v1alpha1\nkind: Inventory\nmetadata: {name: of-%[1]s}\nspec:\n  clusters:\n  - name: %[1]s\n    labels: %[2]s\n", name, flow(f.clusters[name])))
		}
	}
	for _, id := range slices.Sorted(maps.Keys(f.objects)) {
		kind, name, _ := strings.Cut(id, " ")
		app = append(app, object(kind, name, flow(f.objects[id])))
	}
	for i, p := range f.policies {
		text := fmt.Sprintf("apiVersion: control.kubestellar.io/v1alpha1\nkind: BindingPolicy\nmetadata: {name: p%d}\nspec:\n  clusterSelectors: %s\n  downsync:\n", i, listOf(p.clusters))
		for _, c := range p.clauses {
			text += fmt.Sprintf("  - objectSelectors: %s\n", listOf(c.objects))
			for part, words := range map[string]string{"resources": c.resources, "namespaces": c.namespaces} {
				if words != "" {
					text += "    " + part + ": " + words + "\n"
				}
			}
		}
		policies = append(policies, text)
	}
	policies = append(policies, "apiVersion: control.kubestellar.io/v1alpha1\nkind: CustomTransform\nmetadata: {name: scrub}\nspec: {apiGroup: apps, resource: deployments, remove: [$.spec.paused]}\n")
	return map[string][]byte{"Kptfile": []byte(kptfile), "clusters.yaml": []byte(strings.Join(clusters, "---\n")),
		"app.yaml": []byte(strings.Join(app, "---\n")), "policies.yaml": []byte(strings.Join(policies, "---\n"))}
}

func object(kind, name, labels string) string {
	meta := fmt.Sprintf("metadata:\n  name: %s\n  namespace: shop\n  labels: %s\n  annotations: {control.kubestellar.io/expand-templates: \"true\"}\n", name, labels)
	switch kind {
	case "Deployment":
		return "apiVersion: apps/v1\nkind: Deployment\n" + meta + "spec:\n  paused: true\n  template:\n    spec:\n      containers:\n      - {name: web, image: 'web:{{ .clusterName }}'}\n"
	case "Namespace":
		return "apiVersion: v1\nkind: Namespace\n" + strings.Replace(meta, "  namespace: shop\n", "", 1)
	case "Secret":
		return "apiVersion: v1\nkind: Secret\n" + meta + "stringData:\n  token: hunter2-{{ .clusterName }}\n"
	}
	return "apiVersion: v1\nkind: ConfigMap\n" + meta + "data:\n  word: first # kpt-set: ${word}\n  at: '{{ .clusterName }} {{ index . \"tier\" }}'\n"
}

// TestRandomFleets explains what every cluster of a random fleet receives, and of everything else why it does not.
func TestRandomFleets(t *testing.T) {
	testenv.Checks(t, 100)
	mended := 0
	rapid.Check(t, func(r *rapid.T) {
		f := drawFleet(r)
		w := rendered(t, "", f.files())
		for cluster := range f.clusters {
			checkPresent(t, w, cluster)
			for id := range f.objects {
				kind, name, _ := strings.Cut(id, " ")
				question := cluster + "/" + kind + "/shop/" + name
				if kind == "Namespace" {
					question = cluster + "/" + kind + "/" + name
				}
				x, text := ask(t, w, question, false)
				if x.There {
					continue
				}
				if x.Object == nil || x.Object.Place == nil || len(x.Policies) != len(f.policies) || !strings.Contains(x.Says, ": ") {
					t.Fatalf("%s: no reason:\n%s", question, text)
				}
				mended += checkReasons(t, f, x, cluster, id, question)
			}
		}
	})
	if !testenv.Short() && mended < 50 {
		t.Errorf("only %d reasons could be mended", mended)
	}
}

// checkReasons takes the reasons why policies do not select an object at their word: with other labels they do. It returns
// how many reasons it could mend.
func checkReasons(t *testing.T, f *randomFleet, x *waybill.FleetExplanation, cluster, id, question string) (mended int) {
	t.Helper()
	for _, p := range x.Policies {
		fixed := &randomFleet{clusters: maps.Clone(f.clusters), objects: maps.Clone(f.objects), policies: f.policies, managed: f.managed, setters: f.setters}
		fixed.clusters[cluster], fixed.objects[id] = maps.Clone(f.clusters[cluster]), maps.Clone(f.objects[id])
		if !mend(fixed.clusters[cluster], p.SelectsCluster, p.Cluster) || !mend(fixed.objects[id], *p.SelectsObject, p.Clauses) {
			continue
		}
		mended++
		if again, text := ask(t, rendered(t, "", fixed.files()), question, false); !again.There {
			t.Fatalf("%s: with labels %v and %v it is still not there, although only %s was missing:\n%s", question, fixed.clusters[cluster], fixed.objects[id], p.Why, text)
		}
	}
	return mended
}

// mend gives labels what the first test that only lacks these wants.
func mend(labels map[string]string, holds bool, tests []waybill.ExplainedTest) bool {
	if holds {
		return true
	}
	for _, test := range tests {
		if slices.ContainsFunc(failing(test), func(term waybill.ExplainedTerm) bool { return !strings.HasSuffix(term.Of, "Selectors") }) {
			continue
		}
		for _, term := range failing(test) {
			key, value, equals := strings.Cut(term.Wants, "=")
			in := strings.Contains(term.Wants, " in (")
			switch {
			case in:
				labels[strings.Fields(term.Wants)[0]] = "a"
			case equals:
				labels[key] = value
			case strings.HasPrefix(key, "!"):
				delete(labels, key[1:])
			default:
				labels[key] = "b"
			}
		}
		return true
	}
	return false
}
