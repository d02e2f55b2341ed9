package translation_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/krm"
)

const owned = `
apiVersion: v1
kind: Service
metadata: {name: web, namespace: default, uid: 6f6a1f6e-0000-4000-8000-000000000001}
spec: {clusterIP: 10.96.0.10, ports: [{name: http, port: 80}]}
`

// TestRepairs damages one Translation in one way: the next run makes it what it was, and nothing else.
func TestRepairs(t *testing.T) {
	cases := map[string]struct{ reason, translation, from, to string }{
		"Finalizer":       {"every Translation has it", "service.4.web", "- midonet.org/deleter", "- example.com/other"},
		"Finalizers":      {"also when there is none at all", "service.4.web", "  finalizers:\n  - midonet.org/deleter\n", ""},
		"Namespace":       {"it is said", "service.4.web", "  namespace: default\n  labels", "  labels"},
		"MapKey":          {"the label is made of the key", "service.4.web", "map-key: m1-", "map-key: m2-"},
		"GeneratedBy":     {"other functions look for it", "service.4.web", "generated-by: 'translate'", "generated-by: 'map'"},
		"Origin":          {"so do people", "service.4.web", "origin: '/Service/default/web'", "origin: ''"},
		"OwnerLabel":      {"selectors look for it", "service.4.web", "owner-uid: 6f6a1f6e", "owner-uid: 0f6a1f6e"},
		"OwnerUID":        {"the garbage collector looks for it", "service.4.web", "uid: 6f6a1f6e-0000-4000-8000-000000000001\n  fin", "uid: 0f6a1f6e-0000-4000-8000-000000000001\n  fin"},
		"OwnerVersion":    {"it is that of the owner", "service.4.web", "- apiVersion: v1", "- apiVersion: v2"},
		"GlobalLabel":     {"selectors look for it", "midonet-global.4.chain", `midonet.org/global: ""`, "midonet.org/global: mine"},
		"ParentNull":      {"a null is no text", "service.4.web", `parent: ""`, "parent:"},
		"BodySpelled":     {"a body is sent as it is written", "service.4.web", `"tenantId"`, ` "tenantId"`},
		"BodyNumber":      {"nor is a number", "midonet-global.4.cluster-router", "body: '{\"id", "extra: 1\n  body: '{\"id"},
		"ResourceMore":    {"a list may shrink by what is none of it", "service.4.web", "resources:\n", "resources:\n- {}\n"},
		"ResourceMissing": {"it may grow by what is missing", "midonet-global.4.chain", "- kind: Rule\n  parent: 901ce55e-dc0c-5ad7-991e-1e28f72223e9\n  body: '{\"id\":\"380d537f", "- kind: Other\n  parent: 901ce55e-dc0c-5ad7-991e-1e28f72223e9\n  bodies: '{\"id\":\"380d537f"},
	}
	sound := apply(t, &fn.Input{Items: fntest.Parse(t, "in.yaml", []byte(owned))})
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			at := slices.IndexFunc(sound, func(o *krm.Object) bool { return o.Name() == tc.translation })
			before := text(t, sound[at])
			broken := strings.Replace(before, tc.from, tc.to, 1)
			if broken == before {
				t.Fatalf("%q is not in\n%s", tc.from, before)
			}
			damaged := slices.Clone(sound)
			damaged[at] = fntest.Parse(t, "broken.yaml", []byte(broken))[0]
			mended := apply(t, &fn.Input{Items: damaged})
			if !mended[at].SameData(sound[at]) && tc.to != "- example.com/other" { // what others hold stays
				t.Errorf("%s (-was +is):\n%s", tc.reason, cmp.Diff(before, text(t, mended[at])))
			}
			if !strings.Contains(text(t, mended[at]), "- midonet.org/deleter") {
				t.Error("it lost its finalizer")
			}
			for i, o := range mended {
				if i != at && o != damaged[i] {
					t.Errorf("%s was recreated", o.Describe())
				}
			}
		})
	}
}

func text(t *testing.T, o *krm.Object) string {
	t.Helper()
	data, err := krm.WriteRaw(krm.FromNode(o.Node()))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
