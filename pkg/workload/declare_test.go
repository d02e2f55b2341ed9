package workload

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

func bindingThatDeclares(name, entries string) string {
	return "apiVersion: control.kubestellar.io/v1alpha1\nkind: Binding\nmetadata: {name: " + name +
		", annotations: {waybill.dev/resources: '" + entries + "'}}\n---\n"
}

func TestNewBoundResources(t *testing.T) {
	cases := map[string]struct {
		reason, items string
		config        []string
		want          Resource // of Gateway.example.io
		declared      string
		faults        []string
	}{
		"Untold":     {reason: "a definition needs no telling", items: gatewayDefinition, want: Resource{"gateways", true, true, true}},
		"Option":     {reason: "the option wins over a definition", items: gatewayDefinition, config: []string{"Gateway.example.io=gws"}, want: Resource{"gws", true, true, true}, declared: "Gateway.example.io=gws,Namespaced"},
		"NoNews":     {reason: "what a definition says as well is not told on", items: gatewayDefinition, config: []string{"Gateway.example.io=gateways"}, want: Resource{"gateways", true, true, true}},
		"Binding":    {reason: "a Binding ranks as the option", items: bindingThatDeclares("a", "Box=boxes;Gateway.example.io=gateways,Cluster") + gatewayDefinition, want: Resource{"gateways", false, true, true}, declared: "Gateway.example.io=gateways,Cluster"},
		"Agreement":  {reason: "to say it twice is no harm", items: bindingThatDeclares("a", "Gateway.example.io=gws") + bindingThatDeclares("b", " Gateway.example.io = gws,Namespaced ;"), config: []string{"Gateway.example.io=gws"}, want: Resource{"gws", true, true, true}, declared: "Gateway.example.io=gws,Namespaced"},
		"Different":  {reason: "the first by name counts, the other is an error", items: bindingThatDeclares("b", "Gateway.example.io=b") + bindingThatDeclares("a", "Gateway.example.io=a"), want: Resource{"a", true, true, true}, declared: "Gateway.example.io=a,Namespaced", faults: []string{`[error] Binding b metadata.annotations[waybill.dev/resources]: "Gateway.example.io=b": Binding a (test.yaml) declares another plural or scope of this kind`}},
		"Unreadable": {reason: "what is no entry is an error, the others count", items: bindingThatDeclares("a", "Gateway;Gateway.example.io=a"), want: Resource{"a", true, true, true}, declared: "Gateway.example.io=a,Namespaced", faults: []string{`[error] Binding a metadata.annotations[waybill.dev/resources]: "Gateway": want Kind.group=plural[,Cluster|Namespaced]; "" is not a lower-case plural`}},
		"NoBinding":  {reason: "only Bindings tell", items: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, annotations: {waybill.dev/resources: Gateway.example.io=a}}\n", want: Resource{"gatewaies", false, false, true}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			items := parse(t, tc.items)
			gateway := parse(t, "apiVersion: example.io/v1\nkind: Gateway\nmetadata: {name: g}\n")[0]
			for range 2 { // the second time in reverse order
				r, errs, results := NewBoundResources(items, tc.config)
				if len(errs) > 0 {
					t.Fatal(errs)
				}
				var faults []string
				for _, f := range results {
					faults = append(faults, fn.FormatResult(f))
				}
				if d := cmp.Diff(tc.faults, faults); d != "" {
					t.Errorf("%s: faults (-want +got):\n%s", tc.reason, d)
				}
				if d := cmp.Diff(tc.want, r.Of(gateway)); d != "" || r.Declared(gateway) != tc.declared {
					t.Errorf("%s: told %q, want %q (-want +got):\n%s", tc.reason, r.Declared(gateway), tc.declared, d)
				}
				slices.Reverse(items)
			}
		})
	}
}

func TestMatch(t *testing.T) {
	const zoo = `
apiVersion: x.io/v1
kind: Mouse
metadata: {name: a, namespace: n}
---
apiVersion: x.io/v1
kind: Rat
metadata: {name: a, namespace: n}
---
apiVersion: x.io/v1
kind: Goose
metadata: {name: g}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: c}
---
apiVersion: apps/v1
kind: Foo
metadata: {name: a, namespace: n}
---
apiVersion: apps/v1
kind: "{{.kind}}"
metadata: {name: t, namespace: n}
`
	mice, rats := Entry{"x.io", "mice", "n", "a"}, Entry{"x.io", "rats", "n", "a"}
	goose, geese := Entry{"x.io", "geese", "", "g"}, Entry{"x.io", "geese", "default", "g"}
	cases := map[string]struct {
		reason  string
		entries []Entry
		want    map[Entry][]string
	}{
		"Known":     {"the plural, the namespace and the name decide", []Entry{{"", "configmaps", "default", "c"}, {"", "configmaps", "", "c"}, {"", "secrets", "default", "c"}}, map[Entry][]string{{"", "configmaps", "default", "c"}: {"ConfigMap"}, {"", "configmaps", "", "c"}: nil, {"", "secrets", "default", "c"}: nil}},
		"Ambiguous": {"two unknown kinds may both be meant", []Entry{mice}, map[Entry][]string{mice: {"Mouse", "Rat"}}},
		"OwnName":   {"a kind that is called by its guess is not offered for another name, wherever that stands", []Entry{mice, rats}, map[Entry][]string{mice: {"Mouse"}, rats: {"Rat"}}},
		"NowhereOr": {"of unknown scope an object without namespace is in default or nowhere", []Entry{goose, geese}, map[Entry][]string{goose: {"Goose"}, geese: {"Goose"}}},
		"Twice":     {"nothing is two resources: the first entry has it", []Entry{geese, {"x.io", "gooses2", "default", "g"}}, map[Entry][]string{geese: {"Goose"}, {"x.io", "gooses2", "default", "g"}: {"geese"}}},
		"Meant":     {"an entry whose resource is known means no unknown kind, though what it means is not there", []Entry{{"apps", "deployments", "n", "a"}}, map[Entry][]string{{"apps", "deployments", "n", "a"}: nil}},
		"Template":  {"unless a template makes the kind", []Entry{{"apps", "deployments", "n", "t"}}, map[Entry][]string{{"apps", "deployments", "n", "t"}: {"{{.kind}}"}}},
		"Elsewhere": {"another namespace is another object", []Entry{{"x.io", "rats", "m", "a"}}, map[Entry][]string{{"x.io", "rats", "m", "a"}: nil}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := map[Entry][]string{}
			for e, found := range resources(t, nil).Match(parse(t, zoo), tc.entries) {
				got[e] = kindsOf(found.Objects)
				if found.TakenAs != "" {
					got[e] = append(got[e], found.TakenAs)
				}
			}
			if d := cmp.Diff(tc.want, got); d != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, d)
			}
		})
	}
}

func kindsOf(objects []*krm.Object) (kinds []string) {
	for _, o := range objects {
		kinds = append(kinds, o.Kind())
	}
	return kinds
}
