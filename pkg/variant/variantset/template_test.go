package variantset_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/pkg/variant/variantset"
)

// siteTarget is a target over one site, with a template.
func siteTarget(template string) string {
	return "targets: [{objectSelector: {apiVersion: infra.example/v1, kind: Site, name: lyon-2}, template: {" + template + "}}]"
}

func TestTemplate(t *testing.T) {
	const core, upf = "downstream: {repo: core}, ", "downstream: {package: upf, repo: core}\n"
	for name, tc := range map[string]struct{ reason, template, want string }{
		"empty parts": {"what is empty is left out", core + "labels: {}, annotations: {}, packageContext: {}, pipeline: {}, injectors: []", upf},
		"literals": {
			"everything as it is written", `downstream: {repo: edge-1, package: x}, adoptionPolicy: adoptExisting, deletionPolicy: orphan, labels: {a: b}, annotations: {c: d},
			packageContext: {data: {e: f}, removeKeys: [z, y, z]}, injectors: [{group: "", version: v1, kind: ConfigMap, name: i}],
			pipeline: {mutators: [{image: m, name: n, configMap: {k: v}, selectors: [{kind: Deployment}]}], validators: [{image: v, configPath: p.yaml}]}`,
			"adoptionPolicy: adoptExisting\nannotations: {c: d}\ndeletionPolicy: orphan\ndownstream: {package: x, repo: edge-1}\ninjectors: [{group: '', kind: ConfigMap, name: i, version: v1}]\nlabels: {a: b}\n" +
				"packageContext: {data: {e: f}, removeKeys: ['y', z]}\npipeline: {mutators: [{configMap: {k: v}, image: m, name: 'n', selectors: [{kind: Deployment}]}], validators: [{configPath: p.yaml, image: v}]}\n",
		},
		"downstream": {
			"the package's expression sees the repository, and so does all that follows", `downstream: {repoExpr: "target.labels['region'] == 'fr' ? 'edge-2' : repoDefault", packageExpr: "packageDefault + '/' + repository.labels.region"}`,
			"downstream: {package: upf/eu, repo: edge-2}\n",
		},
		"empty downstream": {"an empty text is none", `downstream: {repo: core, packageExpr: ""}`, upf},
		"maps": {
			"expressions lie over literals in order, keys too", core + `labels: {a: old, b: kept}, labelExprs: [{key: a, valueExpr: target.name}, {keyExpr: "'c-' + repoDefault", value: one}, {keyExpr: "'c-' + target.name", value: two}, {key: empty}],
			annotationExprs: [{key: note, valueExpr: target.annotations.note}]`,
			"annotations: {note: about lyon-2}\n" + upf + "labels: {a: lyon-2, b: kept, c-lyon-2: two, empty: ''}\n",
		},
		"context": {
			"removed keys are sorted, each once, and empty ones are dropped", core + `packageContext: {data: {site: x}, dataExprs: [{key: site, valueExpr: target.name}], removeKeys: [z], removeKeyExprs: ["'y'", "'z'", "''"]}`,
			upf + "packageContext: {data: {site: lyon-2}, removeKeys: ['y', z]}\n",
		},
		"injectors": {"the name is the expression's", core + "injectors: [{kind: Site, nameExpr: target.name}, {name: fallback}]", upf + "injectors: [{kind: Site, name: lyon-2}, {name: fallback}]\n"},
		"pipeline": {
			"configMap is filled in for both lists", core + `pipeline: {mutators: [{image: m, configMap: {a: b}, configMapExprs: [{key: source, valueExpr: upstream.name}]}], validators: [{image: v, configMapExprs: [{keyExpr: upstream.labels.tier, valueExpr: upstream.namespace}]}]}`,
			upf + "pipeline: {mutators: [{configMap: {a: b, source: blueprints.upf.v3}, image: m}], validators: [{configMap: {v3: fleet}, image: v}]}\n",
		},
		"missing label": {"the way to ask for what may not be there", core + `labelExprs: [{key: zone, valueExpr: "'zone' in target.labels ? target.labels['zone'] : 'none'"}]`, upf + "labels: {zone: none}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			plan := decide(t, newSet(t, upstreamV3, siteTarget(tc.template)), newState())
			if len(plan.Create) != 1 {
				t.Fatal(plan.Message)
			}
			if diff := cmp.Diff(normal(t, "upstream: {repo: blueprints, package: upf, workspaceName: v3}\n"+tc.want), normal(t, asJSON(t, plan.Create[0].Spec))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestContractExample is the whole of it at once: one site among others, everything filled in.
func TestContractExample(t *testing.T) {
	set := newSet(t, upstreamV3, `targets: [{objectSelector: {apiVersion: infra.example/v1, kind: Site, matchLabels: {role: edge}},
		template: {downstream: {repo: edge-1, packageExpr: "'upf-' + target.name"},
		labelExprs: [{key: region, valueExpr: "'region' in target.labels ? target.labels['region'] : 'none'"}],
		packageContext: {dataExprs: [{key: site, valueExpr: target.name}]}, injectors: [{kind: Site, nameExpr: target.name}],
		pipeline: {mutators: [{image: reg.example/set-labels:v1, name: region, configMapExprs: [{key: source, valueExpr: upstream.name}]}]}}}]`)
	plan := decide(t, set, newState())
	if diff := cmp.Diff(reconciled+"create upf-edge-1-upf-lyon-2 (edge-1, upf-lyon-2)\ncreate upf-edge-1-upf-oslo-1 (edge-1, upf-oslo-1)\n", show(plan)); diff != "" {
		t.Fatalf("one for each site (-want +got):\n%s", diff)
	}
	got := plan.Create[0].Spec
	if diff := cmp.Diff([]string{"fr", "lyon-2", "lyon-2", "blueprints.upf.v3"}, []string{got.Labels["region"], got.PackageContext.Data["site"], got.Injectors[0].Name, got.Pipeline.Mutators[0].ConfigMap["source"]}); diff != "" {
		t.Errorf("every expression has its place (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff("none", plan.Create[1].Spec.Labels["region"]); diff != "" {
		t.Errorf("a label that is not there (-want +got):\n%s", diff)
	}
}

// normal is YAML in one form.
func normal(t *testing.T, text string) string {
	t.Helper()
	var v any
	if err := yaml.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	out, err := yaml.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestTargetVariable(t *testing.T) {
	const labels = "template: {downstream: {repo: core}, labelExprs: [{key: seen, valueExpr: "
	for name, tc := range map[string]struct{ reason, target, want string }{
		"repositories": {"repository and package", `repositories: [{name: core, packageNames: [x]}], ` + labels + `"target.repo + ' ' + target.package + ' ' + repoDefault + ' ' + packageDefault"}]}`, "core x core x"},
		"repository":   {"the object", `repositorySelector: {matchLabels: {region: eu}}, ` + labels + `"target.name + ' ' + target.namespace + ' ' + target.labels.role + ' ' + repoDefault + ' ' + packageDefault"}]}`, "edge-2 fleet edge edge-2 upf"},
		"object":       {"the object", `objectSelector: {apiVersion: infra.example/v1, kind: Site, name: lyon-2}, ` + labels + `"target.name + ' ' + target.annotations.note + ' ' + repoDefault + ' ' + packageDefault"}]}`, "lyon-2 about lyon-2 lyon-2 upf"},
		"names only":   {"there is nothing else", `repositories: [{name: core}], ` + labels + `"has(target.name) || has(target.labels) ? 'yes' : 'no'"}]}`, "no"},
		"no spec":      {"of objects neither", `repositorySelector: {matchLabels: {region: eu}}, ` + labels + `"has(target.spec) || has(repository.metadata) ? 'yes' : 'no'"}]}`, "no"},
	} {
		t.Run(name, func(t *testing.T) {
			plan := decide(t, newSet(t, upstreamV3, "targets: [{"+tc.target+"}]"), newState())
			if len(plan.Create) != 1 {
				t.Fatal(plan.Message)
			}
			if diff := cmp.Diff(tc.want, plan.Create[0].Spec.Labels["seen"]); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestTemplateErrors(t *testing.T) {
	const core = "downstream: {repo: core}, "
	const missing = "no such key: zone"
	for name, tc := range map[string]struct{ reason, template, want string }{
		"repoExpr":       {"Porch's prefix", "downstream: {repoExpr: target.labels.zone}", "template.downstream.repoExpr: " + missing},
		"repository":     {"not known before it is chosen", "downstream: {repoExpr: repository.name}", "template.downstream.repoExpr: no such attribute(s): repository"},
		"no repository":  {"Porch's words", "downstream: {repo: nowhere}", `repository "nowhere" could not be loaded`},
		"default":        {"the object's name is seldom a repository", "labels: {a: b}", `repository "lyon-2" could not be loaded`},
		"packageExpr":    {"Porch's prefix", "downstream: {repo: core, packageExpr: target.labels.zone}", "template.downstream.packageExpr: " + missing},
		"no package":     {"a package has a name", "downstream: {repo: core, packageExpr: \"''\"}", `the variant for package "" in repo "core" would be called "upf-core-": a lowercase RFC 1123 subdomain must`},
		"label key":      {"Porch's prefix", core + "labelExprs: [{key: a}, {keyExpr: target.labels.zone}]", "template.labelExprs[1].keyExpr: " + missing},
		"label value":    {"Porch's prefix", core + "labelExprs: [{key: a, valueExpr: target.labels.zone}]", "template.labelExprs[0].valueExpr: " + missing},
		"empty key":      {"nothing can be found under it", core + "labelExprs: [{value: a}]", "template.labelExprs[0]: the key is empty"},
		"annotation":     {"Porch's prefix", core + "annotationExprs: [{keyExpr: target.labels.zone}]", "template.annotationExprs[0].keyExpr: " + missing},
		"annotations":    {"Porch's prefix", core + "annotationExprs: [{key: a, valueExpr: target.labels.zone}]", "template.annotationExprs[0].valueExpr: " + missing},
		"context key":    {"Porch's prefix", core + "packageContext: {dataExprs: [{keyExpr: target.labels.zone}]}", "template.packageContext.dataExprs[0].keyExpr: " + missing},
		"context value":  {"Porch's prefix", core + "packageContext: {dataExprs: [{key: a, valueExpr: target.labels.zone}]}", "template.packageContext.dataExprs[0].valueExpr: " + missing},
		"removed key":    {"Porch's prefix", core + "packageContext: {removeKeyExprs: [\"'a'\", target.labels.zone]}", "template.packageContext.removeKeyExprs[1]: " + missing},
		"injector":       {"Porch's prefix", core + "injectors: [{nameExpr: target.labels.zone}]", "template.injectors[0].nameExpr: " + missing},
		"mutator":        {"Porch's prefix", core + "pipeline: {mutators: [{image: a}, {image: a, configMapExprs: [{key: k, valueExpr: target.labels.zone}]}]}", "template.pipeline.mutators[1].configMapExprs[0].valueExpr: " + missing},
		"mutator key":    {"Porch's prefix", core + "pipeline: {mutators: [{image: a, configMapExprs: [{keyExpr: target.labels.zone}]}]}", "template.pipeline.mutators[0].configMapExprs[0].keyExpr: " + missing},
		"validator":      {"Porch's prefix", core + "pipeline: {validators: [{image: a, configMapExprs: [{key: k, valueExpr: target.labels.zone}]}]}", "template.pipeline.validators[0].configMapExprs[0].valueExpr: " + missing},
		"syntax":         {"the compiler's words without its drawing", core + "labelExprs: [{key: a, valueExpr: 'target.'}]", "template.labelExprs[0].valueExpr: ERROR: <input>:1:8: Syntax error: no viable alternative at input '.'"},
		"type":           {"results are strings", core + "labelExprs: [{key: a, valueExpr: '1'}]", "template.labelExprs[0].valueExpr: the result of an expression must be a string, got int"},
		"reserved key":   {"the variant would be refused, and with it the set is", core + `packageContext: {dataExprs: [{keyExpr: "'name'", value: x}]}`, `spec.packageContext.data: Invalid value: {"name":"x"}: must not contain the key "name"`},
		"empty injector": {"likewise", core + `injectors: [{nameExpr: "''"}]`, "spec.injectors[0].name must not be empty"},
		"first error":    {"the first in order", core + "labelExprs: [{key: a, valueExpr: target.labels.zone}], injectors: [{nameExpr: target.labels.none}]", "template.labelExprs[0].valueExpr: " + missing},
	} {
		t.Run(name, func(t *testing.T) {
			state := newState()
			state.Variants = existing(t, "targets: [{repositories: [{name: old}]}]")
			got := show(decide(t, newSet(t, upstreamV3, siteTarget(tc.template)), state))
			if !strings.HasPrefix(got, "UnexpectedError: "+tc.want) || !strings.HasSuffix(got, ` (spec.targets[0], "lyon-2")`+"\n") {
				t.Errorf("%s: got %q, want %q, and the target named", tc.reason, got, tc.want)
			}
		})
	}
}

// TestValidation has every message of the contract; each set is wrong in one way.
func TestValidation(t *testing.T) {
	const a, at, in = "repositories: [{name: a}]", "spec.targets[0]", "spec.targets[0].template"
	target := func(text string) string { return upstreamV3 + ", targets: [{" + text + "}]" }
	template := func(text string) string { return target(a + ", template: {" + text + "}") }
	for name, tc := range map[string]struct{ reason, spec, want string }{
		"all":               {"messages are collected", "", "spec.upstream is a required field; must specify at least one item in spec.targets"},
		"upstream":          {"each field", "upstream: {}, targets: [{" + a + "}]", "spec.upstream.package is a required field; spec.upstream.repo is a required field; either spec.upstream.revision or spec.upstream.workspaceName must be specified"},
		"empty list":        {"it could be meant as all or as none", target("repositories: []"), at + ".repositories must not be an empty list if specified"},
		"repository":        {"each needs a name", target("repositories: [{name: a}, {name: ''}]"), at + ".repositories[1].name cannot be empty"},
		"package":           {"each needs a name", target("repositories: [{name: a, packageNames: ['']}]"), at + ".repositories[0].packageNames[0] cannot be empty"},
		"object":            {"apiVersion and kind", target("objectSelector: {}"), at + ".objectselector.apiVersion cannot be empty; " + at + ".objectselector.kind cannot be empty"},
		"no selector":       {"one of three", target(""), at + " must specify one of `repositories`, `repositorySelector`, or `objectSelector`"},
		"two selectors":     {"just one", target(a + ", repositorySelector: {}"), at + " must specify one of `repositories`, `repositorySelector`, or `objectSelector`"},
		"adoption":          {"two words", template("adoptionPolicy: x"), in + `.adoptionPolicy can only be "adoptNone" or "adoptExisting"`},
		"deletion":          {"two words", template("deletionPolicy: x"), in + `.deletionPolicy can only be "orphan" or "delete"`},
		"repo":              {"one of two", template("downstream: {repo: a, repoExpr: b}"), in + " may specify only one of `downstream.repo` and `downstream.repoExpr`"},
		"package twice":     {"one of two", template("downstream: {package: a, packageExpr: b}"), in + " may specify only one of `downstream.package` and `downstream.packageExpr`"},
		"key":               {"one of two", template("labelExprs: [{key: a, keyExpr: b}]"), in + ".labelExprs[0] may specify only one of `key` and `keyExpr`"},
		"value":             {"one of two", template("labelExprs: [{key: a, value: a, valueExpr: b}]"), in + ".labelExprs[0] may specify only one of `value` and `valueExpr`"},
		"injector":          {"one of two", template("injectors: [{name: a, nameExpr: b}]"), in + ".injectors[0] may specify only one of `name` and `nameExpr`"},
		"no injector":       {"one of two", template("injectors: [{kind: a}]"), in + ".injectors[0] must specify either `name` or `nameExpr`"},
		"exec":              {"functions of sets are images", template("pipeline: {mutators: [{exec: /bin/x}]}"), in + ".pipeline.mutators[0].image must not be empty"},
		"dotted name":       {"such a function could not be found again", template("pipeline: {mutators: [{image: a, name: b.c}]}"), in + ".pipeline.mutators[0].name must not contain '.'"},
		"repository labels": {"selectors are checked, too", target("repositorySelector: {matchLabels: {a: 'not a label!'}}"), at + `.repositorySelector.matchLabels[a]: Invalid value: "not a label!": `},
		"object labels":     {"every operator is known", target("objectSelector: {apiVersion: v1, kind: Node, matchExpressions: [{key: a, operator: Near}]}"), at + `.objectSelector.matchExpressions[0].operator: Unsupported value: "Near": supported values: "DoesNotExist", "Exists", "In", "NotIn"`},
	} {
		t.Run(name, func(t *testing.T) {
			plan := decide(t, newSet(t, tc.spec), newState())
			if plan.Reason != "ValidationError" || !strings.HasPrefix(plan.Message, tc.want) {
				t.Errorf("%s: got %s: %s, want %s", tc.reason, plan.Reason, plan.Message, tc.want)
			}
		})
	}
}

func TestValidationOfNames(t *testing.T) {
	set := newSet(t, upstreamV3, "targets: [{repositories: [{name: a}]}]")
	set.UID, set.Name = "", strings.Repeat("x", 64)
	want := "ValidationError: the name of a set without a uid must be a label value, and \"" + set.Name + "\" is not: must be no more than 63 "
	if got := show(decide(t, set, variantset.State{})); !strings.HasPrefix(got, want) {
		t.Errorf("variants of such a set could not be found again: got %q, want %q", got, want)
	}
}
