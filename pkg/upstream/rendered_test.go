package upstream_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/merge"
)

const web = `-- web.yaml --
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: example
  labels:
    tier: bronze
spec:
  replicas: 1
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
      - name: web
        image: reg.example/web:v1 # kpt-set: reg.example/web:${tag}
`

const settings = `-- settings.yaml --
apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
  namespace: example
  labels:
    tier: bronze
data:
  mirror: reg.example/web:v1
`

const extra = `-- extra.yaml --
apiVersion: v1
kind: Service
metadata:
  name: extra
  namespace: example
  labels:
    tier: bronze
spec:
  ports:
  - port: 80
    name: http # kpt-set: ${tag}
`

const setters = `-- setters.yaml --
apiVersion: v1
kind: ConfigMap
metadata:
  name: setters
  namespace: example
data:
  tag: v1
`

// functionCases are packages that functions change, what upstream does to each, and what was edited here
// before it was rendered.
var functionCases = map[string]struct {
	reason string
	files  string
	inputs []edit // of functions, here
	theirs []edit
	plain  []string // the conflicts of a plain merge
}{
	"set-namespace": {
		reason: "every object differs, so what upstream deletes would stay",
		files:  kptfileOf("set-namespace namespace=prod") + web + settings + extra,
		theirs: []edit{{"extra.yaml", "", ""}, {"web.yaml", "replicas: 1", "replicas: 2"}},
		plain:  []string{"extra.yaml Service : present, -, changed: ours"},
	},
	"set-namespace with another namespace here": {
		reason: "a changed setting has its effect on both sides, and on what is new",
		files:  kptfileOf("set-namespace namespace=prod") + web + settings + extra,
		inputs: []edit{{"Kptfile", "namespace: prod", "namespace: north"}},
		theirs: []edit{{"extra.yaml", "", ""}, {"new.yaml", "", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: new\n  namespace: example\n"}},
		plain:  []string{"extra.yaml Service : present, -, changed: ours"},
	},
	"set-labels": {
		reason: "a label that a function sets is its own",
		files:  kptfileOf("set-labels tier=gold") + web + settings + extra,
		theirs: []edit{{"web.yaml", "tier: bronze", "tier: silver"}, {"extra.yaml", "", ""}},
		plain: []string{"extra.yaml Service : present, -, changed: ours",
			"web.yaml Deployment metadata.labels.tier: bronze, silver, gold: silver"},
	},
	"apply-setters": {
		reason: "values that setters give, set otherwise here",
		files:  kptfileOf("apply-setters @setters.yaml", "set-namespace namespace=prod") + web + extra + setters,
		inputs: []edit{{"setters.yaml", "tag: v1", "tag: canary"}},
		theirs: []edit{{"web.yaml", "web:v1", "web:v2"}, {"extra.yaml", "", ""}},
		plain: []string{"extra.yaml Service : present, -, changed: ours",
			"web.yaml Deployment spec.template.spec.containers[name=web].image: reg.example/web:v1, reg.example/web:v2, reg.example/web:canary: reg.example/web:v2"},
	},
	"apply-setters with a new one upstream": {
		reason: "what upstream sets takes effect beside what is set here",
		files:  kptfileOf("apply-setters @setters.yaml") + web + extra + setters,
		inputs: []edit{{"setters.yaml", "tag: v1", "tag: canary"}},
		theirs: []edit{{"setters.yaml", "  tag: v1\n", "  tag: v1\n  count: 7\n"}, {"web.yaml", "replicas: 1", "replicas: 1 # kpt-set: ${count}"},
			{"web.yaml", "web:v1", "web:v2"}},
		plain: []string{"web.yaml Deployment spec.template.spec.containers[name=web].image: reg.example/web:v1, reg.example/web:v2, reg.example/web:canary: reg.example/web:v2"},
	},
	"search-replace": {
		reason: "a mirror in the place of a registry",
		files:  kptfileOf("search-replace by-value-regex=reg\\.example/(.*) put-value=mirror.example/${1}") + web + settings + extra,
		theirs: []edit{{"web.yaml", "web:v1 #", "web:v2 #"}, {"settings.yaml", "", ""}},
		plain: []string{"settings.yaml ConfigMap : present, -, changed: ours",
			"web.yaml Deployment spec.template.spec.containers[name=web].image: reg.example/web:v1, reg.example/web:v2, mirror.example/web:v1: reg.example/web:v2"},
	},
	"ensure-name-substring": {
		reason: "renamed objects are known by their marks",
		files:  kptfileOf("ensure-name-substring prepend=north-") + web + settings + extra,
		theirs: []edit{{"extra.yaml", "", ""}, {"settings.yaml", "web:v1", "web:v2"}},
		plain:  []string{"extra.yaml Service : present, -, changed: ours"},
	},
	"custom-transform": {
		reason: "a field that a function takes out is not deleted here",
		files: kptfileOf("custom-transform") + web + settings + extra + `-- transform.yaml --
apiVersion: control.kubestellar.io/v1alpha1
kind: CustomTransform
metadata:
  name: t
spec:
  apiGroup: ""
  resource: configmaps
  remove:
  - $.data.mirror
`,
		theirs: []edit{{"settings.yaml", "web:v1", "web:v2"}},
		plain:  []string{"settings.yaml ConfigMap data.mirror: reg.example/web:v1, reg.example/web:v2, -: reg.example/web:v2"},
	},
	"a subpackage deleted upstream": {
		reason: "with its own pipeline, and a Kptfile that functions change",
		files: kptfileOf("set-labels tier=gold") + web +
			inFolder("sub", kptfileOf("set-namespace @conf/ns.yaml")+extra) +
			"-- sub/conf/ns.yaml --\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ns\n  namespace: example\ndata:\n  namespace: prod\n",
		theirs: []edit{{"sub/Kptfile", "", ""}, {"sub/extra.yaml", "", ""}, {"sub/conf/ns.yaml", "", ""}},
		plain:  []string{"sub  : present, -, changed: ours"},
	},
	"a new function upstream": {
		reason: "it runs with what is set here",
		files:  kptfileOf("set-labels tier=gold") + web + settings + extra,
		inputs: []edit{{"Kptfile", "tier: gold", "tier: platinum"}},
		theirs: []edit{{"Kptfile", "gold\n", "gold\n  - image: ghcr.io/waybill-dev/set-namespace:v0.1.0\n    configMap:\n      namespace: upstream\n"},
			{"web.yaml", "tier: bronze", "tier: silver"}},
		plain: []string{"web.yaml Deployment metadata.labels.tier: bronze, silver, platinum: silver"},
	},
}

// TestFunctionsAreNoLocalEdits merges changes of functions without local edits: a plain merge finds conflicts,
// a rendered one none, and what comes of it is what upstream now renders to with the settings made here.
func TestFunctionsAreNoLocalEdits(t *testing.T) {
	for name, tc := range functionCases {
		t.Run(name, func(t *testing.T) {
			base := archive(t, tc.files)
			theirs := edited(t, base, tc.theirs...)
			x := triple{base, theirs, got(t, edited(t, base, tc.inputs...))}
			if diff := cmp.Diff(tc.plain, lines(x.plain(t, merge.Upstream).Conflicts)); diff != "" {
				t.Errorf("%s: conflicts of a plain merge (-want +got):\n%s", tc.reason, diff)
			}
			// what is set here is set upstream, too, and then it is got again
			want := got(t, edited(t, theirs, tc.inputs...))
			for _, prefer := range []merge.Prefer{merge.Upstream, merge.Local, merge.Fail} {
				res := x.merged(t, prefer)
				if diff := cmp.Diff([]string(nil), lines(res.Conflicts)); diff != "" {
					t.Errorf("%s: conflicts when %s is preferred (-want +got):\n%s", tc.reason, prefer, diff)
				}
				sameTrees(t, tc.reason, want, res.Tree)
			}
			checkRenderedLaws(t, x)

			unrendered := triple{base, theirs, merge.AddMarks(edited(t, base, tc.inputs...))}
			res := unrendered.merged(t, merge.Fail)
			if diff := cmp.Diff([]string(nil), lines(res.Conflicts)); diff != "" {
				t.Errorf("got, and not rendered since: conflicts (-want +got):\n%s", diff)
			}
			sameTrees(t, "got, and not rendered since", want, res.Tree)
			copied := triple{base, theirs, rendered(t, edited(t, base, tc.inputs...))}
			if diff := cmp.Diff([]string(nil), lines(copied.merged(t, merge.Fail).Conflicts)); diff != "" {
				t.Errorf("copied without marks, and rendered: conflicts (-want +got):\n%s", diff)
			}
		})
	}
}
