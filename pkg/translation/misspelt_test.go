package translation_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/translation"
)

const misspeltNode = `apiVersion: v1
kind: Node
metadata:
  name: n1
  annotations:
    midonet.org/host-id: 44fb4381-c99d-4389-86c3-fdca765bcbde
spec:
  podCIDR: 10.1.2.0/24
status:
  addresses:
  - {type: InternalIP, address: 192.0.2.1}
`

const misspeltPod = `---
apiVersion: v1
kind: Pod
metadata:
  name: p1
  namespace: default
  annotations:
    midonet.org/mac-address: 0a:00:00:00:00:01
spec:
  nodeName: n1
status:
  podIP: 10.1.2.7
  hostIP: 192.0.2.1
`

// TestMisspeltStatus misspells one name of a Node or of its Pod. What was made of it stays as it was, and an error or a warning says
// why, also where the Node is only referred to. What nothing reads is an error in any case.
func TestMisspeltStatus(t *testing.T) {
	const less = ", without which there are fewer Translations: correct the name, or remove the field"
	const nothing = "nothing reads this field; rename it to annotations if you mean that, or remove it"
	cases := map[string]struct{ from, to, at, want string }{
		"podIPs":      {"podIP: 10.1.2.7", "podIPs: [{ip: 10.1.2.7}]", "status.podIPs", "want podIP" + less},
		"podIP":       {"podIP", "podIp", "status.podIp", "want podIP" + less},
		"status":      {"status:\n  podIP", "stauts:\n  podIP", "stauts", "want status" + less},
		"mac":         {"annotations:\n    midonet.org/mac", "anotations:\n    midonet.org/mac", "metadata.anotations", nothing},
		"addresses":   {"addresses", "adresses", "status.adresses", "want addresses" + less},
		"type":        {"InternalIP", "InternalIp", "status.addresses[0].type", "want InternalIP, without which there are fewer Translations: correct it, or remove the address"},
		"beside":      {"annotations:\n    midonet.org/mac", "annotations: {a: b}\n  anotations:\n    midonet.org/mac", "metadata.anotations", nothing},
		"annotations": {"annotations:\n    midonet.org/host", "Annotations:\n    midonet.org/host", "metadata.Annotations", nothing},
	}
	all := misspeltNode + misspeltPod
	for name, c := range cases {
		for _, mode := range [][2]string{{"node", "Fail"}, {"pod", "Fail"}, {"node", "Skip"}, {"pod", "Skip"}} {
			converters, onFault := mode[0], mode[1]
			t.Run(name+"/"+converters+"/"+onFault, func(t *testing.T) {
				config := fntest.Parse(t, "fn.yaml", []byte("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndata:\n  global: \"false\"\n  converters: "+converters+"\n  onFault: "+onFault+"\n"))[0]
				made := apply(t, &fn.Input{Config: config, Items: fntest.Parse(t, "in.yaml", []byte(all))})[2:]
				misspelt := fntest.Parse(t, "in.yaml", []byte(strings.Replace(all, c.from, c.to, 1)))
				out := translation.Function.Apply(t.Context(), &fn.Input{Config: config, Items: append(misspelt, made...)})
				failed, fails := fn.FormatResult(out.Results[0]), onFault == "Fail" || c.want == nothing
				switch {
				case converters == "node" && strings.Contains(misspeltPod, c.from): // nothing is made of it
					return
				case out.Failed() != fails || strings.HasPrefix(failed, "[info]") || !strings.Contains(failed, c.at) || !strings.HasSuffix(failed, c.want):
					t.Fatalf("want a fault that says %s: %s, got %v", c.at, c.want, out.Results)
				}
				if d := cmp.Diff(texts(t, made), texts(t, out.Items[2:])); len(made) == 0 || d != "" {
					t.Errorf("%d were made (-were +are):\n%s", len(made), d)
				}
			})
		}
	}
}

// TestSlipsInInputs has an annotation that makes an object an input, or keeps a Translation, be misspelt. All Translations stay.
func TestSlipsInInputs(t *testing.T) {
	config := fntest.Parse(t, "fn.yaml", []byte("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndata:\n  global: \"false\"\n  view: Complete\n"))[0]
	all := strings.Replace(misspeltNode+strings.Replace(misspeltPod, "namespace: default", "namespace: shop", 1), "    midonet.org/mac-address", "    config.kubernetes.io/local-config: \"true\"\n    waybill.dev/context: \"true\"\n    midonet.org/mac-address", 1)
	made := apply(t, &fn.Input{Config: config, Items: fntest.Parse(t, "in.yaml", []byte(all))})[2:]
	if len(made) < 3 {
		t.Fatalf("only %d Translations were made", len(made))
	}
	for _, slip := range [][2]string{{`waybill.dev/context: "true"`, `waybill.dev/context: "True"`}, {"waybill.dev/context", "waybill.dev/contxt"}, {"  namespace: shop", "  namepace: shop"}, {"  namespace: shop", "  namespace:"}} {
		items := fntest.Parse(t, "in.yaml", []byte(strings.Replace(all, slip[0], slip[1], 1)))
		out := translation.Function.Apply(t.Context(), &fn.Input{Config: config, Items: append(items, made...)})
		if d := cmp.Diff(texts(t, made), texts(t, out.Items[2:])); !out.Failed() || d != "" {
			t.Errorf("%s: failed is %t (-were +are):\n%s", slip[1], out.Failed(), d)
		}
	}
}

// TestMisspeltKind misspells the kind of a Pod. Its Translations stay, whatever other kind the slip is near to, too.
func TestMisspeltKind(t *testing.T) {
	config := fntest.Parse(t, "fn.yaml", []byte("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndata:\n  global: \"false\"\n  view: Complete\n"))[0]
	made := apply(t, &fn.Input{Config: config, Items: fntest.Parse(t, "in.yaml", []byte(misspeltNode+misspeltPod))})[2:]
	for _, kind := range []string{"Pods", "pod", "pOD", "POD", "Podd", "Po", "Opd"} {
		misspelt := fntest.Parse(t, "in.yaml", []byte(misspeltNode+strings.Replace(misspeltPod, "kind: Pod", "kind: "+kind, 1)))
		out := translation.Function.Apply(t.Context(), &fn.Input{Config: config, Items: append(misspelt, made...)})
		if d := cmp.Diff(texts(t, made), texts(t, out.Items[2:])); !out.Failed() || d != "" {
			t.Errorf("%s: failed is %t (-were +are):\n%s", kind, out.Failed(), d)
		}
	}
}

func texts(t *testing.T, objects []*krm.Object) (all []string) {
	for _, o := range objects {
		all = append(all, text(t, o))
	}
	return all
}
