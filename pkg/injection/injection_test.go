package injection_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/injection"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
)

const site = `apiVersion: infra.example/v1
kind: Site
metadata:
  name: site
  annotations:
    kpt.dev/config-injection: required
spec:
  cidr: 0.0.0.0/0 # to be injected
`

const siteInjected = `apiVersion: infra.example/v1
kind: Site
metadata:
  name: site
  annotations:
    kpt.dev/config-injection: required
    kpt.dev/injected-resource: 'lyon-2'
spec:
  cidr: 10.2.0.0/16
  zone: "no"
`

const settings = `apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
  annotations:
    kpt.dev/config-injection: optional # if there is one
`

const cluster = `apiVersion: infra.example/v1
kind: Site
metadata: {name: lyon-2, namespace: fleet}
spec: {zone: "no", cidr: 10.2.0.0/16}
---
apiVersion: infra.example/v1
kind: Site
metadata: {name: empty, namespace: fleet}
---
apiVersion: infra.example/v1
kind: Site
metadata: {name: lyon-3, namespace: other}
spec: {cidr: 10.3.0.0/16}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings-eu}
data: {b: "2", a: "1"}
`

func read(t testing.TB, file, text string) []*krm.Object {
	t.Helper()
	objects, err := krm.Read(file, []byte(text), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return objects
}

func write(t testing.TB, objects ...*krm.Object) string {
	t.Helper()
	data, err := krm.Write(objects)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func ptr(s string) *string { return &s }

func TestInject(t *testing.T) {
	named := func(name string) porchconfig.InjectionSelector { return porchconfig.InjectionSelector{Name: name} }
	for name, tc := range map[string]struct {
		reason    string
		in        string
		injectors []porchconfig.InjectionSelector
		list      injection.Lister
		want      string // the object; "" when it stays as it is
		condition string // status, reason and message
	}{
		"injected": {
			reason: "spec is replaced whole, keys sorted, what YAML 1.1 misreads quoted", in: site,
			injectors: []porchconfig.InjectionSelector{{Kind: ptr("Site"), Name: "lyon-2"}}, want: siteInjected,
			condition: `True ConfigInjected injected resource "lyon-2" from cluster`,
		},
		"ConfigMap": {
			reason: "of a core ConfigMap it is data, made when missing; other comments stay", in: settings,
			injectors: []porchconfig.InjectionSelector{named("settings-eu")},
			want:      settings + "    kpt.dev/injected-resource: 'settings-eu'\ndata:\n  a: \"1\"\n  b: \"2\"\n",
			condition: `True ConfigInjected injected resource "settings-eu" from cluster`,
		},
		"again": {
			reason: "what is injected already is left alone", in: siteInjected,
			injectors: []porchconfig.InjectionSelector{named("lyon-2")},
			condition: `True ConfigInjected injected resource "lyon-2" from cluster`,
		},
		"first hit wins": {
			reason: "an injector that fits but whose object is missing does not stop the search", in: site,
			injectors: []porchconfig.InjectionSelector{named("nowhere"), named("lyon-2"), named("empty")}, want: siteInjected,
			condition: `True ConfigInjected injected resource "lyon-2" from cluster`,
		},
		"no injectors": {reason: "a point without its object says so", in: site, condition: "False NoResourceSelected no injectors defined"},
		"nothing of the kind": {
			reason: "a point without its object says so", in: "apiVersion: infra.example/v2" + site[28:], injectors: []porchconfig.InjectionSelector{named("lyon-2")},
			condition: "False NoResourceSelected no in-cluster resources of type infra.example/v2.Site",
		},
		"other namespace": {
			reason: "only the variant's namespace is looked at", in: site, injectors: []porchconfig.InjectionSelector{named("lyon-3")},
			condition: "False NoResourceSelected no resource matched any injection selector for this injection point",
		},
		"filters": {
			reason: "every part that is set must be that of the point; an empty group is the core group", in: site,
			injectors: []porchconfig.InjectionSelector{
				{Group: ptr(""), Name: "lyon-2"}, {Version: ptr("v2"), Name: "lyon-2"}, {Kind: ptr("Place"), Name: "lyon-2"},
			},
			condition: "False NoResourceSelected no resource matched any injection selector for this injection point",
		},
		"missing field": {
			reason: "a hit without the field is the end of the search", in: site, injectors: []porchconfig.InjectionSelector{named("empty"), named("lyon-2")},
			condition: `False NoResourceSelected field "spec" not found in resource "empty"`,
		},
		"listing fails": {
			reason: "a point that may not be looked up says why", in: site, injectors: []porchconfig.InjectionSelector{named("lyon-2")},
			list:      func(string, string) ([]*krm.Object, error) { return nil, errors.New("sites is forbidden") },
			condition: "False NoResourceSelected sites is forbidden",
		},
	} {
		t.Run(name, func(t *testing.T) {
			list := tc.list
			if list == nil {
				list = injection.FromObjects(read(t, "cluster.yaml", cluster), "fleet")
			}
			o := read(t, "a.yaml", tc.in)[0]
			r, err := injection.Inject([]*krm.Object{o}, tc.injectors, list)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if c := r.Changed[o]; c != nil {
				got = write(t, c)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(tc.in, write(t, o)); diff != "" {
				t.Errorf("the input stays as it was (-want +got):\n%s", diff)
			}
			c := r.Outcomes[0].Condition()
			if diff := cmp.Diff(tc.condition, string(c.Status)+" "+c.Reason+" "+c.Message); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestBadPoints(t *testing.T) {
	bad := "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\n  annotations: {kpt.dev/config-injection: maybe}\n"
	for name, tc := range map[string]struct {
		reason string
		files  map[string]string
		want   string
	}{
		"all are named": {
			"every fault is in the one message, in the order of paths", map[string]string{"b.yaml": site, "a.yaml": bad, "c/d.yml": site},
			`errors in injection points: a.yaml: ConfigMap/x has invalid "kpt.dev/config-injection" annotation value of "maybe", duplicate injection conditionType "config.injection.Site.site" (b.yaml and c/d.yml)`,
		},
		"three of one type": {
			"as in Porch, each is reported with the one before it", map[string]string{"a.yaml": site, "b.yaml": site, "c.yaml": site},
			`errors in injection points: duplicate injection conditionType "config.injection.Site.site" (a.yaml and b.yaml), duplicate injection conditionType "config.injection.Site.site" (b.yaml and c.yaml)`,
		},
		"other files": {"a text file may say what it likes", map[string]string{"a.txt": bad, "b.yaml": site}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var items []*krm.Object
			for file, text := range tc.files {
				items = append(items, read(t, file, text)...)
			}
			got := ""
			if _, err := injection.Inject(items, nil, nil); err != nil {
				got = err.Error()
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

const header = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: upf\n"

func TestRecord(t *testing.T) {
	outcomes := injection.Outcomes{
		{Type: "config.injection.Site.site", Required: true, Source: "lyon-2"},
		{Type: "config.injection.ConfigMap.c", Reason: "no injectors defined"},
	}
	recorded := `info:
  readinessGates:
  - conditionType: config.injection.Site.site
status:
  conditions:
  - type: config.injection.ConfigMap.c
    status: "False"
    reason: NoResourceSelected
    message: no injectors defined
  - type: config.injection.Site.site
    status: "True"
    reason: ConfigInjected
    message: injected resource "lyon-2" from cluster
`
	shuffled := `info:
  readinessGates:
  - conditionType: config.injection.Site.site
  - conditionType: config.injection.Site.b
status:
  conditions:
  - type: config.injection.Site.site
    status: "True"
    reason: ConfigInjected
    message: injected resource "lyon-2" from cluster
  - type: config.injection.Site.b
    status: "True"
    reason: ConfigInjected
    message: injected resource "lyon-2" from cluster
  - type: config.injection.ConfigMap.c
    status: "False"
    reason: NoResourceSelected
    message: no injectors defined
`
	for name, tc := range map[string]struct {
		reason   string
		outcomes injection.Outcomes
		in, want string
	}{
		"new": {"a gate for required points only, both lists sorted", outcomes, header, header + recorded},
		"beside others": {
			"gates and conditions of others stay and keep their comments", outcomes,
			header + "info:\n  readinessGates:\n  - conditionType: zz # theirs\nstatus:\n  conditions:\n  # theirs\n  - type: aa\n    status: Unknown\n",
			header + "info:\n  readinessGates:\n  - conditionType: config.injection.Site.site\n  - conditionType: zz # theirs\nstatus:\n  conditions:\n  # theirs\n  - type: aa\n    status: Unknown\n" + recorded[len("info:\n  readinessGates:\n  - conditionType: config.injection.Site.site\nstatus:\n  conditions:\n"):],
		},
		"Porch's conditions": {
			"conditions keep the order that they have, new ones come last", append(outcomes, injection.Outcome{Type: "config.injection.Site.b", Source: "lyon-2"}),
			header + recorded + "  - type: Rendered\n    status: \"True\"\n",
			header + recorded + "  - type: Rendered\n    status: \"True\"\n  - type: config.injection.Site.b\n    status: \"True\"\n    reason: ConfigInjected\n    message: injected resource \"lyon-2\" from cluster\n",
		},
		"other order": {
			"the order of gates and conditions does not matter", append(outcomes, injection.Outcome{Type: "config.injection.Site.b", Required: true, Source: "lyon-2"}),
			header + shuffled, header + shuffled,
		},
		"points are gone": {"their conditions and gates go too", nil, header + recorded, header},
		"never had any":   {"the order of others' gates is not ours to change", nil, header + "info:\n  readinessGates:\n  - conditionType: z\n  - conditionType: a\n", header + "info:\n  readinessGates:\n  - conditionType: z\n  - conditionType: a\n"},
	} {
		t.Run(name, func(t *testing.T) {
			once := record(t, tc.outcomes, tc.in)
			if diff := cmp.Diff(tc.want, once); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(once, record(t, tc.outcomes, once)); diff != "" {
				t.Errorf("recording twice is recording once (-once +twice):\n%s", diff)
			}
			backwards := slices.Clone(tc.outcomes)
			slices.Reverse(backwards)
			if diff := cmp.Diff(once, record(t, backwards, tc.in)); diff != "" {
				t.Errorf("the order of points does not matter (-want +got):\n%s", diff)
			}
		})
	}
}

func record(t *testing.T, outcomes injection.Outcomes, text string) string {
	t.Helper()
	f, err := kptfile.Parse("Kptfile", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	outcomes.Record(f)
	data, err := f.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
