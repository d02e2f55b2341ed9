package injection_test

import (
	"testing"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/injection"
	"github.com/waybill-dev/waybill/pkg/krm"
)

func TestExplain(t *testing.T) {
	config := func(injectors string) *krm.Object {
		return read(t, "config.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: config}\ndata: {injectors: '"+injectors+"'}\n")[0]
	}
	const context = `apiVersion: infra.example/v1
kind: Site
metadata: {name: lyon-2, annotations: {waybill.dev/context: "true"}}
spec: {cidr: 10.2.0.0/16}
`
	items := append(read(t, "site.yaml", site), read(t, "context.yaml", context)...)
	plain := read(t, "plain.yaml", "apiVersion: infra.example/v1\nkind: Site\nmetadata: {name: plain}\n")[0]
	cases := map[string]struct {
		reason, injectors, want string
	}{
		"Injected": {"the injector that fits says which", "[{name: none}, {name: lyon-2}]", "lyon-2"},
		"None":     {"no injector fits", "[{name: none}]", ""},
		"Broken":   {"a config that is none injects nothing", "[", ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			in := &fn.Input{Items: items, Config: config(tc.injectors)}
			source, field := injection.Explain(in, items[0])
			got := ""
			if source != nil {
				got = source.Name()
			}
			if got != tc.want || source != nil && (field != "spec" || source != items[1]) {
				t.Errorf("%s: %q into %q", tc.reason, got, field)
			}
			if source, _ := injection.Explain(in, plain); source != nil {
				t.Errorf("%s is injected into what is no injection point", source.Name())
			}
		})
	}
}
